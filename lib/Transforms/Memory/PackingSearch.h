// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact search: is there a packing of at most a given peak?
//
// Depth-first search over packings in which every buffer rests: its offset is
// 0, fixed, or the end of a buffer that it conflicts with, up to alignment.
// Every packing can be pushed down to one of these. A node chooses a section
// whose lowest possible offset, its floor, is lower than around it, and
// branches on what is at the floor: one of the buffers that can be there, or
// none, in which case all of them are raised to the lowest end on which they
// could rest. The branches exclude each other, so nothing is visited twice. A
// section whose floor and remaining sizes exceed the peak ends a branch. Where
// no unplaced buffer crosses a boundary, both sides are solved on their own.
//
// The search looks for the packing with the smallest weighted sum of offsets,
// for some positive weights of the buffers; that is why it may pass over
// others:
//  - a buffer that can be placed below all unplaced ones in conflict with it
//    is placed: moving it down there would reduce the sum;
//  - of two buffers with one lifetime, one directly on the other, the one with
//    the higher rank is below: the weights order them by rank.
// The resting form, floors and bounds by section are those of Moffitt,
// "MiniMalloc: a lightweight memory allocator for hardware-accelerated machine
// learning", ASPLOS 2023; branching on a section is different there.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGSEARCH_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGSEARCH_H

#include "PackingProblem.h"

#include <functional>

namespace gaudi::memory {

/// How the section of a node is chosen.
enum class Choice {
  Slack,         // least room, then fewest buffers to choose from
  FullThenCount, // without room first, then fewest buffers
  Count,         // fewest buffers, then least room
};

/// What varies between the searches of one problem.
struct Strategy {
  Choice choice = Choice::Count;
  /// Items from the first to be tried to the last.
  std::vector<int> order;
};

enum class Outcome { Found, Impossible, Stopped };

class Search {
public:
  /// `problem` has its lists.
  Search(const Problem &problem, const Strategy &strategy, Units peak);

  /// Visits at most `nodes` nodes, and ends after `steps` steps. `mustStop` is
  /// asked at each node.
  Outcome run(uint64_t nodes, uint64_t steps,
              const std::function<bool()> &mustStop);

  /// The packing that was found.
  const std::vector<Units> &offsets() const { return placedAt; }
  /// A measure of the work that depends on the nodes alone: the buffers and
  /// sections that they have to do with.
  uint64_t steps() const { return stepsDone; }

private:
  enum class Undo { Lowest, Base, Floor, AtFloor, Placed };
  struct Change {
    Undo kind;
    int index;
    Units before;
  };

  bool solve(int first, int end);
  bool solveParts(int first, int end, bool &isSplit);
  int chooseSection(int first, int end);
  int64_t keyOf(int section);
  /// Appends what can be at the floor of `section` to `candidates`. True if
  /// there is no choice: it must be the one that was appended.
  bool collect(int section);
  bool wouldHitFixed(int item, Units offset);
  bool mustSwap(int item, Units offset) const;
  bool isBelowAll(int item, Units offset);
  bool raiseAll(int section);
  bool place(int item, Units offset);
  void raise(int item, Units offset);
  void count(int item, int change);
  bool updateFloors();
  void undoTo(size_t mark);

  const Problem &problem;
  const Units peak;
  const Choice choice;
  const bool hasFixed;
  std::vector<int> rank;
  Lists ranked;                 // of a section: its items by rank
  std::vector<Units> lowest;    // of an item: no solution has it lower
  std::vector<Units> base;      // largest end of placed items in conflict
  std::vector<Units> placedAt;  // offset, or -1
  std::vector<Units> floors;    // of a section: least `lowest` of its unplaced
  std::vector<int> atFloor;     // of a section: unplaced items at its floor
  std::vector<Units> remaining; // of a section: sizes of its unplaced items
  std::vector<int> crossing;    // unplaced items or conflicts across the
                                // boundary before a section
  std::vector<Change> trail;
  std::vector<int> candidates; // a stack
  std::vector<int> dirty;      // sections whose floor or atFloor may be old
  std::vector<char> isDirty;
  uint64_t nodesLeft = 0, stepsDone = 0, maxSteps = 0;
  bool isStopped = false;
  const std::function<bool()> *mustStop = nullptr;
};

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGSEARCH_H
