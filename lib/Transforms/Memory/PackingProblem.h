// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A packing problem in normal form: what heuristics and search work on.
//
// Sizes and offsets are in units, the largest number of bytes that divides all
// of them. Time is cut into sections at which the set of live buffers is
// maximal: two buffers conflict if they share a section or are a pair of
// `conflicts`. Buffers of zero bytes are left out.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGPROBLEM_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGPROBLEM_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gaudi::memory {

using Units = int64_t;

/// A buffer that is alive in sections [first, end).
struct Item {
  Units size = 0;
  Units alignment = 1;
  Units fixed = -1; // its offset, or -1
  int first = 0, end = 0;

  bool isFixed() const { return fixed >= 0; }
  Units aligned(Units offset) const {
    return alignment == 1 ? offset
                          : (offset + alignment - 1) / alignment * alignment;
  }
};

/// Lists of numbers, stored one after the other.
class Lists {
public:
  struct Range {
    const int *from, *to;
    const int *begin() const { return from; }
    const int *end() const { return to; }
    size_t size() const { return size_t(to - from); }
  };

  Range operator[](int list) const {
    return {values.data() + starts[list], values.data() + starts[list + 1]};
  }

  /// `lists` lists; `visit` calls its argument with each (list, value), twice
  /// in the same order: to count, and to fill.
  template <typename Visit> void fill(size_t lists, Visit visit) {
    starts.assign(lists + 1, 0);
    visit([&](int list, int) { ++starts[list + 1]; });
    for (size_t i = 0; i < lists; ++i)
      starts[i + 1] += starts[i];
    values.resize(starts[lists]);
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    visit([&](int list, int value) { values[next[list]++] = value; });
  }

  size_t size() const { return values.size(); } // of all lists

private:
  std::vector<size_t> starts = {0};
  std::vector<int> values;
};

struct Problem {
  std::vector<Item> items;
  std::vector<Units> load;    // of each section: units alive
  std::vector<int64_t> times; // a time in each section
  /// Pairs of items without a common section that must not share bytes.
  std::vector<std::pair<int, int>> conflicts;
  // Filled by addLists:
  Lists members;  // of a section: the items alive
  Lists overlaps; // of an item: the items that conflict with it
  Lists partners; // of an item: its pairs of `conflicts`
  Lists twins;    // of an item: others that it may be exchanged with, because
                  // they have the same lifetime and no other constraint

  int sections() const { return int(load.size()); }
  /// The largest load with what alignments waste of it, fixed end, or sum of a
  /// pair of `conflicts`.
  Units lowerBound() const;
  /// Pairs of items that share a section.
  uint64_t pairs() const;
  void addLists();

private:
  Units alignedBound() const;
};

/// Sorts numbers by their key, ascending; equal keys by number.
template <typename Key> void sortBy(std::vector<int> &numbers, Key key) {
  std::sort(numbers.begin(), numbers.end(), [&](int a, int b) {
    const auto x = key(a), y = key(b);
    return x < y || (!(y < x) && a < b);
  });
}

/// Part of a problem; `items[i]` is the number of its item i in the whole.
struct Part {
  Problem problem;
  std::vector<int> items;
};

/// Parts that share no conflict: their packings together are one of the whole.
std::vector<Part> independentParts(const Problem &whole);

/// Offsets of items and the largest end.
struct Placement {
  std::vector<Units> offsets;
  Units peak = 0;
};

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGPROBLEM_H
