// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products, exponentials and conditions in normal form.
#include "NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace gaudi::fusion;

/// Constants that differ by no more are one: 4 units in the last place of f32.
static constexpr double relativeTolerance = 0x1p-21;
/// Bounds of a proof.
static constexpr size_t mostTerms = 400, mostForms = 60000;
static constexpr unsigned mostCases = 7;

NormalForms::NormalForms() { intern(Monomials()); }

double NormalForms::shared(double coefficient) {
  auto next = coefficients.lower_bound(coefficient);
  if (next != coefficients.end() && next->first == coefficient)
    return next->second;
  auto isNear = [&](double other) {
    return std::fabs(other - coefficient) <=
           relativeTolerance * std::fabs(coefficient);
  };
  double chosen = coefficient;
  if (next != coefficients.end() && isNear(next->second))
    chosen = next->second;
  else if (next != coefficients.begin() && isNear(std::prev(next)->second))
    chosen = std::prev(next)->second;
  coefficients[coefficient] = chosen;
  return chosen;
}

bool NormalForms::hasSameAtoms(const Monomial &a, const Monomial &b) {
  return a.exponent == b.exponent && a.powers == b.powers;
}

bool NormalForms::isBefore(const Monomial &a, const Monomial &b) {
  if (a.exponent != b.exponent)
    return a.exponent < b.exponent;
  return std::lexicographical_compare(a.powers.begin(), a.powers.end(),
                                      b.powers.begin(), b.powers.end());
}

NormalForms::Form NormalForms::intern(Monomials terms) {
  llvm::erase_if(terms,
                 [&](const Monomial &term) { return isImpossible(term); });
  llvm::sort(terms, isBefore);
  // Terms with equal atoms are neighbours now: their coefficients are added.
  Monomials merged;
  for (size_t i = 0; i < terms.size();) {
    double sum = 0, largest = 0;
    size_t next = i;
    for (; next < terms.size() && hasSameAtoms(terms[i], terms[next]); ++next) {
      sum += terms[next].coefficient;
      largest = std::max(largest, std::fabs(terms[next].coefficient));
    }
    // A difference within the tolerance is a cancellation, not a small term.
    const bool isCancelled =
        next > i + 1 && std::fabs(sum) <= 2 * relativeTolerance * largest;
    if (sum != 0 && !isCancelled) {
      terms[i].coefficient = shared(sum);
      merged.push_back(std::move(terms[i]));
    }
    i = next;
  }
  // The budget of one proof; after it all forms are zero and prove nothing.
  if (merged.size() > mostTerms || forms.size() > mostForms) {
    spent = true;
    return zero;
  }
  // Equal terms have equal keys: forms are compared by number.
  Key key;
  for (const Monomial &term : merged) {
    key.push_back(llvm::bit_cast<int64_t>(term.coefficient));
    key.push_back(term.exponent);
    key.push_back(int64_t(term.powers.size()));
    for (auto [atom, power] : term.powers)
      key.insert(key.end(), {int64_t(atom), power});
  }
  auto [entry, isNew] = formNumbers.try_emplace(std::move(key), forms.size());
  if (!isNew)
    return entry->second;
  FormData data;
  for (const Monomial &term : merged) {
    llvm::append_range(data.free, freeOf(term));
    data.height = std::max(data.height, heightOf(term));
  }
  llvm::sort(data.free);
  data.free.erase(llvm::unique(data.free), data.free.end());
  data.terms = std::move(merged);
  forms.push_back(std::move(data));
  return entry->second;
}

