// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of single elements in a normal form: two formulas with the same form
// are equal as functions of real numbers, whatever their atoms stand for.
//
// A form is a sum of monomials. A monomial is a number times powers of atoms
// times one exponential of a form. Atoms are elements of tensors at positions
// that are linear in variables, conditions (0 or 1, so that they are their own
// powers), sums of a monomial over variables, reciprocals, and applications of
// functions that no rule looks into: every piecewise or rounding function is
// one of them. All that is used of such a function is that it has one value for
// equal operands.
//
// Rules, each an identity of the real numbers where both sides are defined:
// - the laws of sums and products; constants agree to 4 units in the last place
//   of f32;
// - exp(a + b) = exp(a) exp(b), exp(n log a) = a^n, exp(-infinity) = 0;
// - f(.., c x + (1 - c) y, ..) = c f(.., x, ..) + (1 - c) f(.., y, ..) for a
//   condition c and any function f;
// - sums are linear, and take out factors that do not vary with their variables
//   (what varies with none is the sum times the number of terms); sums of sums
//   are one sum, in any order of the variables; a variable's name means
//   nothing; a sum over two variables that only occur as stride * a + b is one
//   over that;
// - a^n a^-n = 1 for sums of exponentials only, which are not 0; such a sum is
//   its own magnitude, and not below 0;
// - c(i) times the condition that c(j) holds for no j is 0.
//
// Forms are numbered: equal numbers are equal forms. Numbers of another object
// mean nothing.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_NORMALFORM_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_NORMALFORM_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace gaudi::fusion {

/// offset + sum(coefficient * variable), ascending by variable.
struct LinearForm {
  int64_t offset = 0;
  SmallVector<std::pair<unsigned, int64_t>, 3> terms;

  bool operator==(const LinearForm &other) const {
    return offset == other.offset && terms == other.terms;
  }
};

class NormalForms {
public:
  using Form = unsigned;
  /// A variable and the number of its values: 0, 1, ...
  struct Variable {
    unsigned number;
    int64_t extent;
  };
  using Variables = SmallVector<Variable, 4>;

  NormalForms();

  static constexpr Form zero = 0;
  Form number(double value);
  Form infinity();
  /// The element of tensor `identity`. `operands` are what else chooses it.
  Form element(int64_t identity, ArrayRef<LinearForm> position,
               bool isCondition, ArrayRef<Form> operands = {});
  /// The condition form >= 0.
  Form isNotNegative(LinearForm form);
  /// A form that is a linear function of variables.
  Form linear(const LinearForm &form);
  /// An application of function `identity`.
  Form apply(int64_t identity, ArrayRef<Form> operands, bool isCondition);
  /// The same of a function of all values that the operands take.
  Form applyOver(int64_t identity, const Variables &variables,
                 ArrayRef<Form> operands, bool isCondition);

  Form add(Form a, Form b, double factor = 1);
  Form multiply(Form a, Form b);
  Form scale(Form a, double factor) { return add(zero, a, factor); }
  Form negated(Form condition) { return add(number(1), condition, -1); }
  Form select(Form condition, Form ifTrue, Form ifFalse);
  Form inverse(Form a, unsigned depth = 0);
  Form exp(Form a);
  Form log(Form a);
  Form sum(const Variables &variables, Form a);
  /// f(operands), with every condition of the operands decided.
  Form byCases(ArrayRef<Form> operands,
               llvm::function_ref<Form(ArrayRef<Form>)> f);
  /// From now on, the exponential of a sum with a constant of at most `limit`
  /// is 0.
  void vanishBelow(double limit) { least = limit; }

  /// The condition that conditions hide every term of a sum over variables:
  /// that a sum of exponentials, or of conditions, is 0. Nothing if the form is
  /// another one. `extentOf` says how many values a variable of the caller has.
  std::optional<Form> isEmpty(Form sum);
  std::function<int64_t(unsigned)> extentOf;
  /// True if the form only has sums of products, which are finite numbers.
  bool isOfSums(Form a) const;

