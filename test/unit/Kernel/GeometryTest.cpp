// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents, injectivity and disjointness of strided windows.
#include "Gaudi/Kernel/Geometry.h"

#include <gtest/gtest.h>

using namespace gaudi::kernel;

namespace {

constexpr int64_t huge = INT64_MAX;

TEST(Geometry, Extents) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({2, 3}), 6);
  EXPECT_EQ(elementCount({huge, huge, 0}), 0);
  EXPECT_EQ(elementCount({huge, 2}), std::nullopt);
  EXPECT_EQ(byteExtent({2, 3}, {3, 1}, 4), 24u);
  EXPECT_EQ(byteExtent({2, 3}, {8, 1}, 4), 44u);
  EXPECT_EQ(byteExtent({2, 3}, {0, 0}, 4), 4u);
  EXPECT_EQ(byteExtent({}, {}, 8), 8u);
  EXPECT_EQ(byteExtent({0, 3}, {3, 1}, 4), 0u);
  EXPECT_EQ(byteExtent({huge, 0}, {huge, 1}, 4), 0u);
  EXPECT_EQ(byteExtent({3, 1}, {huge, 1}, 4), std::nullopt);
}

TEST(Geometry, Density) {
  EXPECT_EQ(denseStrides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(denseStrides({2, 0, 4}), (Dims{4, 4, 1}));
  EXPECT_TRUE(isDense({2, 1, 4}, {4, 77, 1}));
  EXPECT_FALSE(isDense({2, 4}, {5, 1}));
}

TEST(Geometry, Injectivity) {
  EXPECT_TRUE(isInjective({2, 3}, {3, 1}));
  EXPECT_TRUE(isInjective({3, 2}, {1, 3}));
  EXPECT_TRUE(isInjective({1, 3}, {0, 1}));
  EXPECT_TRUE(isInjective({0, 3}, {0, 0}));
  EXPECT_FALSE(isInjective({2, 3}, {2, 1}));
  EXPECT_FALSE(isInjective({2, 3}, {0, 1}));
  EXPECT_FALSE(isInjective({3, 3}, {huge, 1}));
}

TEST(Geometry, ColumnsOfOnePitchAreDisjoint) {
  const Window left{0, {4, 3}, {8, 1}, 4}, right{12, {4, 5}, {8, 1}, 4};
  const Window wide{0, {4, 4}, {8, 1}, 4}, after{128, {4}, {1}, 4};
  EXPECT_TRUE(provablyDisjoint(left, right));
  EXPECT_TRUE(provablyDisjoint(right, left));
  EXPECT_FALSE(provablyDisjoint(wide, right));
  EXPECT_TRUE(provablyDisjoint(wide, after));
  EXPECT_FALSE(provablyDisjoint(left, {8, {4, 7}, {8, 1}, 4}));
  // A window that runs over the end of its row meets the next one.
  EXPECT_FALSE(
      provablyDisjoint({0, {4, 1}, {8, 1}, 4}, {20, {3, 4}, {8, 1}, 4}));
  // Where the matrix begins does not matter: these columns lie across
  // multiples of the pitch.
  for (uint64_t base = 0; base < 32; base += 4) {
    const Window first{base, {4, 3}, {8, 1}, 4},
        second{base + 12, {4, 2}, {8, 1}, 4},
        third{base + 20, {4, 3}, {8, 1}, 4};
    for (auto [a, b] : {std::pair(first, second), std::pair(second, third),
                        std::pair(third, first)}) {
      EXPECT_TRUE(provablyDisjoint(a, b)) << base;
      EXPECT_TRUE(provablyDisjoint(b, a)) << base;
    }
    EXPECT_FALSE(provablyDisjoint({base, {4, 4}, {8, 1}, 4}, second)) << base;
  }
}

TEST(Geometry, DisjointnessAgreesWithCounting) {
  // Every pair of small windows: what is called disjoint shares no byte.
  auto bytesOf = [](const Window &w) {
    std::vector<bool> used(64, false);
    for (int64_t i = 0; i < w.sizes[0]; ++i)
      for (int64_t j = 0; j < w.sizes[1]; ++j)
        used[w.offset + uint64_t(i * w.strides[0] + j * w.strides[1])] = true;
    return used;
  };
  std::vector<Window> windows;
  for (uint64_t offset : {0, 1, 3, 5})
    for (int64_t rows : {1, 3})
      for (int64_t columns : {1, 2, 4})
        for (int64_t pitch : {4, 5, 6, 8})
          for (int64_t step : {1, 2})
            windows.push_back({offset, {rows, columns}, {pitch, step}, 1});
  size_t columnsApart = 0;
  for (const Window &a : windows)
    for (const Window &b : windows) {
      const std::vector<bool> inA = bytesOf(a), inB = bytesOf(b);
      bool shared = false;
      for (size_t i = 0; i < inA.size(); ++i)
        shared |= inA[i] && inB[i];
      if (provablyDisjoint(a, b)) {
        EXPECT_FALSE(shared);
        ++columnsApart;
      }
    }
  EXPECT_GT(columnsApart, 100u);
}

} // namespace
