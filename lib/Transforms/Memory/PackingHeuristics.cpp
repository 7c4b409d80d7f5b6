// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps and greedy packings.
#include "PackingHeuristics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>

using namespace gaudi::memory;

namespace {
constexpr Units unbounded = std::numeric_limits<Units>::max();

/// A range of addresses that other items have.
struct Taken {
  Units start, end;
};

/// The lowest offset from `start` on at which `item` avoids `taken`, which is
/// sorted by start.
Units lowestBetween(const Item &item, Units start,
                    const std::vector<Taken> &taken) {
  Units offset = item.aligned(start);
  for (const Taken &range : taken) {
    if (range.start >= offset + item.size)
      break;
    if (range.end > offset)
      offset = item.aligned(range.end);
  }
  return offset;
}

/// The free ranges of an unbounded address space, coalesced. Found by address
/// among those of about one size, or by size, so that many free ranges do not
/// make a sweep quadratic.
class FreeRanges {
public:
  explicit FreeRanges(Fit fit) : fit(fit) { add(0, unbounded); }

  /// An offset for `item` in a free range, outside `taken`.
  Units find(const Item &item, const std::vector<Taken> &taken) const {
    Units start = unbounded, offset = -1;
    auto fits = [&](Units from) {
      const Units to = ranges.find(from)->second;
      const Units at = lowestBetween(item, from, taken);
      if (at >= to || to - at < item.size)
        return false;
      start = from;
      offset = at;
      return true;
    };
    if (fit == Fit::Best) {
      auto it = bySize.lower_bound({item.size, 0});
      while (it != bySize.end() && !fits(it->second))
        ++it;
    } else {
      // Of each class, the lowest range that suffices.
      for (size_t i = classOf(item.size); i < classes.size(); ++i)
        for (Units from : classes[i])
          if (from >= start || fits(from))
            break;
    }
    assert(offset >= 0 && "the last range is unbounded");
    return offset;
  }

  void take(Units start, Units size) {
    auto it = std::prev(ranges.upper_bound(start));
    const Units from = it->first, to = it->second;
    assert(from <= start && start + size <= to && "free");
    remove(it);
    if (from < start)
      add(from, start);
    if (start + size < to)
      add(start + size, to);
  }

