// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that the card's DMA engines reach, with a cache of freed blocks.
#ifndef GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H
#define GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace gaudi::runtime {

/// Pinned host memory. Freed blocks stay in a cache, as pinning is slow on the
/// card's hosts; a request takes the smallest cached block that has room. Where
/// the limit or the host refuses memory the cache is dropped and the request
/// tried again. A block goes to the cache when it has been freed and no copy
/// uses it. Locked by the caller.
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
  bool contains(const void *address, uint64_t bytes);
  /// A copy from or to the memory, if it is in a block in use, which has run
  /// when `hasRun` says so; `queue` runs its copies in order.
  void noteUse(const void *address, uint64_t bytes, const void *queue,
               std::function<bool()> hasRun);
  /// Whether freed blocks are still used by copies.
  bool hasLeaving() const { return !leaving.empty(); }
  void dropCache();

  uint64_t bytesInUse() const { return inUse; }
  uint64_t bytesCached() const { return cached; }

private:
  struct Use {
    const void *queue; // to tell queues apart
    std::function<bool()> hasRun;
  };
  struct Block {
    uint64_t bytes;
    std::vector<Use> uses; // the last one of each queue
    /// Forgets those that have run; whether none is left.
    bool isIdle();
  };

  void *take(uint64_t bytes);
  Block *find(const void *address, uint64_t bytes);
  void retire(void *address, uint64_t bytes);
  void retireIdle();

  uint64_t limit, inUse = 0, cached = 0;
  bool keepsFreed;
  std::map<uintptr_t, Block> blocks;      // in use
  std::map<uintptr_t, Block> leaving;     // freed, and used by copies
  std::multimap<uint64_t, void *> unused; // by bytes
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_PINNEDMEMORY_H
