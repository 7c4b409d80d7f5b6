// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a card's memory on this host: only those that were touched.
#ifndef GAUDI_RUNTIME_DEVICE_DEVICEPAGES_H
#define GAUDI_RUNTIME_DEVICE_DEVICEPAGES_H

#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Runtime/Device/MemoryPool.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Address space of the card's capacity, of which the host gives memory in
/// pages of 2 MiB as they are touched. Their number has a limit, since a host
/// that runs out of memory kills the program instead of failing. Locked by the
/// caller.
class DevicePages {
public:
  static constexpr uint64_t pageBytes = Arena::alignment;

  /// Both in bytes. The error: no such address space (ErrorKind::HostMemory).
  static Result<DevicePages> create(uint64_t capacity, uint64_t hostLimit);

  /// Of address 0 of the card.
  uint8_t *data() const { return arena.data(); }

  /// To be called before anything is written to [begin, end). At the limit,
  /// pages that are idle in `pool`, if it is given, go back to the host. The
  /// error is of ErrorKind::HostMemory.
  Status touch(uint64_t begin, uint64_t end, const MemoryPool *pool);
  /// Gives pages that are wholly inside back; they read as zeros. The bytes.
  uint64_t release(uint64_t begin, uint64_t end);

  uint64_t touchedBytes() const { return touchedPages * pageBytes; }
  uint64_t hostLimit() const { return limit; }

private:
  DevicePages(Arena arena, uint64_t limit);
  uint64_t untouched(uint64_t beginPage, uint64_t endPage) const;

  Arena arena;
  uint64_t limit, touchedPages = 0;
  std::vector<uint64_t> touched; // bits of pages
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_DEVICEPAGES_H
