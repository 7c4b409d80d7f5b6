// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of dimensions: how the tensors of an op are split together.
#include "DimParts.h"
#include "SplitGemm.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

using Splits = SmallVector<Parts, 3>;
using Sizes = SmallVector<int64_t, 2>;

Parts layout::wholeParts(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector<4>(shape,
                                [](int64_t size) { return Sizes{size}; });
}

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
// Elements of the result from the same positions
//===----------------------------------------------------------------------===//

/// The parts of a tensor each of whose dimensions is one of a tensor with
/// `shape` and `parts`, or is broadcast along it.
static std::optional<Parts> broadcastParts(ArrayRef<int64_t> own,
                                           ArrayRef<int64_t> shape,
                                           const Parts &parts) {
  if (own.size() != shape.size())
    return std::nullopt;
  Parts result;
  for (auto [size, whole, sizes] : llvm::zip_equal(own, shape, parts)) {
    if (size == whole)
      result.push_back(sizes);
    else if (size == 1)
      result.push_back(Sizes(sizes.size(), 1));
    else
      return std::nullopt;
  }
  return result;
}

/// The parts of the tensor along which one with `shape` and `parts` is
/// broadcast: dimensions that only it has are whole.
static std::optional<Parts> widerParts(ArrayRef<int64_t> wide,
                                       ArrayRef<int64_t> shape,
                                       const Parts &parts) {
  if (wide.size() != shape.size())
    return std::nullopt;
  Parts result;
  for (auto [whole, size, sizes] : llvm::zip_equal(wide, shape, parts)) {
    if (size != whole && sizes.size() != 1)
      return std::nullopt;
    result.push_back(size == whole ? sizes : Sizes{whole});
  }
  return result;
}

static std::optional<Splits> splitElementwise(Operation *op, unsigned tensor,
                                              const Parts &parts) {
  const ArrayRef<int64_t> shape = tensorType(op->getResult(0)).getShape();
  std::optional<Parts> result = parts;
  if (tensor < op->getNumOperands())
    result =
        widerParts(shape, tensorType(op->getOperand(tensor)).getShape(), parts);
  Splits splits;
  for (Value operand : op->getOperands()) {
    auto own =
        result ? broadcastParts(tensorType(operand).getShape(), shape, *result)
               : std::nullopt;
    if (!own)
      return std::nullopt;
    splits.push_back(std::move(*own));
  }
  splits.push_back(std::move(*result));
  return splits;
}

/// All tensors have the shape of the result.
static std::optional<Splits> splitAlike(Operation *op, const Parts &parts) {
  return Splits(op->getNumOperands() + op->getNumResults(), parts);
}

static std::optional<Splits> splitBroadcast(BroadcastOp op, unsigned tensor,
                                            const Parts &parts) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape(),
                          to = op.getType().getShape();
  Parts operand, result = wholeParts(to);
  if (tensor == 1)
    result = parts;
  for (auto [dim, target] : llvm::enumerate(op.getDims())) {
    const bool isSame = from[dim] == to[target];
    if (tensor == 1) {
      operand.push_back(isSame ? parts[target]
                               : Sizes(parts[target].size(), 1));
      continue;
    }
    if (!isSame && parts[dim].size() != 1)
      return std::nullopt;
    operand.push_back(parts[dim]);
    if (isSame)
      result[target] = parts[dim];
  }
  return Splits{operand, result};
}

//===----------------------------------------------------------------------===//
// Dimensions that an attribute names
//===----------------------------------------------------------------------===//

