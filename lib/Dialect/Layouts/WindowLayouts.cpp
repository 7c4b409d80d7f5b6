// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of poolings, pads and resampling.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Layouts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

/// The letters of `layout` move; windows have their entries by letter, and the
/// order of the elements in them does not depend on the layout.
template <typename Op> static void remapLayout(Op op, ArrayRef<int64_t> order) {
  std::string layout;
  for (int64_t dim : order)
    layout.push_back(op.getLayout()[dim]);
  op.setLayout(layout);
}

static void remapPad(PadOp op, ArrayRef<int64_t> order) {
  op.setLow(applyPermutation(op.getLow(), order));
  op.setHigh(applyPermutation(op.getHigh(), order));
}

/// H and W are the two dimensions in the middle. N and C are treated alike, so
/// they may be exchanged: without a batch, C before H and W is such a
/// form.
static std::optional<Orders> resizeOrders(ResizeOp op, unsigned tensor,
                                          ArrayRef<int64_t> order) {
  const ArrayRef<int64_t> shape = typeOfTensor(op, tensor).getShape();
  const Order normal = normalOrder(shape, order);
  for (const Order &form : {Order{0, 1, 2, 3}, Order{3, 1, 2, 0}})
    if (normalOrder(shape, form) == normal)
      return sameOrders(op, form);
  return std::nullopt;
}

static void remapResize(ResizeOp, const Orders &) {}

void gaudi::attachWindowLayouts(MLIRContext &context) {
  attachShared<PoolOp, remapLayout<PoolOp>>(context);
  attachShared<PoolGradOp, remapLayout<PoolGradOp>>(context);
  attachShared<PadOp, remapPad>(context);
  attachFollowing<ResizeOp, resizeOrders, remapResize>(context);
}