NormalForms::AtomId NormalForms::intern(Atom atom) {
  Key key = {int64_t(atom.kind), atom.identity, atom.isCondition,
             int64_t(atom.bound.size()), int64_t(atom.forms.size())};
  for (const Variable &variable : atom.bound)
    key.insert(key.end(), {int64_t(variable.number), variable.extent});
  for (const LinearForm &form : atom.forms) {
    key.insert(key.end(), {form.offset, int64_t(form.terms.size())});
    for (auto [variable, coefficient] : form.terms)
      key.insert(key.end(), {int64_t(variable), coefficient});
  }
  key.insert(key.end(), atom.operands.begin(), atom.operands.end());
  auto [entry, isNew] = atomNumbers.try_emplace(std::move(key), atoms.size());
  if (!isNew)
    return AtomId(entry->second);
  // Free variables are those of the parts without the bound ones.
  for (const LinearForm &form : atom.forms)
    for (auto [variable, coefficient] : form.terms)
      atom.free.push_back(variable);
  for (Form operand : atom.operands) {
    llvm::append_range(atom.free, freeOf(operand));
    atom.height = std::max(atom.height, forms[operand].height);
  }
  llvm::sort(atom.free);
  atom.free.erase(llvm::unique(atom.free), atom.free.end());
  llvm::erase_if(atom.free, [&](unsigned number) {
    return llvm::any_of(atom.bound,
                        [&](Variable v) { return v.number == number; });
  });
  // Bound variables are named by height: nested sums do not reuse a name.
  atom.height += atom.bound.size();
  atoms.push_back(std::move(atom));
  return AtomId(entry->second);
}

SmallVector<unsigned, 4> NormalForms::freeOf(const Monomial &monomial) const {
  SmallVector<unsigned, 4> free(freeOf(monomial.exponent));
  for (auto [atom, power] : monomial.powers)
    llvm::append_range(free, get(atom).free);
  llvm::sort(free);
  free.erase(llvm::unique(free), free.end());
  return free;
}

unsigned NormalForms::heightOf(const Monomial &monomial) const {
  unsigned height =
      monomial.exponent == zero ? 0 : forms[monomial.exponent].height;
  for (auto [atom, power] : monomial.powers)
    height = std::max(height, get(atom).height);
  return height;
}

