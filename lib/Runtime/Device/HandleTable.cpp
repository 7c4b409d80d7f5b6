// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of device memory, and what is wrong with those that are none.
#include "Gaudi/Runtime/Device/HandleTable.h"

#include "Gaudi/Support/Units.h"

namespace gaudi::runtime {

Result<uint64_t> HandleTable::add(BlockId block, uint64_t bytes,
                                  const Owner &owner) {
  // One past the end must still be an offset.
  uint64_t number = 1;
  while (number < 3 && bytes >= uint64_t(1) << buckets[number].offsetBits)
    ++number;
  Bucket &bucket = buckets[number];
  uint64_t slot = bucket.entries.size();
  if (bytes >= uint64_t(1) << bucket.offsetBits ||
      (bucket.unused.empty() && slot >= uint64_t(1) << bucket.slotBits))
    return fail("no handle is left for {} of device memory; {} blocks of such "
                "sizes are allocated",
                humanBytes(bytes), slot - bucket.unused.size());
  if (!bucket.unused.empty()) {
    slot = bucket.unused.back();
    bucket.unused.pop_back();
  } else {
    bucket.unused.reserve(slot + 1); // so that remove never throws
    bucket.entries.push_back(
        {0, {}, none, uint16_t(card << (generationBits(bucket) - 3)), false});
  }
  Entry &entry = bucket.entries[slot];
  entry.generation =
      uint16_t((entry.generation + 1u) & ((1u << generationBits(bucket)) - 1));
  entry.bytes = bytes;
  entry.owner = owner;
  entry.block = block;
  entry.live = true;
  return number << 62 |
         uint64_t(entry.generation) << (bucket.offsetBits + bucket.slotBits) |
         slot << bucket.offsetBits;
}

Result<BlockId> HandleTable::remove(uint64_t handle) {
  const Entry *entry = find(handle);
  if (!entry)
    return explain(handle, 0);
  if (offsetOf(handle) != 0)
    return fail("device address {:#x} is {} bytes within {}; memory is "
                "freed by the address of its first byte",
                handle, offsetOf(handle), texts->describe(entry->owner));
  Bucket &bucket = buckets[handle >> 62];
  const uint64_t slot = uint64_t(entry - bucket.entries.data());
  bucket.entries[slot].live = false;
  bucket.unused.push_back(uint32_t(slot));
  return entry->block;
}

tl::unexpected<Error> HandleTable::explain(uint64_t handle,
                                           uint64_t bytes) const {
  if (handle >> 62 == 0)
    return fail("{:#x} is no device address; addresses of the host cannot be "
                "used on the device",
                handle);
  const Entry *entry = slotOf(handle);
  const uint64_t generation = generationOf(handle);
  // Until the generations of a slot come to those of the next card, they tell
  // whose it is.
  const unsigned cardShift = generationBits(buckets[handle >> 62]) - 3;
  const uint64_t looksOf = generation >> cardShift;
  if (looksOf != card && (!entry || entry->generation >> cardShift == card))
    return fail("device address {:#x} was never given out by card {}; those of "
                "card {} look like it",
                handle, card, looksOf);
  if (!entry)
    return fail("device address {:#x} was never given out", handle);
  if (generation == entry->generation && !entry->live)
    return fail("device address {:#x} is in freed memory, which was of {}",
                handle, texts->describe(entry->owner));
  // Before the first round of generations is over, later ones are of nobody.
  if (generation != entry->generation)
    return fail("device address {:#x} is in freed memory, or was never given "
                "out; it is not in {}, which has its slot",
                handle, texts->describe(entry->owner));
  return fail("{} at offset {} end outside of {}, which has {}",
              countOf(bytes, "byte"), offsetOf(handle),
              texts->describe(entry->owner), countOf(entry->bytes, "byte"));
}

} // namespace gaudi::runtime
