// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sides the piecewise ops of a function took while it was evaluated:
// minima, maxima, clamps, comparisons, selects and absolute values, as ops and
// in the bodies of kernels.
#ifndef GAUDI_REFERENCE_BRANCHES_H
#define GAUDI_REFERENCE_BRANCHES_H

#include "Gaudi/Reference/Evaluator.h"
#include <memory>

namespace gaudi {

/// What evaluations of one function have taken so far. Ops that depend on no
/// argument (masks made of indices) are left out: no input changes them.
class BranchCoverage {
public:
  explicit BranchCoverage(func::FuncOp function);
  ~BranchCoverage();
  BranchCoverage(BranchCoverage &&) noexcept;

  /// Starts an evaluation on these arguments, as the function has them.
  void start(ArrayRef<ReferenceTensor> arguments);
  /// An observer for evaluateFunction, called for each op in order.
  void observe(Operation *op, ArrayRef<ReferenceTensor> results);

  /// Sides in all, and those that no evaluation took.
  unsigned count() const;
  unsigned countMissed() const;
  /// How near the evaluations since `start` came to the first side that none
  /// took: negative, larger is nearer; not finite if it has no distance.
  double distanceToMissed() const;
  /// Float constants that piecewise ops compare with, largest magnitude first.
  SmallVector<double> thresholds() const;
  /// One line for each side that was not taken: the op's place and the text.
  SmallVector<std::pair<Location, std::string>> missed() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gaudi

#endif // GAUDI_REFERENCE_BRANCHES_H
