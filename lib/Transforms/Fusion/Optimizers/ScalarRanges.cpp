// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What single elements can be, and whether a divisor can be moved out of a sum.
//
// Bias corrections are why cases are needed: 1 - beta^t is 0 for t = 0 and has
// no root for t < 0, and a step size divided by one meets the root of another
// for the same t. So t is negative, zero or positive in turn, small or large,
// and what is computed from it is split where it can be zero or infinite.
#include "ScalarRanges.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;
using llvm::APFloat;
using llvm::ConstantFPRange;

/// More nodes or cases than a step's scalars need are not looked at.
static constexpr size_t maxNodes = 64;
static constexpr unsigned maxCases = 20000, maxRangeDepth = 64;

/// What is smaller or larger is 0 or infinite in f32; products of a few of
/// these are neither in double.
static constexpr double least = 1e-60, most = 1e60;

static const llvm::fltSemantics &semantics() { return APFloat::IEEEdouble(); }

static ConstantFPRange between(double low, double high) {
  return ConstantFPRange::getNonNaN(APFloat(low), APFloat(high));
}

static ConstantFPRange onlyNaN() {
  return ConstantFPRange::getNaNOnly(semantics(), /*MayBeQNaN=*/true,
                                     /*MayBeSNaN=*/false);
}

static bool isEmptyButNaN(const ConstantFPRange &range) {
  return range.isEmptySet() || range.isNaNOnly();
}

/// Of a monotone function; nothing of it if there are only NaNs.
template <typename Function>
static ConstantFPRange monotone(const ConstantFPRange &range, bool rises,
                                Function function) {
  if (isEmptyButNaN(range))
    return range;
  double low = function(range.getLower().convertToDouble());
  double high = function(range.getUpper().convertToDouble());
  if (!rises)
    std::swap(low, high);
  // What a library rounds differently is in the range.
  auto outward = [](double value, double towards) {
    return value == 0 || std::isinf(value) ? value
                                           : std::nextafter(value, towards);
  };
  const ConstantFPRange values =
      between(outward(low, -HUGE_VAL), outward(high, HUGE_VAL));
  return range.containsNaN() ? values.unionWith(onlyNaN()) : values;
}

static ConstantFPRange rootOf(const ConstantFPRange &range) {
  if (isEmptyButNaN(range))
    return range;
  const ConstantFPRange defined =
      range.getWithoutNaN().intersectWith(between(-0.0, HUGE_VAL));
  const bool mayBeNaN = range.containsNaN() || range.getLower() < APFloat(0.0);
  const ConstantFPRange root =
      monotone(defined, true, [](double value) { return std::sqrt(value); });
  return mayBeNaN ? root.unionWith(onlyNaN()) : root;
}

/// Of a function that rises with both, and is NaN where one is.
template <typename Function>
static ConstantFPRange boundOf(const ConstantFPRange &a,
                               const ConstantFPRange &b, Function function) {
  if (isEmptyButNaN(a) || isEmptyButNaN(b))
    return isEmptyButNaN(a) ? a : b;
  const ConstantFPRange numbers = between(
      function(a.getLower().convertToDouble(), b.getLower().convertToDouble()),
      function(a.getUpper().convertToDouble(), b.getUpper().convertToDouble()));
  return a.containsNaN() || b.containsNaN() ? numbers.unionWith(onlyNaN())
                                            : numbers;
}

/// Whether no number of it is below 0.
static bool isNotNegative(const ConstantFPRange &range) {
  return isEmptyButNaN(range) || !(range.getLower() < APFloat(0.0));
}

std::optional<ConstantFPRange> ScalarRanges::inStep(const Element &node,
                                                    ArrayRef<Range> in) {
  const auto isPositive = [&](unsigned i) { return isNotNegative(in[i]); };
  Range positive = between(0.0, HUGE_VAL).unionWith(onlyNaN());
  switch (node.kind) {
  case Element::Div:
    // As an interval, a quotient by what may be 0 has both signs.
    if (isPositive(0) && isPositive(1))
      return positive;
    return std::nullopt;
  case Element::Pow: {
    if (!isPositive(0))
      return std::nullopt;
    const APFloat *base = in[0].getSingleElement();
    const bool isCount = isPositive(1) && !in[1].getSingleElement();
    if (isCount && (!base || *base < APFloat(1.0)))
      return between(0.0, 1.0);
    if (base)
      return std::nullopt;
    return positive;
  }
  default:
    return std::nullopt;
  }
}

