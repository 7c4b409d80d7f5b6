// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are in memory of the caller, because bindings (Bindings.h) have
// moved them there.
#ifndef GAUDI_LIB_RUNTIME_MOVEDTENSORS_H
#define GAUDI_LIB_RUNTIME_MOVEDTENSORS_H

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Which tensors bindings move, and how many bytes of device memory are the
/// caller's.
struct MovedTensors {
  std::vector<uint8_t *> addresses; ///< by tensor; null: it stays. Or empty
  uint64_t bytes = 0;

  uint8_t *of(uint32_t tensor) const {
    return addresses.empty() ? nullptr : addresses[tensor];
  }
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MOVEDTENSORS_H
