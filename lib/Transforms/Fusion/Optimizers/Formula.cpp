// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of elements as sums of products.
//
// Why rewriting is right: all rules are identities of real numbers wherever
// both sides are defined, so they change roundings only. A factor that cancels
// and is 0 or infinite makes the graph's value no number. Only a divisor that
// leaves a sum does not: of that, ScalarRanges proves what is needed. A root of
// a product is taken factor by factor for factors to an odd power, which a
// defined root has not negative; an even power stays under the root, where it
// is no |x|. A rounding to a narrower type is no identity: only that of what
// the step stores is looked through.
#include "Formula.h"
#include "ScalarRanges.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// An expression with more terms is no optimizer's.
static constexpr size_t maxTerms = 24;
static constexpr unsigned maxFormulaDepth = 96;

//===-- monomials and sums ------------------------------------------------===//

Monomial gaudi::fusion::operator*(const Monomial &a, const Monomial &b) {
  Monomial result{a.coefficient * b.coefficient, {}};
  auto left = a.powers.begin(), right = b.powers.begin();
  while (left != a.powers.end() || right != b.powers.end()) {
    if (right == b.powers.end() ||
        (left != a.powers.end() && left->atom < right->atom)) {
      result.powers.push_back(*left++);
    } else if (left == a.powers.end() || right->atom < left->atom) {
      result.powers.push_back(*right++);
    } else {
      if (const int halves = left->halves + right->halves)
        result.powers.push_back({left->atom, halves});
      ++left, ++right;
    }
  }
  return result;
}

Monomial gaudi::fusion::inverse(const Monomial &monomial) {
  Monomial result{1 / monomial.coefficient, monomial.powers};
  for (Power &power : result.powers)
    power.halves = -power.halves;
  return result;
}

Expression::Expression(double constant) { add(Monomial{constant, {}}); }
Expression::Expression(const Monomial &monomial) { add(monomial); }

void Expression::add(const Monomial &monomial) {
  if (monomial.coefficient == 0)
    return;
  auto it = llvm::lower_bound(
      terms, monomial,
      [](const Monomial &a, const Monomial &b) { return a.powers < b.powers; });
  if (it == terms.end() || it->powers != monomial.powers) {
    terms.insert(it, monomial);
    return;
  }
  // What is left of a difference of equal terms is their rounding.
  const double before = it->coefficient;
  it->coefficient += monomial.coefficient;
  if (std::fabs(it->coefficient) < 1e-12 * std::fabs(before))
    terms.erase(it);
}

void Expression::add(const Expression &other, double factor) {
  for (const Monomial &term : other.terms)
    add(Monomial{term.coefficient * factor, term.powers});
}

std::optional<double> Expression::constant() const {
  if (terms.empty())
    return 0.0;
  if (terms.size() == 1 && terms[0].powers.empty())
    return terms[0].coefficient;
  return std::nullopt;
}

Expression gaudi::fusion::operator*(const Expression &a, const Monomial &b) {
  Expression result;
  for (const Monomial &term : a.terms)
    result.add(term * b);
  return result;
}

std::optional<Expression> gaudi::fusion::product(const Expression &a,
                                                 const Expression &b) {
  if (a.terms.size() * b.terms.size() > maxTerms)
    return std::nullopt;
  Expression result;
  for (const Monomial &term : b.terms)
    result.add(a * term);
  return result;
}

//===-- what formulas share -----------------------------------------------===//

std::string Algebra::textOf(const Expression &expression) const {
  std::string text;
  for (const Monomial &term : expression.terms) {
    text += llvm::formatv("+{0:e9}", double(float(term.coefficient)));
    for (const Power &power : term.powers)
      text += llvm::formatv("*{0}{1}^{2}", power.atom.isSum ? 's' : 'n',
                            power.atom.number, power.halves);
  }
  return text;
}

Atom Algebra::atomOf(const Expression &sum) {
  auto [it, isNew] = numbers.try_emplace(textOf(sum), sums.size());
  if (isNew)
    sums.push_back(sum);
  return {true, it->second};
}

