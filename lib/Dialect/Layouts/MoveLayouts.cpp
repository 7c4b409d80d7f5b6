// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of movements and views.
#include "Layouts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <map>

using namespace mlir;
using namespace gaudi;

/// A window: one offset and one stride per dimension.
template <typename Op> static void remapWindow(Op op, ArrayRef<int64_t> order) {
  op.setOffsets(applyPermutation(op.getOffsets(), order));
  op.setStrides(applyPermutation(op.getStrides(), order));
}

/// By run of dimensions that hold the same elements on both sides: those of the
/// tensor. Dimensions of size 1 hold no elements apart: they are left out.
static std::map<unsigned, SmallVector<int64_t>>
runsOf(const DimMap &map, unsigned tensor, ArrayRef<int64_t> shape) {
  std::map<unsigned, SmallVector<int64_t>> runs;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size != 1)
      runs[map.factors[map.of(tensor).dims[dim].terms.back().factor].name]
          .push_back(int64_t(dim));
  return runs;
}

/// None if the stored tensor has no reshape that is the other one in some
/// order: each run must be contiguous and in order; then the other tensor has
/// the runs in the same sequence. Dimensions of size 1 go where normalOrder has
/// them. O(rank).
static std::optional<Orders> reshapeOrders(ReshapeOp op, unsigned tensor,
                                           ArrayRef<int64_t> order) {
  const ArrayRef<int64_t> from = typeOfTensor(op, tensor).getShape(),
                          to = typeOfTensor(op, 1 - tensor).getShape();
  Orders orders = {Order(order), Order(order)};
  Order &other = orders[1 - tensor];
  other = identityOrder(to.size());
  if (llvm::is_contained(from, 0) || isIdentityOrder(order))
    return orders;
  if (ShapedType::isDynamicShape(from) || ShapedType::isDynamicShape(to))
    return std::nullopt;
  const DimMap map = cast<DimMapOpInterface>(op.getOperation()).getDimMap();
  auto fromRuns = runsOf(map, tensor, from),
       toRuns = runsOf(map, 1 - tensor, to);
  Order moved, stored;
  llvm::copy_if(order, std::back_inserter(moved),
                [&](int64_t dim) { return from[dim] != 1; });
  for (ArrayRef<int64_t> rest = moved; !rest.empty();) {
    const auto own = llvm::find_if(fromRuns, [&](auto &run) {
      return run.second.front() == rest.front();
    });
    if (own == fromRuns.end() ||
        rest.take_front(own->second.size()) != ArrayRef(own->second))
      return std::nullopt;
    rest = rest.drop_front(own->second.size());
    llvm::append_range(stored, toRuns[own->first]);
  }
  for (auto [dim, size] : llvm::enumerate(to))
    if (size == 1)
      stored.push_back(dim);
  other = normalOrder(to, stored);
  return orders;
}

static void remapReshape(ReshapeOp, const Orders &) {}

/// The operand's dimensions ascend in the result, stored or not.
static void remapBroadcast(BroadcastOp op, const Orders &orders) {
  op.setDims(storedDims(orders[1], op.getDims()));
}

void gaudi::attachMoveLayouts(MLIRContext &context) {
  attachShared<CopyOp, remapNothing<CopyOp>>(context);
  attachShared<FillOp, remapNothing<FillOp>>(context);
  attachShared<BitcastOp, remapNothing<BitcastOp>>(context);
  attachShared<ConcatOp, remapAxis<ConcatOp>>(context);
  attachShared<SplitOp, remapAxis<SplitOp>>(context);
  attachShared<SliceOp, remapWindow<SliceOp>>(context);
  attachShared<InsertSliceOp, remapWindow<InsertSliceOp>>(context);
  attachFollowing<BroadcastOp, followingOrders, remapBroadcast>(context);
  attachFollowing<ReshapeOp, reshapeOrders, remapReshape>(context);
}
