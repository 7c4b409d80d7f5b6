// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of optimizer steps: elementwise for each parameter.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Layouts.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The tensors of a parameter have one order; parameters do not depend on each
/// other. Scalars hold one element, so that theirs has no effect. Norms add the
/// elements of a tensor in their stored order, which rounds: then there is
/// none.
template <typename Op>
struct OptimizerLayout
    : LayoutOpInterface::ExternalModel<OptimizerLayout<Op>, Op> {
  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
    if (isIdentityOrder(order) || !parameterOf(map.of(tensor)))
      return identityOrders(op);
    if (map.readsWhole())
      return std::nullopt;
    return followingOrders(op, tensor, order);
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
    llvm::SmallDenseMap<unsigned, const Order *> first; // by parameter
    for (const DimMap::Access &access : map.accesses) {
      const Order &order = orders[access.tensor];
      const auto own = parameterOf(access);
      if (own && (*first.try_emplace(*own, &order).first->second != order ||
                  (map.readsWhole() && !isIdentityOrder(order))))
        return false;
    }
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    setStoredResults(op, orders);
  }

private:
  /// The first factor of the tensor's parameter; none of a scalar.
  static std::optional<unsigned> parameterOf(const DimMap::Access &access) {
    return access.dims.empty() ? std::nullopt
                               : DimMap::factorOf(access.dims.front());
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
