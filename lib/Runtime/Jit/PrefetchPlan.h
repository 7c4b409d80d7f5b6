// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fifth stage of a kernel plan: inputs that are prefetched.
#ifndef GAUDI_LIB_RUNTIME_JIT_PREFETCHPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_PREFETCHPLAN_H

#include "BufferPlan.h"

namespace gaudi::runtime {

/// While a stage computes, it prefetches an input that is loaded later.
struct Prefetch {
  uint32_t stage;
  uint32_t access;
  int64_t ahead;     // elements
  unsigned slowdown; // log2: the stage covers only a part of what it prefetches
  bool once;         // data that is used once: non-temporal

  void key(KeyWriter &writer) const {
    const auto &[stage, access, ahead, slowdown, once] = *this;
    writer.add(stage, access, ahead, slowdown, once);
  }
};

struct PrefetchPlan {
  std::vector<Prefetch> prefetches;

  void key(KeyWriter &writer) const {
    const auto &[prefetches] = *this;
    writer.add(prefetches);
  }
};

PrefetchPlan planPrefetches(const recipe::Kernel &kernel,
                            const std::vector<KernelOperand> &operands,
                            const LoopPlan &loops, const LanePlan &lanes,
                            const BufferPlan &buffers);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_PREFETCHPLAN_H
