// First-fit packing with a free list.
#include "Gaudi/Transforms/Memory/Packing.h"
#include <algorithm>
#include <cassert>
#include <map>
#include <queue>

using namespace gaudi::memory;

namespace {
/// The free ranges of an unbounded address space, coalesced.
class FreeList {
public:
  FreeList() { ranges[0] = UINT64_MAX; }

  /// Takes the lowest range of at least `size` bytes.
  uint64_t take(uint64_t size) {
    for (auto it = ranges.begin();; ++it) {
      auto [start, end] = *it;
      if (end - start < size)
        continue;
      ranges.erase(it);
      if (end - start > size)
        ranges[start + size] = end;
      return start;
    }
  }

  void give(uint64_t start, uint64_t size) {
    uint64_t end = start + size;
    // Merge with the free range after it, then with the one before it.
    auto next = ranges.lower_bound(start);
    assert((next == ranges.end() || next->first >= end) && "given twice");
    if (next != ranges.end() && next->first == end) {
      end = next->second;
      next = ranges.erase(next);
    }
    if (next != ranges.begin()) {
      auto previous = std::prev(next);
      if (previous->second == start) {
        previous->second = end;
        return;
      }
    }
    ranges[start] = end;
  }

private:
  std::map<uint64_t, uint64_t> ranges; // start -> end
};
} // namespace

Packing gaudi::memory::packFirstFit(const std::vector<Lifetime> &lifetimes,
                                    uint64_t alignment) {
  auto rounded = [&](uint64_t size) {
    return (size + alignment - 1) / alignment * alignment;
  };
  struct End {
    uint64_t last;
    size_t buffer;
    bool operator>(const End &other) const {
      return last != other.last ? last > other.last : buffer > other.buffer;
    }
  };
  Packing packing;
  packing.offsets.resize(lifetimes.size());
  // A sweep over the steps: buffers whose last step has passed return their
  // range before the next buffer takes one. Ties are broken by the number of
  // the buffer, so that offsets do not depend on the order of the heap.
  FreeList free;
  std::priority_queue<End, std::vector<End>, std::greater<End>> alive;
  uint64_t live = 0;
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime &lifetime = lifetimes[i];
    assert((i == 0 || lifetimes[i - 1].first <= lifetime.first) &&
           lifetime.first <= lifetime.last && "sorted by first step");
    while (!alive.empty() && alive.top().last < lifetime.first) {
      size_t done = alive.top().buffer;
      alive.pop();
      live -= rounded(lifetimes[done].size);
      free.give(packing.offsets[done], rounded(lifetimes[done].size));
    }
    uint64_t size = rounded(lifetime.size);
    if (size == 0)
      continue;
    packing.offsets[i] = free.take(size);
    alive.push({lifetime.last, i});
    live += size;
    packing.peak = std::max(packing.peak, packing.offsets[i] + size);
    if (live > packing.lowerBound) {
      packing.lowerBound = live;
      packing.lowerBoundStep = lifetime.first;
    }
  }
  return packing;
}
