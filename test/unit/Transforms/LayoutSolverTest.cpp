// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Solver.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace gaudi::layout;

namespace {
using Random = std::mt19937_64;

int64_t below(Random &random, int64_t end) {
  return int64_t(random() % uint64_t(end));
}

/// The cost of labels, by the definition.
int64_t costOf(const Problem &problem, const std::vector<uint32_t> &labels) {
  int64_t sum = 0;
  auto add = [&](int64_t cost) { sum = std::min(sum + cost, forbidden); };
  for (size_t v = 0; v < labels.size(); ++v)
    add(problem.variables[v].costs[labels[v]]);
  for (const Coupling &coupling : problem.couplings)
    add(coupling.costs[labels[coupling.a] *
                           problem.variables[coupling.b].costs.size() +
                       labels[coupling.b]]);
  return sum;
}

/// The least cost of all labels.
int64_t exhaust(const Problem &problem) {
  std::vector<uint32_t> labels(problem.variables.size(), 0);
  int64_t least = forbidden;
  for (;;) {
    least = std::min(least, costOf(problem, labels));
    size_t v = 0;
    while (v < labels.size() &&
           ++labels[v] == problem.variables[v].costs.size())
      labels[v++] = 0;
    if (v == labels.size())
      return least;
  }
}

struct Shape {
  size_t variables, labels;
  double density;    ///< of couplings
  int64_t costs;     ///< below
  double forbidding; ///< share of forbidden entries
};

std::vector<int64_t> randomCosts(Random &random, size_t count,
                                 const Shape &shape) {
  std::vector<int64_t> costs(count);
  for (int64_t &cost : costs)
    cost = below(random, 1000) < int64_t(shape.forbidding * 1000)
               ? forbidden
               : below(random, shape.costs);
  return costs;
}

Problem randomProblem(Random &random, const Shape &shape) {
  Problem problem;
  for (size_t v = 0; v < shape.variables; ++v)
    problem.variables.push_back(
        {randomCosts(random, 1 + random() % shape.labels, shape)});
  for (uint32_t a = 0; a < shape.variables; ++a)
    for (uint32_t b = 0; b < shape.variables; ++b)
      if (a != b && below(random, 1000) < int64_t(shape.density * 500))
        problem.couplings.push_back(
            {a, b,
             randomCosts(random,
                         problem.variables[a].costs.size() *
                             problem.variables[b].costs.size(),
                         shape)});
  return problem;
}

/// The solution is one: its cost is that of its labels, its bound is no more.
void check(const Problem &problem, const Solution &solution) {
  ASSERT_EQ(solution.labels.size(), problem.variables.size());
  for (size_t v = 0; v < solution.labels.size(); ++v)
    ASSERT_LT(solution.labels[v], problem.variables[v].costs.size());
  EXPECT_EQ(solution.cost, costOf(problem, solution.labels));
  EXPECT_LE(solution.lowerBound, solution.cost);
}
} // namespace

TEST(LayoutSolver, TakesNoVariables) {
  const Solution solution = solve({});
  EXPECT_TRUE(solution.labels.empty());
  EXPECT_EQ(solution.cost, 0);
  EXPECT_TRUE(solution.isProven());
}

TEST(LayoutSolver, AddsTheCouplingsOfTwoVariables) {
  Problem problem{{{{0, 1}}, {{0, 0, 0}}}, {}};
  problem.couplings.push_back({0, 1, {5, 2, 9, 4, 4, 4}});
  problem.couplings.push_back({1, 0, {1, 7, 6, 0, 1, 7}});
  const Solution solution = solve(problem);
  check(problem, solution);
  // (1, 1): 1 + 4 + 0
  EXPECT_EQ(solution.cost, 5);
  EXPECT_EQ(solution.labels, (std::vector<uint32_t>{1, 1}));
  EXPECT_TRUE(solution.isProven());
}

TEST(LayoutSolver, SaysThatNothingIsAllowed) {
  Problem problem{{{{1, 2}}, {{3, 4}}, {{5}}}, {}};
  problem.couplings.push_back(
      {0, 1, {forbidden, forbidden, forbidden, forbidden}});
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.cost, forbidden);
  EXPECT_EQ(solution.lowerBound, forbidden);
}

TEST(LayoutSolver, SaturatesSums) {
  Problem problem{{{{forbidden - 1}}, {{forbidden - 1}}, {{forbidden}}}, {}};
  EXPECT_EQ(solve(problem).cost, forbidden);
  problem.variables.pop_back();
  problem.variables.pop_back();
  EXPECT_EQ(solve(problem).cost, forbidden - 1);
}

