// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::shapes;
using testing::ElementsAre;
using testing::Optional;

namespace {
std::string errorOf(std::string_view text) {
  Result<BucketChoice> choice = parseStrategy(text);
  return choice ? "no error" : choice.error().message;
}

BucketChoice mustParse(std::string_view text) {
  Result<BucketChoice> choice = parseStrategy(text);
  if (!choice)
    ADD_FAILURE() << choice.error().message;
  return *choice;
}

/// The buckets that `text` gives for `axes`, or the error.
std::string bucketsOf(std::string_view text, std::vector<Axis> axes) {
  PlanRequest request;
  request.axes = std::move(axes);
  Result<BucketChoice> choice = parseStrategy(text);
  if (!choice)
    return choice.error().message;
  request.choice = *choice;
  Result<Plan> plan = planBuckets(request);
  return plan ? plan->buckets.text() : plan.error().message;
}

const Axis n = {"n", 1, 4096, 1};
const Axis batch = {"batch", 1, 64, 1};
const Axis sequence = {"sequence", 16, 4096, 16};

TEST(Strategy, ReadsOneForAllSymbols) {
  BucketChoice choice = mustParse(" exponential:8/64 ");
  ASSERT_EQ(choice.parts.size(), 1u);
  EXPECT_EQ(choice.parts[0].symbol, "");
  EXPECT_EQ(choice.parts[0].strategy.kind, Strategy::Kind::Exponential);
  EXPECT_EQ(choice.parts[0].strategy.maxBuckets, 8u);
  EXPECT_THAT(choice.parts[0].strategy.step, Optional(64));
  EXPECT_THAT(mustParse("percent-padding:12.5").parts[0].strategy.percent,
              Optional(12.5));
  EXPECT_THAT(mustParse("8, 16").parts[0].strategy.sizes, ElementsAre(8, 16));
}

TEST(Strategy, ReadsOnePerSymbol) {
  const BucketChoice choice =
      mustParse("batch=exponential:4, seq = explicit:128,256;heads=8");
  ASSERT_EQ(choice.parts.size(), 3u);
  EXPECT_EQ(choice.parts[0].symbol, "batch");
  EXPECT_EQ(choice.parts[1].symbol, "seq");
  EXPECT_THAT(choice.parts[1].strategy.sizes, ElementsAre(128, 256));
  EXPECT_EQ(choice.parts[2].symbol, "heads");
  EXPECT_THAT(choice.parts[2].strategy.sizes, ElementsAre(8));
}

TEST(Strategy, ReadsBuckets) {
  const BucketChoice choice = mustParse("explicit:batch,seq=1x4096,8x128");
  EXPECT_TRUE(choice.parts.empty());
  EXPECT_THAT(choice.names, ElementsAre("batch", "seq"));
  EXPECT_THAT(choice.boxes, ElementsAre(Sizes{1, 4096}, Sizes{8, 128}));
}

TEST(Strategy, ErrorsShowRightForms) {
  const std::string forms =
      "write explicit:128,512, linear:8, exponential:8, percent-padding:25, "
      "optimal:8, or NAME=STRATEGY per symbol";
  EXPECT_EQ(errorOf("log:8"), "'log' is no strategy; " + forms);
  EXPECT_EQ(errorOf("exponental:4"),
            "'exponental' is no strategy; did you mean 'exponential'? " +
                forms);
  EXPECT_EQ(errorOf("optimal"), "'optimal' needs its numbers: write optimal:8");
  EXPECT_EQ(errorOf("n=a=8"),
            "expected NAME=STRATEGY but got 'n=a=8'; " + forms);
  EXPECT_EQ(errorOf("=8"), "expected NAME=STRATEGY but got '=8'; " + forms);
  EXPECT_EQ(errorOf("n=8,n=16"), "symbol 'n' has two strategies; give one");
  EXPECT_EQ(errorOf("8,x"), "a size of a bucket must be a whole number from 0 "
                            "but is 'x'");
  EXPECT_EQ(errorOf("linear:0"),
            "the number of buckets must be a whole number from 1 but is '0'");
  EXPECT_EQ(errorOf("linear:1025"),
            "1025 buckets are more than the 1024 that are planned");
  EXPECT_EQ(errorOf("linear:8/0"),
            "the step must be a whole number from 1 but is '0'");
  EXPECT_EQ(errorOf("optimal:8/2"),
            "optimal has no step but 'optimal:8/2' gives one; leave it out");
  EXPECT_EQ(errorOf("percent-padding:nan"),
            "percent-padding must be a number from 0 to 99 but is 'nan'");
  EXPECT_EQ(errorOf("a,b=1x2,3"),
            "bucket '3' has 1 sizes but there are 2 symbols; write them as in "
            "batch,sequence=1x4096,8x128");
}

TEST(Series, LinearIsEvenlySpaced) {
  EXPECT_EQ(bucketsOf("linear:4", {n}), "n=1024,2048,3072,4096");
  EXPECT_EQ(bucketsOf("linear:3/1", {{"n", 1, 10, 1}}), "n=4,7,10");
  EXPECT_EQ(bucketsOf("linear:100", {{"n", 3, 5, 1}}), "n=3,4,5");
  EXPECT_EQ(bucketsOf("linear:3", {{"n", 1, 50, 8}}), "n=24,40,56");
}

TEST(Series, ExponentialIsThePublishedOne) {
  // 2048 / 128 in 10 powers; rounding to 128 leaves 9 of them, and 11 powers
  // leave as many.
  EXPECT_EQ(bucketsOf("exponential:9/128", {{"n", 1, 2048, 1}}),
            "n=128,256,384,512,768,896,1280,1664,2048");
  EXPECT_EQ(bucketsOf("exponential:11", {n}),
            "n=128,256,384,512,640,896,1280,1664,2304,3072,4096");
  EXPECT_EQ(bucketsOf("exponential:7", {batch}), "batch=1,2,4,8,16,32,64");
  EXPECT_EQ(bucketsOf("exponential:1", {batch}), "batch=64");
  EXPECT_EQ(bucketsOf("exponential:9", {{"n", 3, 9, 1}}), "n=3,4,5,6,7,8,9");
}

TEST(Series, PercentBoundsThePaddingOfABucket) {
  EXPECT_EQ(bucketsOf("percent-padding:50/8", {{"n", 1, 64, 1}}),
            "n=8,16,32,64");
  EXPECT_EQ(bucketsOf("percent-padding:0", {{"n", 6, 9, 1}}), "n=6,7,8,9");
  EXPECT_EQ(bucketsOf("percent-padding:25", {batch}),
            "batch=1,2,4,6,9,13,18,25,34,46,62,64");
}

TEST(Series, BudgetsAreSharedAmongSymbols) {
  EXPECT_EQ(bucketsOf("exponential:40", {batch, sequence}),
            "batch=1,2,4,6,11,20,36,64;sequence=128,384,768,1792,4096");
  EXPECT_EQ(
      bucketsOf("batch=exponential:3,sequence=128,4096", {batch, sequence}),
      "batch=1,8,64;sequence=128,4096");
  EXPECT_EQ(bucketsOf("sequence,batch=4096x1,128x64", {batch, sequence}),
            "batch,sequence=1x4096,64x128");
}

TEST(Series, ErrorsNameTheSymbol) {
  EXPECT_EQ(bucketsOf("8", {}),
            "there is no dynamic size to plan buckets for; give one a name and "
            "bounds: NAME=MIN..MAX");
  EXPECT_EQ(bucketsOf("8", {{"n", 5, 4, 1}}),
            "n has the bounds 5..4; they must ascend within 0..2^53");
  EXPECT_EQ(bucketsOf("8", {{"n", 1, 4, 0}}),
            "n has the grain 0; it must be within 1..2^53");
  EXPECT_EQ(bucketsOf("8,16", {batch, sequence}),
            "explicit sizes are given but not of which symbol; write "
            "batch=8,16 for each of batch, sequence");
  EXPECT_EQ(bucketsOf("optimal:4", {n}),
            "the strategy optimal needs a histogram of sizes; give one, or use "
            "exponential:4");
  EXPECT_EQ(bucketsOf("m=8", {n}), "'m' is no dynamic size; there are n");
  EXPECT_EQ(bucketsOf("batch=8", {batch, sequence}),
            "'sequence' has no buckets; add sequence=STRATEGY");
  EXPECT_EQ(bucketsOf("a,b=1x2", {batch, sequence}),
            "buckets of a, b are given but the dynamic sizes are batch, "
            "sequence");
  EXPECT_EQ(bucketsOf("linear:8/9223372036854775807", {n}),
            "the step 9223372036854775807 exceeds 2^53");
  EXPECT_EQ(
      bucketsOf("percent-padding:0/1", {{"n", 1, 1 << 20, 1}}),
      "the sizes have 65537 combinations, more than the 65536 buckets that "
      "can be chosen among; give fewer sizes or single buckets");
}
} // namespace
