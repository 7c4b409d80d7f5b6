// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depth-first search for a packing of at most a given peak.
#include "PackingSearch.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

using namespace gaudi::memory;

namespace {
/// The floor of a section without unplaced items.
constexpr Units nothing = std::numeric_limits<Units>::max();
} // namespace

Search::Search(const Problem &problem, const Strategy &strategy, Units peak)
    : problem(problem), peak(peak), choice(strategy.choice),
      hasFixed(std::any_of(problem.items.begin(), problem.items.end(),
                           [](const Item &item) { return item.isFixed(); })),
      rank(problem.items.size()), lowest(problem.items.size(), 0),
      base(problem.items.size(), 0), placedAt(problem.items.size(), -1),
      floors(problem.load.size(), 0), atFloor(problem.load.size(), 0),
      remaining(problem.load), crossing(problem.load.size() + 1, 0),
      isDirty(problem.load.size(), 0) {
  const std::vector<Item> &items = problem.items;
  assert(strategy.order.size() == items.size() && "an order of all items");
  for (size_t i = 0; i < strategy.order.size(); ++i)
    rank[strategy.order[i]] = int(i);
  ranked.fill(problem.load.size(), [&](auto add) {
    for (int item : strategy.order)
      for (int s = items[item].first; s < items[item].end; ++s)
        add(s, item);
  });
  stepsDone = 2 * ranked.size();
  for (const Item &item : items)
    for (int s = item.first + 1; s < item.end; ++s)
      ++crossing[s];
  for (auto [a, b] : problem.conflicts)
    for (int s = std::min(items[a].end, items[b].end);
         s <= std::max(items[a].first, items[b].first); ++s)
      ++crossing[s];
}

Outcome Search::run(uint64_t nodes, uint64_t steps,
                    const std::function<bool()> &stop) {
  nodesLeft = nodes;
  maxSteps = steps;
  mustStop = &stop;
  const std::vector<Item> &items = problem.items;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].size > peak ||
        (items[i].isFixed() && items[i].fixed + items[i].size > peak))
      return Outcome::Impossible;
    if (items[i].isFixed())
      raise(int(i), items[i].fixed);
  }
  for (int s = 0; s < problem.sections(); ++s)
    if (!isDirty[s]) {
      isDirty[s] = 1;
      dirty.push_back(s);
    }
  if (updateFloors() && solve(0, problem.sections()))
    return Outcome::Found;
  return isStopped ? Outcome::Stopped : Outcome::Impossible;
}

/// Places all unplaced items of sections [first, end), which share no conflict
/// with unplaced items outside. On failure, everything is as before.
bool Search::solve(int first, int end) {
  // Sections without unplaced items at the ends are done.
  while (first < end && floors[first] == nothing)
    ++first;
  while (first < end && floors[end - 1] == nothing)
    --end;
  if (first == end)
    return true;
  bool isSplit = false;
  const bool areSolved = solveParts(first, end, isSplit);
  // The parts cover the range: nothing is left to branch on.
  if (isSplit)
    return areSolved;
  const size_t mark = trail.size();
  // Each round branches on one section. If no candidate is at its floor, what
  // could have been there rests on an unplaced item: the floors are raised.
  while (!isStopped) {
    if (nodesLeft-- == 0 || stepsDone >= maxSteps ||
        (*mustStop && (*mustStop)())) {
      isStopped = true;
      break;
    }
    const int section = chooseSection(first, end);
    // The candidates of all levels share a list, this level's are at its end.
    const Units floor = floors[section];
    const size_t from = candidates.size();
    const bool isForced = collect(section);
    const size_t to = candidates.size();
    for (size_t i = from; i < to && !isStopped; ++i) {
      const size_t before = trail.size();
      if (place(candidates[i], floor) && solve(first, end)) {
        candidates.resize(from);
        return true;
      }
      undoTo(before);
    }
    candidates.resize(from);
    // A forced candidate was the only choice.
    if (isForced || !raiseAll(section))
      break;
  }
  undoTo(mark);
  return false;
}

