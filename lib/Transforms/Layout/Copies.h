// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest way to have one tensor in several orders.
#ifndef GAUDI_TRANSFORMS_LAYOUT_COPIES_H
#define GAUDI_TRANSFORMS_LAYOUT_COPIES_H

#include "Gaudi/Dialect/MLIR.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace gaudi::layout {

/// A set of orders of one group: bit i is its candidate i.
using OrderSet = uint32_t;

struct Copy {
  unsigned from, to;
};

/// Copies may be made from copies, and through orders that nobody needs: a tree
/// of least cost whose root is the order that the producer writes.
class Copies {
public:
  /// `costs[from * orders + to]` of one copy.
  Copies(unsigned orders, llvm::SmallVector<int64_t, 4> costs);

  /// Of making all orders of `needed` of the order `from`.
  int64_t cost(unsigned from, OrderSet needed) const {
    return best[(from << orders) | needed];
  }
  /// The copies that take so much, each after the one that it is made from.
  llvm::SmallVector<Copy, 2> tree(unsigned from, OrderSet needed) const;

private:
  unsigned orders;
  llvm::SmallVector<int64_t, 4> costs;
  // By order of the producer and set of orders: cheapest tree of exactly this
  // set, and that of any set that contains it.
  llvm::SmallVector<int64_t, 8> exact, best;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_COPIES_H
