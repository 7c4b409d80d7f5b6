// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of special functions. All compute in f32 and round once.
#include "../Common/PointKernel.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;
using lowerings::PolynomialKind;

/// Operand `i` in f32, of the shape of the result.
static Value wholeOperand(TorchCall &c, unsigned i) {
  return c.expand(c.operand(i, c.builder.getF32Type()), c.result().getShape());
}

static Formula formulaOf(TorchCall &c) {
  return Formula(c.builder, c.result().clone(c.builder.getF32Type()));
}

Lowered lowerings::formulaBy(TorchCall &c, Value (*compute)(Formula &, Value)) {
  Formula f = formulaOf(c);
  return one(c.cast(compute(f, wholeOperand(c, 0)), c.resultElement()));
}

Lowered lowerings::formulaBy(TorchCall &c,
                             Value (*compute)(Formula &, Value, Value)) {
  Formula f = formulaOf(c);
  return one(c.cast(compute(f, wholeOperand(c, 0), wholeOperand(c, 1)),
                    c.resultElement()));
}

/// The zeta function of Hurwitz also for q < 0, where the formula holds from
/// the first positive q + k on: what is before is summed in a loop, for q above
/// -maxNegativeTerms. Poles are infinite, as PyTorch has them.
static Value zetaOf(TorchCall &c, Formula &f, Value x, Value q) {
  static constexpr int64_t maxNegativeTerms = 128;
  // Terms next to zero are large, and those on both sides of it cancel.
  static constexpr double loopEnd = 2;
  const SmallVector<int64_t> shape(tensorType(q).getShape());
  RankedTensorType flat = RankedTensorType::get(
      {tensorType(q).getNumElements()}, c.builder.getF32Type());
  const Value inputs[] = {c.reshape(x, flat.getShape()),
                          c.reshape(q, flat.getShape())};
  auto point = [&](KernelBuilder &k) {
    k.setElementType(flat.getElementType());
    Value exponent = k.neg(k.load(0, k.dim(0))), q = k.load(1, k.dim(0));
    Value isNegative = k.compare(ComparePredicate::LT, q, k.floatConstant(0));
    Value end = k.select(isNegative, k.floatConstant(loopEnd), q);
    const SmallVector<KernelReduce> custom(3, KernelReduce::Custom);
    const Value starts[] = {k.floatConstant(0), k.floatConstant(0), q};
    return k.loop({1}, custom, starts, [&](ValueRange state) {
      Value isOpen = k.compare(ComparePredicate::LT, state[2], end);
      Value sum = state[0], term = k.binary<math::PowFOp>(state[2], exponent);
      // What the sum loses of both by rounding is kept.
      Value next = k.add(sum, term), added = k.sub(next, sum);
      Value lost = k.add(k.sub(sum, k.sub(next, added)), k.sub(term, added));
      return SmallVector<Value>{
          k.select(isOpen, next, sum),
          k.select(isOpen, k.add(state[1], lost), state[1]),
          k.select(isOpen, k.add(state[2], k.floatConstant(1)), state[2])};
    });
  };
  SmallVector<Value> parts =
      pointKernel(c.builder, c.op.schema.name, {flat, flat, flat}, inputs,
                  {maxNegativeTerms + int64_t(loopEnd)}, point);
  Value before = c.reshape(parts[0], shape), lost = c.reshape(parts[1], shape),
        at = c.reshape(parts[2], shape);
  Value rest = gaudi::zeta(f, x, at);
  // Infinite sums lose no number.
  Value isFinite = f.less(f.abs(before), f.infinity());
  rest = f.select(isFinite, f.add(rest, lost), rest);
  Value result = f.add(before, rest);
  Value isNegative = f.less(q, f.num(0));
  Value isFraction = f.less(f.floor(x), x);
  // More terms than the loop has.
  Value isOpen = f.both(isNegative, f.less(at, f.num(loopEnd)));
  result = f.select(f.both(isNegative, isFraction), f.nan(), result);
  result = f.select(isOpen, f.nan(), result);
  result = f.select(f.isPole(q), f.infinity(), result);
  result = f.select(f.equal(x, f.num(1)), f.infinity(), result);
  return f.select(f.less(x, f.num(1)), f.nan(), result);
}

Lowered lowerings::zetaFunction(TorchCall &c) {
  Formula f = formulaOf(c);
  return one(c.cast(zetaOf(c, f, wholeOperand(c, 0), wholeOperand(c, 1)),
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
  Value x = wholeOperand(c, 1);
  if (order == 0)
    return one(c.cast(digammaOf(f, x), c.resultElement()));
  if (order == 1)
    return one(c.cast(trigammaOf(f, x), c.resultElement()));
  const double factor =
      std::tgamma(double(order) + 1) * (order % 2 == 0 ? -1 : 1);
  Value zeta = zetaOf(c, f, f.num(double(order) + 1), x);
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
  // PyTorch takes the degree toward zero.
  n = k.unary<math::TruncOp>(n);
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
    if (!(c.number(1) <= double(limit)) && family.maxDegree > maxDegree)
      return c.refuse("degrees above " + Twine(limit) + " are not supported");
    limit = std::clamp<int64_t>(int64_t(c.number(1)), 1, limit);
    if (c.number(1) > double(family.maxDegree))
      limit = family.maxDegree;
  }
  const SmallVector<int64_t> flat = {c.result().getNumElements()};
  RankedTensorType type = RankedTensorType::get(flat, c.builder.getF32Type());
  const Value inputs[] = {c.reshape(wholeOperand(c, 0), flat),
                          c.reshape(wholeOperand(c, 1), flat)};
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
