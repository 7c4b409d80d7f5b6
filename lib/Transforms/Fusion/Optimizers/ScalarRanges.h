// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What single elements can be, and whether a divisor can be moved out of a sum.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_SCALARRANGES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_SCALARRANGES_H

#include "Formula.h"
#include "llvm/IR/ConstantFPRange.h"

namespace gaudi::fusion {

/// Ranges of uniform nodes, case by case: each case says what some nodes are
/// (negative, zero, infinite ...), and the others follow by interval
/// arithmetic. Arguments are finite. Arithmetic is that of real numbers with
/// infinities, but that powers of constants may underflow: products and
/// quotients that leave the range of f32 where reals do not are no case.
class ScalarRanges {
public:
  explicit ScalarRanges(Algebra &algebra) : algebra(algebra) {}

  /// 1 / (x * f + e) was written as (1 / f) / (x + e / f), for an x that has no
  /// bound. They are equal where f is a number other than 0. Elsewhere the
  /// first may be a number, and the second is none:
  enum class Moved : uint8_t {
    Equal,         ///< in no case that can be
    NotIfInfinite, ///< f and e may be infinite: 0 became 0 / (x + infinity /
                   ///< infinity), which is right with 0 in place of e / f
    NotIfZero,     ///< f may be 0 where e is a number other than 0, or infinite
  };
  Moved moved(const Monomial &f, const Monomial &e);

  /// Whether a scalar may be negative in a training step: arguments and counts
  /// are not, and numbers to the power of a count are at most 1 (rates of
  /// decay). Then the root of a product with it is not the product of roots,
  /// which is no number where the other factor is 0.
  bool mayBeNegative(Atom atom);

private:
  using Range = llvm::ConstantFPRange;
  using Cases = DenseMap<ElementId, Range>;

  Range of(ElementId id, const Cases &cases, DenseMap<ElementId, Range> &known,
           unsigned depth = 0);
  Range arithmetic(const Element &node, ArrayRef<Range> in);
  Range of(const Monomial &monomial, const Cases &cases);
  /// What to tell cases by, in order.
  SmallVector<ElementId> nodesIn(const Monomial &f, const Monomial &e);
  Moved decide(const Monomial &f, const Monomial &e, ArrayRef<ElementId> nodes,
               Cases &cases);

  Range of(Atom atom, const Cases &cases, DenseMap<ElementId, Range> &known);
  /// By the rules of `mayBeNegative`; none: those of numbers hold.
  std::optional<Range> inStep(const Element &node, ArrayRef<Range> in);

  Algebra &algebra;
  unsigned budget = 0; // of cases
  bool isInStep = false;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_SCALARRANGES_H
