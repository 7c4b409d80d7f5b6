// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of movements and views.
#include "Layouts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

/// A window: one offset and one stride per dimension.
template <typename Op> static void remapWindow(Op op, ArrayRef<int64_t> order) {
  op.setOffsets(applyPermutation(op.getOffsets(), order));
  op.setStrides(applyPermutation(op.getStrides(), order));
}

static std::optional<Orders> reshapeOrders(ReshapeOp op, unsigned tensor,
                                           ArrayRef<int64_t> order) {
  auto from = tensorType(op.getOperand()).getShape(),
       to = op.getType().getShape();
  const bool isResult = tensor == 1;
  if (isResult)
    std::swap(from, to);
  std::optional<Order> other = orderThroughReshape(from, to, order);
  if (!other)
    return std::nullopt;
  if (isResult)
    return Orders{*other, Order(order)};
  return Orders{Order(order), *other};
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
