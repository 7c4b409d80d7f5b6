// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of dimensions: how the tensors of an op are split together.
#include "DimParts.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "SplitGemm.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

using Splits = SmallVector<Parts, 3>;
using Sizes = SmallVector<int64_t, 2>;

SmallVector<int64_t> layout::shapeOf(const Parts &parts) {
  SmallVector<int64_t> shape;
  for (const Sizes &sizes : parts)
    llvm::append_range(shape, sizes);
  return shape;
}

bool layout::isSplit(const Parts &parts) {
  return llvm::any_of(parts, [](const Sizes &sizes) {
    return sizes.size() - llvm::count(sizes, 1) > 1;
  });
}

SmallVector<int64_t> layout::firstParts(const Parts &parts) {
  SmallVector<int64_t> first = {0};
  for (const Sizes &sizes : parts)
    first.push_back(first.back() + int64_t(sizes.size()));
  return first;
}

std::optional<Parts> layout::partsOf(ArrayRef<int64_t> coarse,
                                     ArrayRef<int64_t> fine) {
  if (coarse.empty() || llvm::is_contained(coarse, 0))
    return std::nullopt;
  Parts parts(coarse.size());
  size_t next = 0;
  for (auto [d, size] : llvm::enumerate(coarse)) {
    int64_t product = 1;
    // A dimension of size 1 is one of size 1 if there is one.
    while (next < fine.size() &&
           (product < size || (parts[d].empty() && fine[next] == 1))) {
      product *= fine[next];
      parts[d].push_back(fine[next++]);
    }
    if (product != size)
      return std::nullopt;
  }
  for (; next < fine.size(); ++next)
    parts.back().push_back(1);
  return isSplit(parts) ? std::optional(parts) : std::nullopt;
}