/// Against all labels, over sizes, densities and shares of forbidden entries;
/// with tables of any size and with ones so small that the search must decide.
TEST(LayoutSolver, FindsTheLeastCost) {
  Random random(13);
  unsigned infeasible = 0;
  for (unsigned round = 0; round < 6000; ++round) {
    const Shape shape{1 + random() % 8, 1 + random() % 4,
                      double(1 + random() % 10) / 10, round % 3 == 0 ? 4 : 1000,
                      double(random() % 4) * 0.15};
    const Problem problem = randomProblem(random, shape);
    const int64_t least = exhaust(problem);
    infeasible += least == forbidden;
    for (const Limits &limits :
         {Limits(), Limits{4, 200000}, Limits{0, 200000}}) {
      const Solution solution = solve(problem, limits);
      check(problem, solution);
      ASSERT_EQ(solution.cost, least) << "round " << round;
      ASSERT_TRUE(solution.isProven()) << "round " << round;
    }
    // Without search what is found may cost more; the bound is one.
    const Solution rough = solve(problem, {1, 0});
    check(problem, rough);
    EXPECT_GE(rough.cost, least);
    ASSERT_LE(rough.lowerBound, least) << "round " << round;
  }
  EXPECT_GT(infeasible, 100u);
  EXPECT_LT(infeasible, 3000u);
}

namespace {
/// All pairs of two labels coupled; submodular after some variables, chosen at
/// random, change their labels.
Problem randomCut(Random &random, size_t variables) {
  Problem problem;
  std::vector<char> flips(variables);
  for (size_t v = 0; v < variables; ++v) {
    flips[v] = random() % 2;
    problem.variables.push_back({{below(random, 900), below(random, 900)}});
  }
  for (uint32_t a = 0; a < variables; ++a)
    for (uint32_t b = a + 1; b < variables; ++b) {
      // Different labels cost more than equal ones.
      int64_t costs[2][2];
      for (int64_t (&row)[2] : costs)
        for (int64_t &cost : row)
          cost = below(random, 100);
      const int64_t excess =
          costs[0][0] + costs[1][1] - costs[0][1] - costs[1][0];
      costs[0][1] += std::max<int64_t>(excess, 0) + below(random, 40);
      if (random() % 16 == 0)
        costs[1][0] = forbidden;
      Coupling coupling{a, b, {}};
      for (unsigned i = 0; i < 2; ++i)
        for (unsigned j = 0; j < 2; ++j)
          coupling.costs.push_back(
              costs[i ^ unsigned(flips[a])][j ^ unsigned(flips[b])]);
      problem.couplings.push_back(std::move(coupling));
    }
  return problem;
}
} // namespace

/// Tables of one entry and no search: only the cut can prove these.
TEST(LayoutSolver, CutsDenseSubmodularProblems) {
  Random random(7);
  for (unsigned round = 0; round < 300; ++round) {
    const Problem problem = randomCut(random, 5 + random() % 10);
    const Solution solution = solve(problem, {1, 0});
    check(problem, solution);
    ASSERT_EQ(solution.cost, exhaust(problem)) << "round " << round;
    ASSERT_TRUE(solution.isProven()) << "round " << round;
  }
  const Problem large = randomCut(random, 300);
  const Solution solution = solve(large);
  check(large, solution);
  EXPECT_TRUE(solution.isProven());
}

namespace {
/// As a graph of ops gives: neighbours want equal orders, or some exchanged, at
/// the price of a transpose of the tensor; now and then a combination must not
/// be. Each variable is coupled to the one before it, and with probability
/// `skips` to one of the `window` before, again and again.
Problem randomPlacement(Random &random, uint32_t variables, uint32_t labels,
                        uint32_t window, double skips) {
  Problem problem;
  std::vector<int64_t> bytes(variables);
  auto chance = [&](double share) {
    return below(random, 1000) < int64_t(share * 1000);
  };
  auto couple = [&](uint32_t a, uint32_t b) {
    const size_t n = problem.variables[a].costs.size(),
                 m = problem.variables[b].costs.size();
    std::vector<size_t> wanted(n);
    for (size_t i = 0; i < n; ++i)
      wanted[i] = i;
    if (chance(0.25))
      std::swap(wanted[0], wanted[random() % n]);
    Coupling coupling{a, b, {}};
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < m; ++j)
        coupling.costs.push_back(wanted[i] == j ? 0
                                 : chance(0.05)
                                     ? forbidden
                                     : bytes[a] * (80 + below(random, 40)));
    problem.couplings.push_back(std::move(coupling));
  };
  for (uint32_t v = 0; v < variables; ++v) {
    bytes[v] = 10 + below(random, 2000);
    std::vector<int64_t> costs(2 + random() % (labels - 1));
    for (int64_t &cost : costs)
      cost = chance(0.33) ? bytes[v] * below(random, 200) : 0;
    problem.variables.push_back({costs});
    if (v > 0)
      couple(v - 1, v);
    while (v > 1 && chance(skips))
      couple(v - 1 - uint32_t(random() % std::min(window, v - 1)) - 1, v);
  }
  return problem;
}
} // namespace

