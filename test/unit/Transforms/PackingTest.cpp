// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of buffers: placement, alignment, bounds, proofs, errors; compared
// with exhaustive search.
#include "Gaudi/Transforms/Memory/Packing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>

using namespace gaudi::memory;
using testing::HasSubstr;

namespace {

constexpr uint64_t manySteps = 1'000'000'000;

bool conflict(const std::vector<Buffer> &buffers,
              const std::vector<Conflict> &conflicts, size_t i, size_t j) {
  const Buffer &a = buffers[i], &b = buffers[j];
  const bool isPair =
      std::any_of(conflicts.begin(), conflicts.end(), [&](const Conflict &c) {
        return c == Conflict(i, j) || c == Conflict(j, i);
      });
  const bool areTogether =
      a.begin < b.end && b.begin < a.end && a.begin < a.end && b.begin < b.end;
  return a.size > 0 && b.size > 0 && (isPair || areTogether);
}

/// Sizes count as multiples of it.
uint64_t grainOf(const std::vector<Buffer> &buffers) {
  uint64_t grain = 0;
  for (const Buffer &buffer : buffers)
    grain = std::gcd(grain, buffer.offset.value_or(buffer.alignment));
  return std::max<uint64_t>(grain, 1);
}

uint64_t roundUp(uint64_t size, uint64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

/// What is wrong with a packing, or an empty string.
std::string findFault(const std::vector<Buffer> &buffers,
                      const std::vector<Conflict> &conflicts,
                      const Packing &packing) {
  if (packing.offsets.size() != buffers.size())
    return "number of offsets";
  const uint64_t grain = grainOf(buffers);
  uint64_t peak = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const uint64_t offset = packing.offsets[i];
    const std::string name = "buffer " + std::to_string(i);
    if (buffers[i].offset ? offset != *buffers[i].offset
                          : offset % buffers[i].alignment != 0)
      return name + " at a wrong offset";
    if (buffers[i].size > 0)
      peak = std::max(peak, offset + roundUp(buffers[i].size, grain));
    for (size_t j = 0; j < i; ++j)
      if (conflict(buffers, conflicts, i, j) &&
          offset < packing.offsets[j] + buffers[j].size &&
          packing.offsets[j] < offset + buffers[i].size)
        return name + " overlaps buffer " + std::to_string(j);
  }
  if (peak != packing.peak)
    return "peak is " + std::to_string(peak);
  if (packing.lowerBound > packing.peak)
    return "lower bound above the peak";
  return packing.mostAlive > packing.lowerBound ? "more alive than the bound"
                                                : "";
}

/// The smallest peak, by trying all orders: in the order of its offsets, each
/// buffer of an optimal packing can take the lowest offset that is free.
uint64_t smallestPeak(const std::vector<Buffer> &buffers,
                      const std::vector<Conflict> &conflicts) {
  const uint64_t grain = grainOf(buffers);
  std::vector<size_t> order;
  uint64_t fixedPeak = 0;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].offset && buffers[i].size > 0)
      fixedPeak = std::max(fixedPeak, *buffers[i].offset +
                                          roundUp(buffers[i].size, grain));
    else if (buffers[i].size > 0)
      order.push_back(i);
  uint64_t best = UINT64_MAX;
  do {
    std::vector<std::pair<size_t, uint64_t>> placed;
    for (size_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].offset)
        placed.push_back({i, *buffers[i].offset});
    uint64_t peak = fixedPeak;
    for (size_t i : order) {
      uint64_t offset = 0;
      for (bool isMoved = true; isMoved;) {
        isMoved = false;
        for (auto [j, start] : placed)
          if (conflict(buffers, conflicts, i, j) &&
              offset < start + roundUp(buffers[j].size, grain) &&
              start < offset + roundUp(buffers[i].size, grain)) {
            offset = roundUp(start + roundUp(buffers[j].size, grain),
                             buffers[i].alignment);
            isMoved = true;
          }
      }
      placed.push_back({i, offset});
      peak = std::max(peak, offset + roundUp(buffers[i].size, grain));
    }
    best = std::min(best, peak);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

Packing packed(const std::vector<Buffer> &buffers, uint64_t steps = 0,
               const std::vector<Conflict> &conflicts = {},
               unsigned threads = 1) {
  PackingOptions options;
  options.steps = steps;
  options.threads = threads;
  auto packing = pack(buffers, conflicts, options);
  EXPECT_TRUE(packing) << packing.error().message;
  if (!packing)
    return {};
  EXPECT_EQ(findFault(buffers, conflicts, *packing), "");
  return *packing;
}