bool layout::keepsParts(const Parts &parts, ArrayRef<int64_t> order) {
  const SmallVector<int64_t> shape = shapeOf(parts);
  assert(shape.size() == order.size() && "an order of the finer tensor");
  SmallVector<int64_t> coarseOf;
  for (auto [dim, sizes] : llvm::enumerate(parts))
    coarseOf.append(sizes.size(), int64_t(dim));
  // Of one coarse dimension, each part of several elements comes after the one
  // before it, and nothing is between them.
  SmallVector<int64_t> placed; // the parts of several elements
  for (int64_t dim : order)
    if (shape[dim] != 1)
      placed.push_back(dim);
  llvm::SmallDenseSet<int64_t> done;
  for (size_t at = 0; at < placed.size(); ++at) {
    if (at > 0 && coarseOf[placed[at]] == coarseOf[placed[at - 1]]) {
      if (placed[at] < placed[at - 1])
        return false;
    } else if (!done.insert(coarseOf[placed[at]]).second) {
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of all tensors of an op
//===----------------------------------------------------------------------===//

/// Elements of a dimension per element of its first part.
static int64_t innerSize(const Sizes &sizes) {
  assert(!sizes.empty() && "has a first part");
  return computeProduct(ArrayRef(sizes).drop_front());
}

/// The parts of a dimension of `size` elements, a window of which, or whose
/// window, has `sizes`: the outer part is longer or shorter. The offset must be
/// of whole inner parts.
static std::optional<Sizes> otherOuter(const Sizes &sizes, int64_t size,
                                       int64_t offset) {
  if (sizes.size() == 1)
    return Sizes{size};
  if (sizes.empty())
    return std::nullopt; // no part that could be longer
  const int64_t inner = innerSize(sizes);
  if (offset % inner != 0 || size % inner != 0)
    return std::nullopt;
  Sizes result = sizes;
  result.front() = size / inner;
  return result;
}

namespace {
/// The parts of the factors of an op's map.
class FactorParts {
public:
  explicit FactorParts(DimMap ofOp) : map(std::move(ofOp)) {
    for (const DimMap::Factor &factor : map.factors)
      parts.push_back({factor.size});
  }

  /// Sets the parts of the factors that follow from those of a dimension of
  /// `size` elements; false if there are none. Where positions are not those of
  /// one factor there is one part.
  bool setFrom(const DimMap::Dim &dim, int64_t size, const Sizes &own) {
    const auto single = singleOf(dim, size);
    if (!single || single->isRepeated)
      return own.size() == 1;
    auto sizes = single->isSame
                     ? std::optional(own)
                     : otherOuter(own, single->extent, single->offset);
    if (sizes)
      parts[single->factor] = std::move(*sizes);
    return sizes.has_value();
  }

  /// The parts of a dimension that follow from those of the factors, if any do.
  std::optional<Sizes> of(const DimMap::Dim &dim, int64_t size) const {
    const auto single = singleOf(dim, size);
    if (!single) {
      auto isWhole = [&](const DimMap::Term &term) {
        return parts[term.factor].size() == 1;
      };
      return llvm::all_of(dim.terms, isWhole) ? std::optional(Sizes{size})
                                              : std::nullopt;
    }
    const Sizes &own = parts[single->factor];
    if (single->isSame)
      return own;
    return single->isRepeated ? Sizes(own.size(), 1)
                              : otherOuter(own, size, single->offset);
  }

  const DimMap map;

private:
  /// The only factor of a dimension that can be split.
  struct Single {
    unsigned factor;
    int64_t extent, offset; ///< of the factor, and of a window on it
    bool isSame;            ///< as many elements, in one direction or the other
    bool isRepeated;        ///< one element for all indices
  };

  std::optional<Single> singleOf(const DimMap::Dim &dim, int64_t size) const {
    if (dim.isWhole || dim.terms.size() != 1)
      return std::nullopt;
    const auto [factor, stride] = dim.terms.front();
    const int64_t extent = map.factors[factor].size;
    // The parts of a reversed dimension are reversed.
    const bool isReversed =
        stride == -1 && size == extent && dim.offset == size - 1;
    if (stride != 0 && stride != 1 && !isReversed)
      return std::nullopt;
    const bool isSame =
        isReversed || (size == extent && (stride == 0 || dim.offset == 0));
    return Single{factor, extent, dim.offset, isSame, !isSame && stride == 0};
  }

  SmallVector<Sizes> parts;
};
} // namespace

/// Ops that applySplits changes to the same op on split tensors.
static bool isSplittable(Operation *op) {
  if (auto gemm = dyn_cast<GemmOp>(op))
    return !hasOrders(gemm); // becomes a SplitGemmOp
  return isa<ElementwiseOpInterface, SplitGemmOp, ReduceOp, ArgReduceOp,
             CumulativeSumOp, ReverseOp, GatherOp, BroadcastOp, SliceOp, PadOp,
             ConcatOp>(op);
}

/// The numbers of all parts of `dims`.
static SmallVector<int64_t> partsOfDims(ArrayRef<int64_t> dims,
                                        const Parts &parts) {
  const SmallVector<int64_t> first = firstParts(parts);
  SmallVector<int64_t> result;
  for (int64_t dim : dims)
    llvm::append_range(result, llvm::seq(first[dim], first[dim + 1]));
  return result;
}

std::optional<Splits> layout::splitsWith(Operation *op, unsigned tensor,
                                         const Parts &parts) {
  if (op->getNumResults() != 1 || !isSplittable(op))
    return std::nullopt;
  FactorParts factors(cast<DimMapOpInterface>(op).getDimMap());
  for (auto [dim, size, own] :
       llvm::zip_equal(factors.map.of(tensor).dims,
                       typeOfTensor(op, tensor).getShape(), parts))
    if (!factors.setFrom(dim, size, own))
      return std::nullopt;
  Splits splits;
  for (const DimMap::Access &access : factors.map.accesses) {
    Parts &other = splits.emplace_back();
    for (auto [dim, size] : llvm::zip_equal(
             access.dims, typeOfTensor(op, access.tensor).getShape())) {
      auto sizes = factors.of(dim, size);
      if (!sizes)
        return std::nullopt;
      other.push_back(std::move(*sizes));
    }
  }
  // Dimensions of size 1 may have no part here and one in another tensor.
  if (splits[tensor] != parts)
    return std::nullopt;
  // A reduction needs a dimension to reduce.
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && partsOfDims(reduce.getDims(), splits.front()).empty())
    return std::nullopt;
  return splits;
}

/// Offsets of the outer parts, and `inner` of the others.
static SmallVector<int64_t> splitOffsets(ArrayRef<int64_t> offsets,
                                         const Parts &parts, int64_t inner) {
  SmallVector<int64_t> result;
  for (auto [offset, sizes] : llvm::zip_equal(offsets, parts)) {
    if (sizes.empty()) {
      assert(offset == inner && "all of a dimension without parts");
      continue;
    }
    result.push_back(sizes.size() == 1 || offset == inner
                         ? offset
                         : offset / innerSize(sizes));
    result.append(sizes.size() - 1, inner);
  }
  return result;
}

void layout::applySplits(Operation *op, ArrayRef<Parts> splits) {
  const Parts &first = splits.front();
  auto partOf = [&](int64_t dim) { return firstParts(first)[dim]; };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](SplitGemmOp gemm) {
        const ProductDims dims = ProductDims::of(gemm).split(splits);
        gemm.setLhsDims(dims.names[0]);
        gemm.setRhsDims(dims.names[1]);
        gemm.setResultDims(dims.names[2]);
      })
      .Case([&](ReduceOp reduce) {
        reduce.setDims(partsOfDims(reduce.getDims(), first));
      })
      .Case(
          [&](ArgReduceOp reduce) { reduce.setAxis(partOf(reduce.getAxis())); })
      .Case([&](CumulativeSumOp sum) { sum.setAxis(partOf(sum.getAxis())); })
      .Case([&](ReverseOp reverse) {
        reverse.setDims(partsOfDims(reverse.getDims(), first));
      })
      .Case([&](GatherOp gather) {
        const int64_t batch = partOf(gather.getBatchDims());
        gather.setAxis(partOf(gather.getAxis()));
        gather.setBatchDims(batch);
      })
      .Case([&](BroadcastOp broadcast) {
        broadcast.setDims(partsOfDims(broadcast.getDims(), splits[1]));
      })
      .Case([&](SliceOp slice) {
        slice.setOffsets(splitOffsets(slice.getOffsets(), first, 0));
        slice.setStrides(splitOffsets(slice.getStrides(), first, 1));
      })
      .Case([&](PadOp pad) {
        pad.setLow(splitOffsets(pad.getLow(), first, 0));
        pad.setHigh(splitOffsets(pad.getHigh(), first, 0));
      })
      .Case([&](ConcatOp concat) { concat.setAxis(partOf(concat.getAxis())); })
      .Default([](Operation *) {});
}
