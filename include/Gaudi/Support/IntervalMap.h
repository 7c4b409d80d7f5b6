// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map from byte ranges to values, for sweeps over memory.
#ifndef GAUDI_SUPPORT_INTERVALMAP_H
#define GAUDI_SUPPORT_INTERVALMAP_H

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace gaudi {

/// Disjoint ranges [begin, end) with a value each. Neighbours of equal value
/// are joined where a call touches them, so ranges stay as few as the values
/// demand.
///
/// Invariant: ranges are sorted, not empty, and do not overlap. Every call
/// first splits the ranges at its ends, then works on whole ones. A call adds
/// at most two ranges, and `assign` removes those it covers: n calls of
/// `assign` take O(n log n). `update` and `visit` look at every range in
/// between; `takeVisits` counts them for the work budget.
template <typename T> class IntervalMap {
public:
  /// Gives the whole range one value.
  void assign(uint64_t begin, uint64_t end, T value) {
    assert(begin <= end);
    if (begin == end)
      return;
    split(begin);
    split(end);
    auto first = ranges.lower_bound(begin);
    while (first != ranges.end() && first->first < end) {
      first = ranges.erase(first);
      ++visits;
    }
    auto inserted =
        ranges.emplace_hint(first, begin, Range{end, std::move(value)});
    joinWithPrevious(inserted);
    if (auto next = ranges.lower_bound(end); next != ranges.end())
      joinWithPrevious(next);
  }

  /// Calls change(value) for each range inside until it returns false; gaps get
  /// a default value first.
  template <typename Change>
  void update(uint64_t begin, uint64_t end, Change &&change) {
    assert(begin <= end);
    if (begin == end)
      return;
    split(begin);
    split(end);
    auto range = ranges.lower_bound(begin);
    uint64_t position = begin;
    while (position < end) {
      if (range == ranges.end() || range->first > position) {
        uint64_t until = end;
        if (range != ranges.end() && range->first < end)
          until = range->first;
        range = ranges.emplace_hint(range, position, Range{until, T()});
      }
      ++visits;
      if (!change(range->second.value))
        return;
      position = range->second.end;
      range = std::next(joinWithPrevious(range));
    }
    if (range != ranges.end())
      joinWithPrevious(range);
  }

  /// Calls look(begin, end, value) for each range and gap inside until it
  /// returns false; value is null in gaps.
  template <typename Look>
  void visit(uint64_t begin, uint64_t end, Look &&look) {
    auto range = ranges.upper_bound(begin);
    if (range != ranges.begin() && std::prev(range)->second.end > begin)
      --range;
    uint64_t position = begin;
    while (position < end) {
      ++visits;
      const T *value = nullptr;
      uint64_t until = end;
      assert((range == ranges.end() || range->second.end > position) &&
             "the range that holds the position, or the next one");
      if (range != ranges.end() && range->first <= position) {
        value = &range->second.value;
        until = std::min(end, range->second.end);
        ++range;
      } else if (range != ranges.end()) {
        until = std::min(end, range->first);
      }
      if (!look(position, until, value))
        return;
      position = until;
    }
  }

  /// Ranges looked at since the last call: the work done.
  uint64_t takeVisits() { return std::exchange(visits, 0); }

private:
  struct Range {
    uint64_t end;
    T value;
  };
  using Ranges = std::map<uint64_t, Range>;

  void split(uint64_t at) {
    auto next = ranges.lower_bound(at);
    if (next == ranges.begin())
      return;
    auto range = std::prev(next);
    if (range->second.end <= at)
      return;
    ranges.emplace_hint(next, at,
                        Range{range->second.end, range->second.value});
    range->second.end = at;
  }

  typename Ranges::iterator joinWithPrevious(typename Ranges::iterator range) {
    if (range == ranges.begin())
      return range;
    auto previous = std::prev(range);
    if (previous->second.end != range->first ||
        !(previous->second.value == range->second.value))
      return range;
    previous->second.end = range->second.end;
    ranges.erase(range);
    return previous;
  }

  Ranges ranges; // by their first byte
  uint64_t visits = 0;
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_INTERVALMAP_H
