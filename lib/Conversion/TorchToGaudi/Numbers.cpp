// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of elementwise ops on the parts of numbers: signs, exponents,
// neighbours, digits, powers and divisors of integers.
#include "../Common/IntegerMath.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Bits of floats
//===----------------------------------------------------------------------===//

/// The bits of floats as integers of their width.
static Value bitsOf(TorchCall &c, Value x) {
  RankedTensorType type = tensorType(x);
  return BitcastOp::create(
      c.builder,
      type.clone(c.builder.getIntegerType(type.getElementTypeBitWidth())), x);
}
static Value floatOf(TorchCall &c, Value bits, Type element) {
  return BitcastOp::create(c.builder, tensorType(bits).clone(element), bits);
}
static Value integer(TorchCall &c, int64_t value, Type element) {
  return c.constant(RankedTensorType::get({}, element),
                    c.builder.getIntegerAttr(element, value));
}

/// Whether the sign bit is set; of integers, whether they are negative.
static Value isNegative(TorchCall &c, Value x) {
  Type element = getElementTypeOrSelf(x);
  if (element.isInteger(1) || isUnsignedElement(element))
    return c.expand(c.scalar(0, c.builder.getI1Type()),
                    tensorType(x).getShape());
  if (isFloatElement(element))
    x = bitsOf(c, c.cast(x, c.builder.getF32Type()));
  return c.compare(ComparePredicate::LT, x,
                   integer(c, 0, getElementTypeOrSelf(x)));
}

Lowered lowerings::signBit(TorchCall &c) {
  return one(isNegative(c, c.tensor(0)));
}

Lowered lowerings::copySign(TorchCall &c) {
  Type f32 = c.builder.getF32Type();
  Value size = c.apply<AbsOp>({c.operand(0, f32)});
  // A number's sign bit counts, also of -0.
  Value sign = c.isTensor(1)
                   ? isNegative(c, c.tensor(1))
                   : c.scalar(std::signbit(c.number(1)), c.builder.getI1Type());
  Value result = c.select(sign, c.apply<NegOp>({size}), size);
  return one(c.cast(result, c.resultElement()));
}

Lowered lowerings::nextAfter(TorchCall &c) {
  Type type = c.resultElement();
  if (!isFloatElement(type))
    return c.refuse("it is defined for floats only");
  Value x = c.operand(0, type), y = c.operand(1, type);
  const SmallVector<int64_t> shape(c.result().getShape());
  x = c.expand(x, shape);
  y = c.expand(y, shape);
  Value bits = bitsOf(c, x);
  Type integers = getElementTypeOrSelf(bits);
  Value zero = c.scalar(0, type);
  // Away from zero the magnitude grows by one, which is the last bit.
  Value isUp = c.compare(ComparePredicate::LT, x, y);
  Value isPositive = c.compare(ComparePredicate::LT, zero, x);
  Value step = c.select(c.apply<XorOp>({isUp, isPositive}),
                        integer(c, -1, integers), integer(c, 1, integers));
  Value next = floatOf(c, c.apply<AddOp>({bits, step}), type);
  // From zero it is the smallest number with the sign of the other one.
  const unsigned width = integers.getIntOrFloatBitWidth();
  Value smallest = c.expand(integer(c, 1, integers), shape);
  Value below = c.expand(
      c.constant(RankedTensorType::get({}, integers),
                 IntegerAttr::get(integers, APInt::getSignMask(width) | 1)),
      shape);
  Value fromZero = c.select(isUp, smallest, below);
  next = c.select(c.compare(ComparePredicate::EQ, x, zero),
                  floatOf(c, fromZero, type), next);
  next = c.select(c.compare(ComparePredicate::EQ, x, y), y, next);
  // NaN, if either is.
  Value isNumber = c.apply<AndOp>({c.compare(ComparePredicate::EQ, x, x),
                                   c.compare(ComparePredicate::EQ, y, y)});
  return one(c.select(isNumber, next, c.apply<AddOp>({x, y})));
}

Lowered lowerings::fractionAndExponent(TorchCall &c) {
  Type f32 = c.builder.getF32Type(), i32 = c.builder.getI32Type();
  Value x = c.cast(c.tensor(0), f32), size = c.apply<AbsOp>({x});
  // Subnormal numbers have an exponent after they are scaled.
  Value isSmall =
      c.compare(ComparePredicate::LT, size, c.scalar(0x1p-126, f32));
  Value scaled =
      c.select(isSmall, c.apply<MulOp>({x, c.scalar(0x1p24, f32)}), x);
  Value bits = bitsOf(c, scaled);
  Value biased = c.apply<AndOp>(
      {c.apply<ShrOp>({bits, integer(c, 23, i32)}), integer(c, 255, i32)});
  Value bias =
      c.select(isSmall, integer(c, 126 + 24, i32), integer(c, 126, i32));
  Value exponent = c.apply<SubOp>({biased, bias});
  // The exponent of numbers in [0.5, 1).
  Value kept = c.apply<AndOp>({bits, integer(c, int32_t(0x807FFFFF), i32)});
  Value fraction =
      floatOf(c, c.apply<OrOp>({kept, integer(c, 0x3F000000, i32)}), f32);
  // Zeros, infinities and NaN are their own fractions.
  Value isZero = c.compare(ComparePredicate::EQ, x, c.scalar(0, f32));
  Value isFinite =
      c.compare(ComparePredicate::LT, size,
                c.scalar(std::numeric_limits<double>::infinity(), f32));
  Value isPlain = c.apply<AndOp>({isFinite, c.apply<NotOp>({isZero})});
  fraction = c.select(isPlain, fraction, x);
  exponent = c.select(isPlain, exponent, integer(c, 0, i32));
  return SmallVector<Value>{c.cast(fraction, c.resultElement()), exponent};
}