std::vector<Buffer> randomBuffers(std::mt19937_64 &random, size_t count,
                                  int64_t steps, uint64_t maxSize) {
  std::vector<Buffer> buffers(count);
  for (Buffer &buffer : buffers) {
    buffer.begin = int64_t(random() % uint64_t(steps)) - steps / 2;
    buffer.end = buffer.begin + 1 + int64_t(random() % uint64_t(steps));
    buffer.size = 1 + random() % maxSize;
  }
  return buffers;
}

/// Up to `most` buffers that leave no byte free until then.
std::vector<Buffer> tightBuffers(std::mt19937_64 &random, size_t most) {
  const uint64_t peak = 4 + random() % 8;
  std::vector<Buffer> buffers;
  std::vector<size_t> alive;
  uint64_t free = peak;
  for (int64_t time = 0; buffers.size() < most; ++time) {
    for (size_t i = 0; i < alive.size();)
      if (random() % 3 == 0) {
        free += buffers[alive[i]].size;
        buffers[alive[i]].end = time;
        alive.erase(alive.begin() + ptrdiff_t(i));
      } else {
        ++i;
      }
    while (free > 0 && buffers.size() < most) {
      const uint64_t size = 1 + random() % free;
      alive.push_back(buffers.size());
      buffers.push_back({size, time, 1000});
      free -= size;
    }
  }
  return buffers;
}

TEST(PackingTest, NothingNeedsNothing) {
  const Packing packing = packed({});
  EXPECT_EQ(packing.peak, 0u);
  EXPECT_TRUE(packing.isProven());
}

TEST(PackingTest, FirstFitIsKeptWhereItIsOptimal) {
  // 0 and 2 end before 4 and 5 begin: 4 does not fit into the hole of 0, but
  // into that of 2; 5 fits into the hole of 0.
  const Packing packing = packed({{100, 0, 4},
                                  {10, 0, 10},
                                  {300, 1, 4},
                                  {10, 2, 10},
                                  {200, 4, 10},
                                  {80, 5, 10}});
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{0, 100, 110, 410, 110, 0}));
  EXPECT_EQ(packing.peak, 420u);
  EXPECT_TRUE(packing.isProven());
  EXPECT_EQ(packing.mostAliveTime, 2);
  EXPECT_EQ(packing.mostAlive, 420u);
}

TEST(PackingTest, CoalescesFreeRanges) {
  const Packing packing =
      packed({{64, 0, 2}, {64, 0, 3}, {64, 0, 2}, {64, 0, 10}, {192, 3, 4}});
  EXPECT_EQ(packing.offsets[4], 0u);
  EXPECT_EQ(packing.peak, 256u);
}

TEST(PackingTest, LifetimesThatTouchMayShareBytes) {
  EXPECT_EQ(packed({{8, 0, 1}, {8, 1, 2}, {8, 2, 3}}).peak, 8u);
  EXPECT_EQ(packed({{8, 0, 2}, {8, 1, 3}, {8, 2, 4}}).peak, 16u);
}

TEST(PackingTest, AlignsOffsetsAndCountsTheGaps) {
  const Packing packing = packed(
      {{1, 0, 2, 128}, {129, 0, 2, 128}, {0, 0, 2, 128}, {5, 0, 2, 128}});
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{0, 128, 0, 384}));
  EXPECT_EQ(packing.peak, 512u);
  EXPECT_EQ(packing.lowerBound, 512u);
}

TEST(PackingTest, OtherOrdersHelpWhereFirstFitFragments) {
  // In program order the hole of 0 is split by a small buffer that lives on.
  const Packing packing =
      packed({{100, 0, 1}, {10, 0, 10}, {10, 1, 10}, {100, 2, 10}});
  EXPECT_EQ(packing.peak, 120u);
  EXPECT_TRUE(packing.isProven());
}

TEST(PackingTest, ZeroBytesAndEmptyLifetimes) {
  const Packing packing = packed({{0, 0, 9}, {10, 3, 3}, {4, 0, 9}, {4, 3, 4}});
  EXPECT_EQ(packing.peak, 10u);
  EXPECT_EQ(packing.lowerBound, 10u);
  EXPECT_EQ(packed({{0, 0, 9}, {0, 1, 1}}).peak, 0u);
}

