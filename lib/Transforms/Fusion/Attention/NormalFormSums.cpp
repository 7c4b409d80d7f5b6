// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over variables in normal form, and the names of their variables.
#include "NormalForm.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gaudi::fusion;

// Names of variables: those of a caller are small. A bound one is named by the
// number of names that are bound inside its body, so that no name is bound
// twice on a path, and equal bodies have equal names.
static constexpr unsigned firstBound = 1000, firstTemporary = 1u << 20,
                          dropped = ~0u;
/// Orders of variables that are tried if nothing tells them apart.
static constexpr unsigned mostOrders = 720;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15ull + b + 0x632BE59BD9B4E019ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  return x ^ (x >> 31);
}

static bool varies(ArrayRef<unsigned> free, unsigned variable) {
  return std::binary_search(free.begin(), free.end(), variable);
}

static int64_t coefficientOf(const LinearForm &form, unsigned variable) {
  for (auto [number, coefficient] : form.terms)
    if (number == variable)
      return coefficient;
  return 0;
}

//===----------------------------------------------------------------------===//
// Renaming
//===----------------------------------------------------------------------===//

static unsigned nameOf(unsigned variable,
                       ArrayRef<std::pair<unsigned, unsigned>> names) {
  for (auto [from, to] : names)
    if (from == variable)
      return to;
  return variable;
}

NormalForms::Variables NormalForms::withNewNames(const Variables &bound,
                                                 Renaming &names) {
  Variables renamed;
  for (const Variable &variable : bound) {
    renamed.push_back({firstTemporary + temporaries++, variable.extent});
    names.push_back({variable.number, renamed.back().number});
  }
  return renamed;
}

NormalForms::Form NormalForms::renamed(Form a, const Renaming &names) {
  Renaming used;
  for (auto name : names)
    if (varies(freeOf(a), name.first) && name.first != name.second)
      used.push_back(name);
  if (used.empty())
    return a;
  llvm::sort(used);
  std::vector<unsigned> key;
  for (auto [from, to] : used)
    key.insert(key.end(), {from, to});
  if (auto it = renamings.find({a, key}); it != renamings.end())
    return it->second;
  Monomials terms;
  for (const Monomial &term : Monomials(termsOf(a)))
    terms.push_back(renamed(term, used));
  Form result = intern(std::move(terms));
  // Names that are used once are not asked for again.
  if (llvm::all_of(used, [](auto name) {
        return name.first < firstTemporary && name.second < firstTemporary;
      }))
    renamings[{a, key}] = result;
  return result;
}

NormalForms::Monomial NormalForms::renamed(const Monomial &monomial,
                                           const Renaming &names) {
  Monomial result;
  result.coefficient = monomial.coefficient;
  result.exponent = renamed(monomial.exponent, names);
  for (auto [atom, power] : monomial.powers)
    result.powers.push_back({renamed(atom, names), power});
  normalise(result);
  return result;
}

