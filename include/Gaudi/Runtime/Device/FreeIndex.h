// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free chunks of device memory, ordered by size and then by address.
#ifndef GAUDI_RUNTIME_DEVICE_FREEINDEX_H
#define GAUDI_RUNTIME_DEVICE_FREEINDEX_H

#include "Gaudi/Runtime/Device/Owner.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Stands for no chunk, no use, no stream.
constexpr uint32_t none = UINT32_MAX;

enum class ChunkState : uint8_t {
  Unused,    ///< a record without memory
  InUse,     ///< a block
  Free,      ///< whoever asks may have it
  Pending,   ///< freed; the card uses it until a predicted time
  Small,     ///< a block of the small region
  SmallLater ///< such a block, freed and pending
};

/// A range of device memory; all ranges together cover the pool. Those of the
/// small region are beside them.
struct Chunk {
  uint64_t offset = 0, size = 0;        // bytes, multiples of the alignment
  uint32_t before = none, after = none; // by address
  uint32_t child[2] = {none, none};     // in a tree of FreeIndex
  uint32_t uses = none;                 // list of uses
  uint32_t stamp = 0;                   // counts ends of pending states
  uint32_t stream = none;               // the only one that may have it
  uint32_t waste = 0;                   // of a block: size - bytes asked for
  Owner owner;
  ChunkState state = ChunkState::Unused;
  bool fixed = false; // must not move
};
static_assert(sizeof(Chunk) == 64, "a cache line");

/// Finds the smallest chunk of at least some size, the lowest address among
/// equals. That is the best fit in the first bin that has one, whatever the
/// bins are, as long as each has a range of sizes: so the bins here are finer
/// than the 21 of the card's allocator, sixteen for each power of two. Few
/// chunks share a bin; they are in a treap whose priorities are hashed
/// addresses, so no order of calls makes it deep.
class FreeIndex {
public:
  explicit FreeIndex(unsigned alignmentBits) : shift(alignmentBits) {
    roots.fill(none);
  }

  void insert(std::vector<Chunk> &chunks, uint32_t chunk);
  void erase(std::vector<Chunk> &chunks, uint32_t chunk);
  uint32_t bestFit(const std::vector<Chunk> &chunks, uint64_t size) const;

private:
  static constexpr unsigned bins = 640; // sizes below 2^42 units
  unsigned binOf(uint64_t size) const {
    const uint64_t units = size >> shift;
    if (units < 16)
      return unsigned(units);
    const unsigned exponent = 63u - unsigned(__builtin_clzll(units));
    return (exponent - 3) * 16 + (units >> (exponent - 4) & 15);
  }
  unsigned shift;
  uint32_t occupiedWords = 0; // bits of words that are not 0
  std::array<uint64_t, bins / 64> occupied{};
  std::array<uint32_t, bins> roots;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_FREEINDEX_H
