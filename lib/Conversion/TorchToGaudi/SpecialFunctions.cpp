// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of special functions. All compute in f32 and round once.
#include "../Common/PointKernel.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;
using lowerings::PolynomialKind;

/// Operand `i` in f32, of the shape of the result.
static Value wideOperand(TorchCall &c, unsigned i) {
  return c.wholeOperand(i, c.builder.getF32Type());
}

static Formula formulaOf(TorchCall &c) {
  return Formula(c.builder, c.result().clone(c.builder.getF32Type()));
}

Lowered lowerings::formulaBy(TorchCall &c, Value (*compute)(Formula &, Value)) {
  Formula f = formulaOf(c);
  return one(c.cast(compute(f, wideOperand(c, 0)), c.resultElement()));
}

Lowered lowerings::formulaBy(TorchCall &c,
                             Value (*compute)(Formula &, Value, Value)) {
  Formula f = formulaOf(c);
  return one(c.cast(compute(f, wideOperand(c, 0), wideOperand(c, 1)),
                    c.resultElement()));
}

/// The zeta function of Hurwitz also for q < 0. There x is an integer, so the
/// terms up to zero are those of positive numbers, with a sign: all that are
/// below |q|, from its fraction d on. Poles are infinite, as PyTorch has them.
static Value zetaOf(Formula &f, Value x, Value q) {
  Value isNegative = f.less(q, f.num(0)), size = f.abs(q);
  Value one = f.num(1), two = f.num(2), exponent = f.neg(x);
  Value d = f.sub(size, f.floor(size)), other = f.sub(one, d);
  Value half = f.div(x, two);
  Value isEven = f.equal(half, f.floor(half));
  auto signedOf = [&](Value y) { return f.select(isEven, y, f.neg(y)); };
  Value beyond = gaudi::zeta(f, x, f.select(isNegative, f.add(size, one), q));
  // The first terms on both sides of zero are large and may cancel: as the
  // larger one, whose power may be infinite, and the share of the other.
  Value isNear = f.less(d, other);
  Value near = f.select(isNear, d, other), far = f.select(isNear, other, d);
  Value share = f.pow(f.div(near, far), x);
  share = f.select(isNear, f.add(signedOf(one), share),
                   f.add(one, signedOf(share)));
  Value first = f.select(f.equal(share, f.num(0)), share,
                         f.mul(f.pow(near, exponent), share));
  Value next = f.add(gaudi::zeta(f, x, f.add(other, one)),
                     signedOf(gaudi::zeta(f, x, f.add(d, one))));
  Value reflected = f.add(f.add(first, next), f.neg(signedOf(beyond)));
  Value result = f.select(isNegative, reflected, beyond);
  Value isFraction = f.less(f.floor(x), x);
  result = f.select(f.both(isNegative, isFraction), f.nan(), result);
  Value isUnbounded = f.both(isNegative, f.equal(x, f.infinity()));
  result = f.select(isUnbounded, f.infinity(), result);
  result = f.select(f.isPole(q), f.infinity(), result);
  result = f.select(f.equal(x, one), f.infinity(), result);
  return f.select(f.less(x, one), f.nan(), result);
}

Lowered lowerings::zetaFunction(TorchCall &c) {
  Formula f = formulaOf(c);
  return one(c.cast(zetaOf(f, wideOperand(c, 0), wideOperand(c, 1)),
                    c.resultElement()));
}

/// PyTorch has an infinity of the other sign at either zero, where XLA's
/// formula, which StableHLO shares, has no number.
static Value digammaOf(Formula &f, Value x) {
  return f.select(f.equal(x, f.num(0)), f.div(f.num(-1), x),
                  gaudi::digamma(f, x));
}

Lowered lowerings::digammaFunction(TorchCall &c) {
  return formulaBy(c, digammaOf);
}

