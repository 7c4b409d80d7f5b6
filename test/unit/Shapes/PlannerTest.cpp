// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Planner.h"
#include "Gaudi/Shapes/CostTable.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>

using namespace gaudi;
using namespace gaudi::shapes;
using testing::HasSubstr;

namespace {
Plan mustPlan(const PlanRequest &request) {
  Result<Plan> plan = planBuckets(request);
  if (!plan)
    ADD_FAILURE() << plan.error().message;
  return *plan;
}

BucketChoice optimal(size_t budget) {
  BucketChoice choice;
  choice.parts.push_back({"", {Strategy::Kind::Optimal, budget}});
  return choice;
}

/// Random launches of sizes from 1 to `most`.
Histogram randomLaunches(std::mt19937 &random, const std::vector<int64_t> &most,
                         size_t count) {
  Histogram histogram;
  for (size_t i = 0; i < most.size(); ++i)
    histogram.names.push_back(fmt::format("s{}", i));
  for (size_t i = 0; i < count; ++i) {
    Observation observation;
    for (int64_t limit : most)
      observation.sizes.push_back(1 + int64_t(random() % uint64_t(limit)));
    observation.count = 1 + random() % 9;
    histogram.observations.push_back(std::move(observation));
  }
  return histogram;
}

std::vector<Axis> axesOf(const std::vector<int64_t> &most) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < most.size(); ++i)
    axes.push_back({fmt::format("s{}", i), 1, most[i], 1});
  return axes;
}

/// All sizes from 1 to `most`.
std::vector<Sizes> allSizes(const std::vector<int64_t> &most) {
  std::vector<Sizes> all = {{}};
  for (int64_t limit : most) {
    std::vector<Sizes> longer;
    for (const Sizes &sizes : all)
      for (int64_t size = 1; size <= limit; ++size) {
        longer.push_back(sizes);
        longer.back().push_back(size);
      }
    all = std::move(longer);
  }
  return all;
}

/// The least cost with `budget` buckets, the largest one among them, by trying
/// all of them.
double leastCost(const Histogram &histogram, const std::vector<Sizes> &all,
                 const CostFunction &cost, size_t budget) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<size_t> chosen = {all.size() - 1};
  std::function<void(size_t)> choose = [&](size_t from) {
    double sum = 0;
    for (const Observation &observation : histogram.observations) {
      double cheapest = std::numeric_limits<double>::infinity();
      for (size_t box : chosen) {
        bool fits = true;
        for (size_t i = 0; i < observation.sizes.size(); ++i)
          fits &= observation.sizes[i] <= all[box][i];
        if (fits)
          cheapest = std::min(cheapest, cost(all[box]));
      }
      sum += cheapest * double(observation.count);
    }
    least = std::min(least, sum);
    if (chosen.size() == budget)
      return;
    for (size_t box = from; box + 1 < all.size(); ++box) {
      chosen.push_back(box);
      choose(box + 1);
      chosen.pop_back();
    }
  };
  choose(0);
  return least;
}

double product(const Sizes &sizes) {
  double result = 1;
  for (int64_t size : sizes)
    result *= double(size);
  return result;
}

/// A cost that may fall as sizes grow.
double bumpy(const Sizes &sizes) {
  double sum = 0;
  for (int64_t size : sizes)
    sum = sum * 3 + double(size) + (size % 4 == 0 ? 0.0 : 5.0);
  return sum;
}

TEST(Planner, OneSymbolIsExact) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::vector<int64_t> most = {9};
    const Histogram histogram = randomLaunches(random, most, 1 + random() % 9);
    const size_t budget = 1 + random() % 4;
    for (const CostFunction &cost :
         {CostFunction(product), CostFunction(bumpy)}) {
      PlanRequest request{axesOf(most), optimal(budget), &histogram, cost};
      const Plan plan = mustPlan(request);
      EXPECT_LE(plan.buckets.size(), budget);
      EXPECT_TRUE(plan.isProven());
      EXPECT_EQ(plan.padded,
                leastCost(histogram, allSizes(most), cost, budget));
    }
  }
}

TEST(Planner, TablesOfCostsAreExact) {
  std::mt19937 random(17);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> costs;
    for (int i = 0; i < 4; ++i)
      costs.push_back(double(1 + random() % 100)); // may fall
    const auto table = CostTable::create({{1, 3, 6, 9}}, costs);
    ASSERT_TRUE(table);
    const Histogram histogram = randomLaunches(random, {9}, 1 + random() % 9);
    const size_t budget = 1 + random() % 4;
    PlanRequest request{axesOf({9}), optimal(budget), &histogram, *table};
    const Plan plan = mustPlan(request);
    EXPECT_TRUE(plan.isProven());
    EXPECT_NEAR(plan.padded,
                leastCost(histogram, allSizes({9}), *table, budget),
                1e-9 * plan.padded);
  }
}