bool Algebra::isUniform(Atom atom) {
  return atom.isSum ? isUniform(sum(atom)) : elements.isUniform(atom.number);
}

bool Algebra::isUniform(const Expression &expression) {
  return llvm::all_of(expression.terms, [&](const Monomial &term) {
    return llvm::all_of(
        term.powers, [&](const Power &power) { return isUniform(power.atom); });
  });
}

bool Algebra::isRounded(ElementId id) {
  if (!elements.at(id).rounded)
    return false;
  if (ignoresRoundings)
    ignored = id;
  return !ignoresRoundings;
}

std::string Algebra::roundingText() const {
  const Element &node = elements.at(*ignored);
  return llvm::formatv(
      "'{0}' rounds to {1} inside the step; the fused op computes in f32 and "
      "rounds what it stores",
      node.op->getName().getStringRef(), node.rounded);
}

Monomial Algebra::factorsOf(ElementId root) {
  Monomial result;
  SmallVector<std::pair<ElementId, bool>> pending = {{root, false}};
  // Each step takes one factor apart; a product of more is an atom.
  for (unsigned steps = 0; !pending.empty(); ++steps) {
    auto [id, isDivisor] = pending.pop_back_val();
    const Element &node = elements.at(id);
    if (auto number = elements.constantOf(id)) {
      result.coefficient *= isDivisor ? 1 / *number : *number;
    } else if (isRounded(id)) {
      // A rounding hides what is inside: the value is an atom. Powers count in
      // halves, for roots.
      result = result * Monomial{1, {{{false, id}, isDivisor ? -2 : 2}}};
    } else if (steps < 64 && node.kind == Element::Mul) {
      pending.push_back({node.operands[0], isDivisor});
      pending.push_back({node.operands[1], isDivisor});
    } else if (steps < 64 && node.kind == Element::Div) {
      pending.push_back({node.operands[0], isDivisor});
      pending.push_back({node.operands[1], !isDivisor});
    } else if (node.kind == Element::Neg) {
      result.coefficient = -result.coefficient;
      pending.push_back({node.operands[0], isDivisor});
    } else if (node.kind == Element::Round) {
      // Not a rounding that matters here: looked through.
      pending.push_back({node.operands[0], isDivisor});
    } else {
      result = result * Monomial{1, {{{false, id}, isDivisor ? -2 : 2}}};
    }
  }
  return result;
}

Monomial Algebra::factorsOf(const Monomial &monomial) {
  Monomial result{monomial.coefficient, {}};
  for (const Power &power : monomial.powers) {
    if (power.atom.isSum || power.halves % 2 != 0) {
      result = result * Monomial{1, {power}};
      continue;
    }
    Monomial factors = factorsOf(power.atom.number);
    if (power.halves < 0)
      factors = inverse(factors);
    for (int i = 0; i < std::abs(power.halves) / 2; ++i)
      result = result * factors;
  }
  return result;
}

ElementId Algebra::withoutScale(ElementId id, Expression &scale) {
  Formula formula(*this, {});
  for (;;) {
    const Element &node = elements.at(id);
    const bool isProduct = node.kind == Element::Mul;
    if (node.kind == Element::Neg) {
      scale = scale * Monomial{-1, {}};
      id = node.operands[0];
      continue;
    }
    // A rounded product is not the product.
    if ((!isProduct && node.kind != Element::Div) || isRounded(id))
      return id;
    // Of single elements, only a constant is known to be the factor.
    auto isFactor = [&](ElementId operand) {
      return node.size == 1 ? elements.constantOf(operand).has_value()
                            : elements.isUniform(operand);
    };
    const bool isLeft = isProduct && isFactor(node.operands[0]);
    if (!isLeft && !isFactor(node.operands[1]))
      return id;
    Expression factor = formula.of(node.operands[isLeft ? 0 : 1]);
    // Only a single product has an inverse that is a factor.
    const Monomial *single = factor.single();
    if (!single)
      return id;
    scale = scale * (isProduct ? *single : inverse(*single));
    id = node.operands[isLeft ? 1 : 0];
  }
}

