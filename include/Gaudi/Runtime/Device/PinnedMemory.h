// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that the card's DMA engines reach, with a cache of freed blocks.
#ifndef GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H
#define GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <map>

namespace gaudi::runtime {

/// Pinned host memory. Freed blocks stay in a cache, as pinning is slow on the
/// card's hosts; a request takes the smallest cached block that has room. Where
/// the limit or the host refuses memory the cache is dropped and the request
/// tried again. A block is freed when no copy uses it. Locked by the caller.
class PinnedMemory {
public:
  static constexpr uint64_t pageBytes = 4096;

  /// `limit`: bytes in use and cached.
  explicit PinnedMemory(uint64_t limit, bool cached = true)
      : limit(limit), keepsFreed(cached) {}
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;
  ~PinnedMemory();

  /// Aligned to 4 KiB. The error is of ErrorKind::HostMemory.
  Result<void *> allocate(uint64_t bytes);
  /// The error is of an address that is no block's first byte.
  Status free(void *address);
  /// Whether all of [address, address + bytes) is in one block in use.
  bool contains(const void *address, uint64_t bytes) const;
  void dropCache();

  uint64_t bytesInUse() const { return inUse; }
  uint64_t bytesCached() const { return cached; }

private:
  void *take(uint64_t bytes);

  uint64_t limit, inUse = 0, cached = 0;
  bool keepsFreed;
  std::map<uintptr_t, uint64_t> blocks;   // in use: bytes by address
  std::multimap<uint64_t, void *> unused; // by bytes
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H