/// A symbol of several that is planned alone costs what it does where the
/// others have their mean.
TEST(Planner, OneOfSeveralSymbolsIsPlannedByItsCost) {
  Histogram histogram;
  histogram.names = {"s0", "s1"};
  for (int64_t size = 1; size <= 8; ++size)
    histogram.observations.push_back({{size, 4}, 1});
  // Free up to 5, then dear: elements would choose another boundary.
  const auto table =
      CostTable::create({{1, 5, 6, 8}, {1, 8}}, {1, 1, 2, 2, 50, 50, 51, 51});
  ASSERT_TRUE(table);
  BucketChoice choice;
  choice.parts.push_back({"s0", {Strategy::Kind::Optimal, 2}});
  choice.parts.push_back({"s1", {Strategy::Kind::Explicit, 0, {}, {}, {8}}});
  PlanRequest request{axesOf({8, 8}), choice, &histogram, *table};
  EXPECT_EQ(mustPlan(request).buckets.text(), "s0=5,8;s1=8");
}

TEST(Planner, ComparesStrategies) {
  std::mt19937 random(5);
  const Histogram histogram = randomLaunches(random, {64, 512}, 60);
  PlanRequest request{axesOf({64, 512}), {}, &histogram, bumpy};
  request.rounds = 8;
  const auto points = compareStrategies(request, 12);
  ASSERT_TRUE(points) << points.error().message;
  EXPECT_EQ(points->size(), 4 * 11u); // 1 to 10, and 12
  std::map<size_t, double> least;
  for (const CurvePoint &point : *points) {
    EXPECT_LE(point.plan.buckets.size(), point.maxBuckets);
    if (point.kind == Strategy::Kind::Optimal)
      least[point.maxBuckets] = point.plan.padded;
    EXPECT_LE(least[point.maxBuckets], point.plan.padded);
  }
  EXPECT_THAT(printCurve(*points),
              testing::StartsWith("strategy,max_buckets,buckets,waste,"
                                  "lower_bound,boundaries\noptimal,1,1,"));
  request.histogram = nullptr;
  EXPECT_THAT(compareStrategies(request, 2).error().message,
              HasSubstr("strategies are compared by a histogram of sizes; "
                        "give one"));
}

TEST(Planner, SeveralSymbolsAreWithinTheirBound) {
  std::mt19937 random(11);
  unsigned exact = 0;
  for (int round = 0; round < 20; ++round) {
    const std::vector<int64_t> most = {4, 5};
    const Histogram histogram = randomLaunches(random, most, 4 + random() % 12);
    const size_t budget = 2 + random() % 3;
    for (const CostFunction &cost : {CostFunction(), CostFunction(bumpy)}) {
      PlanRequest request{axesOf(most), optimal(budget), &histogram, cost};
      const Plan plan = mustPlan(request);
      EXPECT_LE(plan.buckets.size(), budget);
      EXPECT_EQ(plan.misses, 0u);
      const double least =
          leastCost(histogram, allSizes(most), cost ? cost : product, budget);
      EXPECT_LE(plan.lowerBound, least * (1 + 1e-12));
      EXPECT_GE(plan.padded, least * (1 - 1e-12));
      exact += plan.padded <= least * (1 + 1e-12);
    }
  }
  EXPECT_GE(exact, 38u); // of 40
}

TEST(Planner, ThreeSymbols) {
  std::mt19937 random(3);
  const std::vector<int64_t> most = {3, 2, 3};
  const Histogram histogram = randomLaunches(random, most, 12);
  PlanRequest request{axesOf(most), optimal(3), &histogram};
  const Plan plan = mustPlan(request);
  const double least = leastCost(histogram, allSizes(most), product, 3);
  EXPECT_EQ(plan.padded, least);
  EXPECT_LE(plan.lowerBound, least * (1 + 1e-12));
}

TEST(Planner, ManySizesAreMergedUnderAValidBound) {
  std::mt19937 random(5);
  const std::vector<int64_t> most = {1000, 3000};
  const Histogram histogram = randomLaunches(random, most, 3000);
  PlanRequest request{axesOf(most), optimal(60), &histogram};
  request.rounds = 20;
  const Plan plan = mustPlan(request);
  EXPECT_EQ(plan.misses, 0u);
  EXPECT_LT(plan.lowerBound, plan.padded);
  EXPECT_LT(plan.padded, 1.1 * plan.lowerBound);
  EXPECT_GE(plan.lowerBound, plan.real);
}