NormalForms::AtomId NormalForms::renamed(AtomId id, const Renaming &names) {
  if (llvm::none_of(
          names, [&](auto name) { return varies(get(id).free, name.first); }))
    return id;
  Atom atom = get(id);
  // The bound variables get new names, lest they capture a name put in.
  if (atom.kind == Kind::Sum) {
    Renaming all = names;
    Variables bound = withNewNames(atom.bound, all);
    const Monomial body = termsOf(atom.operands[0])[0];
    return sumAtom(std::move(bound), renamed(body, all));
  }
  for (LinearForm &form : atom.forms) {
    LinearForm result{form.offset, {}};
    for (auto [variable, coefficient] : form.terms)
      if (unsigned name = nameOf(variable, names); name != dropped)
        result.terms.push_back({name, coefficient});
    llvm::sort(result.terms);
    form = std::move(result);
  }
  for (Form &operand : atom.operands)
    operand = renamed(operand, names);
  atom.free.clear();
  atom.height = 0;
  return intern(std::move(atom));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

NormalForms::Form NormalForms::sum(const Variables &variables, Form a) {
  Form result = zero;
  for (const Monomial &term : Monomials(termsOf(a)))
    result = add(result, sumOf(variables, term));
  return result;
}

// Sums among the factors become part of this one; then what shares variables,
// directly or not, is one sum, and the others are factors.
NormalForms::Form NormalForms::sumOf(const Variables &variables,
                                     const Monomial &monomial) {
  Variables all = variables;
  Monomial flat;
  flat.coefficient = monomial.coefficient;
  flat.exponent = monomial.exponent;
  for (auto [id, power] : monomial.powers) {
    // Inner sums that do not vary with these variables are constants here.
    const bool isWithin =
        get(id).kind == Kind::Sum && power > 0 &&
        llvm::any_of(variables, [&, id = id](const Variable &variable) {
          return varies(get(id).free, variable.number);
        });
    if (!isWithin) {
      flat.powers.push_back({id, power});
      continue;
    }
    for (int copy = 0; copy < power; ++copy) {
      // Powers are products of sums with variables of their own.
      Renaming names;
      llvm::append_range(all, withNewNames(get(id).bound, names));
      const Monomial body = termsOf(get(id).operands[0])[0];
      flat = product(flat, renamed(body, names));
    }
  }
  normalise(flat);

  // Units: powers and parts of the exponent. Those that share a variable must
  // be in one sum, the others are factors.
  SmallVector<Monomial, 8> units;
  for (const auto &power : flat.powers) {
    units.emplace_back();
    units.back().powers.push_back(power);
  }
  for (const Monomial &term : Monomials(termsOf(flat.exponent))) {
    units.emplace_back();
    units.back().exponent = of(term);
  }
  llvm::EquivalenceClasses<unsigned> shared;
  SmallVector<SmallVector<unsigned, 4>, 8> within; // variables of each unit
  for (const Monomial &unit : units) {
    const SmallVector<unsigned, 4> free = freeOf(unit);
    within.emplace_back();
    for (const Variable &variable : all)
      if (varies(free, variable.number))
        within.back().push_back(variable.number);
    for (unsigned number : within.back())
      shared.unionSets(within.back()[0], number);
  }
  Monomial result;
  result.coefficient = flat.coefficient;
  // A variable that nothing varies with counts its extent.
  for (const Variable &variable : all)
    if (llvm::none_of(within, [&](const auto &numbers) {
          return llvm::is_contained(numbers, variable.number);
        }))
      result.coefficient *= double(variable.extent);
  std::map<unsigned, std::pair<Variables, Monomial>> parts; // by leader
  for (auto [unit, numbers] : llvm::zip_equal(units, within)) {
    Monomial &part = numbers.empty()
                         ? result
                         : parts[shared.getLeaderValue(numbers[0])].second;
    part = product(part, unit);
  }
  for (const Variable &variable : all)
    for (auto &[leader, part] : parts)
      if (shared.isEquivalent(leader, variable.number))
        part.first.push_back(variable);
  for (auto &[leader, part] : parts)
    result.powers.push_back({sumAtom(part.first, std::move(part.second)), 1});
  normalise(result);
  return of(std::move(result));
}

bool NormalForms::moveTogether(Form a, unsigned outer, unsigned inner,
                               int64_t extent) {
  return llvm::all_of(termsOf(a), [&](const Monomial &term) {
    return (term.exponent == zero ||
            moveTogether(term.exponent, outer, inner, extent)) &&
           llvm::all_of(term.powers, [&](const auto &power) {
             return moveTogether(power.first, outer, inner, extent);
           });
  });
}

bool NormalForms::moveTogether(AtomId id, unsigned outer, unsigned inner,
                               int64_t extent) {
  const Atom &atom = get(id);
  if (!varies(atom.free, outer) && !varies(atom.free, inner))
    return true;
  return atom.kind != Kind::Index &&
         llvm::all_of(atom.forms,
                      [&](const LinearForm &form) {
                        return coefficientOf(form, outer) ==
                               extent * coefficientOf(form, inner);
                      }) &&
         llvm::all_of(atom.operands, [&](Form operand) {
           return moveTogether(operand, outer, inner, extent);
         });
}

// Where a variable occurs, whatever its name and those of others are.
uint64_t NormalForms::traceOf(Form a, unsigned variable) {
  uint64_t trace = 0;
  if (varies(freeOf(a), variable))
    for (const Monomial &term : termsOf(a)) {
      uint64_t inside = mix(1, traceOf(term.exponent, variable));
      for (auto [atom, power] : term.powers)
        inside += mix(uint64_t(power), traceOf(atom, variable));
      trace += mix(2, inside);
    }
  return trace;
}

uint64_t NormalForms::traceOf(AtomId id, unsigned variable) {
  const Atom &atom = get(id);
  if (!varies(atom.free, variable))
    return 0;
  uint64_t trace = mix(uint64_t(atom.kind), uint64_t(atom.identity));
  for (const LinearForm &form : atom.forms)
    trace = mix(trace, uint64_t(coefficientOf(form, variable)));
  for (Form operand : atom.operands)
    trace = mix(trace, traceOf(operand, variable));
  return trace;
}

// Of all names that the variables could have, those are given with which the
// body comes first.
NormalForms::AtomId NormalForms::sumAtom(Variables bound, Monomial body) {
  body.coefficient = 1;
  // Variables that always occur as digits of one index are that index.
  for (bool isMerged = true; isMerged;) {
    isMerged = false;
    for (size_t outer = 0; outer < bound.size() && !isMerged; ++outer)
      for (size_t inner = 0; inner < bound.size() && !isMerged; ++inner) {
        if (outer == inner ||
            !moveTogether(of(body), bound[outer].number, bound[inner].number,
                          bound[inner].extent))
          continue;
        body = renamed(body, {{bound[outer].number, dropped}});
        bound[inner].extent *= bound[outer].extent;
        bound.erase(bound.begin() + outer);
        isMerged = true;
      }
  }
  const Form whole = of(body);
  struct Ranked {
    int64_t extent;
    uint64_t trace;
    unsigned number;
  };
  SmallVector<Ranked, 4> ranked;
  // Extents and traces order most variables; only ties are tried in all orders.
  for (const Variable &variable : bound)
    ranked.push_back(
        {variable.extent, traceOf(whole, variable.number), variable.number});
  auto rank = [](const Ranked &r) { return std::pair(r.extent, r.trace); };
  llvm::sort(ranked, [&](const Ranked &a, const Ranked &b) {
    return std::tuple(rank(a), a.number) < std::tuple(rank(b), b.number);
  });
  // Names by height, so that equal sums have equal names wherever they are.
  const unsigned base = firstBound + heightOf(body);
  std::optional<Monomial> first;
  unsigned orders = 0;
  // The orders that leave the ranks ascending.
  auto isOrdered = [&] {
    return llvm::is_sorted(ranked, [&](const Ranked &a, const Ranked &b) {
      return rank(a) < rank(b);
    });
  };
  do {
    // Permutations within equal ranks only.
    if (!isOrdered())
      continue;
    if (++orders > mostOrders) {
      spent = true;
      break;
    }
    Renaming names;
    for (auto [place, variable] : llvm::enumerate(ranked))
      names.push_back({variable.number, base + unsigned(place)});
    Monomial named = renamed(body, names);
    if (!first || isBefore(named, *first))
      first = std::move(named);
  } while (std::next_permutation(
      ranked.begin(), ranked.end(), [&](const Ranked &a, const Ranked &b) {
        return std::tuple(rank(a), a.number) < std::tuple(rank(b), b.number);
      }));
  Atom atom;
  atom.kind = Kind::Sum;
  llvm::sort(ranked, [&](const Ranked &a, const Ranked &b) {
    return rank(a) < rank(b);
  });
  for (auto [place, variable] : llvm::enumerate(ranked))
    atom.bound.push_back({base + unsigned(place), variable.extent});
  atom.operands = {of(*first)};
  if (atom.operands[0] == zero) { // only its names show that it is 0
    spent = true;
    atom.operands[0] = number(1);
  }
  return intern(std::move(atom));
}