ConstantFPRange ScalarRanges::arithmetic(const Element &node,
                                         ArrayRef<ConstantFPRange> in) {
  if (isInStep)
    if (const std::optional<Range> range = inStep(node, in))
      return *range;
  switch (node.kind) {
  case Element::Add:
    return in[0].add(in[1]);
  case Element::Sub:
    return in[0].sub(in[1]);
  case Element::Mul:
    return in[0].mul(in[1]);
  case Element::Div:
    return in[0].div(in[1]);
  case Element::Neg:
    return in[0].negate();
  case Element::Abs:
    return in[0].abs();
  case Element::Round:
    return in[0];
  case Element::Sqrt:
    return rootOf(in[0]);
  case Element::Min:
    return boundOf(in[0], in[1],
                   [](double a, double b) { return std::min(a, b); });
  case Element::Max:
    return boundOf(in[0], in[1],
                   [](double a, double b) { return std::max(a, b); });
  case Element::Select:
    return in[1].unionWith(in[2]);
  case Element::Compare:
    return between(0.0, 1.0);
  case Element::Pow: {
    // Only powers of one number are monotone in the exponent.
    const APFloat *base = in[0].getSingleElement();
    const double number = base ? base->convertToDouble() : -1;
    // A power with an exponent that is NaN is 1 for the base 1 only.
    if (number > 0 && std::isfinite(number) && number != 1)
      return monotone(in[1], number > 1, [&](double exponent) {
        const double power = std::pow(number, exponent);
        // Schedules decay to 0 in f32; steps are not counted below 0.
        if (exponent > 0)
          return power < FLT_TRUE_MIN ? 0.0
                 : power > FLT_MAX    ? HUGE_VAL
                                      : power;
        return std::isfinite(exponent) ? std::clamp(power, least, most) : power;
      });
    return ConstantFPRange::getFull(semantics());
  }
  default:
    return ConstantFPRange::getFull(semantics());
  }
}

ConstantFPRange ScalarRanges::of(ElementId id, const Cases &cases,
                                 DenseMap<ElementId, Range> &known,
                                 unsigned depth) {
  if (auto it = known.find(id); it != known.end())
    return it->second;
  Range range = ConstantFPRange::getFull(semantics());
  const Element &node = algebra.elements.at(id);
  if (auto number = algebra.elements.constantOf(id)) {
    range = std::isnan(*number) ? onlyNaN() : between(*number, *number);
  } else if (node.operands.empty()) {
    // Arguments and casts of integers are finite; what other ops compute need
    // not be.
    auto cast = dyn_cast_or_null<CastOp>(node.op);
    if (isInStep)
      range = between(0.0, FLT_MAX);
    else if (isa_and_nonnull<BlockArgument>(node.range.tensor) ||
             (cast && getElementTypeOrSelf(cast.getOperand()).isInteger()))
      range = between(-FLT_MAX, FLT_MAX);
  } else if (depth < maxRangeDepth && node.kind != Element::SumAll) {
    SmallVector<Range, 3> in;
    for (ElementId operand : node.operands)
      in.push_back(of(operand, cases, known, depth + 1));
    range = arithmetic(node, in);
  }
  if (auto it = cases.find(id); it != cases.end())
    range = range.intersectWith(it->second);
  known.try_emplace(id, range);
  return range;
}

ConstantFPRange ScalarRanges::of(const Monomial &monomial, const Cases &cases) {
  DenseMap<ElementId, Range> known;
  Range result = between(monomial.coefficient, monomial.coefficient);
  for (const Power &power : monomial.powers) {
    // Else sums that are no nodes are not looked into.
    Range range = power.atom.isSum && !isInStep
                      ? ConstantFPRange::getFull(semantics())
                      : of(power.atom, cases, known);
    if (power.halves % 2 != 0)
      range = rootOf(range);
    const int times = std::abs(power.halves) / (power.halves % 2 ? 1 : 2);
    for (int i = 0; i < times; ++i)
      result = power.halves > 0 ? result.mul(range) : result.div(range);
  }
  return result;
}

ConstantFPRange ScalarRanges::of(Atom atom, const Cases &cases,
                                 DenseMap<ElementId, Range> &known) {
  if (!atom.isSum)
    return of(atom.number, cases, known);
  Range result = between(0.0, 0.0);
  for (const Monomial &term : algebra.sum(atom).terms)
    result = result.add(of(term, cases));
  return result;
}

bool ScalarRanges::mayBeNegative(Atom atom) {
  isInStep = true;
  DenseMap<ElementId, Range> known;
  const Range range = of(atom, Cases(), known);
  isInStep = false;
  return !isNotNegative(range);
}

