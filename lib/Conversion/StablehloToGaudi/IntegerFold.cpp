// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding of StableHLO integer scalars.
#include "IntegerFold.h"
#include "Gaudi/Conversion/StablehloOps.h"

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
  IntegerType type = integerScalar(value.getType());
  auto elements =
      dyn_cast_or_null<DenseIntElementsAttr>(constantOf(value.getDefiningOp()));
  if (!type || !elements || elements.getNumElements() != 1 ||
      elements.getElementType() != type)
    return std::nullopt;
  return readAs(type, *elements.value_begin<APInt>());
}

static bool compare(ComparePredicate direction, int64_t a, int64_t b,
                    bool isUnsigned) {
  const bool isLess = isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
  return holds(direction, isLess, a == b, !isLess && a != b);
}

/// The result of a binary op on numbers of `type`, wrapped to it.
static std::optional<int64_t> binary(Hlo kind, IntegerType type, int64_t a,
                                     int64_t b) {
  const bool isUnsigned = isUnsignedType(type);
  // In the type's own width, so that results wrap as on the device.
  const APInt x(type.getWidth(), uint64_t(a), false, true);
  const APInt y(type.getWidth(), uint64_t(b), false, true);
  const bool isDefined =
      !y.isZero() && !(x.isMinSignedValue() && y.isAllOnes());
  switch (kind) {
  case Hlo::Add:
    return readAs(type, type.getWidth() == 1 ? x | y : x + y);
  case Hlo::Sub:
    return readAs(type, x - y);
  case Hlo::Mul:
    return readAs(type, x * y);
  case Hlo::And:
    return readAs(type, x & y);
  case Hlo::Or:
    return readAs(type, x | y);
  case Hlo::Xor:
    return readAs(type, x ^ y);
  case Hlo::Min:
    return isUnsigned ? readAs(type, llvm::APIntOps::umin(x, y))
                      : readAs(type, llvm::APIntOps::smin(x, y));
  case Hlo::Max:
    return isUnsigned ? readAs(type, llvm::APIntOps::umax(x, y))
                      : readAs(type, llvm::APIntOps::smax(x, y));
  case Hlo::Div:
    if (isDefined)
      return readAs(type, isUnsigned ? x.udiv(y) : x.sdiv(y));
    break;
  case Hlo::Rem:
    if (isDefined)
      return readAs(type, isUnsigned ? x.urem(y) : x.srem(y));
    break;
  default:
    break;
  }
  return std::nullopt;
}

/// What an op with two operands equals though only one of them is known.
static std::optional<int64_t> absorbing(Hlo kind, std::optional<int64_t> a,
                                        std::optional<int64_t> b,
                                        IntegerType type) {
  const bool isBool = type.getWidth() == 1;
  auto isEither = [&](int64_t number) { return a == number || b == number; };
  if (kind == Hlo::And && isEither(0))
    return 0;
  if (kind == Hlo::Or && isBool && isEither(1))
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
  const Hlo kind = hloOf(op);
  SmallVector<std::optional<int64_t>> numbers;
  for (Value operand : op->getOperands())
    numbers.push_back(integerConstant(operand));
  auto constant = [&](int64_t value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    return HloWriter(builder, op->getLoc())
        .splat(op->getResult(0).getType(), value);
  };
  auto sameType = [&](unsigned operand) {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  };
  IntegerType from = integerScalar(op->getOperand(0).getType());
  // Before the others: the condition alone decides, whatever the values are.
  if (kind == Hlo::Select && numbers.size() == 3 && numbers[0]) {
    unsigned chosen = *numbers[0] != 0 ? 1 : 2;
    return sameType(chosen) ? op->getOperand(chosen) : Value();
  }
  if (numbers.size() == 2 &&
      op->getOperand(0).getType() == op->getOperand(1).getType()) {
    // x * 0, x & 0 and the like are known with one operand.
    if (auto known = absorbing(kind, numbers[0], numbers[1], type);
        known && from == type)
      return constant(*known);
    const auto direction = directionOf(op);
    // x != false is x.
    if (direction == ComparePredicate::NE && from.getWidth() == 1 &&
        numbers[1] == int64_t(0) && sameType(0))
      return op->getOperand(0);
    if (!numbers[0] || !numbers[1])
      return {};
    std::optional<int64_t> value;
    if (direction)
      value =
          compare(*direction, *numbers[0], *numbers[1], isUnsignedType(from));
    else if (sameType(0))
      value = binary(kind, type, *numbers[0], *numbers[1]);
    return value ? constant(*value) : Value();
  }
  if (numbers.size() != 1 || !numbers[0])
    return {};
  if (kind == Hlo::Reshape || kind == Hlo::BroadcastInDim)
    return from == type ? constant(*numbers[0]) : Value();
  if (kind == Hlo::Convert)
    return constant(type.getWidth() == 1 ? int64_t(*numbers[0] != 0)
                                         : *numbers[0]);
  if (kind == Hlo::Neg && from == type)
    return constant(-uint64_t(*numbers[0]));
  if (kind == Hlo::Not && from == type)
    return constant(~*numbers[0]);
  return {};
}
