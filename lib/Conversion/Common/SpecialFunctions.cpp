// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma and zeta functions, and those of the normal distribution.
#include "SpecialFunctions.h"

using namespace mlir;
using namespace gaudi;

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

Value Formula::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = num(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = add(mul(x, sum), num(coefficient));
  return sum;
}

namespace {
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

Value gaudi::logGamma(Formula &f, Value x) {
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
  // The logarithms of 0! and 1!, which are differences of equal numbers.
  result = f.select(f.equal(x, f.num(1)), f.num(0), result);
  result = f.select(f.equal(x, f.num(2)), f.num(0), result);
  return f.select(f.equal(size, f.infinity()), f.infinity(), result);
}

/// The logarithmic derivative of the same approximation.
Value gaudi::digamma(Formula &f, Value x) {
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

/// Nine terms, and the rest by the
/// formula of Euler and Maclaurin.
Value gaudi::zeta(Formula &f, Value x, Value q) {
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
  // Where the terms have vanished, the rest has, too, but may overflow. Sums of
  // zeros alone have no limit at infinity.
  Value last = f.abs(power),
        bound = f.mul(f.abs(sum), f.num(5.9604644775390625e-8));
  Value isFinite = f.both(f.less(x, f.infinity()), f.less(q, f.infinity()));
  Value isDone =
      f.select(isFinite, f.compare(ComparePredicate::LE, last, bound),
               f.less(last, bound));
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
Value gaudi::polygamma(Formula &f, Value n, Value x) {
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

/// In single precision: M. Giles, "Approximating the erfinv function", GPU
/// Computing Gems, 2010.
Value gaudi::inverseErf(Formula &f, Value x) {
  static constexpr double central[] = {
      2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
      -4.39150654e-06, 0.00021858087,  -0.00125372503,
      -0.00417768164,  0.246640727,    1.50140941};
  static constexpr double tail[] = {
      -0.000200214257, 0.000100950558, 0.00134934322,
      -0.00367342844,  0.00573950773,  -0.0076224613,
      0.00943887047,   1.00167406,     2.83297682};
  // w = -log((1 - x) (1 + x)), without cancellation near 0.
  Value w = f.neg(f.log1p(f.neg(f.mul(x, x))));
  Value near = f.sub(w, f.num(2.5));
  Value far = f.sub(f.sqrt(w), f.num(3));
  Value factor = f.select(f.less(w, f.num(5)), f.polynomial(near, central),
                          f.polynomial(far, tail));
  Value isEnd = f.equal(f.abs(x), f.num(1));
  return f.mul(x, f.select(isEnd, f.infinity(), factor));
}

/// (1 + 2 x) times the function is a Chebyshev series of (x - 3) / (x + 3) for
/// x >= 0, as it tends to 2 / sqrt(pi); fitted in 40 digits.
Value gaudi::scaledErfc(Formula &f, Value x) {
  static constexpr double coefficients[] = {
      -2.69951905e-9,  1.885668524e-9, 7.549828344e-8, -1.80752279e-7,
      -2.007228566e-6, 1.284153286e-5, 1.766171952e-5, -0.0006335531711,
      0.004453426061,  -0.01897659671, 0.05436652556,  -0.09377550342,
      0.00535390454,   2.355125148};
  Value size = f.abs(x);
  // 1 - 6 / (x + 3), which does not overflow.
  Value at = f.sub(f.num(1), f.div(f.num(6), f.add(size, f.num(3))));
  Value right =
      f.div(f.chebyshev(at, coefficients), f.add(f.num(1), f.add(size, size)));
  // erfc(-x) = 2 - erfc(x). The square is exp's argument, and so kept in two
  // parts: that of 8 bits behind the point is exact.
  Value head = f.div(f.floor(f.mul(size, f.num(256))), f.num(256));
  Value rest = f.mul(f.add(size, head), f.sub(size, head));
  Value square = f.mul(f.exp(f.mul(head, head)), f.exp(rest));
  Value left = f.sub(f.add(square, square), right);
  // Beyond 10 it is infinite, and the parts of the square are not numbers.
  left = f.select(f.less(f.num(10), size), f.infinity(), left);
  return f.select(f.less(x, f.num(0)), left, right);
}

/// By the inverse of erf in the middle; in the tails z less the quantile is a
/// Chebyshev series of 1 / z for z = sqrt(-2 log p), fitted in 40 digits for p
/// from 0.15 down to the smallest float.
Value gaudi::normalQuantile(Formula &f, Value p) {
  static constexpr double coefficients[] = {
      -1.302781939e-9,  3.158505402e-9,  -7.716221546e-9, 1.901477453e-8,
      -4.73250213e-8,   1.191480976e-7,  -3.040514657e-7, 7.884771743e-7,
      -2.084806051e-6,  5.644868736e-6,  -1.573867152e-5, 4.552159128e-5,
      -0.0001381052115, 0.0004482524524, -0.001617192976, 0.006934270815,
      -0.03875562906,   0.3243731357,    1.240337716};
  constexpr double low = 0.0684931506849315068, high = 0.513378412438102983;
  Value one = f.num(1), half = f.num(0.5);
  Value isUpper = f.less(half, p);
  Value tail = f.select(isUpper, f.sub(one, p), p);
  Value z = f.sqrt(f.mul(f.num(-2), f.log(tail)));
  Value at = f.sub(f.mul(f.div(one, z), f.num(2 / (high - low))),
                   f.num((high + low) / (high - low)));
  Value far = f.sub(z, f.chebyshev(at, coefficients));
  far = f.select(f.equal(tail, f.num(0)), f.infinity(), far);
  far = f.select(isUpper, far, f.neg(far));
  Value middle =
      f.mul(inverseErf(f, f.sub(f.add(p, p), one)), f.num(1.41421356237309505));
  return f.select(f.less(tail, f.num(0.15)), far, middle);
}
