// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are one tensor in several orders.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "LayoutGraph.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// The transpose that a reshape is, if only dimensions of size 1 move.
static std::optional<Order> unitMove(ReshapeOp op) {
  ArrayRef<int64_t> from = tensorType(op.getOperand()).getShape();
  ArrayRef<int64_t> to = tensorType(op.getResult()).getShape();
  if (from.size() != to.size())
    return std::nullopt;
  // The k-th large dimension of the one is the k-th of the other, and so are
  // the unit dimensions.
  SmallVector<int64_t> large, unit;
  for (auto [dim, size] : llvm::enumerate(from))
    (size == 1 ? unit : large).push_back(int64_t(dim));
  Order order;
  size_t nextLarge = 0, nextUnit = 0;
  for (int64_t size : to) {
    const bool isUnit = size == 1;
    const SmallVector<int64_t> &dims = isUnit ? unit : large;
    size_t &next = isUnit ? nextUnit : nextLarge;
    if (next == dims.size() || from[dims[next]] != size)
      return std::nullopt;
    order.push_back(dims[next++]);
  }
  return order;
}

std::optional<Order> layout::joiningOrder(Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return Order(transpose.getPermutation());
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return unitMove(reshape);
  return std::nullopt;
}

DenseMap<Value, Member> layout::findGroups(func::FuncOp function) {
  DenseMap<Value, Member> members;
  // A value is defined before it is transposed, so that one walk finds the root
  // of what each transpose reads.
  for (Operation &op : function.front()) {
    std::optional<Order> order = joiningOrder(&op);
    if (!order)
      continue;
    const Value source = op.getOperand(0);
    const Member from =
        members
            .try_emplace(source, Member{source, identityOrder(order->size())})
            .first->second;
    members[op.getResult(0)] = {from.root, composeOrders(from.order, *order)};
  }
  return members;
}

Value layout::tensorOf(Operation *op, unsigned tensor) {
  const unsigned operands = op->getNumOperands();
  return tensor < operands ? op->getOperand(tensor)
                           : Value(op->getResult(tensor - operands));
}

unsigned layout::tensorCount(Operation *op) {
  return op->getNumOperands() + op->getNumResults();
}

unsigned layout::entryCount(Operation *op) {
  auto lists = dyn_cast<MultiTensorOpInterface>(op);
  return lists && isa<LayoutOpInterface>(op) ? lists.getEntries().size() : 0;
}

// All lists have one tensor per entry: those of operands are one after the
// other before the scalars, and results are such lists only.
unsigned layout::entryOf(Operation *op, unsigned tensor, unsigned entries) {
  const unsigned operands = op->getNumOperands();
  return (tensor < operands ? tensor : tensor - operands) % entries;
}

SmallVector<unsigned, 0> layout::tensorsOfEntry(Operation *op, unsigned entry) {
  const unsigned entries = entryCount(op), operands = op->getNumOperands();
  SmallVector<unsigned, 0> tensors;
  for (unsigned tensor = entry; tensor < operands; tensor += entries)
    tensors.push_back(tensor);
  for (unsigned result = entry; result < op->getNumResults(); result += entries)
    tensors.push_back(operands + result);
  return tensors;
}

Value layout::joinedFrom(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!joiningOrder(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<Picoseconds> layout::constantTimeOf(Value root) {
  auto constant = root.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  return isa<SplatElementsAttr>(constant.getValue()) ? 0 : 1;
}

std::optional<Picoseconds> Group::constantTime() const {
  return constantTimeOf(origin ? origin->root : root);
}

Order Group::relativeToOrigin(ArrayRef<int64_t> order) const {
  if (!origin)
    return Order(order);
  return normalOrder(tensorType(origin->root).getShape(),
                     composeOrders(origin->order, order));
}
