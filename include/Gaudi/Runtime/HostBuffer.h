// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the caller that holds a tensor.
#ifndef GAUDI_RUNTIME_HOSTBUFFER_H
#define GAUDI_RUNTIME_HOSTBUFFER_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>

namespace gaudi::runtime {

/// The elements of a tensor in the caller's order of dimensions. Strides count
/// elements from `data`, which is element [0, ..., 0]; they may be negative or,
/// where the device reads, 0. Null strides: row-major without gaps.
struct HostBuffer {
  void *data = nullptr; ///< not written where the device reads
  recipe::ElementType type = recipe::ElementType::F32;
  uint32_t rank = 0;
  const int64_t *shape = nullptr; ///< may be null for rank 0
  const int64_t *strides = nullptr;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_HOSTBUFFER_H
