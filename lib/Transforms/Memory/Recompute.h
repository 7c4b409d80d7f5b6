// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that run again, so that their results need not be kept.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_RECOMPUTE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_RECOMPUTE_H

#include "ScheduleGraph.h"

namespace gaudi {

struct Recomputed {
  Operation *op;    // the one whose result was kept, where it runs first
  int64_t freed;    // bytes at the op that had the peak
  Picoseconds cost; // of all ops that run again for it
  unsigned ops;
};

/// Lets ops run again until the peak of the workspace, in the present order, is
/// within the budget or nothing lowers it further.
SmallVector<Recomputed>
recomputeWithin(func::FuncOp function, const DeviceTime &time, uint64_t budget);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_RECOMPUTE_H
