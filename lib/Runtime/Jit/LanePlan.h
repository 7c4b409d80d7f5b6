// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second stage of a kernel plan: which values share a vector, neighbouring
// points or neighbouring iterations.
#ifndef GAUDI_LIB_RUNTIME_JIT_LANEPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_LANEPLAN_H

#include "LoopPlan.h"

namespace gaudi::runtime {

/// Outputs of at least this many bytes are written with non-temporal stores,
/// since caching them would evict everything else. Inputs of this size are
/// prefetched as data that is used once.
constexpr uint64_t streamingBytes = uint64_t(16) << 20;

/// Input bytes from which prefetching rows pays: less stays in the caches.
constexpr uint64_t rowInputBytes = uint64_t(1) << 20;

/// Along what a kernel is vectorised.
enum class LaneAxis {
  None,   // scalar code
  Points, // lanes are neighbouring points of the last parallel group
  Loops   // lanes are neighbouring iterations of a stage's innermost loop
};

struct LanePlan {
  LaneAxis laneAxis = LaneAxis::None;
  unsigned lanes = 1;          // laneCount, or more or fewer; 1: None
  bool paired = false;         // even points or iterations, then odd ones
  unsigned pointsAtOnce = 1;   // 1 or 2, chosen later (PointsAtOnce.h)
  std::vector<bool> laneLoops; // per stage: its innermost loop is vectorised
  std::vector<bool> streaming; // per access: full vectors are non-temporal

  void key(KeyWriter &writer) const {
    const auto &[laneAxis, lanes, paired, pointsAtOnce, laneLoops, streaming] =
        *this;
    writer.add(laneAxis, lanes, paired, pointsAtOnce, laneLoops, streaming);
  }
};

/// Chooses the cheapest axis. Linear in the size of the kernel.
LanePlan planLanes(const recipe::Kernel &kernel,
                   const std::vector<KernelOperand> &operands,
                   const LoopPlan &loops);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_LANEPLAN_H
