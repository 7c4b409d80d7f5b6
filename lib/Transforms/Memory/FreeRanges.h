// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The free ranges of an unbounded address space, coalesced.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_FREERANGES_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_FREERANGES_H

#include "Gaudi/Transforms/Memory/Order.h"

#include <array>
#include <cassert>
#include <limits>
#include <map>
#include <set>

namespace gaudi::memory {

/// Found by address among those of about one size, or by size, so that many
/// free ranges do not make a sweep quadratic.
class FreeRanges {
public:
  explicit FreeRanges(Fit fit) : fit(fit) {
    add(0, std::numeric_limits<int64_t>::max());
  }

  /// The start of the lowest range, or of the smallest and of these the lowest,
  /// that has the size and that `fits(start, end)` takes.
  template <typename Fits> int64_t find(int64_t size, Fits &&fits) const {
    assert(size > 0 && "only what has a size has a place");
    if (fit == Fit::Best) {
      auto it = bySize.lower_bound({size, 0});
      while (!fits(it->second, it->second + it->first))
        ++it;
      return it->second;
    }
    // Of each class, the lowest range that suffices.
    int64_t lowest = std::numeric_limits<int64_t>::max();
    for (size_t i = classOf(size); i < classes.size(); ++i)
      for (int64_t start : classes[i]) {
        if (start >= lowest)
          break;
        const int64_t end = ranges.find(start)->second;
        if (end - start < size || !fits(start, end))
          continue;
        lowest = start;
        break;
      }
    return lowest;
  }
  int64_t find(int64_t size) const {
    return find(size, [](int64_t, int64_t) { return true; });
  }

  void take(int64_t start, int64_t size) {
    const auto it = std::prev(ranges.upper_bound(start));
    const auto [from, to] = *it;
    assert(from <= start && start + size <= to && "free");
    remove(it);
    if (from < start)
      add(from, start);
    if (start + size < to)
      add(start + size, to);
  }

  void give(int64_t start, int64_t size) {
    int64_t end = start + size;
    const auto next = ranges.lower_bound(start);
    assert((next == ranges.end() || next->first >= end) && "given twice");
    if (next != ranges.begin())
      if (const auto previous = std::prev(next); previous->second == start) {
        start = previous->first;
        remove(previous);
      }
    if (next != ranges.end() && next->first == end) {
      end = next->second;
      remove(next);
    }
    add(start, end);
  }

private:
  using Ranges = std::map<int64_t, int64_t>; // start -> end

  /// The number of the highest bit.
  static size_t classOf(int64_t size) {
    return size_t(63 - __builtin_clzll(uint64_t(size)));
  }
  void add(int64_t start, int64_t end) {
    ranges[start] = end;
    if (fit == Fit::Best)
      bySize.insert({end - start, start});
    else
      classes[classOf(end - start)].insert(start);
  }
  void remove(Ranges::iterator it) {
    const auto [start, end] = *it;
    if (fit == Fit::Best)
      bySize.erase({end - start, start});
    else
      classes[classOf(end - start)].erase(start);
    ranges.erase(it);
  }

  const Fit fit;
  Ranges ranges;
  std::array<std::set<int64_t>, 64> classes;    // starts, for Fit::First
  std::set<std::pair<int64_t, int64_t>> bySize; // with starts, for Fit::Best
};

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_FREERANGES_H