/// The second derivative of log gamma by the steps of PyTorch, which reflects
/// with pi x rounded: its poles below zero are large numbers, no infinities.
static Value trigammaOf(Formula &f, Value x) {
  Value pi = f.num(3.14159265358979324), one = f.num(1);
  Value isReflected = f.less(x, f.num(0.5));
  Value sine = f.sin(f.mul(pi, x));
  Value reflection = f.div(f.mul(pi, pi), f.mul(sine, sine));
  Value at = f.select(isReflected, f.sub(one, x), x);
  Value sum = f.select(isReflected, f.neg(reflection), f.num(0));
  for (int step = 0; step < 6; ++step) {
    sum = f.add(sum, f.div(one, f.mul(at, at)));
    at = f.add(at, one);
  }
  Value square = f.div(one, f.mul(at, at));
  Value rest = f.sub(f.num(1.0 / 30), f.div(square, f.num(42)));
  rest = f.mul(square, f.sub(f.num(1.0 / 6), f.mul(square, rest)));
  rest = f.add(f.add(one, f.div(f.num(0.5), at)), rest);
  sum = f.add(sum, f.div(rest, at));
  return f.select(isReflected, f.neg(sum), sum);
}

/// (-1)^(n + 1) n! zeta(n + 1, x)
Lowered lowerings::polygamma(TorchCall &c) {
  const int64_t order = c.integer(0);
  if (order < 0)
    return c.refuse("the order n must be 0 or more");
  Formula f = formulaOf(c);
  Value x = wideOperand(c, 1);
  if (order == 0)
    return one(c.cast(digammaOf(f, x), c.resultElement()));
  if (order == 1)
    return one(c.cast(trigammaOf(f, x), c.resultElement()));
  const double factor =
      std::tgamma(double(order) + 1) * (order % 2 == 0 ? -1 : 1);
  Value zeta = zetaOf(f, f.num(double(order) + 1), x);
  return one(c.cast(f.mul(f.num(factor), zeta), c.resultElement()));
}

//===----------------------------------------------------------------------===//
// Orthogonal polynomials
//===----------------------------------------------------------------------===//

namespace {
/// A family by its recurrence from degree k to k + 1,
/// p(k+1) = (slope(k) x' + offset(k)) p(k) - weight(k) p(k-1), all over
/// divisor(k), where each number is a + b k, and x' = x or 2x - 1.
struct Family {
  struct Linear {
    double constant, perDegree = 0;
  };
  Linear slope, offset, weight, divisor;
  /// p(1) = first x' + second
  double first, second;
  bool isShifted = false;
  /// Above it PyTorch gives NaN.
  int64_t maxDegree = std::numeric_limits<int64_t>::max();
};
} // namespace

static Family familyOf(PolynomialKind kind) {
  using K = PolynomialKind;
  const bool isShifted =
      kind >= K::ShiftedChebyshevT && kind <= K::ShiftedChebyshevW;
  auto chebyshev = [&](double first, double second) -> Family {
    return {{2}, {0}, {1}, {1}, first, second, isShifted};
  };
  switch (kind) {
  case K::ChebyshevT:
  case K::ShiftedChebyshevT:
    return chebyshev(1, 0);
  case K::ChebyshevU:
  case K::ShiftedChebyshevU:
    return chebyshev(2, 0);
  case K::ChebyshevV:
  case K::ShiftedChebyshevV:
    return chebyshev(2, -1);
  case K::ChebyshevW:
  case K::ShiftedChebyshevW:
    return chebyshev(2, 1);
  case K::HermiteH:
    return {{2}, {0}, {0, 2}, {1}, 2, 0, false, 128};
  case K::HermiteHe:
    return {{1}, {0}, {0, 1}, {1}, 1, 0, false, 128};
  case K::Laguerre:
    return {{-1}, {1, 2}, {0, 1}, {1, 1}, -1, 1};
  case K::Legendre:
    return {{1, 2}, {0}, {0, 1}, {1, 1}, 1, 0};
  }
  llvm_unreachable("all kinds are above");
}

