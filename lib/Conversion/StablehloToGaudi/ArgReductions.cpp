// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of values and their positions: an arg-max or arg-min.
//
// A region that only compares, selects and combines booleans sees its arguments
// through their order alone. There are few orders, so the region is evaluated
// for each of them, and what it picks is compared with what the device's op
// picks. That is a proof for any spelling, and there are many: JAX tests for
// NaN and picks the smaller position of equal values, others compare once.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// What a scalar of the region is.
enum class Symbol { False, True, LeftValue, RightValue, LeftAt, RightAt };

/// How left and right compare. The NaN orders are of values only.
enum class Order { Less, Equal, Greater, LeftNan, RightNan, BothNan };

struct Case {
  Order values, positions;
};

bool isValue(Symbol symbol) {
  return symbol == Symbol::LeftValue || symbol == Symbol::RightValue;
}
bool isPosition(Symbol symbol) {
  return symbol == Symbol::LeftAt || symbol == Symbol::RightAt;
}
bool isLeft(Symbol symbol) {
  return symbol == Symbol::LeftValue || symbol == Symbol::LeftAt;
}
Symbol symbolOf(bool value) { return value ? Symbol::True : Symbol::False; }

/// How two symbols of one kind compare; LeftNan stands for any NaN.
std::optional<Order> orderOf(Symbol a, Symbol b, const Case &given) {
  if (isValue(a) != isValue(b) || isPosition(a) != isPosition(b) ||
      (!isValue(a) && !isPosition(a)))
    return std::nullopt;
  const Order order = isValue(a) ? given.values : given.positions;
  if (a == b) {
    const bool isNan = order == Order::BothNan ||
                       order == (isLeft(a) ? Order::LeftNan : Order::RightNan);
    return isNan ? Order::LeftNan : Order::Equal;
  }
  if (order != Order::Less && order != Order::Equal && order != Order::Greater)
    return Order::LeftNan;
  if (order == Order::Equal || isLeft(a))
    return order;
  return order == Order::Less ? Order::Greater : Order::Less;
}

/// The region for one order of its arguments.
class Evaluation {
public:
  Evaluation(Region &region, unsigned valueNumber, const Case &given)
      : given(given) {
    assert(region.getNumArguments() == 4 && valueNumber < 2 &&
           "two operands, left and right");
    // Left values, then right ones, in the order of the operands.
    known[region.getArgument(valueNumber)] = Symbol::LeftValue;
    known[region.getArgument(1 - valueNumber)] = Symbol::LeftAt;
    known[region.getArgument(2 + valueNumber)] = Symbol::RightValue;
    known[region.getArgument(3 - valueNumber)] = Symbol::RightAt;
    for (Operation &op : llvm::drop_end(region.front()))
      if (std::optional<Symbol> symbol = evaluate(&op))
        known[op.getResult(0)] = *symbol;
  }

  std::optional<Symbol> of(Value value) const {
    auto it = known.find(value);
    return it == known.end() ? std::nullopt : std::optional(it->second);
  }

private:
  std::optional<Symbol> evaluate(Operation *op) const {
    if (isa<ReshapeOp, BroadcastOp>(op)) // of a scalar
      return of(op->getOperand(0));
    if (isa<ConstantOp>(op)) {
      auto value =
          dyn_cast_or_null<IntegerAttr>(splatConstant(op->getResult(0)));
      if (value && value.getType().isInteger(1))
        return symbolOf(!value.getValue().isZero());
      return std::nullopt;
    }
    if (auto select = dyn_cast<SelectOp>(op)) {
      const std::optional<Symbol> condition = of(select.getCondition());
      if (!condition || isValue(*condition) || isPosition(*condition))
        return std::nullopt;
      return of(*condition == Symbol::True ? select.getOnTrue()
                                           : select.getOnFalse());
    }
    std::optional<Symbol> a = of(op->getOperand(0));
    if (!a)
      return std::nullopt;
    if (isa<NotOp>(op))
      return *a == Symbol::True    ? std::optional(Symbol::False)
             : *a == Symbol::False ? std::optional(Symbol::True)
                                   : std::nullopt;
    std::optional<Symbol> b =
        op->getNumOperands() == 2 ? of(op->getOperand(1)) : std::nullopt;
    return b ? combine(op, *a, *b) : std::nullopt;
  }

