// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many points of a kernel over rows run at the same time.
#ifndef GAUDI_LIB_RUNTIME_JIT_POINTSATONCE_H
#define GAUDI_LIB_RUNTIME_JIT_POINTSATONCE_H

#include "BufferPlan.h"

namespace gaudi::runtime {

/// 1 or 2. What follows the loop of a reduction is a chain of operations, each
/// of which waits for the one before, as long as the work on a few hundred
/// elements; the loops of another point hide it, and both share what does not
/// move with the points. One point may run twice, so nothing else may read what
/// it stores; and registers and caches have to suffice.
unsigned choosePointsAtOnce(const recipe::Kernel &kernel,
                            const std::vector<KernelOperand> &operands,
                            const LoopPlan &loops, const LanePlan &lanes,
                            const BufferPlan &buffers);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_POINTSATONCE_H
