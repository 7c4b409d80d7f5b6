// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the memory of a loaded recipe.
#include "Relocation.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace gaudi::runtime {

namespace {

constexpr uint64_t firstLink = uint64_t(0x202) << 53;

uint64_t pointerAt(const void *slot) {
  // Pointers of all types: bytes may alias any.
  uint64_t value;
  std::memcpy(&value, slot, sizeof(value));
  return value;
}

} // namespace

/// Half of the addresses are gaps: pointers to taps in the padding lie before
/// or behind their tensor.
Relocation::Relocation(size_t count)
    : gap(std::min(uint64_t(1) << 36, (uint64_t(1) << 52) / (count + 2)) /
          alignment * alignment),
      next(firstLink + alignment) {
  regions.reserve(count);
}

uint32_t Relocation::add(uint64_t bytes, uint64_t offset) {
  // Odd multiples, so that nothing is aligned by chance.
  const uint64_t unit = 2 * alignment;
  next = (next + gap) / unit * unit + alignment;
  const uint64_t link = next + offset % alignment;
  next = link + bytes;
  regions.push_back({link, link, {}});
  assert(isLinkAddress(next) && "the verifier bounds the sizes of sections");
  return uint32_t(regions.size() - 1);
}

/// The region whose link range, with half of the gaps around it, has the
/// address. Neighbours in a table are mostly of one region.
size_t Relocation::regionOf(uint64_t address) {
  const auto begins = [&](size_t r) { return regions[r].link - gap / 2; };
  if (address >= begins(last) &&
      (last + 1 == regions.size() || address < begins(last + 1)))
    return last;
  const auto after = std::upper_bound(
      regions.begin(), regions.end(), address + gap / 2,
      [](uint64_t at, const Region &region) { return at < region.link; });
  assert(after != regions.begin() && "before the first region");
  return last = size_t(after - regions.begin()) - 1;
}

void Relocation::pointers(void *first, size_t count) {
  char *at = static_cast<char *>(first);
  for (size_t i = 0; i < count; ++i, at += sizeof(void *)) {
    const uint64_t address = pointerAt(at);
    if (!isLinkAddress(address))
      continue;
    std::vector<Run> &runs = regions[regionOf(address)].runs;
    if (!runs.empty() && static_cast<char *>(runs.back().first) +
                                 runs.back().count * sizeof(void *) ==
                             at)
      ++runs.back().count;
    else
      runs.push_back({at, 1});
  }
}

void Relocation::move(uint32_t number, const void *to) {
  Region &region = regions[number];
  const uint64_t distance = reinterpret_cast<uint64_t>(to) - region.now;
  if (distance == 0)
    return;
  for (const Run &run : region.runs) {
    char *at = static_cast<char *>(run.first);
    for (uint64_t i = 0; i < run.count; ++i, at += sizeof(void *)) {
      const uint64_t moved = pointerAt(at) + distance;
      std::memcpy(at, &moved, sizeof(moved));
    }
  }
  region.now += distance;
}

void Relocation::keep(uint32_t region) { regions[region].runs = {}; }

uint64_t Relocation::bytes() const {
  uint64_t bytes = regions.capacity() * sizeof(Region);
  for (const Region &region : regions)
    bytes += region.runs.capacity() * sizeof(Run);
  return bytes;
}

} // namespace gaudi::runtime
