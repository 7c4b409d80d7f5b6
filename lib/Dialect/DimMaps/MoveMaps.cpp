// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of views, movements, constants and markers.
#include "DimMaps.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include <numeric>

using namespace mlir;
using namespace gaudi;

/// Ops without operands.
template <typename Op> static DimMap mapSource(Op op) {
  DimMapBuilder map(op);
  map.name(0, numbered(op.getType().getRank()));
  return map.take();
}

/// All tensors have one shape, and elements at the same positions.
template <typename Op> static DimMap mapAlike(Op op) {
  DimMapBuilder map(op);
  map.nameAll(numbered(tensorType(op->getResult(0)).getRank()));
  return map.take();
}

/// The extents have no dimension.
template <typename Op> static DimMap mapMarked(Op op) {
  DimMapBuilder map(op);
  const Names names = numbered(tensorType(op.getResult()).getRank());
  map.name(0, names);
  map.name(op->getNumOperands(), names);
  return map.take();
}

/// From the map of positions of the result to those of the operand.
template <typename Op> static DimMap mapReindexed(Op op) {
  DimMapBuilder map(op);
  map.name(1, numbered(op.getType().getRank()));
  const IndexMap positions = op.getIndexMap(op->getResult(0));
  for (auto [dim, index] : llvm::enumerate(*positions)) {
    map.setSame(0, dim, 1, index.dim);
    map.dim(0, dim).terms.front().stride = index.stride;
    map.dim(0, dim).offset = index.offset;
  }
  return map.take();
}

static DimMap mapBroadcast(BroadcastOp op) {
  const unsigned rank = op.getType().getRank();
  DimMapBuilder map(op);
  map.name(0, Names(op.getDims()), /*repeating=*/rank);
  map.name(1, numbered(rank));
  return map.take();
}

/// The other tensors are consecutive along the axis of tensor `whole`.
static DimMap mapConsecutive(Operation *op, unsigned whole, int64_t axis) {
  const Names names = numbered(typeOfTensor(op, whole).getRank());
  const unsigned tensors = op->getNumOperands() + op->getNumResults();
  DimMapBuilder map(op);
  Names others = names;
  others[axis] = noName;
  for (unsigned tensor = 0; tensor < tensors; ++tensor)
    map.name(tensor, tensor == whole ? names : others);
  int64_t offset = 0;
  for (unsigned tensor = 0; tensor < tensors; ++tensor)
    if (tensor != whole) {
      map.setSame(tensor, axis, whole, axis);
      map.dim(tensor, axis).offset = -offset;
      offset += typeOfTensor(op, tensor).getDimSize(axis);
    }
  return map.take();
}

static DimMap mapSplit(SplitOp op) {
  return mapConsecutive(op, 0, op.getAxis());
}
static DimMap mapConcat(ConcatOp op) {
  return mapConsecutive(op, op.getNumOperands(), op.getAxis());
}

