// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders with a low peak: optimal on small graphs, legal and near-linear on
// large ones.
#include "Gaudi/Transforms/Memory/Order.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

using namespace gaudi::memory;

namespace {

/// Bytes while `op` runs after the ops of `set`, computed from the definition.
uint64_t bytesDuring(const OrderGraph &graph, uint32_t set, uint32_t op) {
  std::vector<bool> begins, ends, taken(graph.buffers.size());
  uint64_t bytes = 0;
  for (const OrderBuffer &buffer : graph.buffers) {
    uint32_t ops = 0;
    for (uint32_t other : buffer.ops)
      ops |= 1u << other;
    const bool isTouched = ops >> op & 1;
    begins.push_back(isTouched && (ops & set) == 0);
    ends.push_back(isTouched && (ops & ~(set | 1u << op)) == 0);
    if (isTouched || ((ops & set) != 0 && (ops & ~set) != 0))
      bytes += buffer.bytes;
  }
  for (const OrderReuse &reuse : graph.reuses)
    if (reuse.op == op && ends[reuse.dying] && begins[reuse.born] &&
        !begins[reuse.dying] && !taken[reuse.dying] && !taken[reuse.born]) {
      taken[reuse.dying] = taken[reuse.born] = true;
      bytes -= graph.buffers[reuse.born].bytes;
    }
  return bytes;
}

/// The lowest peak of all orders that end with the ops outside `set`: every
/// order is looked at, but no set twice.
uint64_t lowestPeak(const OrderGraph &graph, uint32_t set,
                    std::map<uint32_t, uint64_t> &known) {
  if (set + 1 == 1u << graph.ops)
    return 0;
  const auto [place, isNew] = known.insert({set, UINT64_MAX});
  if (!isNew)
    return place->second;
  uint64_t lowest = UINT64_MAX;
  for (uint32_t op = 0; op < graph.ops; ++op) {
    bool isReady = !(set >> op & 1);
    for (const auto &[from, to] : graph.edges)
      isReady &= to != op || (set >> from & 1);
    if (isReady)
      lowest =
          std::min(lowest, std::max(bytesDuring(graph, set, op),
                                    lowestPeak(graph, set | 1u << op, known)));
  }
  return known[set] = lowest;
}

uint64_t lowestPeak(const OrderGraph &graph) {
  std::map<uint32_t, uint64_t> known;
  return lowestPeak(graph, 0, known);
}

uint64_t peakOf(const OrderGraph &graph, const std::vector<uint32_t> &order) {
  uint32_t set = 0;
  uint64_t peak = 0;
  for (uint32_t op : order) {
    peak = std::max(peak, bytesDuring(graph, set, op));
    set |= 1u << op;
  }
  return peak;
}

bool isLegal(const OrderGraph &graph, const std::vector<uint32_t> &order) {
  std::vector<uint32_t> position(graph.ops, UINT32_MAX);
  for (uint32_t p = 0; p < order.size(); ++p)
    position[order[p]] = p;
  return order.size() == graph.ops &&
         std::count(position.begin(), position.end(), UINT32_MAX) == 0 &&
         std::all_of(graph.edges.begin(), graph.edges.end(), [&](auto &edge) {
           return position[edge.first] < position[edge.second];
         });
}

/// Ops with results that later ops read, some of them in place, some results
/// outside the workspace, some buffers that several ops write.
OrderGraph randomGraph(uint32_t seed, uint32_t ops, uint32_t reach) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  OrderGraph graph;
  graph.ops = ops;
  std::vector<std::vector<uint32_t>> written(ops); // buffers of each op
  for (uint32_t op = 0; op < ops; ++op) {
    std::vector<uint32_t> operands;
    for (uint32_t n = op == 0 ? 0 : below(4); n > 0; --n) {
      const uint32_t from = op - 1 - below(std::min(op, reach));
      graph.edges.push_back({from, op});
      for (uint32_t b : written[from]) {
        std::vector<uint32_t> &users = graph.buffers[b].ops;
        if (users.back() != op)
          users.push_back(op);
        operands.push_back(b);
      }
    }
    for (uint32_t n = below(8) == 0 ? 2 : below(6) != 0; n > 0; --n) {
      const auto born = uint32_t(graph.buffers.size());
      uint64_t bytes = 128 * (1 + below(6));
      if (!operands.empty() && below(2) == 0) {
        const uint32_t dying = operands[below(uint32_t(operands.size()))];
        bytes = graph.buffers[dying].bytes;
        graph.reuses.push_back({op, dying, born});
      }
      graph.buffers.push_back({bytes, {op}});
      written[op].push_back(born);
    }
    // A part of a buffer that an earlier op has begun to write.
    if (op > 0 && written[op].empty() && below(2) == 0)
      for (uint32_t b : written[below(op)])
        if (graph.buffers[b].ops.back() != op) {
          graph.buffers[b].ops.push_back(op);
          written[op].push_back(b);
        }
  }
  return graph;
}

