// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that show when something reads memory that holds no value.
#ifndef GAUDI_LIB_RUNTIME_MEMORY_POISON_H
#define GAUDI_LIB_RUNTIME_MEMORY_POISON_H

#include "Gaudi/Recipe/ElementTypes.h"

#include <cstdint>
#include <optional>

namespace gaudi::runtime {

/// A section of device memory, and what is done with poison in it.
///
/// Poison is a pattern of the place. Each half word is a signalling NaN of
/// bf16, and two are one of f32; as integers they are negative, so that an
/// index faults. Computing with poison gives NaN. A copy of poison is none at
/// another place, so that what a check finds was never written.
class PoisonedBytes {
public:
  explicit PoisonedBytes(uint8_t *base) : base(base) {}

  /// Poisons the bytes [begin, end).
  void fill(uint64_t begin, uint64_t end) const;

  /// The first byte of [begin, end) from which elements of `type` are poison;
  /// none if they all have values. `begin` is that of an element. One byte may
  /// be poison by chance: several elements in a row of a small type count.
  std::optional<uint64_t> find(uint64_t begin, uint64_t end,
                               recipe::ElementType type) const;

private:
  uint8_t *base;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MEMORY_POISON_H