/// x 2^other. The power of an integer may be beyond f32 though the result is
/// not: it is taken in three parts, each within f32.
Lowered lowerings::scaleByPower(TorchCall &c) {
  Type type = c.resultElement(), f32 = c.builder.getF32Type();
  Value x = c.operand(0, f32);
  Value exponent = c.operand(1, f32);
  const bool isWhole = !isFloatElement(getElementTypeOrSelf(c.tensor(1)));
  auto scale = [&](Value part) {
    x = c.apply<MulOp>({x, c.apply<Exp2Op>({part})});
  };
  if (!isWhole) {
    scale(exponent);
    return one(c.cast(x, type));
  }
  for (int part = 0; part < 3; ++part) {
    Value own = c.apply<MinOp>({exponent, c.scalar(126, f32)});
    own = c.apply<MaxOp>({own, c.scalar(-126, f32)});
    scale(own);
    exponent = c.apply<SubOp>({exponent, own});
  }
  return one(c.cast(x, type));
}

Value lowerings::hypotenuseOf(TorchCall &c, Value a, Value b) {
  Type wide = getElementTypeOrSelf(a);
  a = c.apply<AbsOp>({a});
  b = c.apply<AbsOp>({b});
  // Scaled by the larger one, squares neither overflow nor vanish.
  Value large = c.apply<MaxOp>({a, b}), small = c.apply<MinOp>({a, b});
  Value ratio = c.apply<DivOp>({small, large});
  Value square = c.apply<MulOp>({ratio, ratio});
  Value length = c.apply<MulOp>(
      {large, c.apply<SqrtOp>({c.apply<AddOp>({square, c.scalar(1, wide)})})});
  Value zero = c.scalar(0, wide);
  length =
      c.select(c.compare(ComparePredicate::EQ, large, zero), large, length);
  // Infinity wins over NaN.
  Value infinity = c.scalar(std::numeric_limits<double>::infinity(), wide);
  Value isInfinite =
      c.apply<OrOp>({c.compare(ComparePredicate::EQ, a, infinity),
                     c.compare(ComparePredicate::EQ, b, infinity)});
  return c.select(isInfinite, infinity, length);
}

Lowered lowerings::hypotenuse(TorchCall &c) {
  Type type = c.resultElement(), wide = c.wideType(type);
  if (!isFloatElement(type))
    return c.refuse("it is defined for floats only");
  return one(
      c.cast(hypotenuseOf(c, c.operand(0, wide), c.operand(1, wide)), type));
}

Lowered lowerings::roundDigits(TorchCall &c) {
  Type type = c.resultElement();
  const int64_t digits = c.integer(1);
  if (!isFloatElement(type)) {
    if (digits == 0)
      return one(c.tensor(0));
    return c.refuse("decimals must be 0 for integers");
  }
  if (digits == 0)
    return one(c.apply<RoundEvenOp>({c.tensor(0)}));
  // Narrow floats are rounded once, at the end, as PyTorch does.
  Type wide = c.wideType(type);
  Value x = c.cast(c.tensor(0), wide);
  Value scale = c.scalar(std::pow(10.0, double(std::abs(digits))), wide);
  auto rounded = [&](Value value) { return c.apply<RoundEvenOp>({value}); };
  Value result =
      digits > 0 ? c.apply<DivOp>({rounded(c.apply<MulOp>({x, scale})), scale})
                 : c.apply<MulOp>({rounded(c.apply<DivOp>({x, scale})), scale});
  return one(c.cast(result, type));
}

