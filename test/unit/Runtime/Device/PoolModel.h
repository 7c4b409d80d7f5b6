// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of the memory pool in the simplest form: a list of chunks that is
// searched from its begin each time.
#ifndef GAUDI_TEST_UNIT_RUNTIME_DEVICE_POOLMODEL_H
#define GAUDI_TEST_UNIT_RUNTIME_DEVICE_POOLMODEL_H

#include "Gaudi/Runtime/Device/MemoryPool.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace gaudi::runtime {

class PoolModel {
public:
  /// The last use of each stream.
  using Uses = std::map<uint32_t, StreamUse>;

  PoolModel(uint64_t capacity, uint64_t alignment, uint64_t workspace)
      : align(alignment), units(MemoryPool::smallUnits) {
    const uint64_t region = (MemoryPool::smallUnits + 1) * align;
    const uint64_t top = sizeOf(workspace);
    chunks = {{0, region, true, {}},
              {region, capacity - region - top, false, {}},
              {capacity - top, top, true, {}}};
    stats.limit = capacity;
    stats.inUse = stats.maxInUse = region + top;
  }

  MemoryStatistics stats;

  std::optional<uint64_t> allocate(uint64_t bytes, uint32_t stream,
                                   int64_t time, Uses &previous) {
    const uint64_t size = sizeOf(bytes);
    const bool isSmall = stream == 0 && size == 2 * align;
    // What only this stream may have and fits needs no look at the clock.
    if (std::none_of(chunks.begin(), chunks.end(), [&](const Chunk &chunk) {
          return chunk.isFreeFor(stream) && !chunk.isFreeFor(none) &&
                 chunk.size == size && !isSmall;
        }))
      setTime(time);
    if (isSmall)
      for (uint64_t u = 0; u < units.size(); ++u)
        if (!units[u].used && !later.count(u)) {
          units[u].used = true;
          previous = units[u].uses;
          count(0);
          return (u + 1) * align;
        }
    // Best fit, what only this stream may have first, or else the smallest run
    // of chunks that it may have.
    size_t best = chunks.size();
    const auto key = [&](size_t c) {
      return std::make_pair(chunks[c].size, chunks[c].isFreeFor(none));
    };
    for (size_t c = 0; c < chunks.size(); ++c)
      if (chunks[c].isFreeFor(stream) && chunks[c].size >= size &&
          (best == chunks.size() || key(c) < key(best)))
        best = c;
    if (best != chunks.size()) {
      const uint64_t found = chunks[best].size;
      if (found >= 2 * size || found - size >= MemoryPool::maxWaste ||
          size < 0.9 * double(found))
        cut(best, size);
    } else {
      uint64_t bestSum = UINT64_MAX;
      for (size_t c = 0; c < chunks.size(); ++c) {
        uint64_t sum = 0;
        const size_t begin = c;
        for (; chunks[c].isFreeFor(stream); ++c) // the workspace ends it
          sum += chunks[c].size;
        if (sum >= size && sum < bestSum) {
          bestSum = sum;
          best = begin;
        }
      }
      if (bestSum == UINT64_MAX)
        return std::nullopt;
      while (chunks[best].size < size) {
        const uint64_t missing = size - chunks[best].size;
        if (chunks[best + 1].size > missing)
          cut(best + 1, missing);
        merge(best);
      }
    }
    chunks[best].used = true;
    previous = chunks[best].uses;
    stats.maxAllocSize = std::max(stats.maxAllocSize, chunks[best].size);
    count(chunks[best].size);
    return chunks[best].offset + align;
  }

  void free(uint64_t address, int64_t time) {
    now = time;
    ++stats.numFrees;
    ++stats.totalFrees;
    if (address <= MemoryPool::smallUnits * align) {
      const uint64_t unit = address / align - 1;
      units[unit].used = false;
      if (isLater(units[unit].uses, 0))
        later.insert(unit);
      return;
    }
    const size_t c = at(address);
    release(chunks[c]);
    stats.inUse -= chunks[c].size;
    coalesce();
  }

  Uses &usesOf(uint64_t address) {
    return address <= MemoryPool::smallUnits * align
               ? units[address / align - 1].uses
               : chunks[at(address)].uses;
  }

  void use(uint64_t address, const StreamUse &use) {
    Uses &uses = usesOf(address);
    uses.emplace(use.stream, use).first->second.add(use);
  }

