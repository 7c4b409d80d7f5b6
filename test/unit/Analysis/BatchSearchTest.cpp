// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for the largest batch, with needs that are given.
#include "Gaudi/Analysis/BatchSearch.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

using ::testing::HasSubstr;

BatchPlan batchOf(int64_t size, int64_t step) {
  BatchPlan batch;
  batch.size = size;
  batch.step = step;
  return batch;
}

TEST(BatchSearch, FindsWhatALineReaches) {
  BatchPlan batch = batchOf(8, 1);
  const auto linear = [](int64_t size) -> Result<uint64_t> {
    return 1000 + 10 * uint64_t(size);
  };
  ASSERT_TRUE(searchBatch(batch, 11005, linear));
  EXPECT_EQ(batch.largest, 1000);
  // The line through two sizes leads there, so that few are planned.
  EXPECT_LE(batch.planned.size(), 6u);
  EXPECT_EQ(batch.planned.at(1001), 11010u);
  EXPECT_EQ(batch.refusal, "");
}

TEST(BatchSearch, KeepsToStepsAndToWhatGrowsByJumps) {
  BatchPlan batch = batchOf(64, 16);
  const auto jumps = [](int64_t size) -> Result<uint64_t> {
    EXPECT_EQ(size % 16, 0);
    return size < 500 ? 1 : uint64_t(1) << 40;
  };
  ASSERT_TRUE(searchBatch(batch, 1000, jumps));
  EXPECT_EQ(batch.largest, 496);
}

TEST(BatchSearch, SaysWhyTheNextSizeDoesNotCompile) {
  BatchPlan batch = batchOf(4, 1);
  const auto plan = [](int64_t size) -> Result<uint64_t> {
    if (size > 10)
      return fail("too large");
    return uint64_t(size);
  };
  ASSERT_TRUE(searchBatch(batch, 1000, plan));
  EXPECT_EQ(batch.largest, 10);
  EXPECT_EQ(batch.refusal, "too large");
  EXPECT_EQ(toJson(batch, 1000)["refused"], "too large");
}

TEST(BatchSearch, NothingFits) {
  BatchPlan batch = batchOf(4, 2);
  ASSERT_TRUE(
      searchBatch(batch, 1, [](int64_t) -> Result<uint64_t> { return 2; }));
  EXPECT_FALSE(batch.largest);
  EXPECT_TRUE(toJson(batch, 1)["largest"].is_null());
  const Status failed = searchBatch(
      batch, 1, [](int64_t) -> Result<uint64_t> { return fail("no model"); });
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("no model"));
}

TEST(BatchSearch, SweepsPowersOfTwoUpToTheLargest) {
  BatchPlan batch = batchOf(6, 2);
  const auto plan = [&](int64_t size) -> Result<uint64_t> {
    batch.times[size] = 100 + double(size * size);
    return uint64_t(size);
  };
  ASSERT_TRUE(searchBatch(batch, 20, plan, BatchSizes::Sweep));
  EXPECT_EQ(batch.largest, 20);
  for (int64_t size : {2, 4, 6, 8, 16, 20, 22})
    EXPECT_TRUE(batch.planned.count(size)) << size;
  // 100 / size + size is least at 10, of what was planned at 8.
  EXPECT_EQ(batch.fastest(20), 8);
  const auto json = toJson(batch, 20);
  EXPECT_EQ(json["fastest"], 8);
  EXPECT_EQ(json["planned"][0]["time_us"], 104);
  EXPECT_EQ(json["planned"][0]["time_per_sample_us"], 52);
}

TEST(BatchSearch, ASweepPassesOverSizesBelowTheSmallest) {
  const auto from5 = [](int64_t size) -> Result<uint64_t> {
    if (size < 5 || size > 9)
      return fail("from 5 to 9");
    return uint64_t(size);
  };
  BatchPlan batch = batchOf(9, 1);
  ASSERT_TRUE(searchBatch(batch, 100, from5, BatchSizes::Sweep));
  EXPECT_EQ(batch.largest, 9);
  EXPECT_EQ(batch.refusal, "from 5 to 9");
  BatchPlan tight = batchOf(9, 1);
  ASSERT_TRUE(searchBatch(tight, 5, from5, BatchSizes::Sweep));
  EXPECT_EQ(tight.largest, 5);
  BatchPlan none = batchOf(9, 1);
  ASSERT_TRUE(searchBatch(none, 1, from5, BatchSizes::Sweep));
  EXPECT_FALSE(none.largest);
  const Status failed = searchBatch(
      none = batchOf(4, 1), 1,
      [](int64_t) -> Result<uint64_t> { return fail("no model"); },
      BatchSizes::Sweep);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("no model"));
}

} // namespace
} // namespace gaudi::analysis