/// Degrees up to here are computed; their recurrence is a loop.
static constexpr int64_t maxDegree = 512;

/// The polynomial of degree `n` at `x`, both f32; a degree below 0 gives 0.
static Value polynomialAt(KernelBuilder &k, const Family &family, Value x,
                          Value n, int64_t limit) {
  auto number = [&](double value) { return k.floatConstant(value); };
  auto mul = [&](Value a, Value b) { return k.binary<arith::MulFOp>(a, b); };
  auto add = [&](Value a, Value b) { return k.binary<arith::AddFOp>(a, b); };
  auto less = [&](Value a, Value b) {
    return arith::CmpFOp::create(k.getBuilder(), k.getLoc(),
                                 arith::CmpFPredicate::OLT, a, b);
  };
  if (family.isShifted)
    x = add(add(x, x), number(-1));
  // PyTorch converts the degree to i64, toward zero; what does not fit becomes
  // the lowest number.
  n = k.select(less(k.unary<math::AbsFOp>(n), number(0x1p63)),
               k.unary<math::TruncOp>(n), number(-1));
  Value last = number(1);
  Value current = add(mul(number(family.first), x), number(family.second));
  const KernelReduce custom[] = {KernelReduce::Custom, KernelReduce::Custom};
  SmallVector<Value> end =
      k.loop({1}, custom, {last, current}, [&](ValueRange state) {
        Value degree = add(arith::SIToFPOp::create(k.getBuilder(), k.getLoc(),
                                                   k.getBuilder().getF32Type(),
                                                   k.index(1)),
                           number(1));
        auto linear = [&](const Family::Linear &l) {
          if (l.perDegree == 0)
            return number(l.constant);
          return add(number(l.constant), mul(number(l.perDegree), degree));
        };
        Value factor = add(mul(linear(family.slope), x), linear(family.offset));
        Value next = k.binary<arith::SubFOp>(
            mul(factor, state[1]), mul(linear(family.weight), state[0]));
        if (family.divisor.perDegree != 0)
          next = k.binary<arith::DivFOp>(next, linear(family.divisor));
        Value isOpen = less(degree, n);
        return SmallVector<Value>{k.select(isOpen, state[1], state[0]),
                                  k.select(isOpen, next, state[1])};
      });
  Value result = k.select(less(n, number(1)), number(1), end[1]);
  result = k.select(less(n, number(0)), number(0), result);
  // Degrees that the loop does not reach.
  return k.select(less(number(double(limit)), n),
                  number(std::numeric_limits<double>::quiet_NaN()), result);
}

Lowered lowerings::polynomialBy(TorchCall &c, PolynomialKind kind) {
  const Family family = familyOf(kind);
  int64_t limit = std::min(maxDegree, family.maxDegree);
  if (!c.isTensor(1)) {
    const double degree = std::abs(c.number(1)) < 0x1p63 ? c.number(1) : -1;
    if (degree > double(limit) && family.maxDegree > maxDegree)
      return c.refuse("degrees above " + Twine(limit) + " are not supported");
    limit = std::clamp<int64_t>(int64_t(degree), 1, limit);
    if (degree > double(family.maxDegree))
      limit = family.maxDegree;
  }
  const SmallVector<int64_t> flat = {c.result().getNumElements()};
  RankedTensorType type = RankedTensorType::get(flat, c.builder.getF32Type());
  const Value inputs[] = {c.reshape(wideOperand(c, 0), flat),
                          c.reshape(wideOperand(c, 1), flat)};
  auto point = [&](KernelBuilder &k) {
    return SmallVector<Value>{polynomialAt(k, family, k.load(0, k.dim(0)),
                                           k.load(1, k.dim(0)), limit)};
  };
  Value result = pointKernel(c.builder, c.op.schema.name, TypeRange(type),
                             inputs, {std::max<int64_t>(limit - 1, 1)}, point)
                     .front();
  return one(
      c.cast(c.reshape(result, c.result().getShape()), c.resultElement()));
}
