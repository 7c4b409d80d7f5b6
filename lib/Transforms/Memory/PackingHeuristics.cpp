// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps and greedy packings.
#include "PackingHeuristics.h"
#include "FreeRanges.h"

#include <algorithm>
#include <numeric>
#include <queue>

using namespace gaudi::memory;

namespace {
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

} // namespace

Placement gaudi::memory::placementOf(const Problem &problem,
                                     std::vector<Units> offsets) {
  Placement placement{std::move(offsets), 0};
  for (size_t i = 0; i < placement.offsets.size(); ++i)
    placement.peak =
        std::max(placement.peak, placement.offsets[i] + problem.items[i].size);
  return placement;
}

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
    if (!item.isFixed()) {
      const std::vector<Taken> &taken = obstacles.of(number);
      Units &offset = placement.offsets[number];
      free.find(item.size, [&](Units from, Units to) {
        const Units at = lowestBetween(item, from, taken);
        const bool fits = at < to && to - at >= item.size;
        if (fits)
          offset = at; // ever lower ones are found
        return fits;
      });
    }
    free.take(placement.offsets[number], item.size);
    alive.push({isReversed ? -item.first : item.end, number});
  }
  return placementOf(problem, std::move(placement.offsets));
}

Units gaudi::memory::lowestOffset(const Problem &problem, int number,
                                  const std::vector<Units> &offsets,
                                  std::vector<Taken> &taken) {
  taken.clear();
  for (int other : problem.overlaps[number])
    if (const Units start = offsets[other]; start >= 0)
      taken.push_back({start, start + problem.items[other].size});
  std::sort(taken.begin(), taken.end(),
            [](const Taken &a, const Taken &b) { return a.start < b.start; });
  return lowestBetween(problem.items[number], 0, taken);
}

Placement gaudi::memory::packInOrder(const Problem &problem,
                                     const std::vector<int> &order) {
  Placement placement;
  placement.offsets = fixedOffsets(problem);
  std::vector<Taken> taken;
  for (int number : order) {
    if (problem.items[number].isFixed())
      continue;
    placement.offsets[number] =
        lowestOffset(problem, number, placement.offsets, taken);
  }
  return placementOf(problem, std::move(placement.offsets));
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
