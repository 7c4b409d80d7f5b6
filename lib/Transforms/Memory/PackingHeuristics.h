// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fast packings: sweeps over time and greedy packings in a given order.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGHEURISTICS_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGHEURISTICS_H

#include "Gaudi/Transforms/Memory/Order.h"
#include "PackingProblem.h"

namespace gaudi::memory {

/// A range of addresses that other items have.
struct Taken {
  Units start, end;
};

/// The lowest offset at which the item avoids those that it overlaps and that
/// have an offset. `taken` is only memory that calls share.
Units lowestOffset(const Problem &problem, int number,
                   const std::vector<Units> &offsets,
                   std::vector<Taken> &taken);

/// All items at these offsets.
Placement placementOf(const Problem &problem, std::vector<Units> offsets);

/// Each item takes a free range when it begins, in order of `order`, which must
/// sort items by their first section (with `isReversed`, from the last end to
/// the first). O(n log n) for a bounded number of free ranges.
Placement sweep(const Problem &problem, const std::vector<int> &order, Fit fit,
                bool isReversed);

/// Each item in turn takes the lowest range that is free during its whole
/// lifetime. `problem` has its lists. O(pairs log pairs).
Placement packInOrder(const Problem &problem, const std::vector<int> &order);

/// Orders that tend to pack well: by size, area, lifetime, the load where the
/// item is alive, and combinations.
std::vector<int> packingOrder(const Problem &problem, unsigned number);
constexpr unsigned packingOrders = 8;

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PACKINGHEURISTICS_H