  void give(Units start, Units size) {
    Units end = start + size;
    auto next = ranges.lower_bound(start);
    assert((next == ranges.end() || next->first >= end) && "given twice");
    if (next != ranges.begin())
      if (auto previous = std::prev(next); previous->second == start) {
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
  using Ranges = std::map<Units, Units>; // start -> end

  /// The number of the highest bit.
  static size_t classOf(Units size) {
    return size_t(63 - __builtin_clzll(uint64_t(size)));
  }
  void add(Units start, Units end) {
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
  std::array<std::set<Units>, 64> classes;  // starts, for Fit::First
  std::set<std::pair<Units, Units>> bySize; // with starts, for Fit::Best
};

/// What an item must avoid besides the free list: fixed items that begin
/// later, and placed or fixed partners in conflicts.
class Obstacles {
public:
  Obstacles(const Problem &problem, const std::vector<Units> &offsets,
            const std::vector<int> &order, bool isReversed)
      : problem(problem), offsets(offsets), isReversed(isReversed) {
    for (int i : order)
      if (problem.items[i].isFixed())
        fixed.push_back(i);
    partners.fill(problem.items.size(), [&](auto add) {
      for (auto [a, b] : problem.conflicts) {
        add(a, b);
        add(b, a);
      }
    });
  }

  const std::vector<Taken> &of(int number) {
    taken.clear();
    const Item &item = problem.items[number];
    // `fixed` is sorted by the time at which the sweep meets its items.
    auto it = std::partition_point(fixed.begin(), fixed.end(), [&](int other) {
      const Item &o = problem.items[other];
      return isReversed ? o.end > item.end : o.first < item.first;
    });
    for (; it != fixed.end(); ++it) {
      const Item &other = problem.items[*it];
      if (isReversed ? other.end <= item.first : other.first >= item.end)
        break;
      taken.push_back({other.fixed, other.fixed + other.size});
    }
    for (int other : partners[number])
      if (offsets[other] >= 0)
        taken.push_back(
            {offsets[other], offsets[other] + problem.items[other].size});
    std::sort(taken.begin(), taken.end(),
              [](const Taken &a, const Taken &b) { return a.start < b.start; });
    return taken;
  }

private:
  const Problem &problem;
  const std::vector<Units> &offsets;
  const bool isReversed;
  std::vector<int> fixed;
  Lists partners;
  std::vector<Taken> taken;
};

std::vector<Units> fixedOffsets(const Problem &problem) {
  std::vector<Units> offsets;
  offsets.reserve(problem.items.size());
  for (const Item &item : problem.items)
    offsets.push_back(item.fixed);
  return offsets;
}

Units peakOf(const Problem &problem, const std::vector<Units> &offsets) {
  Units peak = 0;
  for (size_t i = 0; i < offsets.size(); ++i)
    peak = std::max(peak, offsets[i] + problem.items[i].size);
  return peak;
}
} // namespace

Placement gaudi::memory::sweep(const Problem &problem,
                               const std::vector<int> &order, Fit fit,
                               bool isReversed) {
  // When an item leaves and which one it is. Ties are broken by the number, so
  // that offsets do not depend on the order of the heap.
  using Leave = std::pair<int, int>;
  std::priority_queue<Leave, std::vector<Leave>, std::greater<Leave>> alive;
  Placement placement;
  placement.offsets = fixedOffsets(problem);
  Obstacles obstacles(problem, placement.offsets, order, isReversed);
  FreeRanges free(fit);
  for (int number : order) {
    const Item &item = problem.items[number];
    const int now = isReversed ? -item.end : item.first;
    while (!alive.empty() && alive.top().first <= now) {
      const int done = alive.top().second;
      alive.pop();
      free.give(placement.offsets[done], problem.items[done].size);
    }
    if (!item.isFixed())
      placement.offsets[number] = free.find(item, obstacles.of(number));
    free.take(placement.offsets[number], item.size);
    alive.push({isReversed ? -item.first : item.end, number});
  }
  placement.peak = peakOf(problem, placement.offsets);
  return placement;
}

Placement gaudi::memory::packInOrder(const Problem &problem,
                                     const std::vector<int> &order) {
  Placement placement;
  placement.offsets = fixedOffsets(problem);
  std::vector<Taken> taken;
  for (int number : order) {
    if (problem.items[number].isFixed())
      continue;
    taken.clear();
    for (int other : problem.overlaps[number])
      if (const Units start = placement.offsets[other]; start >= 0)
        taken.push_back({start, start + problem.items[other].size});
    std::sort(taken.begin(), taken.end(),
              [](const Taken &a, const Taken &b) { return a.start < b.start; });
    placement.offsets[number] = lowestBetween(problem.items[number], 0, taken);
  }
  placement.peak = peakOf(problem, placement.offsets);
  return placement;
}

std::vector<int> gaudi::memory::packingOrder(const Problem &problem,
                                             unsigned number) {
  // Doubles hold sizes closely enough: they only rank.
  std::vector<double> key(problem.items.size());
  for (size_t i = 0; i < key.size(); ++i) {
    const Item &item = problem.items[i];
    const double size = double(item.size), sections = item.end - item.first;
    // Sections stand for the times at which liveness changes, times for real
    // ones: both are sensible lengths.
    const double time = double(problem.times[item.end - 1]) -
                        double(problem.times[item.first]) + 1;
    // The most that is alive beside the item. Only the last two orders need it,
    // and it is linear in the lifetime.
    const double load =
        number < 6 ? 0
                   : double(*std::max_element(problem.load.begin() + item.first,
                                              problem.load.begin() + item.end));
    // Load first, ties by the other key: factors keep them apart.
    const double keys[packingOrders] = {size,
                                        sections,
                                        size * sections,
                                        time,
                                        size * time,
                                        double(problem.overlaps[int(i)].size()),
                                        load * 1e6 + sections,
                                        load * 1e6 + size * sections / 1e6};
    key[i] = keys[number % packingOrders];
  }
  std::vector<int> order(key.size());
  std::iota(order.begin(), order.end(), 0);
  sortBy(order, [&](int i) { return -key[i]; });
  return order;
}
