// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of optimizer steps: elementwise for each parameter.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Layouts.h"

using namespace mlir;
using namespace gaudi;

// The lists of operands with one tensor per parameter. They come first, and
// results are such lists only.
static unsigned listsOf(FusedAdamWOp) { return 4; }
static unsigned listsOf(FusedSGDOp op) {
  return op.getMomentumBuffers().empty() ? 2 : 3;
}
static unsigned listsOf(FusedAdagradOp) { return 3; }
static unsigned listsOf(FusedLambOp) { return 4; }
static unsigned listsOf(FusedEmaOp) { return 2; }

// Norms add the elements of a tensor in their stored order, which rounds.
template <typename Op> static bool addsElements(Op) { return false; }
static bool addsElements(FusedLambOp op) {
  return op.getMaxGradNorm() || op.scalesByRatio();
}

namespace {
/// The tensors of a parameter have one order. Scalars hold one element, so that
/// theirs has no effect.
template <typename Op>
struct OptimizerLayout
    : LayoutOpInterface::ExternalModel<OptimizerLayout<Op>, Op> {
  /// The parameter that the tensor belongs to, or none of a scalar.
  static std::optional<unsigned> parameterOf(Op op, unsigned tensor) {
    const unsigned count = op.getEntries().size();
    const unsigned operands = op->getNumOperands();
    if (tensor >= operands)
      return (tensor - operands) % count;
    if (tensor < count * listsOf(op))
      return tensor % count;
    return std::nullopt;
  }

  /// Parameters do not depend on each other.
  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    Orders orders = identityOrders(op);
    std::optional<unsigned> own = parameterOf(cast<Op>(op), tensor);
    if (!own || isIdentityOrder(order))
      return orders;
    if (addsElements(cast<Op>(op)))
      return std::nullopt;
    for (auto [other, changed] : llvm::enumerate(orders))
      if (parameterOf(cast<Op>(op), other) == own)
        changed = Order(order);
    return orders;
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    SmallVector<const Order *> first(cast<Op>(op).getEntries().size(), nullptr);
    for (auto [tensor, order] : llvm::enumerate(orders)) {
      std::optional<unsigned> own = parameterOf(cast<Op>(op), tensor);
      if (!own)
        continue;
      if (addsElements(cast<Op>(op)) && !isIdentityOrder(order))
        return false;
      if (!first[*own])
        first[*own] = &order;
      if (*first[*own] != order)
        return false;
    }
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    setStoredResults(op, orders);
  }
};
} // namespace

template <typename... Ops> static void attachAll(MLIRContext &context) {
  (Ops::template attachInterface<OptimizerLayout<Ops>>(context), ...);
}

void gaudi::attachOptimizerLayouts(MLIRContext &context) {
  attachAll<FusedAdamWOp, FusedSGDOp, FusedAdagradOp, FusedLambOp, FusedEmaOp>(
      context);
}
