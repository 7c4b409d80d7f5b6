// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma, zeta and Bessel functions of CHLO, in f32.
#include "Converter.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A formula on f32 tensors of one shape. Numbers are tensors of that shape, so
/// that either operand may be one.
class Formula {
public:
  Formula(HloBuilder &b, RankedTensorType type) : b(b), type(type) {}

  Value num(double value) {
    return b.splat(type, FloatAttr::get(type.getElementType(), value));
  }
  Value add(Value x, Value y) { return b.binary<AddOp>(x, y); }
  Value sub(Value x, Value y) { return b.binary<SubOp>(x, y); }
  Value mul(Value x, Value y) { return b.binary<MulOp>(x, y); }
  Value div(Value x, Value y) { return b.binary<DivOp>(x, y); }
  Value pow(Value x, Value y) { return b.binary<PowOp>(x, y); }
  Value neg(Value x) { return b.unary<NegOp>(x); }
  Value abs(Value x) { return b.unary<AbsOp>(x); }
  Value log(Value x) { return b.unary<LogOp>(x); }
  Value log1p(Value x) { return b.unary<Log1pOp>(x); }
  Value exp(Value x) { return b.unary<ExpOp>(x); }
  Value sqrt(Value x) { return b.unary<SqrtOp>(x); }
  Value floor(Value x) { return b.unary<FloorOp>(x); }
  Value sin(Value x) { return b.unary<SinOp>(x); }
  Value cos(Value x) { return b.unary<CosOp>(x); }
  Value less(Value x, Value y) { return b.compare(ComparePredicate::LT, x, y); }
  Value equal(Value x, Value y) {
    return b.compare(ComparePredicate::EQ, x, y);
  }
  Value both(Value x, Value y) { return b.binary<AndOp>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return b.select(condition, x, y);
  }
  Value nan() { return num(std::numeric_limits<double>::quiet_NaN()); }
  Value infinity() { return num(std::numeric_limits<double>::infinity()); }
  /// x <= 0 and an integer: the poles of the gamma function.
  Value isPole(Value x) {
    return both(b.compare(ComparePredicate::LE, x, num(0)), equal(x, floor(x)));
  }
  /// Half of a series in Chebyshev polynomials, by C. Clenshaw's recurrence;
  /// the last coefficient is that of degree 0.
  Value chebyshev(Value x, ArrayRef<double> coefficients);

private:
  HloBuilder &b;
  RankedTensorType type;
};

/// The approximation of C. Lanczos (1964) with g = 7 and 9 coefficients, at
/// gamma(z + 1), by the reflection formula for arguments below 0.5.
struct Lanczos {
  Lanczos(Formula &f, Value x)
      : isReflected(f.less(x, f.num(0.5))),
        z(f.select(isReflected, f.neg(x), f.sub(x, f.num(1)))) {}

  static constexpr double g = 7;
  static constexpr double constant = 0.99999999999980993;
  static constexpr double coefficients[] = {
      676.5203681218851,     -1259.1392167224028,  771.32342877765313,
      -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
      9.9843695780195716e-6, 1.5056327351493116e-7};

  /// log(z + g + 1/2), accurate for small z.
  Value logOfShifted(Formula &f) const {
    return f.add(f.log1p(f.div(z, f.num(g + 0.5))),
                 f.num(2.0149030205422647)); // log(7.5)
  }

  Value isReflected, z;
};
} // namespace

Value Formula::chebyshev(Value x, ArrayRef<double> coefficients) {
  Value twice = add(x, x), last = num(0), before = num(0);
  for (double coefficient : coefficients) {
    Value next = add(sub(mul(twice, last), before), num(coefficient));
    before = std::exchange(last, next);
  }
  // sum - x * T1 is what the recurrence leaves of degree 0.
  Value half = mul(num(coefficients.back()), num(0.5));
  return sub(sub(last, mul(x, before)), half);
}

