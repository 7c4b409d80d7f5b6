// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest copies between orders, compared with all trees.
#include "Copies.h"
#include "LeastCopies.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

TEST(Copies, TreesAreCheapest) {
  std::mt19937 random(7);
  for (unsigned orders = 1; orders <= 4; ++orders)
    for (unsigned repeat = 0; repeat < 20; ++repeat) {
      SmallVector<int64_t, 4> costs;
      for (unsigned i = 0; i < orders * orders; ++i)
        costs.push_back(i % (orders + 1) == 0 ? 0 : 1 + random() % 20);
      const Copies copies(orders, costs);
      for (unsigned from = 0; from < orders; ++from)
        for (OrderSet needed = 0; needed < OrderSet(1) << orders; ++needed) {
          const int64_t least = leastCopies(orders, costs, from, needed);
          EXPECT_EQ(copies.cost(from, needed), least);
          int64_t sum = 0;
          OrderSet made = OrderSet(1) << from;
          for (const Copy &copy : copies.tree(from, needed)) {
            EXPECT_TRUE(made & (OrderSet(1) << copy.from));
            made |= OrderSet(1) << copy.to;
            sum += costs[copy.from * orders + copy.to];
          }
          EXPECT_EQ(sum, least);
          EXPECT_EQ(made & needed, needed);
        }
    }
}
