// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of elements as sums of products.
//
// An expression is a sum of monomials: a constant times powers of atoms, in
// halves, so that square roots are powers. Atoms are nodes that a formula does
// not look into, and sums that are divided by or whose root is taken. A formula
// looks into what depends on its keys, and nowhere else: the old value of a
// moment, say, so that the gradient stays one atom whatever computes it.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FORMULA_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FORMULA_H

#include "Elements.h"
#include <map>
#include <string>

namespace gaudi::fusion {

/// A node, or a sum with a number of its own.
struct Atom {
  bool isSum;
  unsigned number;

  bool operator==(const Atom &other) const {
    return isSum == other.isSum && number == other.number;
  }
  bool operator<(const Atom &other) const {
    return isSum != other.isSum ? other.isSum : number < other.number;
  }
};

/// atom^(halves / 2)
struct Power {
  Atom atom;
  int halves;

  bool operator==(const Power &other) const {
    return atom == other.atom && halves == other.halves;
  }
  bool operator<(const Power &other) const {
    return atom == other.atom ? halves < other.halves : atom < other.atom;
  }
};
/// Ascending by atom, each once, none with 0 halves.
using Powers = SmallVector<Power, 3>;

struct Monomial {
  double coefficient = 1;
  Powers powers;
};
Monomial operator*(const Monomial &a, const Monomial &b);
Monomial inverse(const Monomial &monomial);

/// A sum; terms ascending by powers, no two with the same. Empty: 0.
struct Expression {
  SmallVector<Monomial, 1> terms;

  Expression() = default;
  explicit Expression(double constant);
  explicit Expression(const Monomial &monomial);

  void add(const Monomial &monomial);
  void add(const Expression &other, double factor = 1);
  /// The value if there is no atom.
  std::optional<double> constant() const;
  const Monomial *single() const {
    return terms.size() == 1 ? &terms[0] : nullptr;
  }
};
Expression operator*(const Expression &a, const Monomial &b);
/// Nothing if there were too many terms.
std::optional<Expression> product(const Expression &a, const Expression &b);

/// What the formulas of one function share.
class Algebra {
public:
  explicit Algebra(Elements &elements) : elements(elements) {}

  Atom atomOf(const Expression &sum);
  const Expression &sum(Atom atom) const { return sums[atom.number]; }
  /// True if one element computes the atom.
  bool isUniform(Atom atom);
  bool isUniform(const Expression &expression);
  /// Equal for equal expressions; constants to the precision of f32.
  std::string textOf(const Expression &expression) const;

  /// The node with its products, quotients and signs multiplied out: a constant
  /// times powers of what is none of these, or rounded.
  Monomial factorsOf(ElementId id);
  Monomial factorsOf(const Monomial &monomial);
  /// The node without uniform factors, which go to `scale`.
  ElementId withoutScale(ElementId id, Expression &scale);

  /// True if the node is rounded to a type narrower than f32, so that no
  /// formula may look into it.
  bool isRounded(ElementId id);
  /// Says what the last node does that a formula looked into although it is
  /// rounded.
  std::string roundingText() const;

  Elements &elements;
  /// Look into them nevertheless, to tell a candidate from what is not even
  /// near; the last one.
  bool ignoresRoundings = false;
  std::optional<ElementId> ignored;

private:
  std::deque<Expression> sums;
  std::map<std::string, unsigned> numbers;
};

/// Expands nodes as far as they depend on `keys`. Roundings to narrow types are
/// atoms: the op that the formula licenses computes in f32 and rounds what it
/// stores.
class Formula {
public:
  Formula(Algebra &algebra, ArrayRef<ElementId> keys)
      : algebra(algebra), keys(keys.begin(), keys.end()) {}

  Expression of(ElementId id);
  /// The same of what the op stores: its own rounding is that of the store.
  Expression ofStored(ElementId id) {
    stored = id;
    return of(id);
  }
  bool dependsOnKeys(ElementId id);
  /// True if the atom is a key or a sum with one, or a node that depends on
  /// keys by ops that are no arithmetic.
  bool isKeyed(Atom atom);

  /// The factor of a product of keyed powers; the powers in order.
  struct Part {
    Powers keyed;
    Expression factor;
  };
  /// The expression by its keyed powers, those without any first.
  SmallVector<Part, 2> partsOf(const Expression &expression);

  /// The node that depends on keys and was not understood, if any.
  std::optional<ElementId> opaque;
  /// With `mayGuard`, e / f in a divisor x + e / f is meant to be 0 where this
  /// monomial, 1 / f, is 0: e is infinite there, too, for all that is known.
  bool mayGuard = false;
  std::optional<Monomial> guard;
  enum class Unproven : uint8_t {
    No,
    Divisor, ///< not taken out of a sum: the value might change where it is
             ///< zero or infinite
    Sign,    ///< not taken out of a root: it may be negative
  };
  Unproven unproven = Unproven::No;

private:
  Expression expand(ElementId id);
  Expression atom(ElementId id);
  Expression inverseOf(const Expression &expression);
  bool mayTakeOut(const Monomial &factor, const Expression &sum,
                  const Monomial &pivot);
  Expression rootOf(const Expression &expression);
  Expression power(const Expression &base, double exponent, ElementId id);

  Algebra &algebra;
  SmallVector<ElementId, 4> keys;
  std::optional<ElementId> stored;
  DenseMap<ElementId, Expression> known;
  DenseMap<ElementId, bool> depends;
  unsigned depth = 0;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FORMULA_H
