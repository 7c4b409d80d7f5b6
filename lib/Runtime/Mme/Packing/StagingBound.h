// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds of the staging memory that matrix commands take, in saturating
// arithmetic: a recipe may state sizes whose products exceed 64 bits.
#ifndef GAUDI_LIB_RUNTIME_MME_PACKING_STAGINGBOUND_H
#define GAUDI_LIB_RUNTIME_MME_PACKING_STAGINGBOUND_H

#include "../../Commands/Command.h"

namespace gaudi::runtime {

/// Products and sums that saturate: at more than any arena.
constexpr uint64_t tooMuch = uint64_t(1) << 60;
inline uint64_t times(uint64_t x, uint64_t y) {
  uint64_t product;
  return __builtin_mul_overflow(x, y, &product) || product > tooMuch ? tooMuch
                                                                     : product;
}
inline uint64_t plus(uint64_t x, uint64_t y) {
  uint64_t sum;
  return __builtin_add_overflow(x, y, &sum) || sum > tooMuch ? tooMuch : sum;
}

/// Most sums that the gradient of a depthwise filter is split into.
constexpr int64_t mostGradParts = 32;

/// Elements of packed and padded operands, beside one copy of each operand.
uint64_t gemmStaging(const recipe::Command &command,
                     const BoundTensors &operands);
uint64_t convStaging(const recipe::Command &command,
                     const BoundTensors &operands);
uint64_t weightGradStaging(const recipe::Command &command,
                           const BoundTensors &operands);

/// Bytes for one copy of each operand and `packed` further elements, all of the
/// widest type.
uint64_t stagingBytes(const BoundTensors &operands, uint64_t packed);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_PACKING_STAGINGBOUND_H