static Value logGamma(Formula &f, Value x) {
  Lanczos gamma(f, x);
  Value sum = f.num(Lanczos::constant);
  for (auto [i, coefficient] : llvm::enumerate(Lanczos::coefficients))
    sum = f.add(
        sum, f.div(f.num(coefficient), f.add(gamma.z, f.num(double(i) + 1))));
  Value logT = gamma.logOfShifted(f);
  Value t = f.add(gamma.z, f.num(Lanczos::g + 0.5));
  Value power = f.mul(f.sub(f.add(gamma.z, f.num(0.5)), f.div(t, logT)), logT);
  Value direct = f.add(f.add(f.num(0.91893853320467274), power), // log sqrt 2pi
                       f.log(sum));
  // log(pi / |sin(pi x)|) - log gamma(1 - x), with the sine's argument reduced.
  Value size = f.abs(x);
  Value fraction = f.sub(size, f.floor(size));
  Value reduced = f.select(f.less(f.num(0.5), fraction),
                           f.sub(f.num(1), fraction), fraction);
  Value logSine = f.log(f.sin(f.mul(f.num(3.14159265358979324), reduced)));
  Value isZero = f.equal(logSine, f.neg(f.infinity()));
  Value reflected =
      f.select(isZero, f.infinity(),
               f.sub(f.sub(f.num(1.14472988584940017), logSine), // log pi
                     direct));
  Value result = f.select(gamma.isReflected, reflected, direct);
  return f.select(f.equal(size, f.infinity()), f.infinity(), result);
}

/// The logarithmic derivative of the same approximation.
static Value digamma(Formula &f, Value x) {
  Lanczos gamma(f, x);
  Value sum = f.num(Lanczos::constant), slope = f.num(0);
  for (auto [i, coefficient] : llvm::enumerate(Lanczos::coefficients)) {
    Value at = f.add(gamma.z, f.num(double(i) + 1));
    Value term = f.div(f.num(coefficient), at);
    sum = f.add(sum, term);
    slope = f.sub(slope, f.div(term, at));
  }
  Value t = f.add(gamma.z, f.num(Lanczos::g + 0.5));
  Value direct = f.sub(f.add(gamma.logOfShifted(f), f.div(slope, sum)),
                       f.div(f.num(Lanczos::g), t));
  // minus pi / tan(pi x), in a period around 0.
  Value reduced = f.add(x, f.abs(f.floor(f.add(x, f.num(0.5)))));
  Value angle = f.mul(f.num(3.14159265358979324), reduced);
  Value cotangent =
      f.div(f.mul(f.num(3.14159265358979324), f.cos(angle)), f.sin(angle));
  Value result = f.select(gamma.isReflected, f.sub(direct, cotangent), direct);
  return f.select(f.isPole(x), f.nan(), result);
}

/// The sum of (q + k)^-x over all k >= 0: nine terms, and the rest by the
/// formula of Euler and Maclaurin.
static Value zeta(Formula &f, Value x, Value q) {
  // B(2j) / (2j)! for the Bernoulli numbers B.
  static constexpr double bernoulli[] = {
      8.3333333333333333e-2,  -1.3888888888888889e-3, 3.3068783068783069e-5,
      -8.2671957671957672e-7, 2.0876756987868099e-8,  -5.2841901386874932e-10,
      1.3382536530684679e-11, -3.3896802963225829e-13};
  Value exponent = f.neg(x);
  Value sum = f.pow(q, exponent), at = q, power = sum;
  for (int k = 1; k <= 9; ++k) {
    at = f.add(at, f.num(1));
    power = f.pow(at, exponent);
    sum = f.add(sum, power);
  }
  // The last term counts half, the integral from there on in full.
  Value rest = f.add(f.num(-0.5), f.div(at, f.sub(x, f.num(1))));
  Value factor = f.div(x, at), square = f.mul(at, at);
  for (auto [j, coefficient] : llvm::enumerate(bernoulli)) {
    rest = f.add(rest, f.mul(f.num(coefficient), factor));
    const double next = 2 * double(j) + 1;
    factor = f.div(
        f.mul(f.mul(factor, f.add(x, f.num(next))), f.add(x, f.num(next + 1))),
        square);
  }
  // Where the terms have vanished, the rest has, too, but may overflow.
  Value isDone =
      f.less(f.abs(power), f.mul(f.abs(sum), f.num(5.9604644775390625e-8)));
  Value result = f.select(isDone, sum, f.add(sum, f.mul(power, rest)));
  // Terms at a negative q need an integer power; at a pole an even one diverges
  // to infinity, others have no limit.
  Value half = f.mul(x, f.num(0.5));
  Value isEven = f.equal(half, f.floor(half));
  Value isFraction = f.less(f.floor(x), x);
  Value isNegative = f.less(q, f.num(0));
  result = f.select(f.both(isNegative, isFraction), f.nan(), result);
  result =
      f.select(f.isPole(q), f.select(isEven, f.infinity(), f.nan()), result);
  result = f.select(f.equal(x, f.num(1)), f.infinity(), result);
  return f.select(f.less(x, f.num(1)), f.nan(), result);
}

