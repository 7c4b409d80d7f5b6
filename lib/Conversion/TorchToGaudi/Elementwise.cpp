// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of elementwise ops.
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

Lowered lowerings::sign(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return one(c.tensor(0));
  Value sign = c.apply<SignOp>({c.tensor(0)});
  if (!isFloatElement(type))
    return one(sign);
  // PyTorch's sign of NaN is 0.
  Value isNumber = c.compare(ComparePredicate::EQ, c.tensor(0), c.tensor(0));
  return one(c.select(isNumber, sign, c.scalar(0, type)));
}

Lowered lowerings::square(TorchCall &c) {
  Value x = c.cast(c.tensor(0), c.resultElement());
  return one(c.apply<MulOp>({x, x}));
}

Lowered lowerings::complementaryError(TorchCall &c) { return unary<ErfcOp>(c); }

Lowered lowerings::isNan(TorchCall &c) {
  if (!isFloatElement(getElementTypeOrSelf(c.tensor(0))))
    return one(c.expand(c.scalar(0, c.resultElement()), c.result().getShape()));
  return one(c.compare(ComparePredicate::NE, c.tensor(0), c.tensor(0)));
}

/// Compares |x| with infinity in f32, since some floats have none.
static Lowered againstInfinity(TorchCall &c, ComparePredicate predicate) {
  if (!isFloatElement(getElementTypeOrSelf(c.tensor(0)))) {
    const bool isFinite = predicate == ComparePredicate::LT;
    return lowerings::one(
        c.expand(c.scalar(isFinite, c.resultElement()), c.result().getShape()));
  }
  Type f32 = c.builder.getF32Type();
  Value size = c.apply<AbsOp>({c.cast(c.tensor(0), f32)});
  return lowerings::one(c.compare(
      predicate, size, c.scalar(std::numeric_limits<double>::infinity(), f32)));
}

Lowered lowerings::isInfinite(TorchCall &c) {
  return againstInfinity(c, ComparePredicate::EQ);
}
Lowered lowerings::isFinite(TorchCall &c) {
  return againstInfinity(c, ComparePredicate::LT);
}

