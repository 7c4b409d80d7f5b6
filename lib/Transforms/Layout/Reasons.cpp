// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows orders from op to op, to what cannot have another one.
#include "Reasons.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "SplitGemm.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// Parties that are asked for one reason.
constexpr unsigned maxAsked = 200;

StringRef gaudi::layout::nameOf(Operation *op) {
  if (isa<SplitGemmOp>(op))
    return GemmOp::getOperationName(); // before the pass and after it
  const StringRef name = op->getName().getStringRef();
  auto kernel = dyn_cast<KernelOp>(op);
  return kernel ? kernel.getLabel().value_or(name) : name;
}

std::string gaudi::layout::describe(Operation *op) {
  const StringRef name = nameOf(op);
  const std::string place = locationText(op->getLoc());
  return place.empty() ? llvm::formatv("'{0}'", name).str()
                       : llvm::formatv("'{0}' at {1}", name, place).str();
}

std::string gaudi::layout::orderText(ArrayRef<int64_t> order) {
  return llvm::formatv("[{0:$[, ]}]",
                       llvm::make_range(order.begin(), order.end()))
      .str();
}

PlacedFunction::PlacedFunction(func::FuncOp function,
                               const Placement &placement)
    : function(function), placement(placement), members(findGroups(function)) {
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    isFreeResult.push_back(
        bool(function.getResultAttr(i, allowPermutationAttrName)));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto result = stateResult(function, i);
        result && mayPermuteArgument(function, i))
      isFreeResult[*result] = true;
  // In program order: a map of values has none.
  for (Operation &op : function.front())
    for (Value result : op.getResults())
      if (auto it = members.find(result);
          it != members.end() && it->second.root != result)
        membersOf[it->second.root].push_back(result);
}

bool PlacedFunction::isMove(Operation *op) {
  return joiningOrder(op).has_value();
}

Order PlacedFunction::normal(Value root, ArrayRef<int64_t> order) const {
  return normalOrder(tensorType(root).getShape(), order);
}

Order PlacedFunction::orderOf(Value value) const {
  auto it = members.find(value);
  return it == members.end() ? identityOrder(tensorType(value).getRank())
                             : it->second.order;
}

Order PlacedFunction::wholeOf(Value value, ArrayRef<int64_t> order) const {
  auto it = members.find(value);
  return normal(it == members.end() ? value : it->second.root,
                composeOrders(orderOf(value), order));
}

Order PlacedFunction::placedOrder(Operation *op, unsigned tensor) const {
  if (isa<func::ReturnOp>(op)) {
    if (auto it = placement.results.find(tensor);
        it != placement.results.end() && !it->second.empty())
      return it->second;
  } else if (auto it = placement.ops.find(op); it != placement.ops.end()) {
    return it->second.orders[tensor];
  }
  return identityOrder(tensorType(tensorOf(op, tensor)).getRank());
}

PlacedParty PlacedFunction::partyOf(OpOperand &operand) const {
  PlacedParty party{operand.getOwner(), operand.getOperandNumber()};
  party.order = placedOrder(party.op, party.tensor);
  party.whole = wholeOf(operand.get(), party.order);
  return party;
}

PlacedParty PlacedFunction::writerOf(Value root) const {
  PlacedParty party;
  if (auto result = dyn_cast<OpResult>(root)) {
    party.op = result.getOwner();
    party.tensor = party.op->getNumOperands() + result.getResultNumber();
    party.order = placedOrder(party.op, party.tensor);
  } else {
    party.tensor = cast<BlockArgument>(root).getArgNumber();
    auto it = placement.arguments.find(party.tensor);
    party.order = it != placement.arguments.end() && !it->second.empty()
                      ? it->second
                      : identityOrder(tensorType(root).getRank());
  }
  party.whole = wholeOf(root, party.order);
  return party;
}

const PlacedGroup &PlacedFunction::groupOf(Value value) {
  auto it = members.find(value);
  const Value root = it == members.end() ? value : it->second.root;
  std::unique_ptr<PlacedGroup> &known = groups[root];
  // Made once: explanations ask for the same tensors many times.
  if (known)
    return *known;
  auto group = std::make_unique<PlacedGroup>();
  group->root = root;
  group->writer = writerOf(root);
  auto addReaders = [&](Value member) {
    for (OpOperand &use : member.getUses())
      if (!isMove(use.getOwner()))
        group->readers.push_back(partyOf(use));
  };
  addReaders(root);
  if (auto more = membersOf.find(root); more != membersOf.end())
    for (Value member : more->second) {
      group->moves.push_back(member.getDefiningOp());
      addReaders(member);
    }
  // In program order, so that the first reader is the same in each run.
  llvm::sort(group->readers, [](const PlacedParty &a, const PlacedParty &b) {
    return a.op != b.op ? a.op->isBeforeInBlock(b.op) : a.tensor < b.tensor;
  });
  known = std::move(group);
  return *known;
}

