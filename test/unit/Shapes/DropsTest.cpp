// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Drops.h"

#include <gtest/gtest.h>
#include <random>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
Buckets mustHave(Result<Buckets> buckets) {
  if (!buckets)
    ADD_FAILURE() << buckets.error().message;
  return *buckets;
}

TEST(Drops, TheLargestGoesLast) {
  const Buckets buckets =
      mustHave(Buckets::create({"n"}, {{8}, {1}, {4}, {2}}));
  Histogram histogram;
  histogram.names = {"n"};
  histogram.observations = {{{1}, 10}, {{2}, 1}, {{3}, 9}, {{7}, 1}, {{9}, 3}};
  const std::vector<Drop> drops = dropOrder(buckets, histogram);
  ASSERT_EQ(drops.size(), 4u);
  EXPECT_EQ(drops[0].bucket, 3u); // 2 costs 2 more
  EXPECT_EQ(drops[0].padded, 10 + 4 + 36 + 8);
  EXPECT_EQ(drops[0].misses, 3u);
  EXPECT_EQ(drops[1].bucket, 1u); // 1 costs 30 more, 4 would cost 40
  EXPECT_EQ(drops[2].bucket, 2u);
  EXPECT_EQ(drops[2].padded, 21 * 8);
  EXPECT_EQ(drops[3].bucket, 0u);
  EXPECT_EQ(drops[3].padded, 0);
  EXPECT_EQ(drops[3].misses, 24u);
}

TEST(Drops, FewestLaunchesLoseTheirLastBucket) {
  const Buckets buckets =
      mustHave(Buckets::create({"a", "b"}, {{1, 9}, {9, 1}, {2, 2}}));
  Histogram histogram;
  histogram.names = {"a", "b"};
  // Both long ones are the last bucket of some, the small one is, too.
  histogram.observations = {
      {{1, 8}, 5}, {{8, 1}, 2}, {{1, 1}, 100}, {{2, 2}, 3}};
  const std::vector<Drop> drops = dropOrder(buckets, histogram);
  EXPECT_EQ(drops[0].bucket, 1u);
  EXPECT_EQ(drops[0].misses, 2u);
  EXPECT_EQ(drops[1].bucket, 2u);
  EXPECT_EQ(drops[1].misses, 5u);
}

TEST(Drops, FiguresAreThoseOfTheBucketsLeft) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<Sizes> boxes;
    for (int64_t a = 1; a <= 4; ++a)
      for (int64_t b = 1; b <= 4; ++b)
        if (random() % 2)
          boxes.push_back({a, b});
    if (boxes.empty())
      continue;
    const Buckets buckets = mustHave(Buckets::create({"a", "b"}, boxes));
    Histogram histogram;
    histogram.names = {"a", "b"};
    for (int i = 0; i < 8; ++i)
      histogram.observations.push_back(
          {{1 + int64_t(random() % 4), 1 + int64_t(random() % 4)},
           random() % 5});
    const std::vector<Drop> drops = dropOrder(buckets, histogram);
    ASSERT_EQ(drops.size(), boxes.size());
    std::vector<bool> isLeft(boxes.size(), true);
    for (const Drop &drop : drops) {
      EXPECT_TRUE(isLeft[drop.bucket]);
      isLeft[drop.bucket] = false;
      double padded = 0;
      uint64_t misses = 0;
      for (const Observation &launch : histogram.observations) {
        double least = -1;
        for (size_t i = 0; i < boxes.size(); ++i)
          if (isLeft[i] && launch.sizes[0] <= boxes[i][0] &&
              launch.sizes[1] <= boxes[i][1] &&
              (least < 0 || buckets.cost(i) < least))
            least = buckets.cost(i);
        if (least < 0)
          misses += launch.count;
        else
          padded += least * double(launch.count);
      }
      EXPECT_EQ(drop.padded, padded);
      EXPECT_EQ(drop.misses, misses);
    }
  }
}
} // namespace
