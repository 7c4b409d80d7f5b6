// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line that counts transposes before and after their placement.
#include "Gaudi/Support/Permutations.h"

#include <gtest/gtest.h>
#include <limits>

namespace gaudi {
namespace {

PermutationCount region(int64_t after, int64_t bound) {
  return {57, 1, 12 << 20, 588 << 10, 812000000, after, bound};
}

TEST(Permutations, LineSaysOptimalOnlyIfProven) {
  EXPECT_EQ(region(782000000, 782000000).line("gaudi2"),
            "1 transpose instead of 57, 588 KiB instead of 12.0 MiB, 782 us "
            "instead of 812 us on gaudi2, lower bound 782 us: optimal "
            "for this form");
  EXPECT_EQ(region(782000000, 780000000).line("gaudi3"),
            "1 transpose instead of 57, 588 KiB instead of 12.0 MiB, 782 us "
            "instead of 812 us on gaudi3, lower bound 780 us: gap 0.26 %");
  PermutationCount some = region(782000000, 782000000);
  some.isComplete = false;
  EXPECT_EQ(some.line("gaudi2"),
            "1 transpose instead of 57, 588 KiB instead of 12.0 MiB, 782 us "
            "instead of 812 us on gaudi2, lower bound 782 us: gap 0 % of the "
            "orders considered");
  EXPECT_EQ(PermutationCount().line("gaudi"),
            "0 transposes instead of 0, 0 B instead of 0 B, 0 ns instead of 0 "
            "ns on gaudi, lower bound 0 ns: optimal for this form");
}

TEST(Permutations, SumIsOptimalIfAllAre) {
  PermutationCount sum = region(10, 10);
  sum += region(20, 20);
  EXPECT_TRUE(sum.isOptimal());
  EXPECT_EQ(sum.transposesBefore, 114u);
  EXPECT_EQ(sum.transposesAfter, 2u);
  EXPECT_EQ(sum.bytesAfter, 1176 << 10);
  EXPECT_EQ(sum.picosecondsAfter, 30);
  PermutationCount some = region(0, 0);
  some.isComplete = false;
  PermutationCount both = sum;
  both += some;
  EXPECT_FALSE(both.isOptimal());
  sum += region(10, 9);
  EXPECT_FALSE(sum.isOptimal());
  EXPECT_DOUBLE_EQ(sum.gap(), 0.025);
}

TEST(Permutations, SumsBeyond64BitsAreTheNearestNumber) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  PermutationCount sum = region(most, most);
  sum += region(most, most - 1);
  EXPECT_EQ(sum.picosecondsAfter, most);
  EXPECT_EQ(sum.lowerBound, most);
}

} // namespace
} // namespace gaudi