/// Where the limits are too tight for a proof, the bound is one and the gap is
/// small.
TEST(LayoutSolver, BoundsWhatItCannotProve) {
  Random random(29);
  unsigned unproven = 0;
  for (unsigned round = 0; round < 120; ++round) {
    const Problem problem =
        randomPlacement(random, 40 + uint32_t(random() % 160),
                        2 + uint32_t(random() % 6), 8, 0.3);
    const Solution best = solve(problem);
    check(problem, best);
    ASSERT_TRUE(best.isProven()) << "round " << round;
    for (const Limits &limits :
         {Limits{256, 2000}, Limits{16, 200}, Limits{1, 0}}) {
      const Solution solution = solve(problem, limits);
      check(problem, solution);
      EXPECT_LE(solution.lowerBound, best.cost) << "round " << round;
      EXPECT_GE(solution.cost, best.cost) << "round " << round;
      unproven += !solution.isProven();
      if (limits.tableEntries == 256)
        EXPECT_LE(double(solution.cost - solution.lowerBound),
                  0.02 * double(solution.cost))
            << "round " << round;
    }
  }
  EXPECT_GT(unproven, 20u);
}

/// Too large for a proof: still bounded, in time that the limits set.
TEST(LayoutSolver, EndsWithinItsLimits) {
  Random random(31);
  const Problem problem = randomPlacement(random, 3000, 6, 2000, 0.6);
  const Solution solution = solve(problem);
  check(problem, solution);
  EXPECT_LT(solution.cost, forbidden);
  EXPECT_GT(solution.lowerBound, 0);
  const Solution again = solve(problem);
  EXPECT_EQ(again.labels, solution.labels);
  EXPECT_EQ(again.lowerBound, solution.lowerBound);
}

namespace {
/// Variables of 2 to 12 labels, each coupled to `from(v)` before it.
template <typename From>
Problem growing(Random &random, uint32_t variables, From from) {
  const Shape shape{0, 0, 0, 1000, 0.02};
  Problem problem;
  problem.variables.reserve(variables);
  for (uint32_t v = 0; v < variables; ++v) {
    problem.variables.push_back(
        {randomCosts(random, 2 + random() % 11, shape)});
    for (uint32_t a : from(v))
      problem.couplings.push_back(
          {a, v,
           randomCosts(random,
                       problem.variables[a].costs.size() *
                           problem.variables[v].costs.size(),
                       shape)});
  }
  return problem;
}
} // namespace

/// Chains, trees, hubs and series-parallel graphs are solved by the reductions,
/// also where a quadratic step would not end.
TEST(LayoutSolver, ReductionsSufficeForLargeGraphs) {
  using List = std::vector<uint32_t>;
  constexpr uint32_t count = 100000;
  Random random(3);
  auto test = [&](const char *name, const Problem &problem) {
    const Solution solution = solve(problem);
    check(problem, solution);
    EXPECT_TRUE(solution.isProven()) << name;
  };
  test("chain", growing(random, count,
                        [](uint32_t v) { return v ? List{v - 1} : List{}; }));
  test("tree", growing(random, count, [](uint32_t v) {
         return v ? List{(v - 1) / 2} : List{};
       }));
  test("hub", growing(random, count,
                      [](uint32_t v) { return v > 1 ? List{0, 1} : List{}; }));
  // Each variable joins the two ends of an edge that exists: parallel to it.
  std::vector<std::pair<uint32_t, uint32_t>> edges{{0, 1}};
  test("series-parallel", growing(random, count, [&](uint32_t v) {
         if (v < 2)
           return v ? List{0} : List{};
         const auto [a, b] = edges[random() % edges.size()];
         edges.emplace_back(a, v);
         edges.emplace_back(b, v);
         return List{a, b};
       }));
}
