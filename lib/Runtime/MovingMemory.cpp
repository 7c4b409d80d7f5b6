// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is somewhere else in every launch.
#include "MovingMemory.h"

#include <cstring>
#include <sys/mman.h>

namespace gaudi::runtime {

Status MovingMemory::move(LaunchBindings &bindings) {
  constexpr uint64_t alignment = Relocation::alignment;
  const std::vector<LaunchBindings::Region> regions = bindings.regions();
  ++moves;
  // Other distances between regions each time, and another order: what is one
  // behind the other now was not so before.
  std::vector<uint64_t> offsets(regions.size());
  uint64_t bytes = 0;
  for (size_t i = 0; i < regions.size(); ++i) {
    const size_t r = moves % 2 ? i : regions.size() - 1 - i;
    const uint64_t gap = 1 + (moves * 7 + r * 5) % 13;
    offsets[r] = bytes + gap * alignment + regions[r].offset % alignment;
    bytes =
        (offsets[r] + regions[r].bytes + alignment - 1) / alignment * alignment;
  }
  Arena next = GAUDI_TRY(Arena::create(bytes + alignment, "the device"));
  if (places.empty())
    places.assign(regions.size(), nullptr);
  for (size_t r = 0; r < regions.size(); ++r) {
    uint8_t *const to = next.data() + offsets[r];
    if (regions[r].isWorkspace)
      std::memset(to, 0xff, regions[r].bytes);
    else if (places[r])
      std::memcpy(to, places[r], regions[r].bytes);
    bindings.place(regions[r], to);
    places[r] = to;
  }
  before = std::move(now);
  now = std::move(next);
  if (before.size())
    (void)mprotect(before.data(), before.size(), PROT_NONE);
  return {};
}

} // namespace gaudi::runtime