TEST(PackingTest, PlacesAroundFixedBuffers) {
  std::vector<Buffer> buffers = {{10, 0, 4}, {20, 0, 9}, {5, 5, 9}};
  buffers[0].offset = 10;
  buffers[2].offset = 3;
  const Packing packing = packed(buffers, manySteps);
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{10, 20, 3}));
  EXPECT_EQ(packing.peak, 40u);
  EXPECT_TRUE(packing.isProven());
}

TEST(PackingTest, ConflictsKeepBuffersApartThatAreNeverAliveTogether) {
  EXPECT_EQ(packed({{8, 0, 1}, {8, 1, 2}, {8, 2, 3}}, 0, {{2, 0}}).peak, 16u);
  EXPECT_EQ(
      packed({{8, 0, 1}, {8, 1, 2}, {8, 2, 3}}, 0, {{2, 0}, {0, 1}, {1, 2}})
          .peak,
      24u);
}

TEST(PackingTest, ProvesPeaksAboveTheMostAlive) {
  // At most 10 bytes are alive, yet some buffer must be where another one
  // would have to be.
  const std::vector<Buffer> buffers = {{5, 0, 4}, {5, 1, 3}, {4, 3, 6},
                                       {1, 3, 5}, {4, 4, 6}, {2, 5, 7},
                                       {6, 6, 7}};
  const Packing packing = packed(buffers, manySteps);
  EXPECT_TRUE(packing.isProven());
  EXPECT_EQ(packing.mostAlive, 10u);
  EXPECT_EQ(packing.peak, 11u);
  EXPECT_EQ(packing.peak, smallestPeak(buffers, {}));
}

TEST(PackingTest, EqualsExhaustiveSearch) {
  std::mt19937_64 random(20240517);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Buffer> buffers =
        round % 3 == 0 ? randomBuffers(random, 1 + random() % 7,
                                       1 + int64_t(random() % 7), 6)
                       : tightBuffers(random, 7);
    const Packing packing = packed(buffers, manySteps);
    ASSERT_EQ(packing.peak, smallestPeak(buffers, {})) << "round " << round;
    ASSERT_TRUE(packing.isProven()) << "round " << round;
  }
}

TEST(PackingTest, EqualsExhaustiveSearchWithConstraints) {
  std::mt19937_64 random(7);
  unsigned packings = 0, aboveMostAlive = 0;
  for (int round = 0; round < 600; ++round) {
    std::vector<Buffer> buffers =
        randomBuffers(random, 1 + random() % 6, 1 + int64_t(random() % 6), 9);
    std::vector<Conflict> conflicts;
    for (Buffer &buffer : buffers) {
      const uint64_t alignments[] = {1, 1, 2, 3, 4};
      buffer.alignment = alignments[random() % 5];
      if (random() % 6 == 0)
        buffer.offset = random() % 12;
      if (random() % 10 == 0)
        buffer.size = 0;
      if (random() % 10 == 0)
        buffer.end = buffer.begin;
    }
    for (uint64_t i = random() % 3; i > 0 && buffers.size() > 1; --i) {
      const size_t a = random() % buffers.size();
      conflicts.push_back({a, (a + 1) % buffers.size()});
    }
    PackingOptions options;
    options.steps = manySteps;
    auto packing = pack(buffers, conflicts, options);
    if (!packing) { // two fixed ones
      ASSERT_THAT(packing.error().message, HasSubstr("share bytes"));
      continue;
    }
    ++packings;
    ASSERT_EQ(findFault(buffers, conflicts, *packing), "") << "round " << round;
    ASSERT_EQ(packing->peak, smallestPeak(buffers, conflicts))
        << "round " << round;
    ASSERT_TRUE(packing->isProven()) << "round " << round;
    aboveMostAlive += packing->peak > packing->mostAlive;
  }
  EXPECT_GT(packings, 300u);
  EXPECT_GT(aboveMostAlive, 50u);
}

TEST(PackingTest, LargeInstancesHaveNoFault) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    std::vector<Buffer> buffers =
        randomBuffers(random, random() % 200, 60, round % 2 ? 100000 : 700);
    const uint64_t alignment = uint64_t(1) << (random() % 9);
    for (Buffer &buffer : buffers)
      buffer.alignment = alignment;
    const Packing fast = packed(buffers);
    const Packing searched = packed(buffers, 300'000);
    ASSERT_LE(searched.peak, fast.peak) << "round " << round;
    ASSERT_GE(searched.lowerBound, fast.lowerBound) << "round " << round;
  }
}