  /// The value of a form without atoms; also infinities.
  std::optional<double> constantOf(Form a) const;
  /// The form if it is a linear function of variables.
  std::optional<LinearForm> linearOf(Form a) const;
  /// True for a sum of exponentials, some of which conditions may hide.
  bool isSumOfExponentials(Form a) const { return isPositive(a); }

  /// What is applied anywhere in the form.
  std::set<int64_t> functionsIn(Form a) const;

  /// True if a form had too many parts. No form means anything then.
  bool isSpent() const { return spent; }
  void spend() { spent = true; }

private:
  enum class AtomId : unsigned {};
  enum class Kind : uint8_t {
    Element,
    NotNegative,
    Index,
    Infinity,
    Application,
    Logarithm,
    Sum,
    Inverse,
    Empty // the sum that is the only operand has no visible term
  };
  struct Atom {
    Kind kind;
    int64_t identity = 0;
    Variables bound;
    SmallVector<LinearForm, 4> forms;
    SmallVector<Form, 2> operands;
    bool isCondition = false;
    SmallVector<unsigned, 4> free; // variables that it varies with, ascending
    unsigned height = 0;           // names that are bound inside
  };
  struct Monomial {
    double coefficient = 1;
    SmallVector<std::pair<AtomId, int>, 4> powers; // ascending
    Form exponent = zero;
  };
  using Monomials = std::vector<Monomial>;
  using Renaming = SmallVector<std::pair<unsigned, unsigned>, 4>;
  using Key = std::vector<int64_t>;

  double shared(double coefficient);
  Form intern(Monomials terms);
  AtomId intern(Atom atom);
  static bool hasSameAtoms(const Monomial &a, const Monomial &b);
  static bool isBefore(const Monomial &a, const Monomial &b);
  Monomial product(const Monomial &a, const Monomial &b);
  void normalise(Monomial &monomial);
  Form of(Monomial monomial) { return intern({std::move(monomial)}); }
  Form of(AtomId atom, int power = 1);
  const Monomials &termsOf(Form a) const { return forms[a].terms; }
  const Atom &get(AtomId atom) const { return atoms[size_t(atom)]; }

  bool isPositive(AtomId atom) const;
  bool isPositive(Form a) const;
  std::optional<AtomId> conditionIn(Form a) const;
  Form decided(Form a, AtomId condition, bool value);
  Form casesOf(SmallVector<Form, 3> operands, unsigned depth,
               llvm::function_ref<Form(ArrayRef<Form>)> f);

  bool isImpossible(const Monomial &monomial);
  bool shows(const Monomial &monomial, const Variables &scope,
             const Monomial &hiding, ArrayRef<Variable> bound, Renaming names);
  Form sumOf(const Variables &variables, const Monomial &monomial);
  AtomId sumAtom(Variables bound, Monomial body);
  bool moveTogether(Form a, unsigned outer, unsigned inner, int64_t extent);
  bool moveTogether(AtomId atom, unsigned outer, unsigned inner,
                    int64_t extent);
  uint64_t traceOf(Form a, unsigned variable);
  uint64_t traceOf(AtomId atom, unsigned variable);

  Form renamed(Form a, const Renaming &names);
  AtomId renamed(AtomId atom, const Renaming &names);
  Monomial renamed(const Monomial &monomial, const Renaming &names);
  ArrayRef<unsigned> freeOf(Form a) const { return forms[a].free; }
  SmallVector<unsigned, 4> freeOf(const Monomial &monomial) const;
  unsigned heightOf(const Monomial &monomial) const;
  Variables withNewNames(const Variables &bound, Renaming &names);

  struct FormData {
    Monomials terms;
    SmallVector<unsigned, 4> free;
    unsigned height = 0;
  };
  std::deque<FormData> forms;
  std::deque<Atom> atoms;
  std::map<Key, unsigned> formNumbers, atomNumbers;
  std::map<double, double> coefficients;
  std::map<std::pair<Form, std::vector<unsigned>>, Form> renamings;
  double least = -std::numeric_limits<double>::infinity();
  unsigned temporaries = 0;
  bool spent = false;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_NORMALFORM_H