/// The derivative of order n of digamma: (-1)^(n + 1) n! zeta(n + 1, x).
static Value polygamma(Formula &f, Value n, Value x) {
  Value next = f.add(n, f.num(1));
  Value half = f.mul(n, f.num(0.5));
  Value isEven = f.equal(half, f.floor(half));
  Value size = f.mul(f.exp(logGamma(f, next)), zeta(f, next, x));
  Value result = f.select(isEven, f.neg(size), size);
  result = f.select(f.equal(n, f.num(0)), digamma(f, x), result);
  Value isFraction = f.less(f.floor(n), n);
  result = f.select(isFraction, f.nan(), result);
  return f.select(f.less(n, f.num(0)), f.nan(), result);
}

/// exp(-|x|) I1(x) by Chebyshev series: of the function over x up to 8, of the
/// function times sqrt x above.
static Value besselI1e(Formula &f, Value x) {
  static constexpr double near[] = {
      9.381537262e-09, -4.445059112e-08, 2.003294753e-07, -8.568720266e-07,
      3.470251308e-06, -1.327316366e-05, 4.781565108e-05, -0.0001617608158,
      0.0005122859562, -0.001513572451,  0.004156422944,  -0.01056408489,
      0.02472644903,   -0.05294598121,   0.1026436587,    -0.1764165184,
      0.2525871864};
  static constexpr double far[] = {
      -3.835380389e-09, -2.631468847e-08, -2.512236238e-07, -3.882564809e-06,
      -0.0001105889388, -0.009761097491,  0.778576235};
  Value size = f.abs(x);
  Value below =
      f.mul(f.chebyshev(f.sub(f.mul(size, f.num(0.25)), f.num(1)), near), size);
  Value above = f.div(f.chebyshev(f.sub(f.div(f.num(16), size), f.num(1)), far),
                      f.sqrt(size));
  Value result = f.select(f.less(f.num(8), size), above, below);
  return f.select(f.less(x, f.num(0)), f.neg(result), result);
}

/// A function of float tensors of one type.
template <typename... Arguments>
static HloMatch matchFormula(Operation *op, HloMatcher &m,
                             Value (*compute)(Formula &, Arguments...)) {
  if (failed(m.checkSameShapes()))
    return failure();
  Type type = op->getResult(0).getType();
  if (!isFloatElement(getElementTypeOrSelf(type)) ||
      !llvm::all_of(op->getOperandTypes(),
                    [&](Type operand) { return operand == type; }))
    return m.refuse("operands and result must have one float type");
  return build([op, compute](HloBuilder &b) {
    Type f32 = b.getF32Type();
    Formula f(b, tensorType(op->getResult(0)).clone(f32));
    auto operand = [&](unsigned i) { return b.cast(op->getOperand(i), f32); };
    Value result;
    if constexpr (sizeof...(Arguments) == 1)
      result = compute(f, operand(0));
    else
      result = compute(f, operand(0), operand(1));
    return b.cast(result, getElementTypeOrSelf(op->getResult(0)));
  });
}

HloMatch gaudi::matchSpecialFunction(Operation *op, HloMatcher &m) {
  switch (hloOf(op)) {
  case Hlo::BesselI1e:
    return matchFormula(op, m, besselI1e);
  case Hlo::Digamma:
    return matchFormula(op, m, digamma);
  case Hlo::Lgamma:
    return matchFormula(op, m, logGamma);
  case Hlo::Polygamma:
    return matchFormula(op, m, polygamma);
  default:
    return matchFormula(op, m, zeta);
  }
}
