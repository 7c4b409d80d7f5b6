// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stages and accesses cost, for the decisions of plans. The unit is that
// of instructionCount (Gaudi/Kernel/Opcodes.h): an addition, on a scalar or on
// a whole vector.
#ifndef GAUDI_LIB_RUNTIME_JIT_PLANCOSTS_H
#define GAUDI_LIB_RUNTIME_JIT_PLANCOSTS_H

#include "Gaudi/Recipe/KernelLanguage.h"
#include "KernelTypes.h"
#include "PlanTypes.h"

namespace gaudi::runtime {

/// Vector lanes of 32 bits that the emitted code uses.
constexpr unsigned laneCount = 16;

/// Bytes of all elements of an operand.
uint64_t bytesOf(const KernelOperand &operand);
/// Values that the reductions of a stage define.
uint32_t resultCount(const recipe::Stage &stage);

/// Cost of one iteration of a stage as scalar code.
double scalarCost(const recipe::Stage &stage);
/// Cost of one iteration of a stage on whole vectors along kernel dimension
/// `dim`.
double vectorCost(const recipe::Stage &stage,
                  const std::vector<PlannedAccess> &accesses, unsigned dim);
/// Vectors that cover an extent.
double vectors(int64_t extent);
/// Iterations of a nest of loops.
double iterationsOf(const std::vector<LoopGroup> &loops);
/// Cost of a point of the kernel when vectors run along `group` of the parallel
/// dimensions; `loops` are those of each stage.
double pointCost(const recipe::Kernel &kernel,
                 const std::vector<std::vector<LoopGroup>> &loops,
                 const std::vector<PlannedAccess> &accesses,
                 const LoopGroup &group);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_PLANCOSTS_H
