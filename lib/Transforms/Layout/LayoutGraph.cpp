// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are one tensor in several orders, and in which orders each of
// these groups may be stored.
#include "LayoutGraph.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/Signature.h"
#include "LayoutCosts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::optional<Followers> Following::of(Operation *op, unsigned tensor,
                                       ArrayRef<int64_t> order) {
  auto layouts = dyn_cast<LayoutOpInterface>(op);
  if (!layouts)
    return std::nullopt;
  Followers followers;
  if (const unsigned entries = entryCount(op)) {
    // One answer holds for all entries, which makes the time linear in them.
    auto [takes, isNew] = takesOrders.try_emplace(op, false);
    if (isNew)
      takes->second = layouts.getOrdersWith(tensor, order).has_value();
    if (!takes->second)
      return std::nullopt;
    const ArrayRef<int64_t> shape = tensorType(tensorOf(op, tensor)).getShape();
    for (unsigned other : tensorsOfEntry(op, entryOf(op, tensor, entries)))
      if (tensorType(tensorOf(op, other)).getShape() == shape)
        followers.push_back({other, Order(order)});
    return followers;
  }
  std::optional<Orders> orders = layouts.getOrdersWith(tensor, order);
  if (!orders)
    return std::nullopt;
  for (auto [other, following] : llvm::enumerate(*orders))
    followers.push_back({unsigned(other), std::move(following)});
  return followers;
}

LayoutGraph::LayoutGraph(func::FuncOp function, LayoutCosts &costs)
    : body(&function.front()), members(findGroups(function)) {
  for (Operation &op : function.front())
    if (joiningOrder(&op))
      membersOf[members[op.getResult(0)].root].push_back(op.getResult(0));
  split(function);
  seed(function, costs);
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
  for (const Order &order : groups[*group].orders)
    orders.push_back(normalOrder(shape, orderBetween(own, order)));
  return orders;
}

void LayoutGraph::forEachNative(
    func::FuncOp function,
    llvm::function_ref<void(Value, ArrayRef<int64_t>)> visit) {
  for (Operation &op : function.front()) {
    auto layouts = dyn_cast<LayoutOpInterface>(&op);
    if (!layouts || joiningOrder(&op))
      continue;
    for (unsigned tensor = 0, count = tensorCount(&op); tensor < count;
         ++tensor) {
      const Order native = layouts.getNativeOrder(tensor);
      if (native.empty())
        continue;
      const Value value = tensorOf(&op, tensor);
      if (!isFreeOrder(tensorType(value).getShape(), native))
        visit(value, native);
    }
  }
}