TEST(Planner, ACutSearchHasASoundPlan) {
  std::mt19937 random(17);
  const std::vector<int64_t> most = {4, 5};
  const Histogram histogram = randomLaunches(random, most, 14);
  PlanRequest request{axesOf(most), optimal(4), &histogram};
  const double least = leastCost(histogram, allSizes(most), product, 4);
  bool wasCut = true;
  // Cut after each number of questions until the search is done before.
  for (unsigned allowed = 0; wasCut; ++allowed) {
    unsigned asked = 0;
    request.mustStop = [&] { return asked++ >= allowed; };
    const Plan plan = mustPlan(request);
    wasCut = asked > allowed;
    EXPECT_EQ(plan.isCut, wasCut);
    EXPECT_LE(plan.buckets.size(), 4u);
    EXPECT_EQ(plan.misses, 0u);
    EXPECT_GE(plan.padded, least * (1 - 1e-12));
    EXPECT_LE(plan.lowerBound, least * (1 + 1e-12));
    EXPECT_GE(plan.lowerBound, plan.real * (1 - 1e-12));
    ASSERT_LT(allowed, 100000u);
  }
}

TEST(Planner, ManyBucketsOfTwoSymbolsEndWithinTheLimit) {
  std::mt19937 random(18);
  const std::vector<int64_t> most = {64, 4096};
  const Histogram histogram = randomLaunches(random, most, 12000);
  PlanRequest request{axesOf(most), optimal(1024), &histogram};
  unsigned asked = 0;
  request.mustStop = [&] { return ++asked > 200; };
  const Plan plan = mustPlan(request);
  EXPECT_TRUE(plan.isCut);
  EXPECT_EQ(plan.buckets.size(), 1024u);
  EXPECT_LT(plan.waste(), 0.1);
}

TEST(Planner, PlansAreTheSameEachTime) {
  std::mt19937 random(5);
  const Histogram histogram = randomLaunches(random, {30, 30}, 200);
  PlanRequest request{axesOf({30, 30}), optimal(8), &histogram};
  EXPECT_EQ(mustPlan(request).buckets.text(), mustPlan(request).buckets.text());
}

TEST(Planner, LaunchesOutsideOfBoundsAreMisses) {
  Histogram histogram;
  histogram.names = {"s0"};
  histogram.observations = {{{4}, 3}, {{9}, 2}};
  PlanRequest request{axesOf({8}), optimal(2), &histogram};
  const Plan plan = mustPlan(request);
  EXPECT_EQ(plan.misses, 2u);
  EXPECT_EQ(plan.buckets.text(), "s0=4,8");
  EXPECT_EQ(plan.waste(), 0);
}

TEST(Planner, CurvesFall) {
  std::mt19937 random(13);
  const Histogram histogram = randomLaunches(random, {50}, 300);
  for (Strategy::Kind kind :
       {Strategy::Kind::Optimal, Strategy::Kind::PercentPadding}) {
    PlanRequest request{axesOf({50}), optimal(6), &histogram};
    request.choice.parts[0].strategy.kind = kind;
    const Result<std::vector<Plan>> plans = planCurve(request);
    ASSERT_TRUE(plans) << plans.error().message;
    ASSERT_EQ(plans->size(), 6u);
    for (size_t i = 1; i < plans->size(); ++i)
      EXPECT_LE((*plans)[i].waste(), (*plans)[i - 1].waste());
  }
  PlanRequest request{axesOf({50}), {}, &histogram};
  request.choice.parts.push_back({"", {Strategy::Kind::Explicit, 0}});
  const Result<std::vector<Plan>> plans = planCurve(request);
  ASSERT_FALSE(plans);
  EXPECT_EQ(plans.error().message,
            "a curve needs one strategy with a budget for all symbols, such as "
            "optimal:8");
}

TEST(Planner, RefusesCostsThatAreNone) {
  std::mt19937 random(13);
  for (const std::vector<int64_t> &most :
       {std::vector<int64_t>{9}, std::vector<int64_t>{3, 3}}) {
    const Histogram histogram = randomLaunches(random, most, 30);
    PlanRequest request{axesOf(most), optimal(3), &histogram,
                        [](const Sizes &) { return std::nan(""); }};
    const Result<Plan> plan = planBuckets(request);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message,
                HasSubstr("costs nan; costs must be finite and not negative"));
  }
}

TEST(Planner, RefusesTablesThatAreTooLarge) {
  Histogram histogram;
  histogram.names = {"s0"};
  for (int64_t size = 1; size <= 70000; ++size)
    histogram.observations.push_back({{size}, 1});
  PlanRequest request{axesOf({70000}), optimal(1024), &histogram};
  const Result<Plan> plan = planBuckets(request);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "s0 has 70000 sizes, too many for 1024 buckets (the product may be "
            "67108864); choose a grain larger than 1");
}
} // namespace
