// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned host memory and its cache.
#include "Gaudi/Runtime/Device/PinnedMemory.h"

#include "../ErrorPhrases.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace gaudi::runtime {

PinnedMemory::~PinnedMemory() {
  dropCache();
  for (const auto &[address, bytes] : blocks)
    std::free(reinterpret_cast<void *>(address));
}

void PinnedMemory::dropCache() {
  for (const auto &[bytes, address] : unused)
    std::free(address);
  unused.clear();
  cached = 0;
}

void *PinnedMemory::take(uint64_t bytes) {
  return inUse + cached + bytes <= limit ? std::aligned_alloc(pageBytes, bytes)
                                         : nullptr;
}

Result<void *> PinnedMemory::allocate(uint64_t bytes) {
  // Beyond any host, and below what overflows.
  const uint64_t rounded =
      (std::clamp<uint64_t>(bytes, 1, uint64_t(1) << 56) + pageBytes - 1) /
      pageBytes * pageBytes;
  const auto found = unused.lower_bound(rounded);
  void *address;
  uint64_t size = rounded;
  if (found != unused.end()) {
    size = found->first;
    address = found->second;
    unused.erase(found);
    cached -= size;
  } else {
    address = take(rounded);
    if (!address && cached != 0) {
      dropCache();
      address = take(rounded);
    }
    if (!address)
      return fail("{} to pin {}: {} are pinned, and the limit is {}",
                  notEnoughHostMemory, humanBytes(bytes), humanBytes(inUse),
                  humanBytes(limit));
  }
  blocks.emplace(reinterpret_cast<uintptr_t>(address), size);
  inUse += size;
  return address;
}

Status PinnedMemory::free(void *address) {
  const auto found = blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == blocks.end())
    return fail("host address {} is not the first byte of pinned memory",
                fmt::ptr(address));
  inUse -= found->second;
  if (keepsFreed) {
    unused.emplace(found->second, address);
    cached += found->second;
  } else {
    std::free(address);
  }
  blocks.erase(found);
  return {};
}

bool PinnedMemory::contains(const void *address, uint64_t bytes) const {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  const auto next = blocks.upper_bound(begin);
  if (next == blocks.begin())
    return false;
  const auto &[first, size] = *std::prev(next);
  return begin - first <= size && bytes <= size - (begin - first);
}

} // namespace gaudi::runtime