  std::optional<Symbol> combine(Operation *op, Symbol a, Symbol b) const {
    const std::optional<Order> order = orderOf(a, b, given);
    if (auto compare = dyn_cast<CompareOp>(op)) {
      if (order && !isTotalOrder(compare))
        return symbolOf(holds(compare.getPredicate(), *order == Order::Less,
                              *order == Order::Equal,
                              *order == Order::Greater));
    } else if (order && isPosition(a) && isa<MinOp, MaxOp>(op)) {
      return isa<MinOp>(op) == (*order == Order::Greater) ? b : a;
    }
    if (order || isValue(a) || isPosition(a) || isValue(b) || isPosition(b))
      return std::nullopt;
    const bool left = a == Symbol::True, right = b == Symbol::True;
    if (isa<AndOp>(op))
      return symbolOf(left && right);
    if (isa<OrOp>(op))
      return symbolOf(left || right);
    if (isa<XorOp>(op))
      return symbolOf(left != right);
    return std::nullopt;
  }

  const Case given;
  DenseMap<Value, Symbol> known;
};

/// What a reduction of the device does: whether the right one of two values
/// replaces the left one. Nothing: values of this order do not meet.
std::optional<bool> replaces(Order order, bool isMax, bool ignoresNan) {
  switch (order) {
  case Order::Less:
    return isMax;
  case Order::Greater:
    return !isMax;
  case Order::Equal:
    return false;
  case Order::RightNan:
    return !ignoresNan;
  case Order::LeftNan:
  case Order::BothNan:
    // What starts from a number and skips NaN never holds one.
    return ignoresNan ? std::nullopt : std::optional(false);
  }
  return std::nullopt;
}

/// True if the region picks what the reduction picks. The left position comes
/// first, or both are the start (0).
bool picksAs(Region &region, unsigned valueNumber, bool isFloat, bool isMax,
             bool ignoresNan) {
  SmallVector<Order> orders = {Order::Less, Order::Equal, Order::Greater};
  if (isFloat)
    orders.append({Order::LeftNan, Order::RightNan, Order::BothNan});
  Operation &exit = region.front().back();
  for (Order values : orders)
    for (Order positions : {Order::Less, Order::Equal}) {
      const std::optional<bool> right = replaces(values, isMax, ignoresNan);
      if (!right)
        continue;
      const Evaluation evaluation(region, valueNumber, {values, positions});
      const auto value = evaluation.of(exit.getOperand(valueNumber));
      const auto position = evaluation.of(exit.getOperand(1 - valueNumber));
      if (!value || !isValue(*value) || !position || !isPosition(*position))
        return false;
      // Of equal values, or of two NaNs, either will do.
      if (values != Order::Equal && values != Order::BothNan &&
          isLeft(*value) == *right)
        return false;
      if (positions != Order::Equal && isLeft(*position) == *right)
        return false;
    }
  return true;
}

/// True if each element of the tensor is its index along `axis`.
bool isPositionAlong(Value value, int64_t axis) {
  // Back through what keeps an element at its position along the axis.
  while (Operation *op = value.getDefiningOp()) {
    if (auto iota = dyn_cast<IotaOp>(op))
      return int64_t(iota.getDim()) == axis;
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      auto at = llvm::find(broadcast.getDims(), axis);
      // Broadcast along the axis: all positions would be equal.
      if (at == broadcast.getDims().end())
        return false;
      axis = at - broadcast.getDims().begin();
      value = broadcast.getOperand();
      continue;
    }
    auto type = tensorType(value);
    auto size = [](int64_t extent) { return extent != 1; };
    if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      // Between shapes with one dimension that is not 1.
      auto from = tensorType(reshape.getOperand());
      if (llvm::count_if(type.getShape(), size) != 1 ||
          llvm::count_if(from.getShape(), size) != 1 ||
          type.getDimSize(axis) == 1)
        return false;
      axis = llvm::find_if(from.getShape(), size) - from.getShape().begin();
      value = reshape.getOperand();
      continue;
    }
    // Exporters also write the positions as a constant.
    std::optional<SmallVector<int64_t>> numbers = constantIntegers(value);
    if (!numbers)
      return false;
    int64_t inner = 1;
    for (int64_t dim = axis + 1; dim < type.getRank(); ++dim)
      inner *= type.getDimSize(dim);
    for (auto [i, number] : llvm::enumerate(*numbers))
      if (number != int64_t(i) / inner % type.getDimSize(axis))
        return false;
    return true;
  }
  return false;
}