TEST(OrderTest, RandomGraphsHaveTheOptimum) {
  unsigned lowered = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const OrderGraph graph = randomGraph(seed, 2 + seed % 13, 1 + seed % 9);
    const OrderResult result = orderForMemory(graph);
    ASSERT_TRUE(isLegal(graph, result.order)) << "seed " << seed;
    ASSERT_EQ(result.peak, lowestPeak(graph)) << "seed " << seed;
    ASSERT_EQ(result.peak, peakOf(graph, result.order)) << "seed " << seed;
    ASSERT_EQ(result.peak, profileOf(graph, result.order).peak);
    ASSERT_TRUE(result.isProven()) << "seed " << seed;
    ASSERT_LE(orderLowerBound(graph), result.peak) << "seed " << seed;
    lowered += result.peak < result.programPeak;
  }
  EXPECT_GT(lowered, 60u); // otherwise the graphs would prove little
}

// The sets of `lowestPeak` against plain enumeration of permutations.
TEST(OrderTest, SetsMeanAllOrders) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const OrderGraph graph = randomGraph(1000 + seed, 7, 1 + seed % 6);
    std::vector<uint32_t> order(graph.ops);
    std::iota(order.begin(), order.end(), 0);
    uint64_t lowest = UINT64_MAX;
    do {
      if (isLegal(graph, order))
        lowest = std::min(lowest, peakOf(graph, order));
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(lowest, lowestPeak(graph)) << "seed " << seed;
  }
}

/// A training step: layers forward keep an activation each, which its layer
/// backward reads; gradients of weights are read by updates, which the program
/// has at the end.
OrderGraph trainingStep(uint32_t layers) {
  OrderGraph graph;
  graph.ops = 4 * layers;
  const auto addBuffer = [&](uint64_t bytes, std::vector<uint32_t> ops) {
    for (size_t i = 1; i < ops.size(); ++i)
      graph.edges.push_back({ops[0], ops[i]});
    graph.buffers.push_back({bytes, std::move(ops)});
  };
  for (uint32_t l = 0; l < layers; ++l) {
    const uint32_t back = 3 * layers - 2 - 2 * l, update = 3 * layers + l;
    // The activation: the next layer reads it, the gradient of the weights of
    // that, and the gradient by the activation itself.
    addBuffer(1000, l + 1 < layers
                        ? std::vector<uint32_t>{l, l + 1, back - 1, back}
                        : std::vector<uint32_t>{l, back});
    addBuffer(1000, l == 0 ? std::vector<uint32_t>{back, back + 1}
                           : std::vector<uint32_t>{back, back + 1, back + 2});
    addBuffer(1500, {back + 1, update});
  }
  return graph;
}

TEST(OrderTest, UpdatesRunWhenTheirGradientIsThere) {
  const OrderGraph graph = trainingStep(24);
  const OrderResult result = orderForMemory(graph);
  EXPECT_TRUE(isLegal(graph, result.order));
  EXPECT_LT(result.peak, result.programPeak);
  EXPECT_EQ(result.peak, result.lowerBound);
}

