// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minimum-cost labels of variables that are coupled in pairs.
//
// Knows numbers only, no ops. A variable takes one of a few labels; a label has
// a cost, and so has each pair of labels of two coupled variables.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_H

#include <cstdint>
#include <limits>
#include <vector>

namespace gaudi::layout {

/// Of a combination that must not be. Sums saturate here.
constexpr int64_t forbidden = std::numeric_limits<int64_t>::max() / 4;

struct Variable {
  std::vector<int64_t> costs; ///< one per label, at least one; >= 0
};

/// The cost of each pair of labels of two variables a != b: costs[i * n + j]
/// for label i of a and label j of b, n the labels of b. >= 0.
struct Coupling {
  uint32_t a = 0, b = 0;
  std::vector<int64_t> costs;
};

struct Problem {
  std::vector<Variable> variables;
  std::vector<Coupling> couplings;
};

struct Solution {
  std::vector<uint32_t> labels; ///< one per variable
  int64_t cost = 0;       ///< of these labels; forbidden if there are none
  int64_t lowerBound = 0; ///< no labels cost less
  bool isProven() const { return cost == lowerBound; }
};

/// Bounds on the effort, in steps that do not depend on the machine.
struct Limits {
  uint64_t tableEntries = uint64_t(1) << 16; ///< of one elimination
  uint64_t searchSteps = 200000;             ///< where elimination gives up
};

/// Labels of low cost and a bound below. Deterministic.
Solution solve(const Problem &problem, const Limits &limits = {});

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_H
