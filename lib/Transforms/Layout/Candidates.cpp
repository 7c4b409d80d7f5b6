// In which orders each tensor of a function may be stored.
#include "Gaudi/Dialect/Signature.h"
#include "LayoutGraph.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

/// The kernel dimension that each dimension of a tensor is read or written
/// along, -1 where that is none alone; nothing if two accesses differ.
static std::optional<SmallVector<int64_t>> loopsOf(BlockArgument tensor) {
  std::optional<SmallVector<int64_t>> loops;
  for (Operation *user : tensor.getUsers()) {
    auto load = dyn_cast<KernelLoadOp>(user);
    AffineMap map = load ? load.getMap() : cast<KernelStoreOp>(user).getMap();
    SmallVector<int64_t> here;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      here.push_back(dim ? int64_t(dim.getPosition()) : -1);
    }
    if (loops && *loops != here)
      return std::nullopt;
    loops = std::move(here);
  }
  return loops;
}

/// All tensors of a kernel have the dimensions that the permuted one shares
/// with them in its order, so that lanes stay contiguous.
static Orders ordersAlongLoops(KernelOp op, unsigned tensor,
                               ArrayRef<int64_t> order) {
  Orders orders = identityOrders(op);
  orders[tensor] = Order(order);
  Block &body = op.getBody().front();
  std::optional<SmallVector<int64_t>> loops = loopsOf(body.getArgument(tensor));
  if (!loops)
    return orders;
  SmallVector<int64_t> sequence; // of kernel dimensions
  for (int64_t dim : order)
    if ((*loops)[dim] >= 0)
      sequence.push_back((*loops)[dim]);
  for (auto [other, argument] : llvm::enumerate(body.getArguments())) {
    if (other == tensor)
      continue;
    std::optional<SmallVector<int64_t>> mine = loopsOf(argument);
    if (!mine)
      continue;
    // The shared dimensions change places among themselves.
    SmallVector<int64_t> slots, dims;
    for (auto [dim, loop] : llvm::enumerate(*mine))
      if (llvm::is_contained(sequence, loop))
        slots.push_back(int64_t(dim));
    for (int64_t loop : sequence)
      for (int64_t slot : slots)
        if ((*mine)[slot] == loop && !llvm::is_contained(dims, slot))
          dims.push_back(slot);
    for (auto [slot, dim] : llvm::zip_equal(slots, dims))
      orders[other][slot] = dim;
  }
  return orders;
}

std::optional<Orders> layout::ordersThatFollow(Operation *op, unsigned tensor,
                                               ArrayRef<int64_t> order) {
  auto layouts = dyn_cast<LayoutOpInterface>(op);
  if (!layouts)
    return std::nullopt;
  if (auto kernel = dyn_cast<KernelOp>(op))
    return ordersAlongLoops(kernel, tensor, order);
  return layouts.getOrdersWith(tensor, order);
}

LayoutGraph::LayoutGraph(func::FuncOp function)
    : body(&function.front()), members(findGroups(function)) {
  for (Operation &op : function.front())
    if (joiningOrder(&op))
      membersOf[members[op.getResult(0)].root].push_back(op.getResult(0));
  seed(function);
  while (!worklist.empty()) {
    auto [group, order] = worklist.front();
    worklist.pop_front();
    propagate(group, order);
  }
}

Value LayoutGraph::rootOf(Value value) const {
  auto member = members.find(value);
  return member == members.end() ? value : member->second.root;
}

std::optional<unsigned> LayoutGraph::groupOf(Value value) const {
  auto found = groupOfRoot.find(rootOf(value));
  if (found == groupOfRoot.end())
    return std::nullopt;
  return found->second;
}

Order LayoutGraph::orderOf(Value value) const {
  auto member = members.find(value);
  return member == members.end() ? identityOrder(tensorType(value).getRank())
                                 : member->second.order;
}

SmallVector<Order, 2> LayoutGraph::ordersOf(Value value) const {
  std::optional<unsigned> group = groupOf(value);
  if (!group)
    return {identityOrder(tensorType(value).getRank())};
  const Order own = orderOf(value);
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  SmallVector<Order, 2> orders;
  if (groups[*group].isPinned)
    return {identityOrder(shape.size())};
  for (const Order &order : groups[*group].orders)
    orders.push_back(normalOrder(shape, orderBetween(own, order)));
  return orders;
}

