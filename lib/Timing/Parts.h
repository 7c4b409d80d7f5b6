// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks cut into the parts that queues take.
#ifndef GAUDI_LIB_TIMING_PARTS_H
#define GAUDI_LIB_TIMING_PARTS_H

#include "Gaudi/Timing/Timeline.h"

#include <vector>

namespace gaudi::timing {

/// A slice of a task, or a whole one.
struct Part {
  uint32_t task = 0, slice = 0, slices = 1;
};

/// All parts in the order in which queues take them, and which waits for which.
struct Parts {
  std::vector<Part> parts;
  /// Dependents of part p: dependents[first[p]] to dependents[first[p + 1]].
  std::vector<uint32_t> first, dependents;
  std::vector<uint32_t> waiting; // parts that each part waits for

  uint32_t size() const { return uint32_t(parts.size()); }
};

/// Tasks that sliced dependencies connect are cut into equally many slices and
/// interleaved, slice by slice along the pipeline; the others stay whole. A
/// part waits only for parts before it.
Parts cutIntoParts(const std::vector<Task> &tasks, bool pipelined);

/// The k-th of n equal shares of an amount; they add up to it.
Picoseconds shareOf(Picoseconds amount, uint32_t k, uint32_t n);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_PARTS_H