//===-- formulas ----------------------------------------------------------===//

bool Formula::dependsOnKeys(ElementId id) {
  if (llvm::is_contained(keys, id))
    return true;
  const Element &node = algebra.elements.at(id);
  if (node.operands.empty() || node.kind == Element::SumAll ||
      depth == maxFormulaDepth)
    return false;
  if (auto it = depends.find(id); it != depends.end())
    return it->second;
  ++depth;
  const bool any = llvm::any_of(
      node.operands, [&](ElementId operand) { return dependsOnKeys(operand); });
  --depth;
  return depends[id] = any;
}

bool Formula::isKeyed(Atom atom) {
  if (!atom.isSum)
    return dependsOnKeys(atom.number);
  return llvm::any_of(algebra.sum(atom).terms, [&](const Monomial &term) {
    return llvm::any_of(
        term.powers, [&](const Power &power) { return isKeyed(power.atom); });
  });
}

SmallVector<Formula::Part, 2> Formula::partsOf(const Expression &expression) {
  SmallVector<Part, 2> parts;
  for (const Monomial &term : expression.terms) {
    Powers keyed;
    Monomial factor{term.coefficient, {}};
    for (const Power &power : term.powers)
      (isKeyed(power.atom) ? keyed : factor.powers).push_back(power);
    auto it = llvm::find_if(
        parts, [&](const Part &part) { return part.keyed == keyed; });
    if (it == parts.end())
      it = parts.insert(it, Part{keyed, {}});
    it->factor.add(factor);
  }
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.keyed < b.keyed; });
  return parts;
}

Expression Formula::atom(ElementId id) {
  if (!llvm::is_contained(keys, id) && dependsOnKeys(id))
    opaque = id;
  return Expression(Monomial{1, {{{false, id}, 2}}});
}

Expression Formula::inverseOf(const Expression &expression) {
  if (const Monomial *single = expression.single())
    return Expression(inverse(*single));
  // A sum is normalised by its first term with a key, or its first: equal sums
  // up to a factor are one atom, and the factor is part of the product.
  const Monomial *pivot = &expression.terms.front();
  Monomial factor{pivot->coefficient, {}};
  for (const Monomial &term : expression.terms) {
    if (llvm::none_of(term.powers,
                      [&](const Power &power) { return isKeyed(power.atom); }))
      continue;
    pivot = &term;
    break;
  }
  factor.coefficient = pivot->coefficient;
  for (const Power &power : pivot->powers)
    if (!isKeyed(power.atom))
      factor.powers.push_back(power);
  if (!factor.powers.empty() && !mayTakeOut(factor, expression, *pivot))
    factor.powers.clear();
  const Monomial inverted = inverse(factor);
  const Atom sum = algebra.atomOf(expression * inverted);
  return Expression(inverted * Monomial{1, {{sum, -2}}});
}

bool Formula::mayTakeOut(const Monomial &factor, const Expression &sum,
                         const Monomial &pivot) {
  bool needsGuard = false;
  for (const Monomial &term : sum.terms) {
    // The pivot is where the factor was.
    if (&term == &pivot)
      continue;
    // What is not of keys alone decides whether the term may be infinite.
    Monomial rest{term.coefficient, {}};
    for (const Power &power : term.powers)
      if (!isKeyed(power.atom))
        rest.powers.push_back(power);
    // For each other term: what if the factor is zero or infinite there?
    switch (ScalarRanges(algebra).moved(factor, rest)) {
    case ScalarRanges::Moved::Equal:
      break;
    case ScalarRanges::Moved::NotIfInfinite:
      needsGuard = true;
      break;
    case ScalarRanges::Moved::NotIfZero:
      unproven = Unproven::Divisor;
      return false;
    }
  }
  // With a guard, the term is meant to be 0 where the factor's inverse is 0.
  // There is one guard per formula.
  if (!needsGuard)
    return true;
  const Monomial inverted = inverse(factor);
  const bool isFree = !guard || algebra.textOf(Expression(*guard)) ==
                                    algebra.textOf(Expression(inverted));
  if (!mayGuard || !isFree) {
    unproven = Unproven::Divisor;
    return false;
  }
  guard = inverted;
  return true;
}

