// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections, conflicts and independent parts of a packing problem.
#include "PackingProblem.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>

using namespace gaudi::memory;

/// Sections of all items, for each alignment, up to which alignments count in
/// the lower bound.
static constexpr uint64_t maxLives = 50'000'000;

/// Above an item whose offset is a multiple of A, the next such item begins at
/// a multiple of A, too. So all of them but the highest waste what they leave
/// of their last A, as far as no other item is there:
///   load + (what all leave) - (the most that one leaves) - (sizes of others).
/// Holds for each A, in each section.
Units Problem::alignedBound() const {
  std::set<Units> alignments;
  uint64_t lives = 0;
  for (const Item &item : items) {
    lives += uint64_t(item.end - item.first);
    if (!item.isFixed() && item.alignment > 1)
      alignments.insert(item.alignment);
  }
  Units bound = 0;
  // The cost is a pass over all lifetimes per alignment.
  if (lives * alignments.size() > maxLives)
    return bound;
  struct Section {
    Units left = 0, mostLeft = 0, others = 0;
  };
  std::vector<Section> sums;
  for (Units alignment : alignments) {
    sums.assign(load.size(), Section());
    for (const Item &item : items) {
      const bool isAligned = !item.isFixed() && item.alignment % alignment == 0;
      // What an aligned item leaves up to the next multiple; the highest one
      // may leave it above the peak.
      const Units left = (alignment - item.size % alignment) % alignment;
      for (int s = item.first; s < item.end; ++s) {
        if (isAligned) {
          sums[s].left += left;
          sums[s].mostLeft = std::max(sums[s].mostLeft, left);
        } else {
          sums[s].others += item.size;
        }
      }
    }
    for (size_t s = 0; s < load.size(); ++s)
      bound = std::max(bound, load[s] + sums[s].left - sums[s].mostLeft -
                                  sums[s].others);
  }
  return bound;
}

Units Problem::lowerBound() const {
  Units bound = alignedBound();
  for (Units units : load)
    bound = std::max(bound, units);
  for (const Item &item : items)
    bound = std::max(bound, std::max<Units>(item.fixed, 0) + item.size);
  for (auto [a, b] : conflicts)
    bound = std::max(bound, items[a].size + items[b].size);
  return bound;
}

uint64_t Problem::pairs() const {
  // An item conflicts with those alive at its first section, and with those
  // that begin later, before its end.
  std::vector<uint64_t> begins(sections() + 1, 0), ends(sections() + 1, 0);
  for (const Item &item : items) {
    ++begins[item.first];
    ++ends[item.end];
  }
  uint64_t alive = 0, pairs = 0;
  for (int section = 0; section < sections(); ++section) {
    alive -= ends[section];
    const uint64_t born = begins[section];
    pairs += born * alive + born * (born - (born > 0)) / 2;
    alive += born;
  }
  return pairs;
}

void Problem::addLists() {
  members.fill(load.size(), [&](auto add) {
    for (size_t i = 0; i < items.size(); ++i)
      for (int section = items[i].first; section < items[i].end; ++section)
        add(section, int(i));
  });
  std::vector<int> byFirst(items.size());
  std::iota(byFirst.begin(), byFirst.end(), 0);
  sortBy(byFirst, [&](int i) { return items[i].first; });
  overlaps.fill(items.size(), [&](auto add) {
    // Pairs by a sweep over begins: O(n log n + pairs).
    for (size_t i = 0; i < byFirst.size(); ++i)
      for (size_t j = i + 1; j < byFirst.size() &&
                             items[byFirst[j]].first < items[byFirst[i]].end;
           ++j) {
        add(byFirst[i], byFirst[j]);
        add(byFirst[j], byFirst[i]);
      }
    for (auto [a, b] : conflicts) {
      add(a, b);
      add(b, a);
    }
  });
  partners.fill(items.size(), [&](auto add) {
    for (auto [a, b] : conflicts) {
      add(a, b);
      add(b, a);
    }
  });
  // Items of equal lifetime without constraints of their own are
  // interchangeable but for their size.
  std::map<std::pair<int, int>, std::vector<int>> lifetimes;
  for (size_t i = 0; i < items.size(); ++i)
    if (!items[i].isFixed() && items[i].alignment == 1 &&
        partners[int(i)].size() == 0)
      lifetimes[{items[i].first, items[i].end}].push_back(int(i));
  twins.fill(items.size(), [&](auto add) {
    for (const auto &[lifetime, equal] : lifetimes)
      for (int a : equal)
        for (int b : equal)
          if (a != b)
            add(a, b);
  });
}

std::vector<Part> gaudi::memory::independentParts(const Problem &whole) {
  // crossing[i]: whether a buffer or a conflict spans sections i-1 and i.
  std::vector<int> change(whole.load.size() + 2, 0);
  auto span = [&](int first, int last) {
    // As a difference array: prefix sums count what spans a boundary.
    ++change[first + 1];
    --change[last + 1];
  };
  for (const Item &item : whole.items)
    span(item.first, item.end - 1);
  for (auto [a, b] : whole.conflicts)
    span(std::min(whole.items[a].first, whole.items[b].first),
         std::max(whole.items[a].end, whole.items[b].end) - 1);
  // A cut where nothing is alive on both sides.
  std::vector<int> cuts = {0};
  int crossing = 0;
  for (int section = 1; section < whole.sections(); ++section) {
    crossing += change[section];
    if (crossing == 0)
      cuts.push_back(section);
  }
  cuts.push_back(whole.sections());
  std::vector<Part> parts(cuts.size() - 1);
  std::vector<int> partOf(whole.load.size()), number(whole.items.size());
  for (size_t p = 0; p < parts.size(); ++p) {
    std::fill(partOf.begin() + cuts[p], partOf.begin() + cuts[p + 1], int(p));
    Problem &problem = parts[p].problem;
    problem.load.assign(whole.load.begin() + cuts[p],
                        whole.load.begin() + cuts[p + 1]);
    problem.times.assign(whole.times.begin() + cuts[p],
                         whole.times.begin() + cuts[p + 1]);
  }
  for (size_t i = 0; i < whole.items.size(); ++i) {
    Item item = whole.items[i];
    const int p = partOf[item.first];
    item.first -= cuts[p];
    item.end -= cuts[p];
    number[i] = int(parts[p].items.size());
    parts[p].problem.items.push_back(item);
    parts[p].items.push_back(int(i));
  }
  for (auto [a, b] : whole.conflicts) {
    const int p = partOf[whole.items[a].first];
    assert(p == partOf[whole.items[b].first] && "a cut crosses no conflict");
    parts[p].problem.conflicts.push_back({number[a], number[b]});
  }
  return parts;
}
