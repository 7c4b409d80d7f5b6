// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors with room for a few elements, against std::vector.
#include "Gaudi/Kernel/InlineVector.h"
#include "Gaudi/Kernel/Span.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace gaudi::kernel;

namespace {

using Few = InlineVector<int64_t, 3>;

Few filled(uint32_t count) {
  Few vector;
  vector.resize(count);
  std::iota(vector.data(), vector.data() + count, 7);
  return vector;
}

void expectFilled(const Few &vector, uint32_t count) {
  ASSERT_EQ(vector.size(), count);
  for (uint32_t i = 0; i < count; ++i)
    EXPECT_EQ(vector[i], 7 + int64_t(i));
}

TEST(InlineVector, CopiesAndMovesInlineAndOnTheHeap) {
  for (uint32_t from : {0u, 2u, 3u, 4u, 20u})
    for (uint32_t to : {0u, 3u, 4u, 30u}) {
      const Few source = filled(from);
      expectFilled(Few(source), from);
      Few target = filled(to);
      target = source;
      expectFilled(target, from);
      expectFilled(source, from);
      Few moved = filled(to);
      moved = std::move(target);
      expectFilled(moved, from);
      EXPECT_TRUE(target.empty());
      target = moved; // a vector that was moved from can be used again
      expectFilled(target, from);
      expectFilled(Few(std::move(moved)), from);
    }
}

TEST(InlineVector, GrowsWithZeros) {
  Few vector = filled(2);
  vector.resize(9);
  EXPECT_EQ(vector[1], 8);
  for (uint32_t i = 2; i < 9; ++i)
    EXPECT_EQ(vector[i], 0);
  vector[8] = 5;
  vector.resize(2);
  vector.resize(9);
  EXPECT_EQ(vector[8], 0);
  vector.pop_back();
  EXPECT_EQ(vector.size(), 8u);
  EXPECT_FALSE(vector == filled(8));
  vector.resize(2);
  EXPECT_TRUE(vector == filled(2));
}

TEST(Span, OfContainersAndLists) {
  auto sum = [](Span<const int64_t> values) {
    return std::accumulate(values.begin(), values.end(), int64_t(0));
  };
  const std::vector<int64_t> vector = {1, 2, 3};
  const int64_t array[] = {4, 5};
  EXPECT_EQ(sum(vector), 6);
  EXPECT_EQ(sum(array), 9);
  EXPECT_EQ(sum({7, 8}), 15);
  EXPECT_EQ(sum({}), 0);
  EXPECT_TRUE(Span<const int64_t>().empty());
}

} // namespace
