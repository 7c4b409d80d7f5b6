// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of one card: addresses, bytes, and who uses them.
//
// Joins the allocator (MemoryPool), the handles that callers have (HandleTable)
// and the host memory of the emulation (DevicePages). Locked by the device.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_CARDMEMORY_H
#define GAUDI_LIB_RUNTIME_DEVICE_CARDMEMORY_H

#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Runtime/Device/DevicePages.h"
#include "Gaudi/Runtime/Device/HandleTable.h"
#include "Gaudi/Runtime/Device/MemoryPool.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gaudi::runtime {

/// A part of a block, found by its address.
struct MemoryRange {
  BlockId block = 0;
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  DeviceAddress address = 0; ///< of the block; 0: the workspace
  bool isWritten = false;    ///< by the work that uses it

  MemoryRange written() const {
    MemoryRange range = *this;
    range.isWritten = true;
    return range;
  }
};

class CardMemory {
public:
  static Result<CardMemory> create(const device::DeviceSpec &spec,
                                   uint64_t capacity, uint64_t hostLimit,
                                   unsigned card);

  /// Nothing if there is no room (MemoryPool::allocate).
  Result<std::optional<DeviceAddress>> allocate(uint64_t bytes, uint32_t stream,
                                                Picoseconds now,
                                                const MemoryOwner &owner);
  /// The block of an address that is none any more: the caller has it now.
  Result<BlockId> release(DeviceAddress address);
  /// An address for such a block.
  Result<DeviceAddress> adopt(BlockId block, const MemoryOwner &owner);
  /// A pinned block does not move; pins are counted by the address of the
  /// block, since its number may be another one's when it has been freed.
  void pin(const MemoryRange &range);
  void unpin(const MemoryRange &range);
  /// Errors: no such memory, memory that was freed, fewer bytes than that.
  Result<MemoryRange> resolve(DeviceAddress address, uint64_t bytes) const;
  uint8_t *data(BlockId block) const {
    return pages->data() + allocator->address(block);
  }
  /// Before anything is written. The error: the host has no memory for it.
  Status touch(const MemoryRange &range);

  /// Move blocks so that `bytes` are free, or that the workspace has so many;
  /// false: that cannot be. All work has run.
  Result<bool> defragment(uint64_t bytes);
  Result<bool> defragmentForWorkspace(uint64_t bytes);
  /// The workspace of a launch; nothing if there is no room.
  std::optional<MemoryRange> workspace(uint64_t bytes, uint32_t stream,
                                       Picoseconds now);

  MemoryPool &pool() { return *allocator; }
  uint64_t touchedBytes() const { return pages->touchedBytes(); }
  uint64_t hostLimit() const { return pages->hostLimit(); }
  std::string explain(uint64_t bytes) const;
  MemoryOwner textsOf(const Owner &owner) const {
    return {(*texts)[owner.name], (*texts)[owner.shape], (*texts)[owner.where]};
  }

private:
  CardMemory(MemoryPool pool, DevicePages pages, unsigned card);
  Owner intern(const MemoryOwner &owner);
  Result<bool> move(const std::vector<MemoryPool::Move> &moves);

  std::unique_ptr<MemoryPool> allocator;
  std::unique_ptr<DevicePages> pages;
  std::unique_ptr<OwnerTexts> texts;
  std::unique_ptr<HandleTable> handles;
  std::unordered_map<DeviceAddress, unsigned> pins;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_CARDMEMORY_H
