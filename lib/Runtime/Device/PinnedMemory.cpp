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
  for (const auto *each : {&blocks, &leaving})
    for (const auto &[address, block] : *each)
      std::free(reinterpret_cast<void *>(address));
}

bool PinnedMemory::Block::isIdle() {
  uses.erase(std::remove_if(uses.begin(), uses.end(),
                            [](const Use &use) { return use.hasRun(); }),
             uses.end());
  return uses.empty();
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
  retireIdle();
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
      return fail("{} to pin {}: {} are pinned, and the limit is {}; free "
                  "some of it",
                  notEnoughHostMemory, humanBytes(bytes), humanBytes(inUse),
                  humanBytes(limit));
  }
  blocks.emplace(reinterpret_cast<uintptr_t>(address), Block{size, {}});
  inUse += size;
  return address;
}

Status PinnedMemory::free(void *address) {
  const auto found = blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == blocks.end())
    return fail("host address {} is not the first byte of pinned memory",
                fmt::ptr(address));
  Block block = std::move(found->second);
  blocks.erase(found);
  if (block.isIdle())
    retire(address, block.bytes);
  else
    leaving.emplace(reinterpret_cast<uintptr_t>(address), std::move(block));
  return {};
}

void PinnedMemory::retire(void *address, uint64_t bytes) {
  inUse -= bytes;
  if (keepsFreed) {
    unused.emplace(bytes, address);
    cached += bytes;
  } else {
    std::free(address);
  }
}

void PinnedMemory::retireIdle() {
  for (auto next = leaving.begin(); next != leaving.end();) {
    if (!next->second.isIdle()) {
      ++next;
      continue;
    }
    retire(reinterpret_cast<void *>(next->first), next->second.bytes);
    next = leaving.erase(next);
  }
}

PinnedMemory::Block *PinnedMemory::find(const void *address, uint64_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  const auto next = blocks.upper_bound(begin);
  if (next == blocks.begin())
    return nullptr;
  auto &[first, block] = *std::prev(next);
  const bool holds =
      begin - first <= block.bytes && bytes <= block.bytes - (begin - first);
  return holds ? &block : nullptr;
}

bool PinnedMemory::contains(const void *address, uint64_t bytes) {
  return find(address, bytes) != nullptr;
}

void PinnedMemory::noteUse(const void *address, uint64_t bytes,
                           const void *queue, std::function<bool()> hasRun) {
  Block *block = find(address, bytes);
  if (!block)
    return;
  for (Use &use : block->uses)
    if (use.queue == queue) {
      use.hasRun = std::move(hasRun);
      return;
    }
  block->uses.push_back({queue, std::move(hasRun)});
}

} // namespace gaudi::runtime
