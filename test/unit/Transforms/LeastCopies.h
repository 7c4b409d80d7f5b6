// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cheapest copies between orders are compared with.
#ifndef GAUDI_TEST_UNIT_TRANSFORMS_LEASTCOPIES_H
#define GAUDI_TEST_UNIT_TRANSFORMS_LEASTCOPIES_H

#include "Copies.h"
#include "Gaudi/Dialect/MLIR.h"
#include "Solver.h"

namespace gaudi::layout {

/// The least sum of copies by trying each parent of each order.
inline int64_t leastCopies(unsigned orders, ArrayRef<int64_t> costs,
                           unsigned from, OrderSet needed) {
  int64_t least = layout::forbidden;
  unsigned choices = 1;
  for (unsigned i = 0; i < orders; ++i)
    choices *= orders + 1; // a parent, or none: the order is not made
  for (unsigned choice = 0; choice < choices; ++choice) {
    SmallVector<unsigned, 5> parent;
    for (unsigned i = 0, rest = choice; i < orders; ++i, rest /= orders + 1)
      parent.push_back(rest % (orders + 1));
    OrderSet reached = OrderSet(1) << from;
    for (unsigned round = 0; round < orders; ++round)
      for (unsigned i = 0; i < orders; ++i)
        if (parent[i] < orders && (reached & (OrderSet(1) << parent[i])))
          reached |= OrderSet(1) << i;
    int64_t sum = 0;
    for (unsigned i = 0; i < orders; ++i)
      if (parent[i] < orders)
        sum += costs[parent[i] * orders + i];
    if ((reached & needed) == needed)
      least = std::min(least, sum);
  }
  return least;
}

} // namespace gaudi::layout

#endif // GAUDI_TEST_UNIT_TRANSFORMS_LEASTCOPIES_H
