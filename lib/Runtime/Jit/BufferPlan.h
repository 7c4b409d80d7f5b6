// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Third stage of a kernel plan: values that a stage computes and a later stage
// over the same loops would compute again.
#ifndef GAUDI_LIB_RUNTIME_JIT_BUFFERPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_BUFFERPLAN_H

#include "LanePlan.h"

namespace gaudi::runtime {

/// A value of one stage that later stages over the same loops use again. It is
/// stored for a whole row (all iterations of a point) instead of being computed
/// twice.
struct RowBuffer {
  uint32_t stage;
  uint32_t value;
  int64_t length; // iterations

  void key(KeyWriter &writer) const {
    const auto &[stage, value, length] = *this;
    writer.add(stage, value, length);
  }
};

/// A value of a later stage that is loaded from a row buffer.
struct RowReuse {
  uint32_t value;
  uint32_t buffer;

  void key(KeyWriter &writer) const {
    const auto &[value, buffer] = *this;
    writer.add(value, buffer);
  }
};

struct BufferPlan {
  std::vector<RowBuffer> kept;  // axis Loops only
  std::vector<RowReuse> reused; // sorted by value

  void key(KeyWriter &writer) const {
    const auto &[kept, reused] = *this;
    writer.add(kept, reused);
  }
};

BufferPlan planBuffers(const recipe::Kernel &kernel,
                       const std::vector<KernelOperand> &operands,
                       const LoopPlan &loops, const LanePlan &lanes);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_BUFFERPLAN_H
