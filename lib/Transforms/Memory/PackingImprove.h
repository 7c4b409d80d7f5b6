// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Improves a packing by exact searches for lower peaks.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGIMPROVE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGIMPROVE_H

#include "PackingProblem.h"

#include <functional>

namespace gaudi::memory {

struct Budget {
  uint64_t steps = 0; // that are left
  unsigned threads = 1;
  std::function<bool()> mustStop;
};

/// Lowers the peak of `placement` to `enough` or as far as the budget goes.
/// `bound` is a lower bound of what is wanted; returns a better one if one was
/// proven. Adds lists to `problem`.
Units improve(Problem &problem, Units enough, Units bound, Budget &budget,
              Placement &placement);

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGIMPROVE_H