/// The value with NaN replaced by what never wins.
Value withoutNan(Value value, TypedAttr least, HloBuilder &b) {
  auto type = tensorType(value);
  Value isNan = CompareOp::create(b, type.clone(b.getI1Type()),
                                  ComparePredicate::NE, value, value);
  return SelectOp::create(b, type, isNan, b.splat(type, least), value);
}
} // namespace

std::optional<ArgReduction>
gaudi::matchArgReduction(Operation *op, int64_t axis, StringRef &why) {
  auto integer = [&](unsigned operand) {
    return isa<IntegerType>(
        tensorType(op->getOperand(operand)).getElementType());
  };
  why = "its values have no positions along the reduced dimension";
  ArgReduction found;
  found.axis = axis;
  // Value and position may be in either order.
  for (unsigned number : {0u, 1u}) {
    if (!integer(1 - number) ||
        !isPositionAlong(op->getOperand(1 - number), axis))
      continue;
    found.valueNumber = number;
    const Type element = tensorType(op->getOperand(number)).getElementType();
    const Type position =
        tensorType(op->getOperand(1 - number)).getElementType();
    if (element.isInteger(1) ||
        (!position.isInteger(32) && !position.isInteger(64))) {
      why = "its positions are neither i32 nor i64, or its values booleans";
      return std::nullopt;
    }
    TypedAttr start = splatConstant(op->getOperand(2 + number));
    auto first = dyn_cast_or_null<IntegerAttr>(
        splatConstant(op->getOperand(3 - number)));
    why = "it does not start from the extreme value and position 0";
    if (!start || !first || !first.getValue().isZero())
      return std::nullopt;
    found.start = start;
    const bool isFloat = isa<FloatType>(element);
    // Maximum or minimum, each with and without NaN: the device has these four.
    for (found.isMax = false;; found.isMax = true) {
      for (found.ignoresNan = false;; found.ignoresNan = true) {
        const ReduceKind kind = found.isMax ? ReduceKind::Max : ReduceKind::Min;
        if (isReduceIdentity(kind, start) &&
            picksAs(op->getRegion(0), number, isFloat, found.isMax,
                    found.ignoresNan))
          return found;
        if (found.ignoresNan || !isFloat)
          break;
      }
      if (found.isMax)
        break;
    }
    why = "of equal values or NaN, its region picks another one than the "
          "device, or it starts from another value than the extreme";
    return std::nullopt;
  }
  return std::nullopt;
}

SmallVector<Value> gaudi::createArgReduction(Operation *op,
                                             const ArgReduction &found,
                                             HloBuilder &b) {
  const unsigned number = found.valueNumber;
  Value operand = op->getOperand(number);
  b.remarkRaised(op, ArgReduceOp::getOperationName(),
                 "its region picks the same value and position for every order "
                 "of two values");
  Value numbers =
      found.ignoresNan ? withoutNan(operand, found.start, b) : operand;
  SmallVector<Value> results(2);
  results[number] =
      ReduceOp::create(b, tensorType(op->getResult(number)),
                       found.isMax ? ReduceKind::Max : ReduceKind::Min, numbers,
                       ArrayRef<int64_t>(found.axis), /*keep_dims=*/false);
  results[1 - number] = ArgReduceOp::create(
      b, tensorType(op->getResult(1 - number)), operand, found.axis,
      found.isMax, /*keep_dims=*/false, found.ignoresNan);
  return results;
}
