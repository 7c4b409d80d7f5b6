// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AdamW in any decomposition.
//
// m' = b1 * m + (1 - b1) * g, v' = b2 * v + (1 - b2) * g^2 and
// w' = decay * w - step * m' / (sqrt(v') + eps), whatever their association.
// The root of v' / c is that of v' divided by sqrt(c), so that the form that
// corrects the bias of v' before it adds eps has the eps of the other form
// times sqrt(c), and a step divided by it: one formula for both.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Constants agree up to the rounding of a few f32 operations.
static bool isEqual(double a, double b) {
  return std::fabs(a - b) <= 2e-6 * std::fabs(b);
}

/// The beta of an op whose factors of the old and the new value, each rounded
/// once to f32, are these; nothing if they do not add up to 1.
static std::optional<double> betaOf(double old, double added) {
  if (!(old >= 0 && old < 1))
    return std::nullopt;
  const double candidates[] = {decimalOf(old), 1 - double(float(added)),
                               double(float(old))};
  for (double beta : candidates)
    if (float(beta) == float(old) && float(1 - beta) == float(added))
      return beta;
  for (double beta : candidates)
    if (isEqual(beta, old) && isEqual(1 - beta, added))
      return beta;
  return std::nullopt;
}

/// What 1 - beta may be: the number that was meant, or that of the rounded
/// beta.
static std::array<double, 2> complements(double beta) {
  return {double(float(1 - decimalOf(beta))), 1 - beta};
}

namespace {
class AdamWMatcher {
public:
  AdamWMatcher(Algebra &algebra, ElementId newParameter, Mismatch &mismatch)
      : algebra(algebra), elements(algebra.elements), parts(algebra),
        newParameter(newParameter), mismatch(mismatch) {}

  std::optional<OptimizerStep> match(ElementId first, ElementId second) {
    OptimizerStep step;
    step.kind = OptimizerStep::AdamW;
    step.newParameter = newParameter;
    step.newStates = {first, second};
    if (!matchMoments(step) || !matchUpdate(step))
      return std::nullopt;
    takeWeightDecay(step);
    return step;
  }

private:
  bool fail(ElementId at, const Twine &reason) {
    mismatch = {reason.str(), at};
    return false;
  }

  bool matchMoments(OptimizerStep &step) {
    const ElementId first = step.newStates[0], second = step.newStates[1];
    bool hasSquare = false, hasFirst = false;
    Mismatch factors;
    // Each moment may be read as an accumulation in several ways: which of its
    // terms is the old value is not known.
    for (const Accumulation &m : accumulationsOf(algebra, first))
      for (const Accumulation &v : accumulationsOf(algebra, second)) {
        if ((!m.decay || !v.decay) && m.old != v.old) {
          factors = {"the factors of the moments are not constants; "
                     "gaudi.fused_adamw has them as attributes",
                     first};
          continue;
        }
        // The second moment adds the square of what the first one adds.
        std::optional<Monomial> square = squareOf(v);
        hasSquare |= square.has_value();
        const Monomial *single = m.added.single();
        hasFirst |= single != nullptr;
        if (!square || !single || m.old == v.old)
          continue;
        const Monomial gradient = algebra.factorsOf(*single);
        // The powers must be those of the square; coefficients give the betas.
        if ((gradient * gradient).powers != square->powers)
          continue;
        std::optional<double> scale =
            solveBetas(*m.decay, gradient.coefficient, *v.decay,
                       square->coefficient, step);
        if (!scale) {
          factors = {llvm::formatv(
                         "the factors of the moments, {0} and {1}, {2} and {3},"
                         " do not add up to 1",
                         numberText(*m.decay), numberText(gradient.coefficient),
                         numberText(*v.decay), numberText(square->coefficient)),
                     first};
          continue;
        }
        step.states = {m.old, v.old};
        return takeGradient(m, gradient.coefficient / *scale, step);
      }
    // The most specific reason: factors, then squares, then the first moment.
    if (!factors.reason.empty()) {
      mismatch = factors;
      return false;
    }
    if (!hasSquare)
      return fail(second, "the second moment, '" + parts.name(second) +
                              "', does not add a square to a constant times "
                              "its old value");
    if (!hasFirst)
      return fail(first, "the first moment, '" + parts.name(first) +
                             "', does not add a multiple of the gradient to a "
                             "constant times its old value");
    return fail(first, "the second moment does not add the square of what the "
                       "first moment, '" +
                           parts.name(first) + "', adds");
  }