TEST(PackingTest, ManyFreeRangesAreNoProblem) {
  // Thousands of free ranges at each time, of which few suffice: a sweep that
  // looked at all of them would take minutes.
  std::mt19937_64 random(11);
  std::vector<Buffer> buffers = randomBuffers(random, 60'000, 20'000, 1000);
  PackingOptions options;
  options.steps = 1000; // not enough for a search
  auto packing = pack(buffers, {}, options);
  ASSERT_TRUE(packing);
  EXPECT_EQ(packing->steps, 0u);
  EXPECT_LE(double(packing->peak), 1.1 * double(packing->lowerBound));
}

TEST(PackingTest, ThreadsDoNotChangeTheAnswer) {
  std::mt19937_64 random(5);
  unsigned searches = 0;
  for (int round = 0; round < 30; ++round) {
    const std::vector<Buffer> buffers = randomBuffers(random, 60, 40, 50);
    const Packing one = packed(buffers, 400'000);
    for (unsigned threads : {2u, 3u, 16u}) {
      const Packing more = packed(buffers, 400'000, {}, threads);
      ASSERT_EQ(one.offsets, more.offsets) << "round " << round;
      ASSERT_EQ(one.lowerBound, more.lowerBound) << "round " << round;
      ASSERT_EQ(one.steps, more.steps) << "round " << round;
    }
    searches += one.steps > 0;
  }
  EXPECT_GT(searches, 0u);
}

TEST(PackingTest, ACapacityEndsTheSearch) {
  std::mt19937_64 random(9);
  const std::vector<Buffer> buffers = randomBuffers(random, 80, 40, 50);
  const Packing fast = packed(buffers);
  PackingOptions options;
  options.steps = manySteps;
  options.capacity = fast.peak;
  auto packing = pack(buffers, {}, options);
  ASSERT_TRUE(packing);
  EXPECT_LE(packing->peak, fast.peak);
  EXPECT_EQ(packing->steps, 0u);
}

TEST(PackingTest, TheCallerCanStopTheSearch) {
  std::mt19937_64 random(3);
  const std::vector<Buffer> buffers = randomBuffers(random, 150, 60, 1000);
  std::atomic<unsigned> asked = 0;
  PackingOptions options;
  options.steps = UINT64_MAX;
  options.mustStop = [&] { return ++asked > 2; };
  auto packing = pack(buffers, {}, options);
  ASSERT_TRUE(packing);
  EXPECT_EQ(findFault(buffers, {}, *packing), "");
  EXPECT_LE(asked, 8u);
}

std::string errorOf(const std::vector<Buffer> &buffers,
                    const std::vector<Conflict> &conflicts = {}) {
  auto packing = pack(buffers, conflicts, {});
  return packing ? "" : packing.error().message;
}

TEST(PackingTest, ErrorsNameTheBuffer) {
  EXPECT_EQ(errorOf({{8, 0, 1}, {8, 5, 4}}),
            "buffer 1 (8 bytes, alive from 5 to 4) ends before it begins");
  EXPECT_THAT(errorOf({{8, 0, 1, 0}}),
              HasSubstr("has an alignment of 0; it must be positive"));
  EXPECT_THAT(errorOf({{uint64_t(1) << 61, 0, 1}, {uint64_t(1) << 62, 1, 2}}),
              HasSubstr("buffer 1 (4611686018427387904 bytes, alive from 1 to "
                        "2) takes the sum of sizes, alignments and offsets "
                        "past 2^62 bytes"));
  EXPECT_THAT(errorOf({{8, 0, 1}}, {{0, 1}}),
              HasSubstr("the conflict of buffers 0 and 1 is not one of two of "
                        "the 1 buffers"));
  EXPECT_THAT(errorOf({{8, 0, 3, 1, 4}, {1, 0, 9}, {2, 2, 9, 1, 11}}),
              HasSubstr("buffer 0 (8 bytes, alive from 0 to 3) at offset 4 and "
                        "buffer 2 (2 bytes, alive from 2 to 9) at offset 11 "
                        "share bytes"));
  EXPECT_EQ(errorOf({{8, 0, 2, 1, 4}, {2, 2, 9, 1, 11}}), "");
  EXPECT_THAT(errorOf({{8, 0, 2, 1, 4}, {2, 2, 9, 1, 11}}, {{0, 1}}),
              HasSubstr("share bytes"));
}

} // namespace
