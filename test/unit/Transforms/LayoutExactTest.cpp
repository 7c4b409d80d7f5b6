// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placements cost as little as any combination of labels.
#include "LayoutProblemTest.h"
#include "LeastCopies.h"
#include <random>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

namespace {
/// The least cost of a problem by trying all combinations of labels; nothing if
/// those are too many.
std::optional<int64_t> leastCost(LayoutProblem &problem) {
  size_t combinations = 1;
  for (const Party &party : problem.parties) {
    combinations *= party.labels->labels.size();
    if (combinations > 2000)
      return std::nullopt;
  }
  std::vector<std::vector<int64_t>> known(problem.uses.size());
  int64_t least = gaudi::layout::forbidden;
  std::vector<unsigned> labels(problem.parties.size(), 0);
  for (size_t i = 0; i < combinations; ++i) {
    int64_t sum = 0;
    for (auto [party, label] : llvm::zip_equal(problem.parties, labels))
      if (party.hasChoice())
        sum += party.labels->labels[label].time;
    for (unsigned group = 0; group < problem.uses.size(); ++group) {
      const GroupUses &uses = problem.uses[group];
      const unsigned from =
          problem.orderOf(uses.producer, labels[uses.producer.party]);
      OrderSet needed = 0;
      for (const TensorUse &reader : uses.readers)
        needed |= OrderSet(1) << problem.orderOf(reader, labels[reader.party]);
      const unsigned orders = problem.graph.groups[group].orders.size();
      std::vector<int64_t> &costs = known[group];
      costs.resize(size_t(orders) << orders, -1);
      int64_t &cost = costs[(size_t(from) << orders) | needed];
      if (cost < 0)
        cost = leastCopies(orders, problem.copyTimes(group), from, needed);
      sum += cost;
    }
    least = std::min(least, sum);
    for (size_t p = 0; p < labels.size(); ++p) {
      if (++labels[p] < problem.parties[p].labels->labels.size())
        break;
      labels[p] = 0;
    }
  }
  return least;
}

/// A function of `count` ops on matrices between transposes.
std::string randomFunction(std::mt19937 &random, unsigned count) {
  std::string text = "func.func @main(%v0: tensor<40x96xf32>, "
                     "%v1: tensor<96x40xf32>) -> (";
  std::string body;
  std::vector<bool> isFlipped = {false, true};
  auto type = [](bool flipped) {
    return std::string(flipped ? "tensor<96x40xf32>" : "tensor<40x96xf32>");
  };
  auto name = [](size_t number) { return "%v" + std::to_string(number); };
  for (unsigned i = 0; i < count; ++i) {
    const size_t x = random() % isFlipped.size();
    const std::string own = type(isFlipped[x]);
    bool flipped = isFlipped[x];
    std::string op;
    size_t y = random() % isFlipped.size();
    if (random() % 2) {
      flipped = !flipped;
      op = "gaudi.transpose " + name(x) + " permutation [1, 0] : " + own +
           " -> " + type(flipped);
    } else if (isFlipped[y] == flipped && y != x) {
      op = "gaudi.tpc.add " + name(x) + ", " + name(y) + " : " + own + ", " +
           own + " -> " + own;
    } else {
      op = "gaudi.tpc.neg " + name(x) + " : " + own;
    }
    body += "  " + name(isFlipped.size()) + " = " + op + "\n";
    isFlipped.push_back(flipped);
  }
  const size_t last = isFlipped.size() - 1, other = random() % last;
  return text + type(isFlipped[last]) + ", " + type(isFlipped[other]) +
         ") {\n" + body + "  return " + name(last) + ", " + name(other) +
         " : " + type(isFlipped[last]) + ", " + type(isFlipped[other]) +
         "\n}\n";
}

TEST_F(LayoutProblemTest, NoCombinationOfLabelsCostsLess) {
  std::mt19937 random(11);
  unsigned compared = 0;
  for (unsigned i = 0; i < 150; ++i) {
    const std::string text = randomFunction(random, 3 + i % 9);
    func::FuncOp function = parse(text);
    LayoutProblem problem(function, time);
    const std::optional<int64_t> least = leastCost(problem);
    if (!least)
      continue;
    ++compared;
    int64_t sum = 0;
    SmallPtrSet<Operation *, 8> recorded;
    for (const layout::Region &region : problem.solve().regions) {
      recorded.insert(region.ops.begin(), region.ops.end());
      EXPECT_TRUE(region.isProven()) << text;
      EXPECT_LE(region.after, region.before) << text;
      sum += region.after;
    }
    // Regions without transposes are not recorded.
    for (const Party &party : problem.parties)
      if (party.op && party.hasChoice() && !recorded.contains(party.op))
        sum += party.labels->timeAsWritten;
    EXPECT_EQ(sum, *least) << text;
  }
  EXPECT_GT(compared, 100u);
}
} // namespace