/// Why the party cannot have its tensor in `order`; nothing if it can, and then
/// the orders of its other tensors, if these follow.
std::optional<Reason>
PlacedFunction::cannot(const PlacedParty &party, ArrayRef<int64_t> order,
                       std::optional<Followers> &followers) {
  // An argument.
  if (!party.op) {
    if (mayPermuteArgument(function, party.tensor))
      return std::nullopt;
    return Reason{llvm::formatv("argument '{0}' has the order of its caller",
                                argumentName(function, party.tensor)),
                  party.tensor};
  }
  if (isa<func::ReturnOp>(party.op)) {
    if (isFreeResult[party.tensor])
      return std::nullopt;
    return Reason{llvm::formatv("result '{0}' has the order of its caller",
                                resultName(function, party.tensor)),
                  std::nullopt, party.tensor};
  }
  // Constants are rewritten in any order.
  if (isa<ConstantOp>(party.op))
    return std::nullopt;
  const bool isResult = party.tensor >= party.op->getNumOperands();
  auto no = [&](StringRef why) {
    return Reason{llvm::formatv("{0} {1} {2}", describe(party.op),
                                isResult ? "cannot write its result in"
                                         : "cannot read its operand in",
                                why)};
  };
  auto op = dyn_cast<LayoutOpInterface>(party.op);
  if (!op)
    return no("another order");
  // The other tensors have to follow: these are asked next.
  if (!op.hasIndependentOrders() || entryCount(op) != 0) {
    // Kernels can read any order, so only their neighbours can forbid it.
    followers = following.of(op, party.tensor, order);
    if (followers || isa<KernelBodyOpInterface>(party.op))
      return std::nullopt;
    return no(orderText(order));
  }
  Orders orders;
  for (unsigned tensor : llvm::seq(tensorCount(party.op)))
    orders.push_back(placedOrder(party.op, tensor));
  orders[party.tensor] = Order(order);
  if (op.acceptsOrders(orders)) {
    followers = following.of(op, party.tensor, order);
    return std::nullopt;
  }
  // A tensor and its gradient may have to change together.
  std::optional<Orders> tied = op.getOrdersWith(
      party.tensor, isIdentityOrder(order) ? ArrayRef(party.order) : order);
  const bool isTied = tied && llvm::count_if(*tied, [](const Order &other) {
                                return !isIdentityOrder(other);
                              }) > 1;
  return no(orderText(order) + (isTied ? " alone" : ""));
}

Reason PlacedFunction::whyNot(const PlacedParty &party, Value root,
                              ArrayRef<int64_t> whole) {
  struct Asked {
    PlacedParty party;
    Value root;
    Order whole;
  };
  // Breadth first: the nearest op that cannot change is the reason.
  std::deque<Asked> queue = {{party, root, Order(whole)}};
  DenseSet<std::pair<Operation *, unsigned>> seen = {party.key()};
  for (unsigned asked = 0; !queue.empty() && asked < maxAsked; ++asked) {
    const Asked at = std::move(queue.front());
    queue.pop_front();
    // Relative to the party's own tensor.
    Value own = at.root;
    if (at.party.op && at.party.tensor < at.party.op->getNumOperands())
      own = at.party.op->getOperand(at.party.tensor);
    const Order order = orderBetween(orderOf(own), at.whole);
    std::optional<Followers> followers;
    if (std::optional<Reason> reason = cannot(at.party, order, followers)) {
      // The reason is that of another op, which this one has to agree with.
      if (asked)
        reason->text = llvm::formatv("{0} has the order of its neighbours: {1}",
                                     party.op ? describe(party.op)
                                              : std::string("an argument"),
                                     reason->text);
      return *reason;
    }
    if (!followers)
      continue;
    for (const auto &[tensor, wanted] : *followers) {
      if (tensor == at.party.tensor)
        continue;
      Operation *op = at.party.op;
      const Value value = tensorOf(op, tensor);
      const Order now = wholeOf(value, placedOrder(op, tensor));
      const Order then = wholeOf(value, wanted);
      if (now == then)
        continue;
      // Those that have the same copy would have to follow.
      const PlacedGroup &group = groupOf(value);
      auto follow = [&](const PlacedParty &other) {
        if (queue.size() < maxAsked && other.whole == now &&
            seen.insert(other.key()).second)
          queue.push_back({other, group.root, then});
      };
      follow(group.writer);
      llvm::for_each(ArrayRef(group.readers).take_front(maxAsked), follow);
    }
  }
  // Nothing forbids it: the order takes longer.
  const bool reads = party.op && party.tensor < party.op->getNumOperands();
  return {llvm::formatv("{0} {1} it in the order of least time",
                        party.op ? describe(party.op) : "the caller",
                        reads ? "reads" : "writes"),
          std::nullopt, std::nullopt, /*isForced=*/false};
}
