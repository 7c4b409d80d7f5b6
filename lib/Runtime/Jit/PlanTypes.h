// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses and loops of a kernel on given operands, as plans describe them.
#ifndef GAUDI_LIB_RUNTIME_JIT_PLANTYPES_H
#define GAUDI_LIB_RUNTIME_JIT_PLANTYPES_H

#include "KeyWriter.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// A tensor dimension whose index is checked, clamped or padded when the kernel
/// runs, because it may leave the tensor.
struct GuardedDim {
  unsigned dimension;
  recipe::Boundary boundary;
  int64_t size;
  int64_t stride;
  int64_t value;        // value number of the index, or -1
  kernel::Affine index; // over the kernel's dimensions; 0 with a value

  void key(KeyWriter &writer) const {
    const auto &[dimension, boundary, size, stride, value, index] = *this;
    writer.add(dimension, boundary, size, stride, value, index);
  }
};

/// An access: element offset = position plus the guarded dimensions.
struct PlannedAccess {
  unsigned operand;
  kernel::Affine position; // exact, over the kernel's dimensions
  std::vector<GuardedDim> guarded;
  uint64_t pad = 0;

  void key(KeyWriter &writer) const {
    const auto &[operand, position, guarded, pad] = *this;
    writer.add(operand, position, guarded, pad);
  }
};

/// Kernel dimensions collapsed into one loop; only the coefficients of the
/// innermost one matter. A pinned dimension is a group of its own.
struct LoopGroup {
  int64_t extent = 1;
  unsigned inner = 0; // kernel dimension

  void key(KeyWriter &writer) const {
    const auto &[extent, inner] = *this;
    writer.add(extent, inner);
  }
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_PLANTYPES_H
