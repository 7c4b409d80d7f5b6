// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eager mode: each op is a launch of a recipe of its own, which is compiled
// when the op is first met with such operands and found by them from then on.
#ifndef GAUDI_BRIDGE_EAGER_H
#define GAUDI_BRIDGE_EAGER_H

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace gaudi::bridge {

/// Copies elements of one card by a launch, also between strides and types.
/// False if the compiler does not take it.
bool runCopy(const at::Tensor &source, const at::Tensor &to);

/// Takes the ops that PyTorch would compose of others; once.
void registerEager();

struct EagerCounts {
  uint64_t hits = 0, misses = 0, onCpu = 0;
};
EagerCounts eagerCounts();
/// Decisions that are kept.
size_t eagerCacheSize();
/// Forgets all recipes of ops.
void resetEager();

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_EAGER_H