Lowered lowerings::logicalNot(TorchCall &c) {
  return one(c.apply<NotOp>({c.cast(c.tensor(0), c.resultElement())}));
}
Lowered lowerings::bitwiseNot(TorchCall &c) {
  return one(c.apply<NotOp>({c.tensor(0)}));
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// a + factor * b, of bool a | b.
static Value sumOf(TorchCall &c, Value a, Value b, double factor) {
  Type type = getElementTypeOrSelf(a);
  if (type.isInteger(1))
    return factor == 0 ? c.apply<OrOp>({a, c.scalar(0, type)})
                       : c.apply<OrOp>({a, b});
  if (factor == 1)
    return c.apply<AddOp>({a, b});
  if (factor == -1)
    return c.apply<SubOp>({a, b});
  // The product is not rounded on its own.
  Type wide = c.wideType(type);
  Value scaled = c.apply<MulOp>({c.cast(b, wide), c.scalar(factor, wide)});
  return c.cast(c.apply<AddOp>({c.cast(a, wide), scaled}), type);
}

Lowered lowerings::scaledSum(TorchCall &c) {
  Type type = arithmeticType(c);
  Value sum = sumOf(c, c.operand(0, type), c.operand(1, type), c.number(2));
  return one(c.cast(sum, c.resultElement()));
}
Lowered lowerings::scaledDifference(TorchCall &c) {
  Type type = arithmeticType(c);
  Value sum = sumOf(c, c.operand(0, type), c.operand(1, type), -c.number(2));
  return one(c.cast(sum, c.resultElement()));
}
Lowered lowerings::reverseDifference(TorchCall &c) {
  Type type = arithmeticType(c);
  Value sum = sumOf(c, c.operand(1, type), c.operand(0, type), -c.number(2));
  return one(c.cast(sum, c.resultElement()));
}

Lowered lowerings::product(TorchCall &c) {
  return c.resultElement().isInteger(1) ? binary<AndOp>(c)
                                        : arithmetic<MulOp>(c);
}

/// The floor of a float quotient as PyTorch has it, which is exact where a / b
/// is rounded up to a whole number: from the remainder.
static Value floorOfFloats(TorchCall &c, Value a, Value b) {
  Type type = getElementTypeOrSelf(a), wide = c.wideType(type);
  a = c.cast(a, wide);
  b = c.cast(b, wide);
  Value zero = c.scalar(0, wide), one = c.scalar(1, wide);
  Value rest = c.apply<RemOp>({a, b});
  Value quotient = c.apply<DivOp>({c.apply<SubOp>({a, rest}), b});
  Value differs = c.apply<XorOp>({c.compare(ComparePredicate::LT, rest, zero),
                                  c.compare(ComparePredicate::LT, b, zero)});
  Value isLess =
      c.apply<AndOp>({c.compare(ComparePredicate::NE, rest, zero), differs});
  quotient = c.select(isLess, c.apply<SubOp>({quotient, one}), quotient);
  Value floor = c.apply<FloorOp>({quotient});
  Value isFar =
      c.compare(ComparePredicate::GT, c.apply<SubOp>({quotient, floor}),
                c.scalar(0.5, wide));
  floor = c.select(isFar, c.apply<AddOp>({floor, one}), floor);
  // Division by zero has no remainder, and zeros keep the quotient's sign.
  Value plain = c.apply<DivOp>({a, b});
  Value isZero = c.compare(ComparePredicate::EQ, quotient, zero);
  Value signedZero = c.apply<MulOp>({plain, zero});
  floor = c.select(isZero, signedZero, floor);
  Value divisorIsZero = c.compare(ComparePredicate::EQ, b, zero);
  return c.cast(c.select(divisorIsZero, plain, floor), type);
}

/// floor(a / b) of numbers of one type.
static Value floorOf(TorchCall &c, Value a, Value b) {
  Type type = getElementTypeOrSelf(a);
  if (isFloatElement(type))
    return floorOfFloats(c, a, b);
  Value quotient = c.apply<DivOp>({a, b});
  if (isUnsignedElement(type))
    return quotient;
  // Toward zero is too much by one if a remainder has another sign than b.
  Value zero = c.scalar(0, type);
  Value rest = c.apply<RemOp>({a, b});
  Value isInexact = c.compare(ComparePredicate::NE, rest, zero);
  Value differs = c.apply<XorOp>({c.compare(ComparePredicate::LT, rest, zero),
                                  c.compare(ComparePredicate::LT, b, zero)});
  Value step = c.cast(c.apply<AndOp>({isInexact, differs}), type);
  return c.apply<SubOp>({quotient, step});
}

Lowered lowerings::floorQuotient(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return c.refuse("division is not defined for bool");
  return one(floorOf(c, c.operand(0, type), c.operand(1, type)));
}

Lowered lowerings::roundedQuotient(TorchCall &c) {
  if (!c.has(2))
    return binary<DivOp>(c);
  if (c.string(2) == "floor")
    return floorQuotient(c);
  if (c.string(2) != "trunc")
    return c.refuse("rounding_mode must be None, \"trunc\" or \"floor\"");
  Type type = c.resultElement();
  if (!isFloatElement(type))
    return binary<DivOp>(c);
  Type wide = c.wideType(type);
  Value quotient = c.apply<DivOp>({c.operand(0, wide), c.operand(1, wide)});
  // PyTorch rounds the quotient to narrow floats before, but not by one number.
  const bool isByNumber = tensorType(c.operand(1, wide)).getNumElements() == 1;
  if (!isByNumber)
    quotient = c.cast(quotient, type);
  return one(c.cast(c.apply<TruncOp>({quotient}), type));
}

Lowered lowerings::remainder(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return c.refuse("a remainder is not defined for bool");
  Value a = c.operand(0, type), b = c.operand(1, type);
  Value rest = c.apply<RemOp>({a, b});
  if (isUnsignedElement(type))
    return one(rest);
  // The sign is b's: where it is not and something is left, b is added.
  Value zero = c.scalar(0, type);
  Value isLeft = c.compare(ComparePredicate::NE, rest, zero);
  Value differs = c.apply<XorOp>({c.compare(ComparePredicate::LT, rest, zero),
                                  c.compare(ComparePredicate::LT, b, zero)});
  Value moved = c.apply<AddOp>({rest, b});
  return one(c.select(c.apply<AndOp>({isLeft, differs}), moved, rest));
}

Lowered lowerings::power(TorchCall &c) {
  Type type = c.resultElement();
  if (!isFloatElement(type))
    return integerPowerOf(c);
  // Small constant exponents are what PyTorch multiplies out, too.
  if (!c.isTensor(1)) {
    const double exponent = c.number(1);
    Value base = c.operand(0, type);
    if (exponent == 2)
      return one(c.apply<MulOp>({base, base}));
    if (exponent == 0.5)
      return one(c.apply<SqrtOp>({base}));
    if (exponent == 1)
      return one(c.expand(base, c.result().getShape()));
  }
  return binary<PowOp>(c);
}

Lowered lowerings::maximum(TorchCall &c) {
  return c.resultElement().isInteger(1) ? binary<OrOp>(c) : binary<MaxOp>(c);
}
Lowered lowerings::minimum(TorchCall &c) {
  return c.resultElement().isInteger(1) ? binary<AndOp>(c) : binary<MinOp>(c);
}
Lowered lowerings::maximumNumber(TorchCall &c) {
  return isFloatElement(c.resultElement()) ? binary<MaxNumOp>(c) : maximum(c);
}
Lowered lowerings::minimumNumber(TorchCall &c) {
  return isFloatElement(c.resultElement()) ? binary<MinNumOp>(c) : minimum(c);
}

Lowered lowerings::compareBy(TorchCall &c, ComparePredicate predicate) {
  auto type = torch::promotedType(c.getArguments());
  Type element = type ? deviceElement(*type, c.builder.getContext()) : Type();
  if (!element)
    return c.refuse("its operands have no common element type of the device");
  return one(
      c.compare(predicate, c.operand(0, element), c.operand(1, element)));
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

Lowered lowerings::choose(TorchCall &c) {
  Type type = c.resultElement();
  Value condition = c.cast(c.tensor(0), c.builder.getI1Type());
  return one(c.select(condition, c.operand(1, type), c.operand(2, type)));
}

Lowered lowerings::fillMasked(TorchCall &c) {
  Type type = c.resultElement();
  return one(c.select(c.tensor(1), c.operand(2, type), c.tensor(0)));
}

Lowered lowerings::clamp(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return c.refuse("clamp is not defined for bool");
  Value value = c.operand(0, type);
  if (c.has(1))
    value = c.apply<MaxOp>({value, c.operand(1, type)});
  if (c.size() > 2 && c.has(2))
    value = c.apply<MinOp>({value, c.operand(2, type)});
  return one(value);
}

Lowered lowerings::clampAbove(TorchCall &c) {
  return c.resultElement().isInteger(1)
             ? Lowered(c.refuse("clamp is not defined for bool"))
             : binary<MinOp>(c);
}

Lowered lowerings::interpolate(TorchCall &c) {
  Type type = c.resultElement(), wide = c.wideType(type);
  if (!isFloatElement(type))
    return c.refuse("it is not defined for integers");
  // The form that is exact at the nearer end, as PyTorch has it.
  Value a = c.operand(0, wide), b = c.operand(1, wide), w = c.operand(2, wide);
  Value distance = c.apply<SubOp>({b, a});
  Value fromStart = c.apply<AddOp>({a, c.apply<MulOp>({w, distance})});
  Value left = c.apply<SubOp>({c.scalar(1, wide), w});
  Value fromEnd = c.apply<SubOp>({b, c.apply<MulOp>({distance, left})});
  Value isNear =
      c.compare(ComparePredicate::LT, c.apply<AbsOp>({w}), c.scalar(0.5, wide));
  return one(c.cast(c.select(isNear, fromStart, fromEnd), type));
}

/// self + (value * a) op b, in PyTorch's order: a op b alone may be infinite.
template <typename Op> static Lowered addScaled(TorchCall &c) {
  Type type = c.resultElement(), wide = c.wideType(type);
  if (type.isInteger(1))
    return c.refuse("it is not defined for bool");
  Value factor = c.operand(1, wide);
  if (c.number(3) != 1)
    factor = c.apply<MulOp>({factor, c.scalar(c.number(3), wide)});
  Value term = c.apply<Op>({factor, c.operand(2, wide)});
  return lowerings::one(
      c.cast(c.apply<AddOp>({c.operand(0, wide), term}), type));
}
Lowered lowerings::addProduct(TorchCall &c) { return addScaled<MulOp>(c); }
Lowered lowerings::addQuotient(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is not defined for integers");
  return addScaled<DivOp>(c);
}

Lowered lowerings::convert(TorchCall &c) {
  return one(c.cast(c.tensor(0), c.resultElement()));
}