Lowered lowerings::angleOf(TorchCall &c) {
  Type type = c.resultElement(), f32 = c.builder.getF32Type();
  Value x = c.operand(0, f32), zero = c.scalar(0, f32);
  Value angle = c.select(c.compare(ComparePredicate::LT, x, zero),
                         c.scalar(3.14159265358979324, f32), zero);
  Value isNumber = c.compare(ComparePredicate::EQ, x, x);
  return one(c.cast(c.select(isNumber, angle, x), type));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Lowered lowerings::integerPowerOf(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return c.refuse("a power is not defined for bool");
  if (!c.isTensor(1) && c.number(1) < 0)
    return c.refuse("integers have no negative powers");
  return one(integerPower(
      c.builder, c.op.schema.name, c.wholeOperand(0, c.resultElement()),
      c.wholeOperand(1, c.resultElement()), isUnsignedElement(type)));
}

Lowered lowerings::commonDivisor(TorchCall &c) {
  return one(greatestDivisor(c.builder, c.op.schema.name,
                             c.wholeOperand(0, c.resultElement()),
                             c.wholeOperand(1, c.resultElement())));
}

Lowered lowerings::commonMultiple(TorchCall &c) {
  // As in C, narrow integers wrap once, behind the absolute value.
  Type type = c.resultElement();
  if (type.getIntOrFloatBitWidth() < 32)
    type = c.builder.getI32Type();
  auto operand = [&](unsigned i) {
    return c.cast(c.wholeOperand(i, c.resultElement()), type);
  };
  Value a = operand(0), b = operand(1);
  Value divisor = greatestDivisor(c.builder, c.op.schema.name, a, b);
  Value multiple = c.apply<MulOp>({c.apply<DivOp>({a, divisor}), b});
  if (!isUnsignedElement(type))
    multiple = c.apply<AbsOp>({multiple});
  Value zero = c.scalar(0, type);
  multiple =
      c.select(c.compare(ComparePredicate::EQ, divisor, zero), zero, multiple);
  return one(c.cast(multiple, c.resultElement()));
}

/// A shift by a negative number or by the width or more gives 0, to the right
/// the sign.
Lowered lowerings::shiftBy(TorchCall &c, bool isLeft) {
  Type type = c.resultElement();
  if (type.isInteger(1) || isFloatElement(type))
    return c.refuse("it is defined for integers only");
  Value x = c.operand(0, type), distance = c.operand(1, type);
  if (isLeft)
    return one(c.apply<ShlOp>({x, distance}));
  return one(isUnsignedElement(type) ? c.apply<ShrLogicalOp>({x, distance})
                                     : c.apply<ShrOp>({x, distance}));
}

//===----------------------------------------------------------------------===//
// Tensors of numbers alone
//===----------------------------------------------------------------------===//

/// The numbers as a constant in the type of the result.
static Value constantOf(TorchCall &c, ArrayRef<double> numbers) {
  RankedTensorType type = c.result();
  Type element = type.getElementType();
  if (numbers.empty())
    return c.expand(c.scalar(0, element), type.getShape());
  if (auto floats = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> values;
    for (double number : numbers) {
      values.emplace_back(number);
      bool losesInfo = false;
      values.back().convert(floats.getFloatSemantics(),
                            APFloat::rmNearestTiesToEven, &losesInfo);
    }
    return ConstantOp::create(
        c.builder, cast<ElementsAttr>(DenseElementsAttr::get(type, values)));
  }
  SmallVector<APInt> values;
  for (double number : numbers)
    values.emplace_back(element.getIntOrFloatBitWidth(), int64_t(number),
                        /*isSigned=*/true, /*implicitTrunc=*/true);
  return ConstantOp::create(
      c.builder, cast<ElementsAttr>(DenseElementsAttr::get(type, values)));
}

/// As PyTorch counts: from both ends to the middle, of integers from whole
/// numbers, and rounded once before the fraction is cut off.
Lowered lowerings::evenlySpaced(TorchCall &c) {
  const bool isFloat = isFloatElement(c.resultElement());
  const double start = isFloat ? c.number(0) : std::trunc(c.number(0));
  const double end = isFloat ? c.number(1) : std::trunc(c.number(1));
  if (!isFloat && (!(std::abs(start) < 1e15) || !(std::abs(end) < 1e15)))
    return c.refuse("start and end of integers must be below 1e15");
  const int64_t steps = c.integer(2);
  const double step = steps > 1 ? (end - start) / double(steps - 1) : 0;
  SmallVector<double> numbers;
  for (int64_t i = 0; i < steps; ++i)
    numbers.push_back(i < steps / 2 || steps == 1
                          ? std::fma(step, double(i), start)
                          : std::fma(-step, double(steps - 1 - i), end));
  return one(constantOf(c, numbers));
}

Lowered lowerings::trianglePositionsBy(TorchCall &c, bool isLower) {
  const int64_t rows = c.integer(0), columns = c.integer(1),
                offset = c.integer(2);
  SmallVector<double> rowNumbers, columnNumbers;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t left =
        std::clamp<int64_t>(row + offset + (isLower ? 1 : 0), 0, columns);
    for (int64_t column = isLower ? 0 : left;
         column < (isLower ? left : columns); ++column) {
      rowNumbers.push_back(double(row));
      columnNumbers.push_back(double(column));
    }
  }
  llvm::append_range(rowNumbers, columnNumbers);
  return one(constantOf(c, rowNumbers));
}