  /// The factors of a sum of one term that is a square of tensors.
  std::optional<Monomial> squareOf(const Accumulation &v) {
    const Monomial *single = v.added.single();
    if (!single)
      return std::nullopt;
    Monomial factors = algebra.factorsOf(*single);
    for (const Power &power : factors.powers)
      if (power.halves % 4 != 0)
        return std::nullopt;
    if (factors.powers.empty() || factors.coefficient <= 0)
      return std::nullopt;
    return factors;
  }

  /// first = (1 - b1) * s and second = (1 - b2) * s^2 for the constant scale s
  /// of the gradient, which it gives.
  std::optional<double> solveBetas(double old1, double first, double old2,
                                   double second, OptimizerStep &step) {
    std::optional<double> best;
    for (double c1 : complements(old1))
      for (double c2 : complements(old2)) {
        const double scale = isEqual(first, c1) ? 1 : first / c1;
        const double added2 = second / (scale * scale);
        auto beta1 = betaOf(old1, first / scale), beta2 = betaOf(old2, added2);
        if (!beta1 || !beta2 || !isEqual(added2, c2) || (best && scale != 1))
          continue;
        best = scale;
        step.beta1 = *beta1;
        step.beta2 = *beta2;
      }
    return best;
  }

  /// The first moment adds `complement * scale * gradient`.
  bool takeGradient(const Accumulation &m, double complement,
                    OptimizerStep &step) {
    const int64_t size = elements.at(newParameter).size;
    auto gradient = parts.gradientOf(m.added, m.old, size, step.gradScale);
    if (!gradient)
      return fail(step.newStates[0],
                  "the first moment, '" + parts.name(step.newStates[0]) +
                      "', does not add a multiple of one tensor");
    step.gradient = *gradient;
    // The second moment must not have the gradient before it was rounded.
    const Element &node = elements.at(*gradient);
    if (node.kind == Element::Round &&
        llvm::is_contained(
            elements.cone(step.newStates[1], {*gradient, step.states[1]}),
            node.operands[0]))
      return fail(*gradient,
                  "the second moment adds the square of the gradient "
                  "before '" +
                      parts.name(*gradient) + "' rounds it");
    step.gradScale = step.gradScale * Monomial{1 / complement, {}};
    if (auto rest = step.gradScale.constant(); rest && isEqual(*rest, 1))
      step.gradScale = Expression(1.0);
    return true;
  }

  /// w' = decay * w - step_size * m' / (sqrt(v') + eps)
  bool matchUpdate(OptimizerStep &step) {
    const ElementId first = step.newStates[0], second = step.newStates[1];
    Mismatch best{"no tensor that it replaces takes part in the step",
                  newParameter};
    // Any tensor of the new parameter's size may be the old one.
    for (ElementId parameter :
         parts.parametersOf(newParameter, {first, second})) {
      if (llvm::is_contained(step.states, parameter))
        continue;
      // The op's weight comes from moments before they are rounded.
      if (algebra.isRounded(first) || algebra.isRounded(second))
        continue;
      Formula formula(algebra, {first, second, parameter});
      formula.mayGuard = true;
      // A sum of the old parameter, the update, and nothing else.
      auto sum = formula.partsOf(formula.ofStored(newParameter));
      Expression decay;
      const Formula::Part *update = nullptr;
      unsigned others = 0;
      for (const Formula::Part &part : sum) {
        if (part.keyed.size() == 1 &&
            part.keyed[0] == Power{{false, parameter}, 2})
          decay = part.factor;
        else if (!update && llvm::any_of(part.keyed, [&](const Power &power) {
                   return power.atom == Atom{false, first};
                 }))
          update = &part;
        else
          ++others;
      }
      if (formula.opaque && !update) {
        best = {"the step depends on the moments through '" +
                    parts.name(*formula.opaque) + "'",
                *formula.opaque};
        continue;
      }
      // Without the old value this tensor is not the parameter.
      if (decay.terms.empty())
        continue;
      if (!update || others || !algebra.isUniform(decay)) {
        best = {"the parameter also gets terms other than its old value and "
                "the first moment divided by the root of the second",
                newParameter};
        continue;
      }
      step.parameter = parameter;
      return matchDenominator(formula, *update, decay, step);
    }
    mismatch = best;
    return false;
  }

  bool failUnproven(Formula::Unproven what) {
    if (what == Formula::Unproven::Sign)
      return fail(newParameter,
                  "the scalar by which the second moment is divided within the "
                  "root may be negative: where the moment is 0 the root is 0, "
                  "and that of gaudi.fused_adamw is no number");
    return fail(newParameter,
                "nothing proves that the scalar by which the root of the "
                "second moment is divided is no infinity: where it is one, the "
                "step is m' / eps, and that of gaudi.fused_adamw is not");
  }