void LayoutGraph::split(func::FuncOp function) {
  // Roots of too many members, and how often their orders are needed. Those of
  // engines come first.
  using Needs = llvm::MapVector<Order, std::pair<unsigned, unsigned>,
                                std::map<Order, unsigned>>;
  llvm::MapVector<Value, Needs> needs;
  for (Operation &op : function.front()) {
    if (!joiningOrder(&op))
      continue;
    const Member &member = members[op.getResult(0)];
    if (membersOf[member.root].size() < maxOrders)
      continue;
    Needs &known = needs[member.root];
    ArrayRef<int64_t> shape = tensorType(member.root).getShape();
    for (OpOperand &use : op.getResult(0).getUses())
      if (!joiningOrder(use.getOwner()))
        ++known[normalOrder(shape, member.order)].second;
  }
  if (needs.empty())
    return;
  forEachNative(function, [&](Value value, ArrayRef<int64_t> native) {
    if (auto known = needs.find(rootOf(value)); known != needs.end())
      ++known
            ->second[normalOrder(tensorType(known->first).getShape(),
                                 composeOrders(orderOf(value), native))]
            .first;
  });
  for (auto &[root, known] : needs) {
    auto sequence = known.takeVector();
    llvm::erase_if(sequence, [](const auto &entry) {
      return isIdentityOrder(entry.first); // the root's own
    });
    llvm::sort(sequence, [](const auto &a, const auto &b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    SmallVector<Order> frequent;
    for (const auto &[order, counts] : sequence)
      frequent.push_back(order);
    split(root, frequent);
  }
}

/// Leaves the first orders of `frequent` to the group of `root`, and makes each
/// other one a group.
void LayoutGraph::split(Value root, ArrayRef<Order> frequent) {
  const ArrayRef<Order> kept = frequent.take_front(maxOrders - 1);
  keptOrders[root] = SmallVector<Order, 4>(kept);
  ArrayRef<int64_t> shape = tensorType(root).getShape();
  std::map<Order, Value> first; // member of each order that is split off
  SmallVector<Value, 1> left;
  for (Value value : membersOf[root]) {
    const Order own = members[value].order, order = normalOrder(shape, own);
    // One that nobody needs costs nothing where it is.
    if (llvm::is_contained(kept, order) ||
        !llvm::is_contained(frequent, order)) {
      left.push_back(value);
      continue;
    }
    auto [slot, isNew] = first.try_emplace(order, value);
    if (isNew)
      originOf[value] = members[value];
    else
      membersOf[slot->second].push_back(value);
    members[value] = {slot->second,
                      orderBetween(originOf[slot->second].order, own)};
  }
  membersOf[root] = std::move(left);
}

void LayoutGraph::seed(func::FuncOp function, LayoutCosts &costs) {
  // States whose callers let them permute: a result follows its argument.
  Operation *terminator = function.front().getTerminator();
  for (BlockArgument argument : function.getArguments()) {
    const unsigned number = argument.getArgNumber();
    std::optional<unsigned> result = stateResult(function, number);
    if (!result || !mayPermuteArgument(function, number))
      continue;
    const Value returned = terminator->getOperand(*result);
    // Both ways: a candidate of either becomes one of the other.
    sameOrder[argument].push_back(returned);
    sameOrder[returned].push_back(argument);
  }
  // Transposes, and reshapes like one, give their tensor its orders.
  for (Operation &op : function.front())
    if (joiningOrder(&op))
      activate(op.getResult(0));
  forEachNative(function, [&](Value value, ArrayRef<int64_t> native) {
    add(value, native);
  });
  // Orders that only move dimensions of size 1 are no candidates.
  for (auto kernel : function.front().getOps<KernelOp>())
    if (const std::optional<Orders> &orders = costs.fasterLanes(kernel))
      for (auto [tensor, order] : llvm::enumerate(*orders)) {
        const Value value = tensorOf(kernel, tensor);
        if (!isFreeOrder(tensorType(value).getShape(), order))
          add(value, order);
      }
}

unsigned LayoutGraph::activate(Value value) {
  const Value root = rootOf(value);
  // A group of a rare order is made from another group by a transpose: that one
  // comes first.
  const auto origin = originOf.find(root);
  const std::optional<unsigned> source =
      origin == originOf.end() ? std::nullopt
                               : std::optional(activate(origin->second.root));
  auto [slot, isNew] = groupOfRoot.try_emplace(root, groups.size());
  // Before the group is built, since building it may ask for the same root.
  const unsigned number = slot->second;
  if (!isNew)
    return number;
  Group group;
  group.root = root;
  if (auto found = membersOf.find(root); found != membersOf.end())
    group.members = found->second;
  ArrayRef<int64_t> shape = group.type().getShape();
  group.orders.push_back(identityOrder(shape.size()));
  auto addOrder = [&](ArrayRef<int64_t> order) {
    Order normal = normalOrder(shape, order);
    if (llvm::is_contained(group.orders, normal))
      return;
    // A cut-off list of candidates is admitted in the report: the placement may
    // not be the best.
    if (group.orders.size() < maxOrders)
      group.orders.push_back(std::move(normal));
    else
      group.isComplete = false;
  };
  if (source) {
    group.origin = origin->second;
    group.isComplete = groups[*source].isComplete = false;
    for (const Order &order : groups[*source].orders)
      addOrder(orderBetween(group.origin->order, order));
  } else if (auto kept = keptOrders.find(root); kept != keptOrders.end()) {
    // Of a crowded tensor, the most frequent orders.
    llvm::for_each(kept->second, addOrder);
  } else {
    // The program has these: whatever stays as written needs them.
    for (Value other : group.members)
      addOrder(members[other].order);
  }
  // One order has no neighbours to tell.
  if (group.orders.size() > 1)
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
    if (auto result = dyn_cast<OpResult>(value);
        result && value == root && !joiningOrder(result.getOwner()))
      propagate(result.getOwner(),
                result.getOwner()->getNumOperands() + result.getResultNumber(),
                relative);
  }
}

void LayoutGraph::propagate(Operation *op, unsigned tensor,
                            ArrayRef<int64_t> order) {
  const std::optional<Followers> followers = following.of(op, tensor, order);
  if (!followers)
    return;
  for (const auto &[other, order] : *followers) {
    const Value value = tensorOf(op, other);
    if (other != tensor && !isFreeOrder(tensorType(value).getShape(), order))
      add(value, order);
  }
}
