// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How index spaces are divided over the TPC engines: the device's own examples
// and the properties of every division.
#include "Gaudi/Timing/Tpc.h"

#include <gtest/gtest.h>

using namespace gaudi::timing;

namespace {

TEST(TpcSplit, DividesLikeTheDevice) {
  struct Case {
    const char *what;
    Dims grid;
    uint32_t engines;
    Dims box;
    uint32_t used;
  };
  const Case cases[] = {
      {"five dimensions on the whole Gaudi 3",
       {8, 8, 8, 8, 8},
       64,
       {1, 1, 8, 8, 8},
       64},
      {"a dcore's part", {3, 4, 8, 8, 4}, 16, {3, 1, 2, 8, 4}, 16},
      {"fewer points than engines", {5}, 24, {1}, 5},
      {"one point", {1, 1}, 24, {1, 1}, 1},
      {"rank 0", {}, 24, {}, 1},
      // 7 and 24 share no divisor. Seven rows leave three engines each, boxes
      // of 34: 700 / (24 * 34) = 0.86 of the engines' time. The other order,
      // 20 boxes of 7x5, has 0.83.
      {"no common divisor", {7, 100}, 24, {1, 34}, 21},
      {"a prime above the engines", {101}, 24, {5}, 21},
  };
  for (const Case &c : cases) {
    const WorkSplit split = splitIndexSpace(c.grid, c.engines);
    EXPECT_EQ(split.box, c.box) << c.what;
    EXPECT_EQ(split.engines, c.used) << c.what;
  }
}

TEST(TpcSplit, CoversEveryPoint) {
  for (uint32_t engines : {1u, 8u, 16u, 24u, 64u})
    for (int64_t a = 1; a <= 40; a += 3)
      for (int64_t b = 1; b <= 70; b += 7) {
        const WorkSplit split = splitIndexSpace({a, b}, engines);
        EXPECT_LE(split.engines, engines);
        const int64_t boxes = ((a + split.box[0] - 1) / split.box[0]) *
                              ((b + split.box[1] - 1) / split.box[1]);
        EXPECT_EQ(boxes, split.engines) << a << "x" << b;
        // Never worse than dividing one dimension alone.
        const int64_t alone = std::min((a + engines - 1) / engines * b,
                                       (b + engines - 1) / engines * a);
        EXPECT_LE(split.box[0] * split.box[1], alone) << a << "x" << b;
      }
}

TEST(TpcSplit, DividesOverDcoresLikeTheDevice) {
  struct Case {
    int64_t size, granularity;
    Dims parts; // empty: is not divided
  };
  const Case cases[] = {{3, 1, {}},
                        {11, 2, {}},
                        {8, 2, {2, 2, 2, 2}},
                        {24, 2, {6, 6, 6, 6}},
                        {10, 2, {4, 2, 2, 2}},
                        {14, 2, {4, 4, 4, 2}}};
  for (const Case &c : cases)
    EXPECT_EQ(splitOverDcores(c.size, c.granularity, 4), c.parts)
        << c.size << " by " << c.granularity;
}

} // namespace
