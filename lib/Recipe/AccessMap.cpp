// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of bytes with the accesses to them that still matter.
#include "Gaudi/Recipe/AccessMap.h"

#include "Gaudi/Kernel/Runs.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace gaudi::recipe {
namespace {

bool hasGaps(const kernel::Window &window) {
  uint64_t run = window.elementSize;
  for (const kernel::MovingDim &dim : kernel::movingDims(window)) {
    if (dim.stride > run)
      return true;
    run += (dim.size - 1) * dim.stride;
  }
  return false;
}

bool isSame(const kernel::Window &a, const kernel::Window &b) {
  return a.offset == b.offset && a.elementSize == b.elementSize &&
         a.sizes == b.sizes && a.strides == b.strides;
}

} // namespace

const AccessMap::KnownPlace &AccessMap::find(uint32_t tensor) {
  const auto [found, isNew] = places.try_emplace(tensor);
  KnownPlace &place = found->second;
  if (isNew) {
    static_cast<Place &>(place) = placeOf(tensor);
    place.isDense = !hasGaps(place.window);
    assert(place.rootBegin <= place.begin && place.end <= place.rootEnd &&
           "an alias is inside its root");
  }
  return place;
}

bool AccessMap::conflict(const Item &item, const Item &earlier) {
  if (earlier.command == item.command || !(item.writes || earlier.writes))
    return false;
  if (!earlier.place || earlier.place == item.place)
    return true;
  // Ranges that a write with gaps has merged hold accesses to some of them.
  if (earlier.place->end <= item.place->begin ||
      item.place->end <= earlier.place->begin)
    return false;
  if (earlier.place->isDense && item.place->isDense)
    return true;
  steps += pairSteps;
  return !kernel::provablyDisjoint(item.place->window, earlier.place->window);
}

void AccessMap::collapse(List &list) {
  const auto half = list.begin() + ptrdiff_t(list.size() / 2);
  List last;
  for (auto item = half; item-- != list.begin();) {
    const bool isKnown =
        std::any_of(last.begin(), last.end(), [&](const Item &later) {
          return later.queue == item->queue && later.writes == item->writes;
        });
    if (isKnown)
      continue;
    last.push_back(*item);
    last.back().place = nullptr;
  }
  std::reverse(last.begin(), last.end());
  last.insert(last.end(), half, list.end());
  list = std::move(last);
}

void AccessMap::enter(List &list, const Item &item) {
  const auto isReplaced = [&](const Item &earlier) {
    if (!item.writes && (earlier.writes || earlier.queue != item.queue))
      return false;
    return item.place->isDense || earlier.place == item.place ||
           (earlier.place && isSame(earlier.place->window, item.place->window));
  };
  list.erase(std::remove_if(list.begin(), list.end(), isReplaced), list.end());
  list.push_back(item);
  if (list.size() > mostAccesses)
    collapse(list);
}

void AccessMap::add(const Access &access, std::vector<Access> &conflicts) {
  const KnownPlace &place = find(access.tensor);
  // An empty tensor has no byte in common with another.
  if (place.begin == place.end)
    return;
  Item item;
  static_cast<Access &>(item) = access;
  item.place = &place;
  // A window with gaps has the range of its root: which of the bytes conflict
  // is asked access by access.
  const uint64_t begin = place.isDense ? place.begin : place.rootBegin,
                 end = place.isDense ? place.end : place.rootEnd;
  IntervalMap<List> &map = sections[place.section];
  const auto findConflicts = [&](const List &list) {
    assert((list.empty() || list.back().command <= access.command) &&
           "commands ascend");
    steps += list.size() / 4; // most ranges have a writer and some readers
    for (const Item &earlier : list)
      if (conflict(item, earlier))
        conflicts.push_back(earlier);
  };
  // Reads add themselves to each range; only a write makes ranges one.
  if (!access.writes) {
    map.update(begin, end, [&](List &list) {
      findConflicts(list);
      enter(list, item);
      return true;
    });
    steps += map.takeVisits();
    return;
  }
  // The range is one from now on, with what was in the former ones.
  List all;
  map.visit(begin, end, [&](uint64_t, uint64_t, const List *list) {
    if (!list)
      return true;
    findConflicts(*list);
    // A dense write overwrites what was there: earlier accesses conflict with
    // it, and need not be compared with later ones.
    if (!place.isDense)
      all.insert(all.end(), list->begin(), list->end());
    return true;
  });
  std::sort(all.begin(), all.end(), [](const Item &a, const Item &b) {
    return std::tuple(a.command, a.writes, a.tensor, !a.place) <
           std::tuple(b.command, b.writes, b.tensor, !b.place);
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // Lists stay short: the last access of a queue stands for its earlier ones.
  while (all.size() > mostAccesses)
    collapse(all);
  enter(all, item);
  map.assign(begin, end, std::move(all));
  steps += map.takeVisits();
}

} // namespace gaudi::recipe