static DimMap mapInsertSlice(InsertSliceOp op) {
  const int64_t rank = op.getType().getRank();
  DimMapBuilder map(op);
  for (unsigned tensor : {1, 2})
    map.name(tensor, numbered(rank));
  for (int64_t dim = 0; dim < rank; ++dim) {
    map.setSame(0, dim, 2, dim);
    if (op.getStrides()[dim] == 1 ||
        tensorType(op.getSource()).getDimSize(dim) == 1)
      map.dim(0, dim).offset = -op.getOffsets()[dim];
    else
      map.dim(0, dim).isWhole = true;
  }
  return map.take();
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// A reshape keeps the row-major order. The shortest runs of dimensions of both
/// sides with equal products hold the same elements; their dimensions are made
/// of common factors, outermost first, as far as those of both sides allow. The
/// names of factors are the numbers of their runs.
class ReshapeMap {
public:
  explicit ReshapeMap(ReshapeOp op)
      : map(op), shapes{tensorType(op.getOperand()).getShape(),
                        op.getType().getShape()} {}

  DimMap make() {
    if (llvm::is_contained(shapes[0], 0))
      return makeEmpty();
    size_t at[2] = {0, 0};
    auto ends = [&](unsigned side) { return at[side] == shapes[side].size(); };
    auto isOne = [&](unsigned side) {
      return !ends(side) && shapes[side][at[side]] == 1;
    };
    while (!ends(0) || !ends(1)) {
      // Dimensions of size 1 between runs are those of the other side in their
      // order. One that has no partner there is the outermost of the run after
      // it, so that [1, 12] to [12] is [4, 12] to [48].
      for (; isOne(0) && isOne(1); ++runs)
        addFactor(1, at[0]++, at[1]++);
      SmallVector<int64_t> run[2];
      for (unsigned side : {0, 1})
        for (; isOne(side); ++at[side])
          if (run[side].empty())
            run[side].push_back(at[side]);
      if (ends(0) || ends(1))
        break;
      int64_t count[2] = {1, 1};
      do {
        const unsigned side = count[0] <= count[1] ? 0 : 1;
        if (!isOne(side))
          run[side].push_back(at[side]);
        count[side] *= shapes[side][at[side]++];
      } while (count[0] != count[1]);
      addRun(run[0], run[1]);
      ++runs;
    }
    setStrides();
    return map.take();
  }

private:
  static constexpr int64_t none = -1;

  /// The next digit of a dimension of the operand, of one of the result, or of
  /// both.
  void addFactor(int64_t size, int64_t from, int64_t to) {
    const unsigned factor = map.factor(runs, size);
    sizes.push_back(size);
    if (from != none)
      map.dim(0, from).terms.push_back({factor, 1});
    if (to != none)
      map.dim(1, to).terms.push_back({factor, 1});
  }

  void addRun(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    int64_t left = shapes[0][from[0]], right = shapes[1][to[0]];
    // The outermost dimensions grow together even if they have no other factor
    // in common.
    for (bool isFirst = true; !from.empty() && !to.empty(); isFirst = false) {
      const int64_t common = std::gcd(left, right);
      if (common == 1 && !isFirst)
        break;
      addFactor(common, from[0], to[0]);
      left /= common;
      right /= common;
      if (left == 1 && !(from = from.drop_front()).empty())
        left = shapes[0][from[0]];
      if (right == 1 && !(to = to.drop_front()).empty())
        right = shapes[1][to[0]];
    }
    // What is left has no common factor: each side has its own.
    for (; !from.empty(); from = from.drop_front(), left = 0)
      addFactor(left ? left : shapes[0][from[0]], from[0], none);
    for (; !to.empty(); to = to.drop_front(), right = 0)
      addFactor(right ? right : shapes[1][to[0]], none, to[0]);
  }

  void setStrides() {
    for (unsigned side : {0, 1})
      for (size_t dim = 0; dim < shapes[side].size(); ++dim) {
        int64_t stride = 1;
        for (DimMap::Term &term : llvm::reverse(map.dim(side, dim).terms)) {
          term.stride = stride;
          stride *= sizes[term.factor];
        }
      }
  }

  /// Without elements no dimension is that of another one.
  DimMap makeEmpty() {
    for (unsigned side : {0, 1})
      for (auto [dim, size] : llvm::enumerate(shapes[side])) {
        addFactor(size, side == 0 ? dim : none, side == 1 ? dim : none);
        map.dim(side, dim).isWhole = true;
      }
    return map.take();
  }

  DimMapBuilder map;
  ArrayRef<int64_t> shapes[2];
  SmallVector<int64_t> sizes; ///< of factors
  unsigned runs = 0;
};
} // namespace

static DimMap mapReshape(ReshapeOp op) { return ReshapeMap(op).make(); }

void gaudi::attachMoveMaps(MLIRContext &context) {
  attachMap<ConstantOp, mapSource<ConstantOp>>(context);
  attachMap<FillOp, mapSource<FillOp>>(context);
  attachMap<IotaOp, mapSource<IotaOp>>(context);
  attachMap<CopyOp, mapAlike<CopyOp>>(context);
  attachMap<ValidOp, mapMarked<ValidOp>>(context);
  attachMap<MaskOp, mapMarked<MaskOp>>(context);
  attachMap<BitcastOp, mapReindexed<BitcastOp>>(context);
  attachMap<TransposeOp, mapReindexed<TransposeOp>>(context);
  attachMap<SliceOp, mapReindexed<SliceOp>>(context);
  attachMap<ReshapeOp, mapReshape>(context);
  attachMap<BroadcastOp, mapBroadcast>(context);
  attachMap<SplitOp, mapSplit>(context);
  attachMap<ConcatOp, mapConcat>(context);
  attachMap<InsertSliceOp, mapInsertSlice>(context);
}
