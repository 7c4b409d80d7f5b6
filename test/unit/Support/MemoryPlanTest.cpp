// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and lines of what the compiler did about memory.
#include "Gaudi/Support/MemoryPlan.h"

#include <gtest/gtest.h>
#include <limits>

namespace gaudi {
namespace {

TEST(MemoryPlan, KindsHaveDifferentNames) {
  for (unsigned k = 0; k < memoryKindCount; ++k)
    EXPECT_EQ(parseMemoryKind(nameOf(MemoryKind(k))), MemoryKind(k));
  EXPECT_FALSE(parseMemoryKind("views"));
  EXPECT_TRUE(isAlias(MemoryKind::SharedConstant));
  EXPECT_FALSE(isAlias(MemoryKind::Copy));
  EXPECT_FALSE(isAlias(MemoryKind::Recompute));
}

TEST(MemoryPlan, LineOfASum) {
  MemorySum sum;
  sum.add(1, 64, 0);
  EXPECT_EQ(sum.line(MemoryKind::View), "1 view saves 64 B");
  sum.add(11, 4032, 9000000);
  EXPECT_EQ(sum.line(MemoryKind::SliceWrite),
            "12 writes into slices save 4.00 KiB and 9.00 us");
  EXPECT_EQ(sum.line(MemoryKind::Copy),
            "12 copies that remain move 4.00 KiB in 9.00 us");
  EXPECT_EQ(sum.line(MemoryKind::Recompute),
            "12 ops that run again free 4.00 KiB in 9.00 us");
}

TEST(MemoryPlan, SumsSaturate) {
  MemorySum sum;
  sum.add(1, std::numeric_limits<int64_t>::max(), -5);
  sum.add(1, 1, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(sum.bytes, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(sum.picoseconds, std::numeric_limits<int64_t>::min());
}

TEST(MemoryPlan, LineOfPeaksHasWhatIsKnown) {
  MemoryPeaks peaks;
  EXPECT_EQ(peaks.line(), "");
  MemoryPeaks packing;
  packing.planned = 2048;
  packing.plannedBound = 1024;
  peaks.update(packing);
  EXPECT_EQ(peaks.line(), "planned 2.00 KiB, bound of this order 1.00 KiB: "
                          "gap 50 %");
  MemoryPeaks order;
  order.programOrder = 4096;
  order.order = order.orderBound = 2048;
  order.budget = 3000;
  peaks.update(order);
  peaks.plannedBound = 2048;
  EXPECT_EQ(peaks.line(),
            "planned 2.00 KiB, optimal for this order; live 2.00 KiB (4.00 KiB "
            "in program order), no order has less; budget 2.93 KiB");
  peaks.orderBound = 1024;
  peaks.budget = -1;
  EXPECT_EQ(peaks.line(),
            "planned 2.00 KiB, optimal for this order; live 2.00 KiB (4.00 KiB "
            "in program order), no order has less than 1.00 KiB");
}

} // namespace
} // namespace gaudi