  bool matchDenominator(Formula &formula, const Formula::Part &update,
                        const Expression &decay, OptimizerStep &step) {
    const Atom first{false, step.newStates[0]},
        second{false, step.newStates[1]};
    if (formula.opaque)
      return fail(*formula.opaque, "the step depends on the moments through '" +
                                       parts.name(*formula.opaque) + "'");
    Expression eps;
    const Power *root = nullptr;
    // The update is m' to the first power times one other power.
    for (const Power &power : update.keyed)
      if (!(power == Power{first, 2})) {
        if (root)
          return fail(newParameter, "the step has more factors than the first "
                                    "moment and the root of the second");
        root = &power;
      }
    if (!root || update.keyed.size() != 2)
      return fail(newParameter,
                  "the first moment is not divided by the root of the second");
    // sqrt(v') + eps, an atom to the power -1 (halves: -2).
    if (root->atom.isSum) {
      if (root->halves != -2 && formula.unproven == Formula::Unproven::Sign)
        return failUnproven(formula.unproven);
      if (root->halves != -2)
        return fail(newParameter, "eps is added inside the root of the second "
                                  "moment");
      for (const Formula::Part &part :
           formula.partsOf(algebra.sum(root->atom))) {
        // What has no key is eps; what has is the root with coefficient 1.
        if (part.keyed.empty())
          eps = part.factor;
        else if (part.keyed.size() != 1 ||
                 !(part.keyed[0] == Power{second, 1}) ||
                 part.factor.constant() != 1.0)
          return formula.unproven != Formula::Unproven::No
                     ? failUnproven(formula.unproven)
                     : fail(newParameter,
                            isRootOfSum(part.keyed)
                                ? "eps is added inside the root of the "
                                  "second moment"
                                : "the first moment is not divided by "
                                  "the root of the second");
      }
    } else if (!(*root == Power{second, -1})) {
      // Without eps it is v' to the power -1/2.
      return fail(newParameter,
                  "the first moment is not divided by the root of the second");
    }
    if (llvm::any_of(eps.terms,
                     [](const Monomial &term) { return term.coefficient < 0; }))
      return fail(newParameter, "eps is subtracted");
    step.scalars = {update.factor * Monomial{-1, {}}, eps, decay};
    if (formula.guard)
      step.epsGuard = Expression(*formula.guard);
    if (!algebra.isUniform(update.factor) || !algebra.isUniform(eps))
      return fail(newParameter,
                  "the step size or eps is not one number for all elements");
    return true;
  }

  bool isRootOfSum(ArrayRef<Power> keyed) {
    return keyed.size() == 1 && keyed[0].atom.isSum && keyed[0].halves == 1;
  }

  void takeWeightDecay(OptimizerStep &step) {
    step.l2 =
        parts.weightDecayOf(step.parameter, step.gradient, step.gradScale);
  }

  Algebra &algebra;
  Elements &elements;
  StepParts parts;
  const ElementId newParameter;
  Mismatch &mismatch;
};
} // namespace

SmallVector<ElementId, 1>
gaudi::fusion::rootedMoments(Elements &elements, ElementId parameter,
                             ArrayRef<ElementId> moments) {
  SmallVector<ElementId, 1> found;
  for (ElementId id : elements.cone(parameter, moments)) {
    const Element &node = elements.at(id);
    const bool isRoot =
        node.kind == Element::Sqrt ||
        (node.kind == Element::Pow &&
         llvm::is_contained({0.5, -0.5},
                            elements.constantOf(node.operands[1]).value_or(0)));
    if (!isRoot)
      continue;
    for (ElementId inner : elements.cone(node.operands[0], moments))
      if (llvm::is_contained(moments, inner) &&
          !llvm::is_contained(found, inner))
        found.push_back(inner);
  }
  return found;
}

std::optional<OptimizerStep>
gaudi::fusion::matchAdamW(Algebra &algebra, ElementId parameter,
                          ArrayRef<ElementId> moments, Mismatch &mismatch) {
  mismatch = {"the first moment is not divided by the root of the second",
              parameter};
  AdamWMatcher matcher(algebra, parameter, mismatch);
  for (ElementId second : rootedMoments(algebra.elements, parameter, moments))
    for (ElementId first : moments)
      if (first != second)
        if (auto step = matcher.match(first, second))
          return step;
  return std::nullopt;
}
