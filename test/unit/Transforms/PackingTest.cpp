// Packing of lifetimes: placement, alignment, lower bound, no overlap.
#include "Gaudi/Transforms/Memory/Packing.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace gaudi::memory;

namespace {

uint64_t roundUp(uint64_t size, uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// The first two buffers that share a byte at one step, or an empty string.
std::string findOverlap(const std::vector<Lifetime> &lifetimes,
                        const Packing &packing) {
  for (size_t i = 0; i < lifetimes.size(); ++i)
    for (size_t j = i + 1; j < lifetimes.size(); ++j) {
      const Lifetime &a = lifetimes[i], &b = lifetimes[j];
      bool together = a.first <= b.last && b.first <= a.last;
      bool shared = packing.offsets[i] < packing.offsets[j] + b.size &&
                    packing.offsets[j] < packing.offsets[i] + a.size;
      if (together && shared && a.size > 0 && b.size > 0)
        return std::to_string(i) + " and " + std::to_string(j);
    }
  return "";
}

/// Most aligned bytes alive at one step, counted step by step.
uint64_t mostAlive(const std::vector<Lifetime> &lifetimes, uint64_t alignment) {
  uint64_t most = 0;
  for (const Lifetime &at : lifetimes) {
    uint64_t alive = 0;
    for (const Lifetime &other : lifetimes)
      if (other.first <= at.first && at.first <= other.last)
        alive += roundUp(other.size, alignment);
    most = std::max(most, alive);
  }
  return most;
}

TEST(PackingTest, NothingNeedsNothing) {
  Packing packing = packFirstFit({}, 128);
  EXPECT_TRUE(packing.offsets.empty());
  EXPECT_EQ(packing.peak, 0u);
  EXPECT_EQ(packing.lowerBound, 0u);
}

TEST(PackingTest, TakesTheLowestHoleThatFits) {
  // 0 and 2 end before 4 and 5 begin: 4 does not fit into the hole of 0, but
  // into that of 2; 5 fits into the hole of 0.
  Packing packing = packFirstFit({{100, 0, 3},
                                  {10, 0, 9},
                                  {300, 1, 3},
                                  {10, 2, 9},
                                  {200, 4, 9},
                                  {80, 5, 9}},
                                 1);
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{0, 100, 110, 410, 110, 0}));
  EXPECT_EQ(packing.peak, 420u);
  EXPECT_EQ(packing.lowerBound, 420u);
  EXPECT_EQ(packing.lowerBoundStep, 2u);
}

TEST(PackingTest, JoinsNeighbouringHoles) {
  Packing packing = packFirstFit(
      {{64, 0, 1}, {64, 0, 2}, {64, 0, 1}, {64, 0, 9}, {192, 3, 3}}, 64);
  EXPECT_EQ(packing.offsets[4], 0u);
  EXPECT_EQ(packing.peak, 256u);
}

TEST(PackingTest, ABufferIsAliveAtItsLastStep) {
  Packing packing = packFirstFit({{8, 0, 1}, {8, 1, 2}, {8, 2, 3}}, 8);
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{0, 8, 0}));
}

TEST(PackingTest, AlignsOffsetsAndCountsTheGaps) {
  Packing packing =
      packFirstFit({{1, 0, 1}, {129, 0, 1}, {0, 0, 1}, {5, 0, 1}}, 128);
  EXPECT_EQ(packing.offsets, (std::vector<uint64_t>{0, 128, 0, 384}));
  EXPECT_EQ(packing.peak, 512u);
  EXPECT_EQ(packing.lowerBound, 512u);
}

TEST(PackingTest, FirstFitMayNeedMoreThanTheLowerBound) {
  // The hole of 0 is split by a small buffer that lives on.
  Packing packing =
      packFirstFit({{100, 0, 0}, {10, 0, 9}, {10, 1, 9}, {100, 2, 9}}, 1);
  EXPECT_EQ(packing.lowerBound, 120u);
  EXPECT_EQ(packing.peak, 210u);
}

TEST(PackingTest, RandomLifetimesNeverOverlap) {
  std::mt19937_64 random(20240517);
  for (int round = 0; round < 300; ++round) {
    uint64_t alignment = uint64_t(1) << (random() % 9);
    uint64_t steps = 1 + random() % 60;
    std::vector<Lifetime> lifetimes(random() % 120);
    for (Lifetime &lifetime : lifetimes) {
      lifetime.first = random() % steps;
      lifetime.last = lifetime.first + random() % (1 + random() % steps);
      lifetime.size = random() % (random() % 8 == 0 ? 100000 : 700);
    }
    std::sort(
        lifetimes.begin(), lifetimes.end(),
        [](const Lifetime &a, const Lifetime &b) { return a.first < b.first; });
    Packing packing = packFirstFit(lifetimes, alignment);
    ASSERT_EQ(packing.offsets.size(), lifetimes.size());
    ASSERT_EQ(findOverlap(lifetimes, packing), "") << "round " << round;
    uint64_t peak = 0;
    for (size_t i = 0; i < lifetimes.size(); ++i) {
      ASSERT_EQ(packing.offsets[i] % alignment, 0u) << "round " << round;
      if (lifetimes[i].size > 0)
        peak = std::max(peak, packing.offsets[i] +
                                  roundUp(lifetimes[i].size, alignment));
    }
    ASSERT_EQ(packing.peak, peak) << "round " << round;
    ASSERT_EQ(packing.lowerBound, mostAlive(lifetimes, alignment))
        << "round " << round;
    ASSERT_LE(packing.lowerBound, packing.peak) << "round " << round;
  }
}

} // namespace