TEST(OrderTest, ProgramOrderStaysWhereItIsBest) {
  OrderGraph graph;
  graph.ops = 6;
  graph.edges = {{0, 2}, {1, 3}, {2, 4}, {3, 5}};
  graph.buffers = {{64, {0, 2}}, {64, {1, 3}}, {64, {2, 4}}, {64, {3, 5}}};
  for (OrderBuffer &buffer : graph.buffers)
    buffer.bytes = 0;
  const OrderResult result = orderForMemory(graph);
  EXPECT_THAT(result.order, testing::ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(result.isProven());
}

// Two chains with a large result each: 520 bytes are enough for one of them and
// what the other begins or ends with, which keeps its place where that fits.
TEST(OrderTest, LeavesProgramOrderOnlyWhereNeeded) {
  OrderGraph graph;
  graph.ops = 8;
  graph.edges = {{0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}};
  graph.buffers = {{8, {0, 2}},   {8, {1, 3}}, {512, {2, 4}},
                   {512, {3, 5}}, {8, {4, 6}}, {8, {5, 7}}};
  const OrderResult result = orderForMemory(graph);
  EXPECT_EQ(result.peak, lowestPeak(graph));
  EXPECT_THAT(result.order, testing::ElementsAre(0, 2, 4, 1, 6, 3, 5, 7));
}

TEST(OrderTest, AcceptsOnlyWhatIsFastEnough) {
  const OrderGraph graph = trainingStep(12);
  OrderOptions options;
  unsigned asked = 0;
  options.isAcceptable = [&](const std::vector<uint32_t> &) {
    ++asked;
    return false;
  };
  const OrderResult refused = orderForMemory(graph, options);
  EXPECT_EQ(refused.peak, refused.programPeak);
  EXPECT_LT(refused.lowestPeak, refused.peak);
  EXPECT_GT(asked, 1u);
  // Orders that leave some updates at the end.
  options.isAcceptable = [&](const std::vector<uint32_t> &order) {
    return order.back() == graph.ops - 1 && order.end()[-3] == graph.ops - 3;
  };
  const OrderResult some = orderForMemory(graph, options);
  EXPECT_EQ(some.order.back(), graph.ops - 1);
  EXPECT_LT(some.peak, some.programPeak);
  EXPECT_GT(some.peak, refused.lowestPeak);
}

// Whoever is asked may give another order with the same peak.
TEST(OrderTest, TakesTheOrderThatIsFaster) {
  const OrderGraph graph = trainingStep(12);
  const OrderResult lowest = orderForMemory(graph);
  std::vector<uint32_t> other;
  OrderOptions options;
  options.isAcceptable = [&](std::vector<uint32_t> &order) {
    // Neighbours that need not follow each other.
    for (uint32_t p = 0; p + 2 < order.size() && other.empty(); ++p) {
      std::vector<uint32_t> swapped = order;
      std::swap(swapped[p], swapped[p + 1]);
      const bool isLegal = std::none_of(
          graph.edges.begin(), graph.edges.end(), [&](const auto &edge) {
            return edge == std::pair(order[p], order[p + 1]);
          });
      if (isLegal && profileOf(graph, swapped).peak == lowest.peak)
        order = other = swapped;
    }
    return true;
  };
  const OrderResult result = orderForMemory(graph, options);
  ASSERT_FALSE(other.empty());
  EXPECT_EQ(result.order, other);
  EXPECT_EQ(result.peak, lowest.peak);
}

// The second buffer reuses those of the first when that has been read.
TEST(OrderTest, HazardsAreWhereBytesAreUsedAgain) {
  OrderGraph graph;
  graph.ops = 4;
  graph.edges = {{0, 1}, {2, 3}};
  graph.buffers = {{64, {0, 1}}, {64, {2, 3}}};
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(hazardsOf(graph, {0, 1, 2, 3}, Fit::First),
              testing::UnorderedElementsAre(Pair{0, 2}, Pair{1, 2}));
  EXPECT_THAT(hazardsOf(graph, {0, 2, 1, 3}, Fit::First), testing::IsEmpty());
  // A result in place of its operand waits for nothing else.
  graph.edges.push_back({1, 2});
  graph.buffers[0].ops = {0, 2};
  graph.reuses = {{2, 0, 1}};
  EXPECT_THAT(hazardsOf(graph, {0, 1, 2, 3}, Fit::First), testing::IsEmpty());
}

// Ranges that are split, joined and used again name their last users only.
TEST(OrderTest, HazardsFollowSplitRanges) {
  OrderGraph graph;
  graph.ops = 8;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
  // [0, 128) of 0 and 1; [0, 64) of 2 and 3; then both halves once more.
  graph.buffers = {{128, {0, 1}}, {64, {2, 3}}, {64, {4, 6}}, {64, {5, 7}}};
  std::vector<uint32_t> order(graph.ops);
  std::iota(order.begin(), order.end(), 0);
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(hazardsOf(graph, order, Fit::First),
              testing::UnorderedElementsAre(Pair{0, 2}, Pair{1, 2}, Pair{2, 4},
                                            Pair{3, 4}, Pair{0, 5},
                                            Pair{1, 5}));
}

// [0, 128) and [192, 256) are free when the last buffer comes.
TEST(OrderTest, HazardsDependOnThePacking) {
  OrderGraph graph;
  graph.ops = 5;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  graph.buffers = {
      {128, {0, 1}}, {64, {0, 4}}, {64, {0, 2}}, {64, {0, 4}}, {64, {3, 4}}};
  using Pair = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(hazardsOf(graph, {0, 1, 2, 3, 4}, Fit::First),
              testing::UnorderedElementsAre(Pair{0, 3}, Pair{1, 3}));
  EXPECT_THAT(hazardsOf(graph, {0, 1, 2, 3, 4}, Fit::Best),
              testing::UnorderedElementsAre(Pair{0, 3}, Pair{2, 3}));
}

// A peak that is enough ends the search: the order stays near program order.
TEST(OrderTest, EnoughIsEnough) {
  const OrderGraph graph = trainingStep(24);
  const OrderResult least = orderForMemory(graph);
  OrderOptions options;
  options.enough = (least.peak + least.programPeak) / 2;
  const OrderResult some = orderForMemory(graph, options);
  EXPECT_LE(some.peak, options.enough);
  EXPECT_GT(some.peak, least.peak);
  options.enough = least.programPeak;
  const OrderResult none = orderForMemory(graph, options);
  EXPECT_EQ(none.peak, least.programPeak);
}

TEST(OrderTest, LargeGraphsTakeBoundedWork) {
  const OrderGraph graph = randomGraph(7, 100'000, 400);
  const OrderResult result = orderForMemory(graph);
  EXPECT_TRUE(isLegal(graph, result.order));
  EXPECT_LE(result.peak, result.programPeak);
  EXPECT_EQ(result.order, orderForMemory(graph).order);
}

} // namespace
