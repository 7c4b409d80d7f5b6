// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bound and branch and bound where exact elimination is too large.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_SEARCH_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_SEARCH_H

#include "Elimination.h"

namespace gaudi::layout {

/// Moves costs between functions and variables so that the sum of the least
/// entries of all, a lower bound, grows; no labels change their cost. Returns
/// that sum.
int64_t passMessages(Model &model, uint64_t steps);

/// Labels of low cost, and a bound.
Solution search(Model model, const Plan &plan, uint64_t steps);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_SEARCH_H
