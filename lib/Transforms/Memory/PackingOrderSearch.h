// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Improves a packing by other orders of first fit.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGORDERSEARCH_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGORDERSEARCH_H

#include "PackingHeuristics.h"
#include "PackingImprove.h"

namespace gaudi::memory {

/// True if items have several alignments: then the bounds of the exact search,
/// which add up sizes, are far from what fits.
bool hasSeveralAlignments(const Problem &problem);

/// Simulated annealing over the sequence in which items take the lowest range
/// that is free (Placement packInOrder). Sorted by the offsets of any packing,
/// this gives one that is nowhere higher, so that some sequence gives the least
/// peak. Each call goes on from the best packing with other numbers.
class OrderSearch {
public:
  /// `problem` has its lists.
  explicit OrderSearch(const Problem &problem);

  /// Tries to lower the peak of `best` to `enough` within so many steps of the
  /// budget, counted as those of the exact search are: an item looks at those
  /// that it conflicts with. True if it became lower.
  bool run(Units enough, uint64_t steps, Budget &budget, Placement &best);

private:
  /// Places the items from position `from` of the sequence on. What they take
  /// beyond the target.
  double place(size_t from);
  double excessOf(int item) const;

  const Problem &problem;
  std::vector<int> order;
  std::vector<Units> offsets;
  std::vector<Taken> taken;
  Units target = 0;
  uint64_t stepsDone = 0, seed = 0;
};

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGORDERSEARCH_H