/// Solves the sides of each boundary that nothing unplaced crosses, the ones
/// with the least room first.
bool Search::solveParts(int first, int end, bool &isSplit) {
  struct Range {
    int first, end;
    Units room;
  };
  std::vector<Range> ranges;
  // Finding the ranges is work that the budget must see.
  stepsDone += uint64_t(end - first);
  for (int s = first; s < end; ++s) {
    if (floors[s] == nothing)
      continue;
    if (ranges.empty() || crossing[s] == 0)
      ranges.push_back({s, s + 1, peak});
    Range &range = ranges.back();
    range.end = s + 1;
    // Room is what the tightest section of a range has left.
    range.room = std::min(range.room, peak - floors[s] - remaining[s]);
  }
  if (ranges.size() == 1)
    return false;
  isSplit = true;
  // The least room first: if that fails, nothing else is tried.
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
    return std::tie(a.room, a.first) < std::tie(b.room, b.first);
  });
  const size_t mark = trail.size();
  for (const Range &range : ranges)
    if (!solve(range.first, range.end)) {
      undoTo(mark);
      return false;
    }
  return true;
}

/// Sections of one floor between higher ones: nothing unplaced with its lowest
/// offset there extends beyond them, so nothing can come to be below it. Pairs
/// without a common section reach further; they take the lowest floor of all.
int Search::chooseSection(int first, int end) {
  Units only = -1;
  if (!problem.conflicts.empty())
    only = *std::min_element(floors.begin() + first, floors.begin() + end);
  int best = -1;
  int64_t bestKey = 0;
  stepsDone += uint64_t(end - first);
  for (int from = first, to = first; from < end; from = to) {
    const Units floor = floors[from];
    while (to < end && floors[to] == floor)
      ++to;
    const bool isLow = (from == first || floors[from - 1] > floor) &&
                       (to == end || floors[to] > floor);
    if (floor == nothing || (only >= 0 ? floor != only : !isLow))
      continue;
    for (int s = from; s < to; ++s)
      if (const int64_t key = keyOf(s); best < 0 || key < bestKey) {
        bestKey = key;
        best = s;
      }
  }
  assert(best >= 0 && "some section has the lowest floor");
  return best;
}

int64_t Search::keyOf(int section) {
  const Units floor = floors[section];
  const Units room = peak - floor - remaining[section];
  const int64_t count = atFloor[section];
  // The count is kept and no longer taken here, but stays a step: budgets, and
  // so packings, are those of before.
  stepsDone += problem.members[section].size();
  // Counts are below 2^20; rooms above 2^40 are all alike.
  const int64_t cut = std::min<Units>(room, int64_t(1) << 40);
  switch (choice) {
  case Choice::Slack:
    return (cut << 20) + count;
  case Choice::FullThenCount:
    return (int64_t(room > 0) << 62) + (count << 41) + cut;
  case Choice::Count:
    return (count << 41) + cut;
  }
  return 0;
}

bool Search::wouldHitFixed(int item, Units offset) {
  if (!hasFixed)
    return false;
  const Units end = offset + problem.items[item].size;
  for (int other : problem.overlaps[item])
    if (placedAt[other] < 0 && problem.items[other].isFixed() &&
        problem.items[other].fixed < end)
      return true;
  return false;
}

/// Whether an item with the same lifetime must come before this one: one of
/// higher rank and equal size that is not placed yet, or one of lower rank
/// directly below.
bool Search::mustSwap(int item, Units offset) const {
  for (int twin : problem.twins[item]) {
    const Units size = problem.items[twin].size;
    if (placedAt[twin] < 0
            ? size == problem.items[item].size && rank[twin] < rank[item]
            : placedAt[twin] + size == offset && rank[twin] > rank[item])
      return true;
  }
  return false;
}

bool Search::isBelowAll(int item, Units offset) {
  const Units end = offset + problem.items[item].size;
  for (int other : problem.overlaps[item]) {
    ++stepsDone;
    if (placedAt[other] < 0 && lowest[other] < end)
      return false;
  }
  return true;
}

bool Search::collect(int section) {
  const Units floor = floors[section];
  const size_t from = candidates.size();
  stepsDone += ranked[section].size();
  for (int item : ranked[section]) {
    if (placedAt[item] >= 0 || lowest[item] != floor)
      continue;
    // A fixed buffer at the floor leaves no choice.
    if (problem.items[item].isFixed()) {
      candidates.resize(from);
      candidates.push_back(item);
      return true;
    }
    if (problem.items[item].aligned(base[item]) == floor &&
        !wouldHitFixed(item, floor) && !mustSwap(item, floor))
      candidates.push_back(item);
  }
  // If all that is unplaced beside it begins at its end or above, placing it
  // takes room from nothing: no choice, either.
  for (size_t i = from; i < candidates.size(); ++i)
    if (isBelowAll(candidates[i], floor)) {
      candidates[from] = candidates[i];
      candidates.resize(from + 1);
      return true;
    }
  return false;
}