Expression Formula::rootOf(const Expression &expression) {
  const Monomial *single = expression.single();
  const bool isProduct =
      single && single->coefficient > 0 &&
      llvm::all_of(single->powers, [](const Power &power) {
        return power.halves % 4 != 0 && power.halves % 2 == 0;
      });
  // The root of a product is the product of roots unless two factors are
  // negative, or one is where another is 0. Second moments are not.
  const bool isSigned =
      isProduct && single->powers.size() > 1 &&
      llvm::any_of(single->powers, [&](const Power &power) {
        return !isKeyed(power.atom) &&
               ScalarRanges(algebra).mayBeNegative(power.atom);
      });
  if (isSigned)
    unproven = Unproven::Sign;
  if (!isProduct || isSigned)
    return Expression(Monomial{1, {{algebra.atomOf(expression), 1}}});
  Monomial root{std::sqrt(single->coefficient), single->powers};
  for (Power &power : root.powers)
    power.halves /= 2;
  return Expression(root);
}

Expression Formula::power(const Expression &base, double exponent,
                          ElementId id) {
  if (exponent == 0.5)
    return rootOf(base);
  if (exponent == -0.5)
    return inverseOf(rootOf(base));
  if (exponent == -1)
    return inverseOf(base);
  if (exponent == 1)
    return base;
  if (exponent == 2)
    if (auto square = product(base, base))
      return *square;
  return atom(id);
}

Expression Formula::of(ElementId id) {
  if (auto it = known.find(id); it != known.end())
    return it->second;
  if (auto number = algebra.elements.constantOf(id))
    return known[id] = Expression(*number);
  if (llvm::is_contained(keys, id) || depth == maxFormulaDepth)
    return known[id] = atom(id);
  // What does not depend on keys stays as it is, but for one value spread over
  // a tensor: its formula is that of one element.
  const Element &node = algebra.elements.at(id);
  const bool isSpread = node.size != 1 && algebra.elements.isUniform(id);
  if (!dependsOnKeys(id) && !isSpread)
    return known[id] = atom(id);
  ++depth;
  Expression result = expand(id);
  --depth;
  return known[id] = std::move(result);
}

Expression Formula::expand(ElementId id) {
  const Element &node = algebra.elements.at(id);
  // A rounding is looked through only where it is that of the stored value.
  if (id != stored && algebra.isRounded(id))
    return atom(id);
  auto in = [&](unsigned i) { return of(node.operands[i]); };
  switch (node.kind) {
  case Element::Add:
  case Element::Sub: {
    Expression sum = in(0);
    sum.add(in(1), node.kind == Element::Add ? 1 : -1);
    // Too many terms: the sum stays whole, as an atom.
    return sum.terms.size() > maxTerms ? atom(id) : sum;
  }
  case Element::Mul:
  case Element::Div: {
    const Expression left = in(0);
    Expression right = in(1);
    if (node.kind == Element::Div) {
      if (right.terms.empty()) // by zero
        return atom(id);
      right = inverseOf(right);
    }
    std::optional<Expression> result = product(left, right);
    return result ? *result : atom(id);
  }
  case Element::Neg:
    return in(0) * Monomial{-1, {}};
  case Element::Sqrt:
    return rootOf(in(0));
  case Element::Pow: {
    const Expression base = in(0);
    auto exponent = in(1).constant();
    const bool isInverse = exponent && *exponent < 0;
    // Zero to a negative power is infinite, no sum of products.
    return exponent && !(isInverse && base.terms.empty())
               ? power(base, *exponent, id)
               : atom(id);
  }
  case Element::Round:
    return in(0);
  default:
    return atom(id);
  }
}
