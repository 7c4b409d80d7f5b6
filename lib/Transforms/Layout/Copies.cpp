// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of copies, by dynamic programming over sets of at most `maxOrders`
// orders: O(orders^3 2^orders).
#include "Copies.h"
#include "Solver.h"
#include <algorithm>
#include <cassert>

using namespace gaudi::layout;
using gaudi::layout::forbidden;

Copies::Copies(unsigned orders, llvm::SmallVector<int64_t, 4> costs)
    : orders(orders), costs(std::move(costs)) {
  assert(this->costs.size() == orders * orders && "one cost per pair");
  const OrderSet sets = OrderSet(1) << orders;
  exact.assign(size_t(orders) * sets, forbidden);
  for (unsigned from = 0; from < orders; ++from) {
    int64_t *tree = &exact[size_t(from) * sets];
    const OrderSet root = OrderSet(1) << from;
    // `exact` is the least cost of a tree from `from` that makes just this set.
    tree[root] = 0;
    // A tree has a leaf: without it, it is one of a smaller set.
    // Smaller sets have smaller numbers, so they are done.
    for (OrderSet set = 0; set < sets; ++set)
      for (unsigned leaf = 0; leaf < orders; ++leaf) {
        const OrderSet bit = OrderSet(1) << leaf;
        if (!(set & root) || leaf == from || !(set & bit))
          continue;
        for (unsigned parent = 0; parent < orders; ++parent)
          if ((set ^ bit) & (OrderSet(1) << parent))
            tree[set] =
                std::min(tree[set],
                         tree[set ^ bit] + this->costs[parent * orders + leaf]);
      }
  }
  // A larger set may cost less: an order in between that nobody reads. From the
  // largest set down, each takes the best of those with one order more.
  best = exact;
  for (unsigned from = 0; from < orders; ++from)
    for (OrderSet set = sets; set-- > 0;)
      for (unsigned order = 0; order < orders; ++order) {
        const size_t base = size_t(from) * sets;
        best[base + set] = std::min(
            best[base + set], best[base + (set | (OrderSet(1) << order))]);
      }
}

llvm::SmallVector<Copy, 2> Copies::tree(unsigned from, OrderSet needed) const {
  const OrderSet sets = OrderSet(1) << orders;
  const int64_t *tree = &exact[size_t(from) * sets];
  OrderSet set = needed;
  while ((set & needed) != needed || tree[set] != cost(from, needed))
    ++set; // some set that contains `needed` has this cost
  llvm::SmallVector<Copy, 2> copies;
  // Takes leaves off, which gives the copies from last to first.
  while (set != OrderSet(1) << from) {
    const size_t before = copies.size();
    for (unsigned leaf = 0; leaf < orders && copies.size() == before; ++leaf) {
      const OrderSet bit = OrderSet(1) << leaf;
      if (leaf == from || !(set & bit))
        continue;
      for (unsigned parent = 0; parent < orders; ++parent)
        if (((set ^ bit) & (OrderSet(1) << parent)) &&
            tree[set] == tree[set ^ bit] + costs[parent * orders + leaf]) {
          copies.push_back({parent, leaf});
          set ^= bit;
          break;
        }
    }
    assert(copies.size() > before && "the tree has a leaf");
  }
  std::reverse(copies.begin(), copies.end());
  return copies;
}
