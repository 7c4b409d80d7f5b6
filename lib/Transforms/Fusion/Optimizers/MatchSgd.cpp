// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stochastic gradient descent in any decomposition.
//
// With momentum, b' = momentum * b + (1 - dampening) * g' and w' = w - lr * b',
// or, after Nesterov, w' = w - lr * (g' + momentum * b'); g' = g + decay * w.
#include "Steps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// w' = kept * w + buffer * b' + rest
struct Update {
  ElementId parameter;
  Expression kept, buffer, rest;
};
} // namespace

/// The update as a linear form of an old value and the buffer, if there is one;
/// nothing if it has other terms with them.
static std::optional<Update> linearUpdate(Algebra &algebra, ElementId node,
                                          ElementId parameter,
                                          std::optional<ElementId> buffer) {
  SmallVector<ElementId, 2> keys = {parameter};
  if (buffer)
    keys.push_back(*buffer);
  // The op's weight comes from a buffer before it is rounded.
  if (buffer && algebra.isRounded(*buffer))
    return std::nullopt;
  Formula formula(algebra, keys);
  Update update{parameter, {}, {}, {}};
  for (Formula::Part &part : formula.partsOf(formula.ofStored(node))) {
    if (part.keyed.empty())
      update.rest = part.factor;
    else if (part.keyed.size() == 1 &&
             part.keyed[0] == Power{{false, parameter}, 2})
      update.kept = part.factor;
    else if (buffer && part.keyed.size() == 1 &&
             part.keyed[0] == Power{{false, *buffer}, 2})
      update.buffer = part.factor;
    else
      return std::nullopt;
  }
  if (update.kept.terms.empty() || !algebra.isUniform(update.kept) ||
      !algebra.isUniform(update.buffer))
    return std::nullopt;
  return update;
}

/// weight_decay if kept = 1 - lr * weight_decay.
static std::optional<double> decayIn(const Expression &kept,
                                     const Expression &lr) {
  Expression lost(1.0);
  lost.add(kept, -1);
  if (auto number = lost.constant(); number && std::fabs(*number) < 1e-12)
    return 0.0;
  const Monomial *numerator = lost.single(), *denominator = lr.single();
  if (!numerator || !denominator || numerator->powers != denominator->powers)
    return std::nullopt;
  const double decay = numerator->coefficient / denominator->coefficient;
  // Constants were rounded before they met: 0.99999 has few digits of 1e-5.
  if (lost.constant())
    if (double rounded =
            std::strtod(llvm::formatv("{0:e2}", decay).str().c_str(), nullptr);
        float(1 - rounded * denominator->coefficient) ==
        float(1 - numerator->coefficient))
      return rounded;
  return decay;
}

/// True if the factors add up to 1: an average of the old value and another.
static bool isAverage(const Expression &a, const Expression &b) {
  Expression sum = a;
  sum.add(b);
  auto number = sum.constant();
  return number && std::fabs(*number - 1) < 1e-6 && !b.terms.empty();
}

std::optional<OptimizerStep>
gaudi::fusion::matchMomentum(Algebra &algebra, ElementId newParameter,
                             ElementId buffer, bool &isCandidate,
                             Mismatch &mismatch) {
  StepParts parts(algebra);
  isCandidate = false;
  const auto states = accumulationsOf(algebra, buffer);
  for (ElementId parameter : parts.parametersOf(newParameter, {buffer})) {
    auto update = linearUpdate(algebra, newParameter, parameter, buffer);
    // An average of weights has the form of a step, too.
    if (!update || update->buffer.terms.empty() ||
        isAverage(update->kept, update->buffer))
      continue;
    // The buffer may be read as an accumulation in several ways.
    for (const Accumulation &state : states) {
      if (state.old == parameter || !state.decay)
        continue;
      isCandidate = true;
      OptimizerStep step;
      step.kind = OptimizerStep::Sgd;
      step.parameter = parameter;
      step.newParameter = newParameter;
      step.states = {state.old};
      step.newStates = {buffer};
      step.momentum = decimalOf(*state.decay);
      const int64_t size = algebra.elements.at(newParameter).size;
      Expression scale;
      auto gradient = parts.gradientOf(state.added, state.old, size, scale);
      const Monomial *single = scale.single();
      if (!gradient || !single) {
        mismatch = {"the momentum buffer, '" + parts.name(buffer) +
                        "', does not add a multiple of one tensor",
                    buffer};
        continue;
      }
      // The constant factor of the gradient is 1 - dampening.
      step.dampening = 1 - decimalOf(single->coefficient);
      // The coefficient is rounded: what is left of 0 is 0.
      if (std::fabs(step.dampening) < 1e-7)
        step.dampening = 0;
      step.gradient = *gradient;
      step.gradScale = Expression(Monomial{1, single->powers});
      step.weightDecay =
          parts.weightDecayOf(parameter, step.gradient, step.gradScale);
      // Plain momentum: only the buffer changes the parameter.
      if (update->rest.terms.empty()) {
        step.scalars = {update->buffer * Monomial{-1, {}}};
        auto kept = update->kept.constant();
        if (kept && std::fabs(*kept - 1) < 1e-12)
          return step;
        mismatch = {"weight decay is not part of the gradient", newParameter};
        continue;
      }
      // Nesterov: the rest is -lr * g', the buffer's factor -lr * momentum.
      step.isNesterov = true;
      const Expression lr = update->buffer * Monomial{-1 / *state.decay, {}};
      step.scalars = {lr};
      Expression restScale;
      auto rest = parts.gradientOf(update->rest, parameter, size, restScale);
      // Then the rest must be the gradient with the same rate and decay.
      auto expected = product(lr, step.gradScale);
      if (rest == step.gradient && expected && step.dampening == 0 &&
          isClose(restScale * Monomial{-1, {}}, *expected)) {
        auto decay = decayIn(update->kept, lr);
        if (decay && std::fabs(*decay - step.weightDecay) <=
                         1e-4 * std::fabs(step.weightDecay))
          return step;
        mismatch = {"weight decay is not part of the gradient", newParameter};
        continue;
      }
      mismatch = {"the parameter also gets terms other than its old value, the "
                  "momentum buffer and the gradient of Nesterov's form",
                  newParameter};
    }
  }
  return std::nullopt;
}

std::optional<OptimizerStep>
gaudi::fusion::matchPlainSgd(Algebra &algebra, ElementId newParameter) {
  StepParts parts(algebra);
  // Without a state, any parameter of the result's size may be the old one.
  for (ElementId parameter : parts.parametersOf(newParameter, {})) {
    auto update = linearUpdate(algebra, newParameter, parameter, std::nullopt);
    if (!update)
      continue;
    OptimizerStep step;
    step.kind = OptimizerStep::Sgd;
    step.parameter = parameter;
    step.newParameter = newParameter;
    Expression scale;
    auto gradient = parts.gradientOf(
        update->rest, parameter, algebra.elements.at(newParameter).size, scale);
    if (!gradient)
      continue;
    const Expression lr = scale * Monomial{-1, {}};
    auto number = lr.constant();
    // x + f(x) and averages are no steps: a rate is positive and not 1.
    if (number && (*number <= 0 || *number == 1))
      continue;
    auto decay = decayIn(update->kept, lr);
    if (!decay || *decay < 0 || *decay >= 1)
      continue;
    step.gradient = *gradient;
    step.scalars = {lr};
    step.weightDecay = decimalOf(*decay);
    return step;
  }
  return std::nullopt;
}
