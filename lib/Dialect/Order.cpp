// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of stored tensors.
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

Order gaudi::identityOrder(int64_t rank) {
  return llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
}

bool gaudi::isIdentityOrder(ArrayRef<int64_t> order) {
  return isIdentityPermutation(order);
}

Order gaudi::inverseOrder(ArrayRef<int64_t> order) {
  return Order(invertPermutationVector(order));
}

Order gaudi::composeOrders(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  assert(first.size() == second.size() && "orders of one tensor");
  Order order;
  for (int64_t dim : second)
    order.push_back(first[dim]);
  return order;
}

Order gaudi::orderBetween(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return composeOrders(inverseOrder(from), to);
}

RankedTensorType gaudi::storedType(RankedTensorType type,
                                   ArrayRef<int64_t> order) {
  return type.clone(applyPermutation(type.getShape(), order));
}

Order gaudi::normalOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  assert(shape.size() == order.size() && "an order of the tensor");
  // The others keep their sequence; each unit dimension goes where it is in
  // the identity: before the next larger dimension that is not placed yet.
  Order others, normal;
  for (int64_t dim : order)
    if (shape[dim] != 1)
      others.push_back(dim);
  size_t next = 0;
  for (int64_t slot = 0; slot < int64_t(shape.size()); ++slot)
    if (shape[slot] == 1)
      normal.push_back(slot);
    else
      normal.push_back(others[next++]);
  return normal;
}

bool gaudi::isFreeOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  return llvm::is_contained(shape, 0) ||
         isIdentityOrder(normalOrder(shape, order));
}

Orders gaudi::identityOrders(Operation *op) {
  Orders orders;
  for (Type type : op->getOperandTypes())
    orders.push_back(identityOrder(cast<RankedTensorType>(type).getRank()));
  for (Type type : op->getResultTypes())
    orders.push_back(identityOrder(cast<RankedTensorType>(type).getRank()));
  return orders;
}

bool gaudi::followFromOne(LayoutOpInterface op, const Orders &orders) {
  // The order of one tensor may leave some freedom to that of another: the sum
  // over a dimension does not tell where it is in the operand.
  bool isIdentity = true;
  for (auto [tensor, order] : llvm::enumerate(orders)) {
    if (isIdentityOrder(order))
      continue;
    if (op.getOrdersWith(tensor, order) == orders)
      return true;
    isIdentity = false;
  }
  return isIdentity;
}
