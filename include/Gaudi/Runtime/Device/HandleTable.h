// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device addresses that programs hold: handles of blocks, which may move.
#ifndef GAUDI_RUNTIME_DEVICE_HANDLETABLE_H
#define GAUDI_RUNTIME_DEVICE_HANDLETABLE_H

#include "Gaudi/Runtime/Device/MemoryPool.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// A handle has, from its high end, 2 bits of a bucket and 62 bits of its own:
/// a generation, a slot of the bucket, and an offset, so that programs may add
/// to it. The bucket follows from the size of the block:
///
///   bucket  block below  generation  slot     offset
///   1       4 MiB        16 bits     24 bits  22 bits
///   2       4 GiB        14 bits     16 bits  32 bits
///   3       4 TiB        10 bits     10 bits  42 bits
///
/// Bucket 0 has the addresses of the host, so none is taken for a handle. A
/// freed slot keeps its owner until it is given out again, with the next
/// generation: a handle of freed memory is known as one until the slot has been
/// reused as often as there are generations. Locked by the caller.
class HandleTable {
public:
  /// `texts` must outlive the table. `card`: generations begin at another one
  /// for each of eight cards, so that an address of one is none of another.
  explicit HandleTable(const OwnerTexts &texts, unsigned card = 0)
      : texts(&texts), card(card % 8) {}

  struct Place {
    BlockId block;
    uint64_t offset; ///< in bytes, from the first byte of the block
  };

  /// The handle of a block's first byte. The error: no slot is left.
  Result<uint64_t> add(BlockId block, uint64_t bytes, const Owner &owner);

  /// Where [handle, handle + bytes) is. Errors: an address of the host, one
  /// that was never given out, freed memory, or bytes outside of the block.
  Result<Place> resolve(uint64_t handle, uint64_t bytes) const {
    const Entry *entry = find(handle);
    const uint64_t offset = offsetOf(handle);
    if (!entry || offset > entry->bytes || bytes > entry->bytes - offset)
      return explain(handle, bytes);
    return Place{entry->block, offset};
  }

  /// The block of a handle, which is none any more. Errors as of resolve, and
  /// if the handle is not of a first byte.
  Result<BlockId> remove(uint64_t handle);

private:
  struct Entry {
    uint64_t bytes;
    Owner owner;
    BlockId block;
    uint16_t generation;
    bool live;
  };
  struct Bucket {
    unsigned offsetBits, slotBits;
    std::vector<Entry> entries;
    std::vector<uint32_t> unused; // slots, the last freed last
  };

  static unsigned generationBits(const Bucket &bucket) {
    return 62 - bucket.offsetBits - bucket.slotBits;
  }
  uint64_t offsetOf(uint64_t handle) const {
    return handle & ((uint64_t(1) << buckets[handle >> 62].offsetBits) - 1);
  }
  /// The entry of the slot, whatever its generation; null if there is none.
  const Entry *slotOf(uint64_t handle) const {
    const Bucket &bucket = buckets[handle >> 62];
    const uint64_t slot =
        (handle >> bucket.offsetBits) & ((uint64_t(1) << bucket.slotBits) - 1);
    return slot < bucket.entries.size() ? &bucket.entries[slot] : nullptr;
  }
  uint64_t generationOf(uint64_t handle) const {
    const Bucket &bucket = buckets[handle >> 62];
    return (handle & UINT64_MAX >> 2) >> (bucket.offsetBits + bucket.slotBits);
  }
  const Entry *find(uint64_t handle) const {
    const Entry *entry = slotOf(handle);
    return entry && entry->live && entry->generation == generationOf(handle)
               ? entry
               : nullptr;
  }
  tl::unexpected<Error> explain(uint64_t handle, uint64_t bytes) const;

  const OwnerTexts *texts;
  unsigned card;
  std::array<Bucket, 4> buckets{
      {{22, 24, {}, {}}, {22, 24, {}, {}}, {32, 16, {}, {}}, {42, 10, {}, {}}}};
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_HANDLETABLE_H