  bool growWorkspace(uint64_t bytes, uint32_t stream, int64_t time) {
    setTime(time);
    const uint64_t size = sizeOf(bytes);
    if (size <= chunks.back().size)
      return true;
    const uint64_t floor = stats.limit - size;
    for (size_t c = 0; c + 1 < chunks.size(); ++c)
      if (chunks[c].offset + chunks[c].size > floor &&
          !chunks[c].isFreeFor(stream))
        return false;
    const size_t c = at(floor + align);
    if (chunks[c].offset < floor)
      cut(c, floor - chunks[c].offset);
    stats.inUse += size - chunks.back().size;
    stats.maxInUse = std::max(stats.maxInUse, stats.inUse);
    while (chunks.back().offset != floor)
      merge(chunks.size() - 2);
    chunks.back().used = true;
    return true;
  }

  void shrinkWorkspace(uint64_t bytes, int64_t time) {
    setTime(time);
    const uint64_t size = sizeOf(bytes);
    if (size >= chunks.back().size)
      return;
    const size_t c = chunks.size() - 1;
    cut(c, chunks[c].size - size);
    release(chunks[c]);
    stats.inUse -= chunks[c].size;
    coalesce();
  }

  void settle() {
    for (Chunk &chunk : chunks)
      chunk.uses.clear();
    for (Unit &unit : units)
      unit.uses.clear();
    setTime(now);
  }

  void move(uint64_t from, uint64_t to) {
    const size_t c = at(from);
    const uint64_t size = chunks[c].size;
    release(chunks[c]);
    coalesce();
    size_t hole = at(to);
    if (chunks[hole].offset + align < to)
      cut(hole, to - align - chunks[hole].offset), ++hole;
    if (chunks[hole].size > size)
      cut(hole, size);
    chunks[hole].used = true;
  }

private:
  struct Chunk {
    uint64_t offset, size;
    bool used;
    Uses uses;
    bool pending = false;
    uint32_t stream = none; // of pending ones

    bool isFreeFor(uint32_t asking) const {
      return !used && (!pending || (stream != none && stream == asking));
    }
  };
  struct Unit {
    bool used = false;
    Uses uses;
  };

  uint64_t sizeOf(uint64_t bytes) const {
    return ((std::max<uint64_t>(bytes, 1) + align - 1) / align + 1) * align;
  }
  /// The chunk that has an address.
  size_t at(uint64_t address) const {
    size_t c = 0;
    while (chunks[c].offset + chunks[c].size <= address - align)
      ++c;
    return c;
  }
  /// Whether other streams than one still use the memory.
  bool isLater(const Uses &uses, uint32_t stream) const {
    return std::any_of(uses.begin(), uses.end(), [&](const auto &entry) {
      return entry.first != stream && entry.second.end > now;
    });
  }
  void release(Chunk &chunk) {
    chunk.used = false;
    chunk.pending = isLater(chunk.uses, none);
    chunk.stream = none;
    for (const auto &[stream, use] : chunk.uses)
      if (!isLater(chunk.uses, stream))
        chunk.stream = stream;
  }
  void cut(size_t c, uint64_t size) {
    Chunk rest = chunks[c];
    rest.offset += size;
    rest.size -= size;
    chunks[c].size = size;
    chunks.insert(chunks.begin() + ptrdiff_t(c) + 1, rest);
  }
  void merge(size_t c) {
    chunks[c].size += chunks[c + 1].size;
    for (const auto &[stream, other] : chunks[c + 1].uses) {
      chunks[c].uses.emplace(stream, other).first->second.add(other);
    }
    chunks.erase(chunks.begin() + ptrdiff_t(c) + 1);
  }
  void coalesce() {
    for (size_t c = 0; c + 1 < chunks.size();)
      if (chunks[c].isFreeFor(none) && chunks[c + 1].isFreeFor(none))
        merge(c);
      else
        ++c;
  }
  void setTime(int64_t time) {
    now = time;
    for (Chunk &chunk : chunks)
      if (!chunk.used && chunk.pending)
        release(chunk);
    for (auto unit = later.begin(); unit != later.end();)
      unit =
          isLater(units[*unit].uses, 0) ? std::next(unit) : later.erase(unit);
    coalesce();
  }
  void count(uint64_t size) {
    stats.inUse += size;
    if (size)
      stats.maxInUse = std::max(stats.maxInUse, stats.inUse);
    ++stats.numAllocs;
    ++stats.totalAllocs;
  }

  uint64_t align;
  int64_t now = INT64_MIN;
  std::vector<Chunk> chunks;
  std::vector<Unit> units;
  std::set<uint64_t> later; // units that are freed and pending
};

} // namespace gaudi::runtime

#endif // GAUDI_TEST_UNIT_RUNTIME_DEVICE_POOLMODEL_H