void LayoutGraph::seed(func::FuncOp function) {
  // States whose callers let them permute: a result follows its argument.
  Operation *terminator = function.front().getTerminator();
  for (BlockArgument argument : function.getArguments()) {
    const unsigned number = argument.getArgNumber();
    std::optional<unsigned> result = stateResult(function, number);
    if (!result || !mayPermuteArgument(function, number))
      continue;
    const Value returned = terminator->getOperand(*result);
    sameOrder[argument].push_back(returned);
    sameOrder[returned].push_back(argument);
  }
  for (Operation &op : function.front()) {
    if (joiningOrder(&op)) {
      activate(op.getResult(0));
      continue;
    }
    auto layouts = dyn_cast<LayoutOpInterface>(&op);
    if (!layouts)
      continue;
    for (unsigned tensor = 0, count = tensorCount(&op); tensor < count;
         ++tensor) {
      Order native = layouts.getNativeOrder(tensor);
      if (native.empty())
        continue;
      const Value value = tensorOf(&op, tensor);
      if (!isFreeOrder(tensorType(value).getShape(), native))
        add(value, native);
    }
  }
}

unsigned LayoutGraph::activate(Value value) {
  const Value root = rootOf(value);
  auto [slot, isNew] = groupOfRoot.try_emplace(root, groups.size());
  const unsigned number = slot->second;
  if (!isNew)
    return number;
  Group group;
  group.root = root;
  if (auto found = membersOf.find(root); found != membersOf.end())
    group.members = found->second;
  ArrayRef<int64_t> shape = group.type().getShape();
  group.orders.push_back(identityOrder(shape.size()));
  // The program has these: whatever stays as written needs them.
  for (Value other : group.members) {
    Order order = normalOrder(shape, members[other].order);
    if (!llvm::is_contained(group.orders, order))
      group.orders.push_back(std::move(order));
  }
  group.isPinned = group.orders.size() > maxOrders;
  group.isComplete = !group.isPinned;
  if (group.orders.size() > 1 && !group.isPinned)
    for (unsigned order = 0; order < group.orders.size(); ++order)
      worklist.emplace_back(number, order);
  groups.push_back(std::move(group));
  return number;
}

void LayoutGraph::add(Value value, ArrayRef<int64_t> order) {
  const unsigned number = activate(value);
  Group &group = groups[number];
  Order normal = normalOrder(group.type().getShape(),
                             composeOrders(orderOf(value), order));
  if (llvm::is_contained(group.orders, normal))
    return;
  if (group.orders.size() >= maxOrders) {
    group.isComplete = false;
    return;
  }
  worklist.emplace_back(number, unsigned(group.orders.size()));
  group.orders.push_back(std::move(normal));
}

void LayoutGraph::propagate(unsigned group, unsigned order) {
  const Value root = groups[group].root;
  const Order candidate = groups[group].orders[order]; // the list may grow
  SmallVector<Value, 4> values = {root};
  llvm::append_range(values, groups[group].members);
  for (Value value : values) {
    const Order relative = normalOrder(tensorType(value).getShape(),
                                       orderBetween(orderOf(value), candidate));
    if (isIdentityOrder(relative))
      continue; // as written, which changes nothing elsewhere
    if (auto found = sameOrder.find(value); found != sameOrder.end())
      for (Value other : found->second)
        add(other, relative);
    for (OpOperand &use : value.getUses())
      if (!joiningOrder(use.getOwner()))
        propagate(use.getOwner(), use.getOperandNumber(), relative);
    if (auto result = dyn_cast<OpResult>(value); result && value == root)
      propagate(result.getOwner(),
                result.getOwner()->getNumOperands() + result.getResultNumber(),
                relative);
  }
}

void LayoutGraph::propagate(Operation *op, unsigned tensor,
                            ArrayRef<int64_t> order) {
  std::optional<Orders> orders = ordersThatFollow(op, tensor, order);
  if (!orders)
    return;
  for (auto [other, following] : llvm::enumerate(*orders)) {
    const Value value = tensorOf(op, other);
    if (other != tensor &&
        !isFreeOrder(tensorType(value).getShape(), following))
      add(value, following);
  }
}