/// Reduced dimensions are reduced along all of their parts.
static std::optional<Splits> splitReduction(Operation *op,
                                            ArrayRef<int64_t> dims,
                                            bool keepsDims, unsigned tensor,
                                            const Parts &parts) {
  const ArrayRef<int64_t> shape = tensorType(op->getOperand(0)).getShape();
  Parts operand, result;
  size_t next = 0; // of the result's dimensions
  for (auto [dim, size] : llvm::enumerate(shape)) {
    const bool isReduced = llvm::is_contained(dims, int64_t(dim));
    const bool hasResult = !isReduced || keepsDims;
    Sizes own = {size};
    if (tensor == 0)
      own = parts[dim];
    else if (!isReduced)
      own = parts[next];
    else if (keepsDims && parts[next].size() != 1)
      return std::nullopt;
    if (hasResult)
      result.push_back(isReduced ? Sizes(own.size(), 1) : own);
    operand.push_back(std::move(own));
    next += hasResult;
  }
  return Splits{operand, result};
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

/// `data` has the dimensions b.., o.., axis, r.., `indices` b.., i.., and the
/// result b.., o.., i.., r..
static std::optional<Splits> splitGather(GatherOp op, unsigned tensor,
                                         const Parts &parts) {
  const int64_t axis = op.getAxis(), batch = op.getBatchDims();
  Parts data = wholeParts(tensorType(op.getData()).getShape());
  Parts indices = wholeParts(tensorType(op.getIndices()).getShape());
  Parts result = wholeParts(op.getType().getShape());
  const int64_t own = int64_t(indices.size()) - batch;
  Parts *tensors[] = {&data, &indices, &result};
  *tensors[tensor] = parts;
  // Only the tensor that was asked for has dimensions that are not whole.
  auto same = [&](Parts &a, int64_t i, Parts &b, int64_t j) {
    (a[i].size() == 1 ? a[i] : b[j]) = a[i].size() == 1 ? b[j] : a[i];
  };
  for (int64_t dim = 0; dim < int64_t(result.size()); ++dim)
    if (dim >= axis && dim < axis + own)
      same(result, dim, indices, dim - axis + batch);
    else
      same(result, dim, data, dim < axis ? dim : dim - own + 1);
  for (int64_t dim = 0; dim < batch; ++dim) {
    same(data, dim, indices, dim);
    same(data, dim, result, dim);
  }
  if (data[axis].size() != 1)
    return std::nullopt;
  return Splits{data, indices, result};
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Elements of a dimension per element of its first part.
static int64_t innerSize(const Sizes &sizes) {
  assert(!sizes.empty() && "has a first part");
  return computeProduct(ArrayRef(sizes).drop_front());
}

/// The parts of a dimension of `size` elements, a window of which, or whose
/// window, has `sizes`: the outer part is longer or shorter. `offsets` are what
/// must be whole inner parts.
static std::optional<Sizes> otherOuter(const Sizes &sizes, int64_t size,
                                       ArrayRef<int64_t> offsets) {
  if (sizes.size() == 1)
    return Sizes{size};
  if (sizes.empty())
    return std::nullopt; // no part that could be longer
  const int64_t inner = innerSize(sizes);
  for (int64_t offset : offsets)
    if (offset % inner != 0)
      return std::nullopt;
  if (size % inner != 0)
    return std::nullopt;
  Sizes result = sizes;
  result.front() = size / inner;
  return result;
}

/// Parts of the other one of two tensors, one a window of the other.
static std::optional<Parts>
windowParts(ArrayRef<int64_t> to, ArrayRef<int64_t> from, const Parts &parts,
            llvm::function_ref<SmallVector<int64_t, 2>(int64_t)> offsets,
            ArrayRef<int64_t> strides) {
  Parts result;
  for (auto [dim, sizes] : llvm::enumerate(parts)) {
    if (!strides.empty() && strides[dim] != 1 && sizes.size() != 1)
      return std::nullopt;
    auto other = from[dim] == to[dim]
                     ? std::optional(sizes)
                     : otherOuter(sizes, to[dim], offsets(dim));
    if (!other)
      return std::nullopt;
    result.push_back(std::move(*other));
  }
  return result;
}

static std::optional<Splits> splitSlice(SliceOp op, unsigned tensor,
                                        const Parts &parts) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape(),
                          to = op.getType().getShape();
  auto other = windowParts(
      tensor == 0 ? to : from, tensor == 0 ? from : to, parts,
      [&](int64_t dim) { return Sizes{op.getOffsets()[dim]}; },
      op.getStrides());
  if (!other)
    return std::nullopt;
  return tensor == 0 ? Splits{parts, *other} : Splits{*other, parts};
}

static std::optional<Splits> splitPad(PadOp op, unsigned tensor,
                                      const Parts &parts) {
  const ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape(),
                          to = op.getType().getShape();
  // Modes other than constant read the elements near the border.
  for (auto [dim, sizes] : llvm::enumerate(parts))
    if (sizes.size() != 1 && op.getMode() != PadMode::Constant &&
        (op.getLow()[dim] != 0 || op.getHigh()[dim] != 0))
      return std::nullopt;
  // Negative padding at one end and as much at the other keeps the size.
  for (auto [dim, sizes] : llvm::enumerate(parts))
    if (sizes.size() != 1 && from[dim] == to[dim] && op.getLow()[dim] != 0)
      return std::nullopt;
  auto other = windowParts(
      tensor == 0 ? to : from, tensor == 0 ? from : to, parts,
      [&](int64_t dim) { return Sizes{op.getLow()[dim], op.getHigh()[dim]}; },
      {});
  if (!other)
    return std::nullopt;
  return tensor == 0 ? Splits{parts, *other} : Splits{*other, parts};
}

static std::optional<Splits> splitConcat(ConcatOp op, unsigned tensor,
                                         const Parts &parts) {
  const int64_t axis = op.getAxis();
  Splits splits;
  for (unsigned other = 0; other <= op->getNumOperands(); ++other) {
    const Value value =
        other == op->getNumOperands() ? op.getResult() : op->getOperand(other);
    auto sizes =
        otherOuter(parts[axis], tensorType(value).getDimSize(axis), {});
    if (!sizes)
      return std::nullopt;
    splits.push_back(parts);
    splits.back()[axis] = std::move(*sizes);
  }
  assert(splits[tensor] == parts && "the tensor that was asked for");
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

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

static std::optional<Splits> splitsOf(Operation *op, unsigned tensor,
                                      const Parts &parts) {
  if (isa<ElementwiseOpInterface>(op))
    return splitElementwise(op, tensor, parts);
  return llvm::TypeSwitch<Operation *, std::optional<Splits>>(op)
      .Case([&](SplitGemmOp gemm) {
        return ProductDims::of(gemm).splitsWith(tensor, parts);
      })
      .Case([&](ReduceOp reduce) {
        return splitReduction(reduce, reduce.getDims(), reduce.getKeepDims(),
                              tensor, parts);
      })
      .Case([&](ArgReduceOp reduce) -> std::optional<Splits> {
        const int64_t axis = reduce.getAxis();
        auto splits =
            splitReduction(reduce, axis, reduce.getKeepDims(), tensor, parts);
        // Positions along several dimensions are no single number.
        if (!splits || splits->front()[axis].size() != 1)
          return std::nullopt;
        return splits;
      })
      .Case([&](CumulativeSumOp sum) {
        return parts[sum.getAxis()].size() == 1 ? splitAlike(sum, parts)
                                                : std::nullopt;
      })
      .Case([&](ReverseOp reverse) { return splitAlike(reverse, parts); })
      .Case([&](GatherOp gather) { return splitGather(gather, tensor, parts); })
      .Case([&](BroadcastOp broadcast) {
        return splitBroadcast(broadcast, tensor, parts);
      })
      .Case([&](SliceOp slice) { return splitSlice(slice, tensor, parts); })
      .Case([&](PadOp pad) { return splitPad(pad, tensor, parts); })
      .Case([&](ConcatOp concat) { return splitConcat(concat, tensor, parts); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Splits> layout::splitsWith(Operation *op, unsigned tensor,
                                         const Parts &parts) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  std::optional<Splits> splits = splitsOf(op, tensor, parts);
  // Dimensions of size 1 may have no part here and one in another tensor.
  if (!splits || (*splits)[tensor] != parts)
    return std::nullopt;
  // A reduction needs a dimension to reduce.
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && partsOfDims(reduce.getDims(), splits->front()).empty())
    return std::nullopt;
  return splits;
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
