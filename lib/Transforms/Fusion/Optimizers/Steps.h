// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of optimizers in formulas of elements.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_STEPS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_STEPS_H

#include "Formula.h"

namespace gaudi::fusion {

/// The step of one parameter. Names and formulas are those of gaudi.fused_adamw
/// and gaudi.fused_sgd.
struct OptimizerStep {
  enum Kind : uint8_t { AdamW, Sgd };

  Kind kind;
  ElementId parameter, newParameter, gradient;
  /// First and second moment, or the momentum buffer, or none.
  SmallVector<ElementId, 2> states, newStates;
  Expression gradScale{1.0};
  /// step_size, eps, decay; or lr. Uniform.
  SmallVector<Expression, 3> scalars;
  /// Eps is 0 where this is 0, whatever its formula says; none: it is never.
  std::optional<Expression> epsGuard;
  double beta1 = 0, beta2 = 0, l2 = 0;
  double momentum = 0, dampening = 0, weightDecay = 0;
  bool isNesterov = false;

  /// Equal for steps that one op can make.
  std::string groupKey(const Algebra &algebra) const;
};

/// Why a candidate is no step, and the node to look at.
struct Mismatch {
  std::string reason;
  ElementId at = 0;
};

/// new = decay * old + added
struct Accumulation {
  ElementId old;
  std::optional<double> decay; // none if it is no constant
  Expression added;
};
/// All ways to see the node as an accumulated state: in each, `old` is a tensor
/// of the graph that nothing elementwise computes.
SmallVector<Accumulation, 2> accumulationsOf(Algebra &algebra, ElementId node);

/// A step of AdamW that makes `parameter` from the accumulated states
/// `moments`, two or more, one of which it divides by the root of.
std::optional<OptimizerStep> matchAdamW(Algebra &algebra, ElementId parameter,
                                        ArrayRef<ElementId> moments,
                                        Mismatch &mismatch);

/// The states among `moments` under a square root in the formula of
/// `parameter`.
SmallVector<ElementId, 1> rootedMoments(Elements &elements, ElementId parameter,
                                        ArrayRef<ElementId> moments);

/// A step of SGD with the momentum buffer `buffer`, which may be any
/// accumulated state. `isCandidate` is false if the parameter is an average of
/// old value and buffer, which no step makes.
std::optional<OptimizerStep> matchMomentum(Algebra &algebra,
                                           ElementId parameter,
                                           ElementId buffer, bool &isCandidate,
                                           Mismatch &mismatch);
/// w - lr * g, with weight decay or not.
std::optional<OptimizerStep> matchPlainSgd(Algebra &algebra,
                                           ElementId parameter);

/// What the matchers share.
class StepParts {
public:
  explicit StepParts(Algebra &algebra) : algebra(algebra) {}

  /// added = factor * scale * gradient: the tensor, and the factor with the
  /// scale. Nothing if it is no multiple of one tensor of the graph. `sum` has
  /// the type in which it is added.
  std::optional<ElementId> gradientOf(const Expression &added, ElementId sum,
                                      int64_t size, Expression &scale);
  /// Takes `decay * parameter` out of the gradient of a step, if it is there:
  /// gives the factor and changes gradient and scale.
  double weightDecayOf(ElementId parameter, ElementId &gradient,
                       Expression &scale);
  /// Tensors that the parameter may be the new value of, arguments first.
  SmallVector<ElementId> parametersOf(ElementId newParameter,
                                      ArrayRef<ElementId> stops);
  std::string name(ElementId node);

  Algebra &algebra;
};

/// True if both have the same powers and, up to rounding, coefficients.
bool isClose(const Expression &a, const Expression &b);
/// The decimal number that people write for the f32 nearest to the value.
double decimalOf(double value);
/// A constant as people write it.
std::string numberText(double value);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_STEPS_H
