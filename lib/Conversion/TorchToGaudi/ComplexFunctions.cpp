// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of complex numbers, by formulas of their parts.
//
// Branch cuts are those of C's complex functions; square roots, arcus and area
// functions follow W. Kahan, "Branch cuts for complex elementary functions"
// (1987).
#include "Complex.h"
#include <limits>

using namespace mlir;
using namespace gaudi;

Complex ComplexParts::operand(unsigned i) {
  Type f32 = c.builder.getF32Type();
  Value imag = c.isTensor(i) ? complex.imaginary[i].front() : Value();
  return {c.operand(i, f32), imag ? c.cast(imag, f32) : c.scalar(0, f32)};
}

/// Scaled by the larger part of b, so that no square overflows.
Complex ComplexParts::quotient(Complex a, Complex b) {
  Value scale = c.apply<MaxOp>({unary<AbsOp>(b.real), unary<AbsOp>(b.imag)});
  Complex unit = {div(b.real, scale), div(b.imag, scale)};
  Value square =
      mul(add(mul(unit.real, unit.real), mul(unit.imag, unit.imag)), scale);
  Complex top = product(a, conjugate(unit));
  return {div(top.real, square), div(top.imag, square)};
}

SmallVector<Complex> ComplexParts::finish(Complex x) {
  Type element = partElement(c.resultType().dtype, c.builder.getContext());
  auto part = [&](Value value) {
    return c.cast(c.expand(value, c.resultShape()), element);
  };
  return {{part(x.real), x.imag ? part(x.imag) : Value()}};
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// e^re is on the circle; on the real axis and at 0, sines and cosines of what
/// is infinite or no number do not count.
static Complex exponential(ComplexParts &p, Complex x) {
  TorchCall &c = p.c;
  Value zero = p.number(0), size = p.unary<ExpOp>(x.real);
  Complex result = p.polar(size, x.imag);
  Value isReal = c.compare(ComparePredicate::EQ, x.imag, zero);
  Value isZero = c.compare(ComparePredicate::EQ, size, zero);
  auto part = [&](Value ofReal, Value value) {
    return c.select(isZero, zero, c.select(isReal, ofReal, value));
  };
  return {part(size, result.real), part(x.imag, result.imag)};
}

static Complex exponentialOfTwo(ComplexParts &p, Complex x) {
  return exponential(p, p.scaled(x, std::log(2.0)));
}

/// e^x - 1, without the cancellation near 0.
static Complex exponentialLessOne(ComplexParts &p, Complex x) {
  Value sine = p.unary<SinOp>(p.mul(x.imag, p.number(0.5)));
  Value drop = p.mul(p.number(2), p.mul(sine, sine)); // 1 - cos
  Value real =
      p.sub(p.mul(p.unary<Expm1Op>(x.real), p.unary<CosOp>(x.imag)), drop);
  return {real, p.mul(p.unary<ExpOp>(x.real), p.unary<SinOp>(x.imag))};
}

/// Of large parts the magnitude would overflow: of their quarters then.
static Complex logarithm(ComplexParts &p, Complex x) {
  TorchCall &c = p.c;
  Value larger =
      c.apply<MaxOp>({p.unary<AbsOp>(x.real), p.unary<AbsOp>(x.imag)});
  Value isLarge = c.compare(ComparePredicate::GT, larger, p.number(1e38));
  Value scale = c.select(isLarge, p.number(0.25), p.number(1));
  Value shift = c.select(isLarge, p.number(std::log(4.0)), p.number(0));
  Value size = p.magnitude({p.mul(x.real, scale), p.mul(x.imag, scale)});
  return {p.add(p.unary<LogOp>(size), shift), p.angle(x)};
}

static Complex binaryLogarithm(ComplexParts &p, Complex x) {
  return p.scaled(logarithm(p, x), 1 / std::log(2.0));
}

static Complex decimalLogarithm(ComplexParts &p, Complex x) {
  return p.scaled(logarithm(p, x), 1 / std::log(10.0));
}

static Complex logarithmPlusOne(ComplexParts &p, Complex x) {
  // |1 + x|^2 - 1 = 2 re + re^2 + im^2
  Value grown = p.add(p.mul(p.number(2), x.real),
                      p.add(p.mul(x.real, x.real), p.mul(x.imag, x.imag)));
  Value isNear =
      p.c.compare(ComparePredicate::LT, p.magnitude(x), p.number(0.5));
  Complex away = logarithm(p, p.sum(x, p.real(p.number(1))));
  Value near = p.mul(p.number(0.5), p.unary<Log1pOp>(grown));
  return {p.c.select(isNear, near, away.real), away.imag};
}

/// 0^0 is 1; other powers of 0 are 0, or infinite and no number.
Complex gaudi::complexPower(ComplexParts &p, Complex base, Complex exponent) {
  TorchCall &c = p.c;
  Complex power = exponential(p, p.product(exponent, logarithm(p, base)));
  auto isZero = [&](Complex x) {
    return c.compare(ComparePredicate::EQ, p.magnitude(x), p.number(0));
  };
  Value isPositive =
      c.compare(ComparePredicate::GT, exponent.real, p.number(0));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value ofZero = c.select(isPositive, p.number(0), p.number(infinity));
  Value beside = c.select(isPositive, p.number(0),
                          p.number(std::numeric_limits<double>::quiet_NaN()));
  Value isOfZero = isZero(base);
  Value isOne = isZero(exponent);
  Complex result = {c.select(isOfZero, ofZero, power.real),
                    c.select(isOfZero, beside, power.imag)};
  return {c.select(isOne, p.number(1), result.real),
          c.select(isOne, p.number(0), result.imag)};
}

//===----------------------------------------------------------------------===//
// Roots and quotients
//===----------------------------------------------------------------------===//

/// The sign of `sign` on the size of `value`; -0 has one.
static Value withSign(ComplexParts &p, Value value, Value sign) {
  Value angle = p.c.apply<Atan2Op>({sign, p.number(-1)}); // +-pi at +-0
  Value isNegative = p.c.compare(ComparePredicate::LT, angle, p.number(0));
  Value size = p.unary<AbsOp>(value);
  return p.c.select(isNegative, p.unary<NegOp>(size), size);
}

static Complex squareRoot(ComplexParts &p, Complex x) {
  TorchCall &c = p.c;
  // Halved first, so that the sum does not overflow.
  Value half = p.number(0.5);
  Value larger = p.unary<SqrtOp>(
      p.add(p.mul(half, p.magnitude(x)), p.mul(half, p.unary<AbsOp>(x.real))));
  Value smaller = p.div(p.mul(half, p.unary<AbsOp>(x.imag)), larger);
  Value isZero = c.compare(ComparePredicate::EQ, larger, p.number(0));
  smaller = c.select(isZero, p.number(0), smaller);
  Value isRight = c.compare(ComparePredicate::GE, x.real, p.number(0));
  return {c.select(isRight, larger, smaller),
          withSign(p, c.select(isRight, smaller, larger), x.imag)};
}

static Complex reciprocal(ComplexParts &p, Complex x) {
  return p.quotient(p.real(p.number(1)), x);
}

static Complex reciprocalRoot(ComplexParts &p, Complex x) {
  return reciprocal(p, squareRoot(p, x));
}

static Complex squareOf(ComplexParts &p, Complex x) { return p.product(x, x); }

/// x / |x|, and 0 at 0.
static Complex direction(ComplexParts &p, Complex x) {
  Value size = p.magnitude(x);
  Value isZero = p.c.compare(ComparePredicate::EQ, size, p.number(0));
  size = p.c.select(isZero, p.number(1), size);
  return {p.div(x.real, size), p.div(x.imag, size)};
}

/// By e^x left of the imaginary axis and e^-x right of it, which do not
/// overflow.
static Complex sigmoid(ComplexParts &p, Complex x) {
  TorchCall &c = p.c;
  Value isLeft = c.compare(ComparePredicate::LT, x.real, p.number(0));
  Value sign = c.select(isLeft, p.number(1), p.number(-1));
  Complex power = exponential(p, {p.mul(x.real, sign), p.mul(x.imag, sign)});
  Complex top = {c.select(isLeft, power.real, p.number(1)),
                 c.select(isLeft, power.imag, p.number(0))};
  return p.quotient(top, p.sum(power, p.real(p.number(1))));
}

static Complex sigmoidWeighted(ComplexParts &p, Complex x) {
  return p.product(x, sigmoid(p, x));
}

//===----------------------------------------------------------------------===//
// Of angles and areas
//===----------------------------------------------------------------------===//

/// i x and -i x, by which functions of areas are those of angles.
static Complex timesI(ComplexParts &p, Complex x) {
  return {p.unary<NegOp>(x.imag), x.real};
}
static Complex overI(ComplexParts &p, Complex x) {
  return {x.imag, p.unary<NegOp>(x.real)};
}

static Complex hyperbolicSine(ComplexParts &p, Complex x) {
  return {p.mul(p.unary<SinhOp>(x.real), p.unary<CosOp>(x.imag)),
          p.mul(p.unary<CoshOp>(x.real), p.unary<SinOp>(x.imag))};
}
static Complex hyperbolicCosine(ComplexParts &p, Complex x) {
  return {p.mul(p.unary<CoshOp>(x.real), p.unary<CosOp>(x.imag)),
          p.mul(p.unary<SinhOp>(x.real), p.unary<SinOp>(x.imag))};
}
static Complex hyperbolicTangent(ComplexParts &p, Complex x) {
  // Beyond 15 the tangent is 1 in f32, and squares stay finite.
  Value near = p.c.apply<MaxOp>(
      {p.c.apply<MinOp>({x.real, p.number(15)}), p.number(-15)});
  Value tangent = p.unary<TanOp>(x.imag), sine = p.unary<SinhOp>(near);
  Value beta = p.add(p.number(1), p.mul(tangent, tangent));
  Value cosine = p.unary<CoshOp>(near);
  Value below = p.add(p.number(1), p.mul(beta, p.mul(sine, sine)));
  return {p.div(p.mul(p.mul(beta, cosine), sine), below),
          p.div(tangent, below)};
}
static Complex sine(ComplexParts &p, Complex x) {
  return overI(p, hyperbolicSine(p, timesI(p, x)));
}
static Complex cosine(ComplexParts &p, Complex x) {
  return hyperbolicCosine(p, timesI(p, x));
}
static Complex tangent(ComplexParts &p, Complex x) {
  return overI(p, hyperbolicTangent(p, timesI(p, x)));
}

/// The roots of 1 - x and 1 + x.
static std::pair<Complex, Complex> rootsAroundOne(ComplexParts &p, Complex x) {
  Complex below =
      squareRoot(p, {p.sub(p.number(1), x.real), p.unary<NegOp>(x.imag)});
  return {below, squareRoot(p, {p.add(p.number(1), x.real), x.imag})};
}

static Complex arcSine(ComplexParts &p, Complex x) {
  auto [below, above] = rootsAroundOne(p, x);
  Value real = p.c.apply<Atan2Op>({x.real, p.product(below, above).real});
  return {real, p.unary<AsinhOp>(p.product(p.conjugate(below), above).imag)};
}
static Complex arcCosine(ComplexParts &p, Complex x) {
  auto [below, above] = rootsAroundOne(p, x);
  Value half = p.c.apply<Atan2Op>({below.real, above.real});
  return {p.mul(p.number(2), half),
          p.unary<AsinhOp>(p.product(p.conjugate(above), below).imag)};
}
static Complex areaCosine(ComplexParts &p, Complex x) {
  Complex below = squareRoot(p, {p.sub(x.real, p.number(1)), x.imag});
  Complex above = squareRoot(p, {p.add(x.real, p.number(1)), x.imag});
  Value half = p.c.apply<Atan2Op>({below.imag, above.real});
  return {p.unary<AsinhOp>(p.product(p.conjugate(below), above).real),
          p.mul(p.number(2), half)};
}
static Complex areaTangent(ComplexParts &p, Complex x) {
  // Of |re|, so that nothing cancels near -1.
  Value size = p.unary<AbsOp>(x.real);
  Value left = p.sub(p.number(1), size), right = p.add(p.number(1), size);
  Value square = p.mul(x.imag, x.imag);
  Value ratio =
      p.div(p.mul(p.number(4), size), p.add(p.mul(left, left), square));
  Value angle = p.c.apply<Atan2Op>(
      {p.mul(p.number(2), x.imag), p.sub(p.mul(left, right), square)});
  Value real = p.mul(p.number(0.25), p.unary<Log1pOp>(ratio));
  return {withSign(p, real, x.real), p.mul(p.number(0.5), angle)};
}
static Complex areaSine(ComplexParts &p, Complex x) {
  return overI(p, arcSine(p, timesI(p, x)));
}
static Complex arcTangent(ComplexParts &p, Complex x) {
  return overI(p, areaTangent(p, timesI(p, x)));
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

Complex (*gaudi::findComplexFunction(StringRef name))(ComplexParts &, Complex) {
  static constexpr std::pair<StringLiteral,
                             Complex (*)(ComplexParts &, Complex)>
      functions[] = {
          {"exp", exponential},
          {"exp2", exponentialOfTwo},
          {"expm1", exponentialLessOne},
          {"log", logarithm},
          {"log2", binaryLogarithm},
          {"log10", decimalLogarithm},
          {"log1p", logarithmPlusOne},
          {"sqrt", squareRoot},
          {"rsqrt", reciprocalRoot},
          {"reciprocal", reciprocal},
          {"square", squareOf},
          {"sgn", direction},
          {"sigmoid", sigmoid},
          {"silu", sigmoidWeighted},
          {"sin", sine},
          {"cos", cosine},
          {"tan", tangent},
          {"asin", arcSine},
          {"acos", arcCosine},
          {"atan", arcTangent},
          {"sinh", hyperbolicSine},
          {"cosh", hyperbolicCosine},
          {"tanh", hyperbolicTangent},
          {"asinh", areaSine},
          {"acosh", areaCosine},
          {"atanh", areaTangent},
      };
  for (const auto &[known, function] : functions)
    if (name == known)
      return function;
  return nullptr;
}
