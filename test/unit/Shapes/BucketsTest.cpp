// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Shapes/Symbol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace gaudi;
using namespace gaudi::shapes;
using testing::ElementsAre;
using testing::Optional;

namespace {
Buckets mustHave(Result<Buckets> buckets) {
  if (!buckets)
    ADD_FAILURE() << buckets.error().message;
  return *buckets;
}

std::string errorOf(const Result<Buckets> &buckets) {
  return buckets ? "no error" : buckets.error().message;
}

TEST(Buckets, ChoosesAmongThoseThatAreAccepted) {
  const Buckets buckets = mustHave(Buckets::create({"n"}, {{4}, {8}, {16}}));
  const int64_t size = 3;
  const auto isLarge = [](size_t bucket) { return bucket > 0; };
  EXPECT_THAT(buckets.choose(&size), Optional(0));
  EXPECT_THAT(buckets.choose(&size, isLarge), Optional(1));
  EXPECT_EQ(buckets.choose(&size, [](size_t) { return false; }), std::nullopt);
}

TEST(Symbols, HoldMultiplesInTheirBounds) {
  const Symbol symbol = {"n", 10, 100, 8};
  EXPECT_EQ(symbol.smallest(), 16);
  EXPECT_TRUE(symbol.holds(16));
  EXPECT_FALSE(symbol.holds(8));
  EXPECT_FALSE(symbol.holds(12));
  EXPECT_FALSE(symbol.holds(104));
  EXPECT_EQ(symbol.boundsText(), "10 to 100 in multiples of 8");
  EXPECT_EQ((Symbol{"n", 0, 4}).boundsText(), "0 to 4");
}

TEST(Buckets, ChoosesTheSmallestThatFits) {
  const Buckets buckets =
      mustHave(Buckets::create({"sequence"}, {{512}, {128}, {4096}}));
  EXPECT_THAT(buckets.choose({1}), Optional(1));
  EXPECT_THAT(buckets.choose({128}), Optional(1));
  EXPECT_THAT(buckets.choose({129}), Optional(0));
  EXPECT_THAT(buckets.choose({4096}), Optional(2));
  EXPECT_EQ(buckets.choose({4097}), std::nullopt);
}

TEST(Buckets, ChoosesByCostNotBySize) {
  // The larger one is faster, and costs that agree leave the order given.
  const Buckets buckets = mustHave(Buckets::create(
      {"batch", "sequence"}, {{4, 96}, {4, 128}, {8, 128}}, {7, 5, 5}));
  EXPECT_THAT(buckets.choose({3, 90}), Optional(1));
  EXPECT_THAT(buckets.choose({5, 90}), Optional(2));
}

TEST(Buckets, GridsAreAllCombinations) {
  const Buckets buckets =
      mustHave(Buckets::grid({"batch", "sequence"}, {{8, 1}, {64, 16, 16}}));
  EXPECT_THAT(buckets.boxes(), ElementsAre(Sizes{1, 16}, Sizes{1, 64},
                                           Sizes{8, 16}, Sizes{8, 64}));
  EXPECT_EQ(buckets.text(), "batch=1,8;sequence=16,64");
  EXPECT_EQ(mustHave(Buckets::create({"batch", "sequence"}, {{1, 64}, {8, 16}}))
                .text(),
            "batch,sequence=1x64,8x16");
  EXPECT_EQ(mustHave(Buckets::create({"n"}, {{64}, {8}})).text(), "n=8,64");
}

TEST(Buckets, SaysWhyNoneFits) {
  const Buckets line = mustHave(Buckets::create({"sequence"}, {{128}, {4096}}));
  EXPECT_EQ(line.whyNone({4100}),
            "sequence 4100 exceeds the largest bucket 4096; nearest would be "
            "8192 at 99.9 % padding");
  EXPECT_EQ(line.whyNone({8193}),
            "sequence 8193 exceeds the largest bucket 4096; nearest would be "
            "16384 at 100.0 % padding");
  EXPECT_EQ(line.whyNone({8192}),
            "sequence 8192 exceeds the largest bucket 4096; nearest would be "
            "8192 at 0.0 % padding");
  const Buckets boxes = mustHave(Buckets::create(
      {"batch", "sequence"}, {{64, 128}, {8, 1024}, {1, 4096}}));
  EXPECT_EQ(boxes.whyNone({60, 1000}),
            "no single bucket covers batch 60, sequence 1000; nearest would be "
            "batch 64, sequence 1024 at 9.3 % padding");
  EXPECT_EQ(boxes.whyNone({65, 5000}),
            "batch 65 exceeds the largest bucket 64 and sequence 5000 exceeds "
            "the largest bucket 4096; nearest would be batch 128, sequence "
            "8192 at 222.7 % padding");
}

TEST(Buckets, NearestSizesAreNotPastTheIntegers) {
  const int64_t large = std::numeric_limits<int64_t>::max() - 1;
  const Buckets buckets = mustHave(Buckets::create({"n"}, {{0}, {3}}));
  EXPECT_THAT(buckets.nearest({large}), ElementsAre(large));
  EXPECT_THAT(mustHave(Buckets::create({"n"}, {{0}})).nearest({5}),
              ElementsAre(8));
}

TEST(Buckets, PaddingIsRoundedUp) {
  EXPECT_EQ(paddingPercent(8192, 4100), "99.9");
  EXPECT_EQ(paddingPercent(1001, 1000), "0.1");
  EXPECT_EQ(paddingPercent(1.1, 1), "10.0");
  EXPECT_EQ(paddingPercent(1000, 1000), "0.0");
  EXPECT_EQ(paddingPercent(8, 0), "100.0");
}

TEST(Buckets, RefusesWhatIsNoBucket) {
  EXPECT_EQ(errorOf(Buckets::create({}, {{}})),
            "buckets need at least one symbol");
  EXPECT_EQ(errorOf(Buckets::create({"n"}, {})),
            "there is no bucket; give at least one size per symbol");
  EXPECT_EQ(errorOf(Buckets::create({"n", ""}, {{1, 2}})),
            "symbol 1 of the buckets has no name");
  EXPECT_EQ(errorOf(Buckets::create({"n", "n"}, {{1, 2}})),
            "symbol 'n' of the buckets is there twice");
  EXPECT_EQ(errorOf(Buckets::create({"a", "b"}, {{1, 2}, {3}})),
            "bucket 1 has 1 sizes but there are 2 symbols (a, b)");
  EXPECT_EQ(errorOf(Buckets::create({"n"}, {{8}, {-1}})),
            "bucket 1 has n -1; sizes must not be negative");
  EXPECT_EQ(errorOf(Buckets::create({"n"}, {{8}, {4}, {8}})),
            "buckets 0 and 2 have the same sizes (8); give each once");
  EXPECT_EQ(errorOf(Buckets::create({"n"}, {{8}}, {1, 2})),
            "there are 2 costs for 1 buckets");
  EXPECT_EQ(errorOf(Buckets::create({"n"}, {{8}}, {-1})),
            "bucket 0 costs -1; costs must be finite and not negative");
  EXPECT_EQ(errorOf(Buckets::grid({"a", "b"}, {{8}})),
            "there are sizes of 1 symbols but 2 symbols (a, b)");
  EXPECT_EQ(errorOf(Buckets::grid({"a", "b"}, {{8}, {}})),
            "symbol 'b' has no size; give at least one");
  std::vector<int64_t> many(300);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = int64_t(i);
  EXPECT_EQ(errorOf(Buckets::grid({"a", "b"}, {many, many})),
            "the sizes have 90000 combinations, more than the 65536 buckets "
            "that can be chosen among; give fewer sizes or single buckets");
  EXPECT_EQ(errorOf(Buckets::create(
                {"a"}, std::vector<Sizes>(Buckets::maxBuckets + 1, {1}))),
            "65537 buckets are more than the 65536 that can be chosen among");
}
} // namespace
