// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of moves that make room in a fragmented pool.
#include "Gaudi/Runtime/Device/MemoryPool.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace gaudi::runtime {

bool MemoryPool::movable(uint32_t c) const {
  return chunks[c].state == ChunkState::Free ||
         (chunks[c].state == ChunkState::InUse && !chunks[c].fixed);
}

/// Moves the blocks of a run to its low end.
std::vector<MemoryPool::Move> MemoryPool::slide(uint32_t begin,
                                                uint32_t end) const {
  std::vector<Move> moves;
  uint64_t to = chunks[begin].offset;
  for (uint32_t c = begin;; c = chunks[c].after) {
    if (chunks[c].state == ChunkState::InUse) {
      if (to != chunks[c].offset)
        moves.push_back(
            {c, address(c), to + alignment, chunks[c].size - alignment});
      to += chunks[c].size;
    }
    if (c == end)
      return moves;
  }
}

std::optional<std::vector<MemoryPool::Move>>
MemoryPool::planDefragmentation(uint64_t bytes) const {
  if (bytes > capacity)
    return std::nullopt;
  const uint64_t size = chunkSize(bytes);
  // A window [low, high] over chunks in the order of addresses. It has a free
  // chunk at its low end, without which it had too little: so each chunk enters
  // and leaves it once.
  uint32_t low = none, bestLow = none, bestHigh = none;
  uint64_t free = 0, used = 0, bestUsed = UINT64_MAX;
  for (uint32_t high = first; high != none; high = chunks[high].after) {
    if (!movable(high)) {
      low = none;
      free = used = 0;
      continue;
    }
    if (low == none)
      low = high;
    (isFree(high) ? free : used) += chunks[high].size;
    while (low != none && (!isFree(low) || free - chunks[low].size >= size)) {
      (isFree(low) ? free : used) -= chunks[low].size;
      low = low == high ? none : chunks[low].after;
    }
    if (free >= size && used < bestUsed) {
      bestLow = low;
      bestHigh = high;
      bestUsed = used;
    }
  }
  if (bestLow == none)
    return std::nullopt;
  return slide(bestLow, bestHigh);
}

/// Moves that bring all blocks between `floor` and the workspace to free
/// chunks below, the largest first, each to the smallest that has room.
std::optional<std::vector<MemoryPool::Move>>
MemoryPool::swapBelow(uint64_t floor) const {
  struct Hole {
    uint64_t offset, size;
  };
  std::vector<Hole> holes;
  std::vector<uint32_t> blocks;
  for (uint32_t c = first; c != workspaceChunk; c = chunks[c].after) {
    const uint64_t begin = chunks[c].offset, end = begin + chunks[c].size;
    if (end > floor && !movable(c))
      return std::nullopt;
    if (end > floor && !isFree(c))
      blocks.push_back(c);
    else if (begin < floor && chunks[c].state == ChunkState::Free)
      holes.push_back({begin, std::min(end, floor) - begin});
  }
  std::sort(blocks.begin(), blocks.end(), [&](uint32_t a, uint32_t b) {
    return std::make_tuple(chunks[b].size, chunks[a].offset) <
           std::make_tuple(chunks[a].size, chunks[b].offset);
  });
  std::vector<Move> moves;
  for (uint32_t c : blocks) {
    const uint64_t size = chunks[c].size;
    Hole *best = nullptr;
    for (Hole &hole : holes)
      if (hole.size >= size && (!best || hole.size < best->size))
        best = &hole;
    if (!best)
      return std::nullopt;
    moves.push_back(
        {c, address(c), best->offset + alignment, size - alignment});
    best->offset += size;
    best->size -= size;
  }
  return moves;
}

std::optional<std::vector<MemoryPool::Move>>
MemoryPool::planWorkspace(uint64_t bytes) const {
  if (bytes > capacity)
    return std::nullopt;
  const Chunk &space = chunks[workspaceChunk];
  const uint64_t size = chunkSize(bytes);
  if (size <= space.size)
    return std::vector<Move>();
  const uint64_t missing = size - space.size;
  if (space.offset < missing)
    return std::nullopt;
  if (auto moves = swapBelow(space.offset - missing))
    return moves;
  // Otherwise down to the low end of the shortest run with enough free bytes.
  uint64_t free = 0;
  for (uint32_t c = space.before; c != none && movable(c);
       c = chunks[c].before) {
    if (isFree(c))
      free += chunks[c].size;
    if (free >= missing)
      return slide(c, space.before);
  }
  return std::nullopt;
}

/// Exchanges a block with free memory at `to`, beside or far from it.
void MemoryPool::moveChunk(uint32_t c, uint64_t to) {
  uint32_t hole = first;
  while (hole != none && chunks[hole].offset != to)
    hole = chunks[hole].after;
  assert(hole != none && chunks[hole].state == ChunkState::Free);
  unlink(hole);
  const auto setAfter = [&](uint32_t chunk, uint32_t after) {
    chunks[chunk].after = after;
    if (after != none)
      chunks[after].before = chunk;
  };
  if (chunks[hole].after == c) {
    setAfter(chunks[hole].before, c);
    setAfter(hole, chunks[c].after);
    setAfter(c, hole);
    chunks[c].offset = to;
    chunks[hole].offset = to + chunks[c].size;
  } else {
    assert(chunks[hole].size >= chunks[c].size);
    if (chunks[hole].size > chunks[c].size)
      place(split(hole, chunks[c].size));
    const uint32_t before = chunks[c].before, after = chunks[c].after;
    std::swap(chunks[c].offset, chunks[hole].offset);
    setAfter(chunks[hole].before, c);
    setAfter(c, chunks[hole].after);
    setAfter(before, hole);
    setAfter(hole, after);
  }
  place(hole);
}

void MemoryPool::apply(const std::vector<Move> &moves) {
  for (const Move &move : moves) {
    reserveRecords();
    moveChunk(move.block, move.to - alignment);
  }
}

} // namespace gaudi::runtime