/// Nothing is at the floor of `section`: what could have been rests on an
/// unplaced item.
bool Search::raiseAll(int section) {
  const Units floor = floors[section];
  std::vector<std::pair<int, Units>> raised;
  for (int item : problem.members[section]) {
    if (placedAt[item] >= 0 || lowest[item] != floor)
      continue;
    Units least = nothing;
    stepsDone += problem.overlaps[item].size();
    for (int other : problem.overlaps[item])
      if (placedAt[other] < 0)
        least = std::min(least, lowest[other] + problem.items[other].size);
    if (least == nothing)
      return false;
    least = problem.items[item].aligned(least);
    assert(least > floor && "nothing unplaced ends at the floor");
    // This branch cannot stay below the peak.
    if (least + problem.items[item].size > peak)
      return false;
    raised.push_back({item, least});
  }
  for (auto [item, offset] : raised)
    raise(item, offset);
  return updateFloors();
}

void Search::count(int item, int change) {
  for (int s = problem.items[item].first; s < problem.items[item].end; ++s)
    remaining[s] += change * problem.items[item].size;
  for (int s = problem.items[item].first + 1; s < problem.items[item].end; ++s)
    crossing[s] += change;
  for (int other : problem.partners[item])
    if (placedAt[other] < 0) {
      const Item &a = problem.items[item], &b = problem.items[other];
      for (int s = std::min(a.end, b.end); s <= std::max(a.first, b.first); ++s)
        crossing[s] += change;
    }
}

/// Places `item` below everything unplaced. False if that leaves no solution;
/// the caller undoes.
bool Search::place(int item, Units offset) {
  assert(placedAt[item] < 0 && offset >= base[item] && "placed on a floor");
  const Units end = offset + problem.items[item].size;
  trail.push_back({Undo::Placed, item, 0});
  count(item, -1);
  placedAt[item] = offset;
  raise(item, offset); // its sections are dirty
  bool isPossible = true;
  stepsDone += problem.overlaps[item].size();
  for (int other : problem.overlaps[item]) {
    if (placedAt[other] >= 0)
      continue;
    const Item &above = problem.items[other];
    if (base[other] < end) {
      trail.push_back({Undo::Base, other, base[other]});
      base[other] = end;
    }
    const Units least = above.aligned(end);
    if (lowest[other] >= least)
      continue;
    isPossible &= !above.isFixed() && least + above.size <= peak;
    raise(other, least);
  }
  return updateFloors() && isPossible;
}

void Search::raise(int item, Units offset) {
  trail.push_back({Undo::Lowest, item, lowest[item]});
  lowest[item] = offset;
  for (int s = problem.items[item].first; s < problem.items[item].end; ++s)
    if (!isDirty[s]) {
      isDirty[s] = 1;
      dirty.push_back(s);
    }
}

/// False if the items of a section no longer fit above its floor.
bool Search::updateFloors() {
  bool isPossible = true;
  for (int s : dirty) {
    isDirty[s] = 0;
    // After a failure the rest is only cleaned up, as undo restores it.
    if (!isPossible)
      continue;
    // The floor is the lowest offset of an unplaced item.
    Units floor = nothing;
    int lowestItems = 0;
    stepsDone += problem.members[s].size();
    for (int item : problem.members[s]) {
      if (placedAt[item] >= 0 || lowest[item] > floor)
        continue;
      lowestItems = lowest[item] < floor ? 1 : lowestItems + 1;
      floor = lowest[item];
    }
    if (floor != floors[s]) {
      trail.push_back({Undo::Floor, s, floors[s]});
      floors[s] = floor;
    }
    if (lowestItems != atFloor[s]) {
      trail.push_back({Undo::AtFloor, s, atFloor[s]});
      atFloor[s] = lowestItems;
    }
    // All that is unplaced must fit between the floor and the peak.
    isPossible = floor == nothing || floor + remaining[s] <= peak;
  }
  dirty.clear();
  return isPossible;
}

void Search::undoTo(size_t mark) {
  for (; trail.size() > mark; trail.pop_back()) {
    const Change &change = trail.back();
    switch (change.kind) {
    case Undo::Lowest:
      lowest[change.index] = change.before;
      break;
    case Undo::Base:
      base[change.index] = change.before;
      break;
    case Undo::Floor:
      floors[change.index] = change.before;
      break;
    case Undo::AtFloor:
      atFloor[change.index] = int(change.before);
      break;
    case Undo::Placed:
      placedAt[change.index] = -1;
      count(change.index, 1);
      break;
    }
  }
}
