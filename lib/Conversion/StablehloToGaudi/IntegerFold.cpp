// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding of StableHLO integer scalars.
#include "IntegerFold.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gaudi;

/// The integer type of a tensor of one element; null for others.
static IntegerType integerScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() != 1)
    return {};
  auto element = dyn_cast<IntegerType>(tensor.getElementType());
  return element && element.getWidth() <= 64 ? element : IntegerType();
}

static bool isUnsignedType(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

/// `bits` as numbers of `type` are read.
static int64_t readAs(IntegerType type, const APInt &bits) {
  return isUnsignedType(type) ? int64_t(bits.getZExtValue())
                              : bits.getSExtValue();
}

std::optional<int64_t> gaudi::integerConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getName().stripDialect() != "constant")
    return std::nullopt;
  IntegerType type = integerScalar(value.getType());
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
  if (!type || !elements || elements.getNumElements() != 1 ||
      elements.getElementType() != type)
    return std::nullopt;
  return readAs(type, *elements.value_begin<APInt>());
}

Value gaudi::createIntegerConstant(OpBuilder &builder, Location loc, Type type,
                                   int64_t value) {
  auto tensor = cast<RankedTensorType>(type);
  const unsigned width = tensor.getElementTypeBitWidth();
  auto elements = DenseIntElementsAttr::get(
      tensor, APInt(width, uint64_t(value), /*isSigned=*/false,
                    /*implicitTrunc=*/true));
  OperationState state(loc, "stablehlo.constant");
  state.addTypes(type);
  state.addAttribute("value", elements);
  return builder.create(state)->getResult(0);
}

static std::optional<int64_t> compare(StringRef direction, int64_t a, int64_t b,
                                      bool isUnsigned) {
  auto less = [&](int64_t x, int64_t y) {
    return isUnsigned ? uint64_t(x) < uint64_t(y) : x < y;
  };
  return llvm::StringSwitch<std::optional<int64_t>>(direction)
      .Case("EQ", a == b)
      .Case("NE", a != b)
      .Case("LT", less(a, b))
      .Case("LE", !less(b, a))
      .Case("GT", less(b, a))
      .Case("GE", !less(a, b))
      .Default(std::nullopt);
}

/// The result of a binary op on numbers of `type`, wrapped to it.
static std::optional<int64_t> binary(StringRef name, IntegerType type,
                                     int64_t a, int64_t b) {
  const bool isUnsigned = isUnsignedType(type);
  // In the type's own width, so that results wrap as on the device.
  APInt x(type.getWidth(), uint64_t(a), false, true);
  APInt y(type.getWidth(), uint64_t(b), false, true);
  if (name == "add")
    x = type.getWidth() == 1 ? x | y : x + y;
  else if (name == "subtract")
    x = x - y;
  else if (name == "multiply")
    x = x * y;
  else if (name == "and")
    x = x & y;
  else if (name == "or")
    x = x | y;
  else if (name == "xor")
    x = x ^ y;
  else if (name == "minimum")
    x = (isUnsigned ? x.ult(y) : x.slt(y)) ? x : y;
  else if (name == "maximum")
    x = (isUnsigned ? x.ugt(y) : x.sgt(y)) ? x : y;
  else if ((name == "divide" || name == "remainder") && !y.isZero() &&
           !(x.isMinSignedValue() && y.isAllOnes()))
    x = name == "divide" ? (isUnsigned ? x.udiv(y) : x.sdiv(y))
                         : (isUnsigned ? x.urem(y) : x.srem(y));
  else
    return std::nullopt;
  return readAs(type, x);
}

/// What an op with two operands equals though only one of them is known.
static std::optional<int64_t> absorbing(StringRef name,
                                        std::optional<int64_t> a,
                                        std::optional<int64_t> b,
                                        IntegerType type) {
  const bool isBool = type.getWidth() == 1;
  auto isEither = [&](int64_t number) { return a == number || b == number; };
  if (name == "and" && isEither(0))
    return 0;
  if (name == "or" && isBool && isEither(1))
    return 1;
  return std::nullopt;
}

Value gaudi::foldInteger(Operation *op, OpBuilder &builder) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->getNumOperands() == 0 || op->getNumOperands() > 3)
    return {};
  IntegerType type = integerScalar(op->getResult(0).getType());
  if (!type || llvm::any_of(op->getOperandTypes(),
                            [](Type t) { return !integerScalar(t); }))
    return {};
  const StringRef name = op->getName().stripDialect();
  SmallVector<std::optional<int64_t>> numbers;
  for (Value operand : op->getOperands())
    numbers.push_back(integerConstant(operand));
  auto constant = [&](int64_t value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    return createIntegerConstant(builder, op->getLoc(),
                                 op->getResult(0).getType(), value);
  };
  auto sameType = [&](unsigned operand) {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  };
  IntegerType from = integerScalar(op->getOperand(0).getType());
  // Before the others: the condition alone decides, whatever the values are.
  if (name == "select" && numbers.size() == 3 && numbers[0]) {
    unsigned chosen = *numbers[0] != 0 ? 1 : 2;
    return sameType(chosen) ? op->getOperand(chosen) : Value();
  }
  if (numbers.size() == 2 &&
      op->getOperand(0).getType() == op->getOperand(1).getType()) {
    // x * 0, x & 0 and the like are known with one operand.
    if (auto known = absorbing(name, numbers[0], numbers[1], type);
        known && from == type)
      return constant(*known);
    auto direction =
        dyn_cast_or_null<StringAttr>(op->getAttr("comparison_direction"));
    // x != false is x.
    if (name == "compare" && direction && direction.getValue() == "NE" &&
        from.getWidth() == 1 && numbers[1] == int64_t(0) && sameType(0))
      return op->getOperand(0);
    if (!numbers[0] || !numbers[1])
      return {};
    std::optional<int64_t> value;
    if (name == "compare" && direction)
      value = compare(direction.getValue(), *numbers[0], *numbers[1],
                      isUnsignedType(from));
    else if (sameType(0))
      value = binary(name, type, *numbers[0], *numbers[1]);
    return value ? constant(*value) : Value();
  }
  if (numbers.size() != 1 || !numbers[0])
    return {};
  if (name == "reshape" || name == "broadcast_in_dim")
    return from == type ? constant(*numbers[0]) : Value();
  if (name == "convert")
    return constant(type.getWidth() == 1 ? int64_t(*numbers[0] != 0)
                                         : *numbers[0]);
  if (name == "negate" && from == type)
    return constant(-uint64_t(*numbers[0]));
  if (name == "not" && from == type)
    return constant(~*numbers[0]);
  return {};
}
