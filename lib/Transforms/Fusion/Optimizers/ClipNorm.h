// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clipping by a common norm in formulas of elements.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_CLIPNORM_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_CLIPNORM_H

#include "Formula.h"

namespace gaudi::fusion {

/// The tensors whose squares a single element is the sum of: sums of squares in
/// any order, norms of norms, products of tensors with themselves. Empty if it
/// is another value. Adds the nodes of the sums to `sums`, and those that are
/// rounded to a type narrower than that of the tensors to `rounded`.
SmallVector<ElementId> squaresIn(Elements &elements, ElementId sum,
                                 SmallVectorImpl<ElementId> &sums,
                                 SmallVectorImpl<ElementId> &rounded);

/// scale = min(1, max_norm / (norm + eps)), or with a comparison of the norm.
struct ClipScale {
  Expression maxNorm;
  double eps = 0;
  bool isSelect = false;
};

/// Scales that bound a norm, the root of `sum`.
class ClipMatcher {
public:
  ClipMatcher(Algebra &algebra, ElementId sum)
      : algebra(algebra), elements(algebra.elements), sum(sum),
        formula(algebra, {sum}) {}

  /// The scale by which `node` is a multiple of `gradient`. Nothing if it is
  /// none; `reason` is set if it is bounded by another formula of the norm.
  std::optional<ClipScale> scaleOf(ElementId node, ElementId gradient,
                                   std::string &reason);

private:
  /// One of the values that a bound chooses from.
  struct Choice {
    Expression ifTrue, ifFalse;
    /// The condition; none for a minimum.
    std::optional<ElementId> condition;
  };
  std::optional<Choice> choiceOf(const Expression &scale);
  std::optional<Choice> choiceIn(ElementId node, const Monomial &factor,
                                 bool isDivisor);
  std::optional<Expression> overNorm(const Expression &scale);
  std::optional<ClipScale> match(const Choice &choice, std::string &reason);
  bool matchBound(const Expression &bound, ClipScale &scale);
  /// True for an order of two values that depends on the norm.
  bool comparesNorm(ElementId condition);
  bool matchCondition(ElementId condition, bool isOneIfTrue, ClipScale &scale);
  /// norm + eps, as the sum of two terms or one.
  std::optional<double> epsOf(const Expression &norm);

  Algebra &algebra;
  Elements &elements;
  const ElementId sum;
  Formula formula;
};

/// A clipped gradient that elementwise ops read becomes the raw one times the
/// scale, in the kernels that they become.
void scaleWhereRead(Block &block);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_CLIPNORM_H