NormalForms::Form NormalForms::of(AtomId atom, int power) {
  Monomial monomial;
  monomial.powers.push_back({atom, power});
  return of(std::move(monomial));
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

NormalForms::Form NormalForms::infinity() {
  Atom atom;
  atom.kind = Kind::Infinity;
  return of(intern(std::move(atom)));
}

NormalForms::Form NormalForms::number(double value) {
  if (std::isnan(value)) {
    spent = true;
    return zero;
  }
  if (std::isinf(value))
    return scale(infinity(), value > 0 ? 1 : -1);
  Monomial monomial;
  monomial.coefficient = value;
  return of(std::move(monomial));
}

NormalForms::Form NormalForms::element(int64_t identity,
                                       ArrayRef<LinearForm> position,
                                       bool isCondition,
                                       ArrayRef<Form> operands) {
  Atom atom;
  atom.kind = Kind::Element;
  atom.identity = identity;
  atom.isCondition = isCondition;
  atom.forms.assign(position.begin(), position.end());
  atom.operands.assign(operands.begin(), operands.end());
  return of(intern(std::move(atom)));
}

// Of a condition and its opposite, the one whose form has an offset of 0 or
// more is the atom: renaming variables keeps it one.
NormalForms::Form NormalForms::isNotNegative(LinearForm form) {
  if (form.terms.empty())
    return number(form.offset >= 0);
  const bool isOpposite = form.offset < 0;
  if (isOpposite) {
    form.offset = -form.offset - 1;
    for (auto &[variable, coefficient] : form.terms)
      coefficient = -coefficient;
  }
  Atom atom;
  atom.kind = Kind::NotNegative;
  atom.isCondition = true;
  atom.forms.push_back(std::move(form));
  Form condition = of(intern(std::move(atom)));
  return isOpposite ? negated(condition) : condition;
}

NormalForms::Form NormalForms::linear(const LinearForm &form) {
  Form sum = number(double(form.offset));
  for (auto [variable, coefficient] : form.terms) {
    Atom atom;
    atom.kind = Kind::Index;
    atom.forms.push_back({0, {{variable, 1}}});
    sum = add(sum, of(intern(std::move(atom))), double(coefficient));
  }
  return sum;
}

std::optional<LinearForm> NormalForms::linearOf(Form a) const {
  LinearForm form;
  for (const Monomial &term : termsOf(a)) {
    const double c = term.coefficient;
    // Whole numbers that f64 holds exactly.
    if (term.exponent != zero || c != std::floor(c) || std::fabs(c) > 0x1p52)
      return std::nullopt;
    if (term.powers.empty()) {
      form.offset = int64_t(c);
      continue;
    }
    const auto [atom, power] = term.powers[0];
    if (term.powers.size() != 1 || power != 1 || get(atom).kind != Kind::Index)
      return std::nullopt;
    form.terms.push_back({get(atom).free[0], int64_t(c)});
  }
  llvm::sort(form.terms);
  return form;
}

NormalForms::Form NormalForms::apply(int64_t identity, ArrayRef<Form> operands,
                                     bool isCondition) {
  return applyOver(identity, {}, operands, isCondition);
}

NormalForms::Form NormalForms::applyOver(int64_t identity,
                                         const Variables &variables,
                                         ArrayRef<Form> operands,
                                         bool isCondition) {
  Atom atom;
  atom.kind = Kind::Application;
  atom.identity = identity;
  atom.isCondition = isCondition;
  unsigned height = 0;
  for (Form operand : operands)
    height = std::max(height, forms[operand].height);
  Renaming names;
  // Names follow from the height alone, so that equal applications are one
  // atom.
  for (const Variable &variable : variables) {
    atom.bound.push_back(
        {1000 + height + unsigned(names.size()), variable.extent});
    names.push_back({variable.number, atom.bound.back().number});
  }
  for (Form operand : operands)
    atom.operands.push_back(renamed(operand, names));
  return of(intern(std::move(atom)));
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

NormalForms::Form NormalForms::add(Form a, Form b, double factor) {
  Monomials terms = termsOf(a);
  for (Monomial term : termsOf(b)) {
    term.coefficient *= factor;
    terms.push_back(std::move(term));
  }
  return intern(std::move(terms));
}

void NormalForms::normalise(Monomial &monomial) {
  llvm::sort(monomial.powers);
  SmallVector<std::pair<AtomId, int>, 4> powers;
  for (auto [atom, power] : monomial.powers) {
    if (!powers.empty() && powers.back().first == atom)
      powers.back().second += power;
    else
      powers.push_back({atom, power});
    if (get(atom).isCondition)
      powers.back().second = std::min(powers.back().second, 1);
  }
  llvm::erase_if(powers, [](const auto &power) { return power.second == 0; });
  // Of f + a >= 0 and f + b >= 0, the one with the smaller offset says both.
  auto isImplied = [&](AtomId id) {
    return llvm::any_of(powers, [&](const auto &other) {
      const Atom &a = get(id), &b = get(other.first);
      return a.kind == Kind::NotNegative && b.kind == Kind::NotNegative &&
             a.forms[0].terms == b.forms[0].terms &&
             b.forms[0].offset < a.forms[0].offset;
    });
  };
  monomial.powers.clear();
  for (const auto &power : powers)
    if (!isImplied(power.first))
      monomial.powers.push_back(power);
}

NormalForms::Monomial NormalForms::product(const Monomial &a,
                                           const Monomial &b) {
  Monomial result = a;
  result.coefficient *= b.coefficient;
  llvm::append_range(result.powers, b.powers);
  result.exponent = a.exponent == zero   ? b.exponent
                    : b.exponent == zero ? a.exponent
                                         : add(a.exponent, b.exponent);
  normalise(result);
  return result;
}

NormalForms::Form NormalForms::multiply(Form a, Form b) {
  Monomials terms;
  const Monomials left = termsOf(a), right = termsOf(b);
  if (left.size() * right.size() > 4 * mostTerms) {
    spent = true;
    return zero;
  }
  for (const Monomial &x : left)
    for (const Monomial &y : right)
      terms.push_back(product(x, y));
  return intern(std::move(terms));
}

std::optional<double> NormalForms::constantOf(Form a) const {
  const Monomials &terms = termsOf(a);
  if (terms.empty())
    return 0;
  const Monomial &term = terms[0];
  if (terms.size() != 1 || term.exponent != zero)
    return std::nullopt;
  if (term.powers.empty())
    return term.coefficient;
  const auto [atom, power] = term.powers[0];
  if (term.powers.size() == 1 && power == 1 && get(atom).kind == Kind::Infinity)
    return std::copysign(std::numeric_limits<double>::infinity(),
                         term.coefficient);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::optional<NormalForms::AtomId> NormalForms::conditionIn(Form a) const {
  for (const Monomial &term : termsOf(a))
    for (auto [atom, power] : term.powers)
      if (get(atom).isCondition)
        return atom;
  return std::nullopt;
}

NormalForms::Form NormalForms::decided(Form a, AtomId condition, bool value) {
  Monomials terms;
  for (Monomial term : termsOf(a)) {
    const size_t count = term.powers.size();
    llvm::erase_if(term.powers,
                   [&](const auto &power) { return power.first == condition; });
    if (value || term.powers.size() == count)
      terms.push_back(std::move(term));
  }
  return intern(std::move(terms));
}

NormalForms::Form
NormalForms::casesOf(SmallVector<Form, 3> operands, unsigned depth,
                     llvm::function_ref<Form(ArrayRef<Form>)> f) {
  std::optional<AtomId> condition;
  for (Form operand : operands)
    if (!condition)
      condition = conditionIn(operand);
  if (!condition)
    return f(operands);
  // Each condition doubles the cases.
  if (depth == mostCases) {
    spent = true;
    return zero;
  }
  auto side = [&](bool value) {
    SmallVector<Form, 3> chosen;
    for (Form operand : operands)
      chosen.push_back(decided(operand, *condition, value));
    return casesOf(std::move(chosen), depth + 1, f);
  };
  Form ifTrue = side(true), ifFalse = side(false);
  return select(of(*condition), ifTrue, ifFalse);
}

NormalForms::Form
NormalForms::byCases(ArrayRef<Form> operands,
                     llvm::function_ref<Form(ArrayRef<Form>)> f) {
  return casesOf(SmallVector<Form, 3>(operands), 0, f);
}

NormalForms::Form NormalForms::select(Form condition, Form ifTrue,
                                      Form ifFalse) {
  if (ifTrue == ifFalse)
    return ifTrue;
  return add(multiply(condition, ifTrue),
             multiply(negated(condition), ifFalse));
}

// Conditions that are equal up to positive factors of the terms are one atom:
// the sum of the conditions alone.
std::optional<NormalForms::Form> NormalForms::isEmpty(Form a) {
  // A number of terms, where nothing hides any of them.
  if (std::optional<double> count = constantOf(a); count && *count >= 0)
    return number(*count == 0);
  // One sum with a positive coefficient: it is 0 if none of its terms is.
  const Monomials terms = termsOf(a);
  if (terms.size() != 1 || terms[0].powers.size() != 1 ||
      !(terms[0].coefficient > 0) || terms[0].powers[0].second != 1)
    return std::nullopt;
  const Atom &sum = get(terms[0].powers[0].first);
  if (sum.kind != Kind::Sum)
    return std::nullopt;
  // A sum's body is one monomial.
  const Monomial &body = termsOf(sum.operands[0])[0];
  Monomial conditions;
  for (const auto &power : body.powers) {
    if (get(power.first).isCondition)
      conditions.powers.push_back(power);
    else if (!isPositive(power.first))
      return std::nullopt;
  }
  if (conditions.powers.empty())
    return zero; // no term is ever hidden
  const Monomials counted = termsOf(sumOf(Variables(sum.bound), conditions));
  if (counted.size() != 1 || counted[0].powers.size() != 1 ||
      get(counted[0].powers[0].first).kind != Kind::Sum)
    return std::nullopt;
  Atom atom;
  atom.kind = Kind::Empty;
  atom.isCondition = true;
  atom.operands.push_back(of(counted[0].powers[0].first));
  return of(intern(std::move(atom)));
}

bool NormalForms::isImpossible(const Monomial &monomial) {
  return llvm::any_of(monomial.powers, [&](const auto &power) {
    if (get(power.first).kind != Kind::Empty)
      return false;
    const Form operand = get(power.first).operands[0];
    const Atom sum = get(termsOf(operand)[0].powers[0].first);
    return shows(monomial, {}, termsOf(sum.operands[0])[0], sum.bound, {});
  });
}

// A choice of the bound variables for which all conditions are factors, of the
// monomial or of the terms of one of its sums.
bool NormalForms::shows(const Monomial &monomial, const Variables &scope,
                        const Monomial &hiding, ArrayRef<Variable> bound,
                        Renaming names) {
  // All bound variables are chosen: the conditions must be among the factors.
  if (bound.empty())
    return llvm::all_of(hiding.powers, [&](const auto &power) {
      const AtomId wanted = renamed(power.first, names);
      return llvm::any_of(monomial.powers, [&](const auto &other) {
        return other.first == wanted;
      });
    });
  for (unsigned variable : freeOf(monomial)) {
    // A variable can only stand for one of the same extent.
    const auto *inner = llvm::find_if(
        scope, [&](Variable known) { return known.number == variable; });
    const int64_t extent = inner != scope.end() ? inner->extent
                           : extentOf           ? extentOf(variable)
                                                : 0;
    if (extent != bound[0].extent)
      continue;
    Renaming chosen = names;
    chosen.push_back({bound[0].number, variable});
    if (shows(monomial, scope, hiding, bound.drop_front(), chosen))
      return true;
  }
  // Or within one of its sums, from the start again.
  return names.empty() && llvm::any_of(monomial.powers, [&](const auto &power) {
           const Atom sum = get(power.first);
           if (sum.kind != Kind::Sum || power.second < 1)
             return false;
           Variables within = scope;
           llvm::append_range(within, sum.bound);
           return shows(termsOf(sum.operands[0])[0], within, hiding, bound, {});
         });
}

bool NormalForms::isOfSums(Form a) const {
  return llvm::all_of(termsOf(a), [&](const Monomial &term) {
    return term.exponent == zero && term.powers.size() == 1 &&
           get(term.powers[0].first).kind == Kind::Sum;
  });
}

//===----------------------------------------------------------------------===//
// Reciprocals and exponentials
//===----------------------------------------------------------------------===//

bool NormalForms::isPositive(AtomId id) const {
  const Atom &atom = get(id);
  return atom.kind == Kind::Sum && isPositive(atom.operands[0]);
}

// Conditions may hide terms: a sum without any is 0, in rows that no rule of a
// fusion speaks of.
bool NormalForms::isPositive(Form a) const {
  return !termsOf(a).empty() && llvm::all_of(termsOf(a), [&](const auto &term) {
    return term.coefficient > 0 && term.exponent != zero &&
           llvm::all_of(term.powers, [&](const auto &power) {
             return get(power.first).isCondition || isPositive(power.first);
           });
  });
}

NormalForms::Form NormalForms::inverse(Form a, unsigned depth) {
  // A condition decides between two divisors.
  // Each condition is decided once per level, up to `mostCases` levels.
  std::set<AtomId> tried;
  for (const Monomial &term : Monomials(termsOf(a)))
    for (auto [atom, power] : term.powers) {
      if (!get(atom).isCondition || depth == mostCases ||
          !tried.insert(atom).second)
        continue;
      const Form yes = decided(a, atom, true), no = decided(a, atom, false);
      if (yes != zero && no != zero) {
        const Form ifTrue = inverse(yes, depth + 1);
        return select(of(atom), ifTrue, inverse(no, depth + 1));
      }
    }
  const Monomials terms = termsOf(a);
  // 1 / 0 has no form.
  if (terms.empty()) {
    spent = true;
    return zero;
  }
  // What all terms have in common, and the largest coefficient.
  Monomial common = terms[0];
  Monomials exponents = termsOf(terms[0].exponent);
  for (const Monomial &term : terms) {
    // Exponents: parts that every term has.
    llvm::erase_if(exponents, [&](const Monomial &part) {
      return llvm::none_of(termsOf(term.exponent), [&](const Monomial &other) {
        return hasSameAtoms(part, other) &&
               part.coefficient == other.coefficient;
      });
    });
    for (auto &[atom, power] : common.powers) {
      const auto *other =
          llvm::find_if(term.powers, [&, id = atom](const auto &entry) {
            return entry.first == id;
          });
      // The least power of each atom.
      power = std::min(power, other == term.powers.end() ? 0 : other->second);
    }
    const double c = term.coefficient, most = common.coefficient;
    if (std::fabs(c) > std::fabs(most) ||
        (std::fabs(c) == std::fabs(most) && c > most))
      common.coefficient = c;
  }
  llvm::erase_if(common.powers, [&](const auto &power) {
    return power.second <= 0 ||
           (get(power.first).isCondition && terms.size() > 1);
  });
  common.exponent = intern(std::move(exponents));
  // The terms without what they have in common, times the inverse of that.
  Monomials rest;
  for (Monomial term : terms) {
    term.coefficient /= common.coefficient;
    term.exponent = add(term.exponent, common.exponent, -1);
    for (auto [atom, power] : common.powers)
      term.powers.push_back({atom, -power});
    normalise(term);
    rest.push_back(std::move(term));
  }
  Monomial result;
  result.coefficient = 1 / common.coefficient;
  result.exponent = scale(common.exponent, -1);
  Form product = of(result);
  auto divideBy = [&](Form divisor, int power) {
    Atom atom;
    atom.kind = Kind::Inverse;
    atom.operands = {divisor};
    product = multiply(product, of(intern(std::move(atom)), power));
  };
  for (auto [atom, power] : common.powers) {
    // Only what is never 0 may have a negative power; else its inverse is an
    // atom.
    if (isPositive(atom))
      product = multiply(product, of(atom, -power));
    else if (get(atom).kind == Kind::Inverse)
      for (int i = 0; i < power; ++i)
        product = multiply(product, Form(get(atom).operands[0]));
    else
      divideBy(of(atom), power);
  }
  // A negative power of one term is a power of its sum.
  Form remaining = intern(std::move(rest));
  const Monomials left = termsOf(remaining);
  if (left.size() == 1 && left[0].exponent == zero &&
      llvm::all_of(left[0].powers,
                   [](const auto &power) { return power.second < 0; })) {
    for (auto [atom, power] : left[0].powers)
      product = multiply(product, of(atom, -power));
    return product;
  }
  divideBy(remaining, 1);
  return product;
}

NormalForms::Form NormalForms::exp(Form a) {
  return byCases({a}, [&](ArrayRef<Form> cases) {
    Monomials exponent;
    Form powers = number(1);
    // exp of a sum is a product; each term is a case.
    for (const Monomial &term : Monomials(termsOf(cases[0]))) {
      const bool isSingle = term.powers.size() == 1 &&
                            term.powers[0].second == 1 && term.exponent == zero;
      // exp of the least number is 0.
      if (term.powers.empty() && term.exponent == zero &&
          term.coefficient <= least)
        return zero;
      const bool isInfinite = llvm::any_of(term.powers, [&](const auto &p) {
        return get(p.first).kind == Kind::Infinity;
      });
      if (isInfinite) {
        // exp(-infinity) is 0; +infinity has no form.
        spent |= !isSingle || term.coefficient > 0;
        return zero;
      }
      const double c = term.coefficient;
      // exp(c log x) is a power of x, for small whole c.
      if (isSingle && get(term.powers[0].first).kind == Kind::Logarithm &&
          c == std::floor(c) && std::fabs(c) <= 4) {
        const Form base = get(term.powers[0].first).operands[0];
        const Form factor = c < 0 ? inverse(base) : base;
        for (int i = 0; i < int(std::fabs(c)); ++i)
          powers = multiply(powers, factor);
        continue;
      }
      exponent.push_back(term);
    }
    Monomial result;
    result.exponent = intern(std::move(exponent));
    return multiply(powers, of(std::move(result)));
  });
}

NormalForms::Form NormalForms::log(Form a) {
  Atom atom;
  atom.kind = Kind::Logarithm;
  atom.operands = {a};
  return of(intern(std::move(atom)));
}

std::set<int64_t> NormalForms::functionsIn(Form a) const {
  std::set<int64_t> found;
  std::set<Form> seen;
  SmallVector<Form> pending = {a};
  while (!pending.empty()) {
    const Form form = pending.pop_back_val();
    if (!seen.insert(form).second)
      continue;
    for (const Monomial &term : termsOf(form)) {
      pending.push_back(term.exponent);
      for (auto [atom, power] : term.powers) {
        llvm::append_range(pending, get(atom).operands);
        if (get(atom).kind == Kind::Application)
          found.insert(get(atom).identity);
      }
    }
  }
  return found;
}