SmallVector<ElementId> ScalarRanges::nodesIn(const Monomial &f,
                                             const Monomial &e) {
  auto nodesOf = [&](const Monomial &monomial) {
    llvm::SetVector<ElementId> nodes;
    for (const Power &power : monomial.powers)
      if (!power.atom.isSum)
        for (ElementId id : algebra.elements.cone(power.atom.number))
          if (!algebra.elements.constantOf(id))
            nodes.insert(id);
    return nodes;
  };
  const llvm::SetVector<ElementId> inF = nodesOf(f), inE = nodesOf(e);
  // The first decides most: leaves, then what both depend on, then the rest,
  // whose intervals hold too much where they are quotients.
  auto rank = [&](ElementId id) {
    if (algebra.elements.at(id).operands.empty())
      return 0;
    return inF.contains(id) && inE.contains(id) ? 1 : 2;
  };
  llvm::SetVector<ElementId> all = inF;
  all.insert(inE.begin(), inE.end());
  SmallVector<ElementId> order;
  for (int next : {0, 1, 2})
    for (ElementId id : all)
      if (rank(id) == next)
        order.push_back(id);
  return order;
}

/// Splits that tell signs, zero, infinities and numbers above 1 apart.
static ArrayRef<ConstantFPRange> splits() {
  static const ConstantFPRange all[] = {between(-HUGE_VAL, -HUGE_VAL),
                                        between(-most, -1.0),
                                        between(-1.0, -least),
                                        between(-0.0, -0.0),
                                        between(0.0, 0.0),
                                        between(least, 1.0),
                                        between(1.0, most),
                                        between(HUGE_VAL, HUGE_VAL),
                                        onlyNaN()};
  return all;
}

ScalarRanges::Moved ScalarRanges::decide(const Monomial &f, const Monomial &e,
                                         ArrayRef<ElementId> nodes,
                                         Cases &cases) {
  // A quotient by a range with 0 is only an interval of all numbers: f is zero
  // or infinite if its inverse is infinite or zero, too.
  const Range rangeF = of(f, cases), rangeE = of(e, cases),
              inverseF = of(inverse(f), cases);
  // NaN before is NaN after.
  if (isEmptyButNaN(rangeF) || isEmptyButNaN(rangeE))
    return Moved::Equal;
  auto contains = [](const Range &range, double value) {
    return range.contains(APFloat(value));
  };
  auto mayBeInfinite = [&](const Range &range) {
    return contains(range, HUGE_VAL) || contains(range, -HUGE_VAL);
  };
  auto mayBeZero = [&](const Range &range) {
    return contains(range, 0.0) || contains(range, -0.0);
  };
  // Whether the rest may be a number other than 0.
  const Range numbers = rangeE.getWithoutNaN().getWithoutInf();
  const APFloat *single =
      numbers.isEmptySet() ? nullptr : numbers.getSingleElement();
  const bool isNumber = !numbers.isEmptySet() && !(single && single->isZero());
  Moved worst = Moved::Equal;
  // f infinite, its inverse 0: the sides differ where the rest is infinite,
  // too.
  if (mayBeInfinite(rangeF) && mayBeZero(inverseF) && mayBeInfinite(rangeE))
    worst = Moved::NotIfInfinite;
  if (mayBeZero(rangeF) && mayBeInfinite(inverseF) &&
      (isNumber || mayBeInfinite(rangeE)))
    worst = Moved::NotIfZero;
  // The worst of the intervals may not occur: the first node's range is split
  // and each part decided.
  if (worst == Moved::Equal || nodes.empty() || budget == 0)
    return worst;
  const ElementId id = nodes.front();
  DenseMap<ElementId, Range> known;
  const Range before = of(id, cases, known);
  Moved found = Moved::Equal;
  for (const Range &split : splits()) {
    const Range part = before.intersectWith(split);
    if (part.isEmptySet())
      continue;
    // The budget bounds the exponential number of cases; without it the
    // interval's answer holds.
    if (budget == 0)
      return worst;
    --budget;
    cases.insert_or_assign(id, part);
    found = std::max(found, decide(f, e, nodes.drop_front(), cases));
    cases.erase(id);
    // No part can be worse.
    if (found == worst)
      break;
  }
  return found;
}

ScalarRanges::Moved ScalarRanges::moved(const Monomial &f, const Monomial &e) {
  SmallVector<ElementId> nodes = nodesIn(f, e);
  if (nodes.size() > maxNodes)
    nodes.clear();
  budget = maxCases;
  Cases cases;
  return decide(f, e, nodes, cases);
}
