// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins allocator, handles and pages.
#include "CardMemory.h"

#include <cassert>
#include <cstring>

namespace gaudi::runtime {

CardMemory::CardMemory(MemoryPool pool, DevicePages pages, unsigned card)
    : allocator(std::make_unique<MemoryPool>(std::move(pool))),
      pages(std::make_unique<DevicePages>(std::move(pages))),
      texts(std::make_unique<OwnerTexts>()),
      handles(std::make_unique<HandleTable>(*texts, card)) {}

Result<CardMemory> CardMemory::create(const device::DeviceSpec &spec,
                                      uint64_t capacity, uint64_t hostLimit,
                                      unsigned card) {
  MemoryPool pool =
      GAUDI_TRY(MemoryPool::create(capacity, spec.memory.addressAlignment));
  DevicePages pages = GAUDI_TRY(DevicePages::create(capacity, hostLimit));
  return CardMemory(std::move(pool), std::move(pages), card);
}

Owner CardMemory::intern(const MemoryOwner &owner) {
  return {texts->intern(owner.name), texts->intern(owner.shape),
          texts->intern(owner.where)};
}

Result<std::optional<DeviceAddress>>
CardMemory::allocate(uint64_t bytes, uint32_t stream, Picoseconds now,
                     const MemoryOwner &owner) {
  MemoryPool::Request request;
  request.bytes = bytes;
  request.stream = stream;
  request.now = now;
  request.owner = intern(owner);
  std::vector<StreamUse> waits; // asked for at each use: waitsOf
  const auto block = allocator->allocate(request, waits);
  if (!block)
    return std::nullopt;
  auto handle = handles->add(block->block, bytes, request.owner);
  if (!handle) {
    GAUDI_TRY(allocator->free(block->block, now));
    return tl::unexpected<Error>(std::move(handle).error());
  }
  return *handle;
}

Result<BlockId> CardMemory::release(DeviceAddress address) {
  return handles->remove(address);
}

Result<DeviceAddress> CardMemory::adopt(BlockId block,
                                        const MemoryOwner &owner) {
  return handles->add(block, allocator->bytes(block), intern(owner));
}

void CardMemory::pin(const MemoryRange &range) {
  ++pins[range.address];
  allocator->setFixed(range.block, true);
}

void CardMemory::unpin(const MemoryRange &range) {
  if (--pins[range.address])
    return;
  pins.erase(range.address);
  // Not the block that has the number now.
  if (handles->resolve(range.address, 0))
    allocator->setFixed(range.block, false);
}

Result<MemoryRange> CardMemory::resolve(DeviceAddress address,
                                        uint64_t bytes) const {
  const HandleTable::Place place = GAUDI_TRY(handles->resolve(address, bytes));
  return MemoryRange{place.block,
                     pages->data() + allocator->address(place.block) +
                         place.offset,
                     bytes, address - place.offset};
}

Status CardMemory::touch(const MemoryRange &range) {
  const auto begin = uint64_t(range.data - pages->data());
  return pages->touch(begin, begin + range.bytes, allocator.get());
}

Result<bool> CardMemory::move(const std::vector<MemoryPool::Move> &moves) {
  // All pages first, and none goes back to the host meanwhile: to the pool,
  // ranges that bytes have been moved to are free until apply().
  for (const MemoryPool::Move &move : moves)
    GAUDI_TRY(pages->touch(move.to, move.to + move.bytes, nullptr));
  for (const MemoryPool::Move &move : moves)
    std::memmove(pages->data() + move.to, pages->data() + move.from,
                 move.bytes);
  allocator->apply(moves);
  return true;
}

Result<bool> CardMemory::defragment(uint64_t bytes) {
  const auto moves = allocator->planDefragmentation(bytes);
  return moves ? move(*moves) : Result<bool>(false);
}

Result<bool> CardMemory::defragmentForWorkspace(uint64_t bytes) {
  const auto moves = allocator->planWorkspace(bytes);
  return moves ? move(*moves) : Result<bool>(false);
}

std::optional<MemoryRange>
CardMemory::workspace(uint64_t bytes, uint32_t stream, Picoseconds now) {
  std::vector<StreamUse> waits;
  if (allocator->bytes(allocator->workspace()) < bytes &&
      !allocator->growWorkspace(bytes, stream, now, waits))
    return std::nullopt;
  const BlockId block = allocator->workspace();
  return MemoryRange{block, pages->data() + allocator->address(block), bytes, 0,
                     /*isWritten=*/true};
}

std::string CardMemory::explain(uint64_t bytes) const {
  return allocator->explain(bytes).text(*texts);
}

} // namespace gaudi::runtime
