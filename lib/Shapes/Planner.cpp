// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies strategies to axes and histograms, and measures what they waste.
#include "Gaudi/Shapes/Planner.h"

#include "Boxes.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Quote.h"
#include "Line.h"
#include "Series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
using Kind = Strategy::Kind;
using Boundaries = std::vector<std::vector<int64_t>>;

// Sizes up to here are whole numbers as floating-point numbers, too, and can be
// rounded up without overflow.
constexpr int64_t largestSize = int64_t(1) << 53;

Status checkAxes(const std::vector<Axis> &axes) {
  if (axes.empty())
    return fail("there is no dynamic size to plan buckets for; give one a "
                "name and bounds: NAME=MIN..MAX");
  for (const Axis &axis : axes) {
    const std::string name = printable(axis.name);
    if (axis.min < 0 || axis.max < axis.min || axis.max > largestSize)
      return fail("{} has the bounds {}..{}; they must ascend within 0..2^53",
                  name, axis.min, axis.max);
    if (axis.grain < 1 || axis.grain > largestSize)
      return fail("{} has the grain {}; it must be within 1..2^53", name,
                  axis.grain);
  }
  return {};
}

/// The series of `strategy` along one axis with at most `count` sizes.
std::vector<int64_t> seriesOf(const Strategy &strategy, const Axis &axis,
                              size_t count) {
  const int64_t step = stepOf(strategy, axis);
  return strategy.kind == Kind::Linear ? linearSeries(axis, step, count)
                                       : exponentialSeries(axis, step, count);
}

Boundaries percentGrid(const Strategy &strategy, const std::vector<Axis> &axes,
                       double percent) {
  Boundaries grid;
  for (const Axis &axis : axes)
    grid.push_back(percentSeries(axis, stepOf(strategy, axis), percent));
  return grid;
}

size_t combinations(const Boundaries &grid) {
  size_t count = 1;
  for (const std::vector<int64_t> &sizes : grid) // both are at most 2^17
    count = std::min(count * sizes.size(), Buckets::maxBuckets + 1);
  return count;
}

/// The mean logarithm of the padded per the real elements, of sizes that are
/// equally likely from each power of two to the next, as sizes that vary by
/// orders of magnitude are. Between a and b it is log(b / a) / 2.
double meanPadding(const Boundaries &grid, const std::vector<Axis> &axes) {
  double mean = 0;
  for (size_t i = 0; i < grid.size(); ++i) {
    const double least = std::log(double(std::max<int64_t>(axes[i].min, 1)));
    double from = least, sum = 0;
    for (int64_t size : grid[i]) {
      const double to = std::log(double(std::max<int64_t>(size, 1)));
      sum += std::max(to - from, 0.0) * (to - from) / 2;
      from = std::max(from, to);
    }
    mean += from > least ? sum / (from - least) : 0;
  }
  return mean;
}

/// The launches of `observed` along one axis.
Histogram marginal(const Histogram &observed, size_t axis) {
  Histogram line;
  line.names = {observed.names[axis]};
  for (const Observation &observation : observed.observations)
    line.observations.push_back(
        {{observation.sizes[axis]}, observation.count, observation.line});
  return line.merged();
}

class Planner {
public:
  explicit Planner(const PlanRequest &request)
      : request(request), hasLaunches(request.histogram != nullptr),
        cut(request.mustStop) {
    if (hasLaunches)
      observed = request.histogram->merged();
    for (const Axis &axis : request.axes)
      names.push_back(axis.name);
  }

  Result<Plan> plan();
  Result<std::vector<Plan>> curve();
  Result<std::vector<CurvePoint>> compare(size_t most);

private:
  Status check() const;
  Result<Plan> planAll(const Strategy &strategy);
  Result<Plan> planSymbols();
  Result<Plan> planBoxes() const;
  /// The best plans for each of `budgets`, which descend.
  Result<std::vector<Plan>> optimal(const std::vector<size_t> &budgets);
  CostFunction costAlong(size_t axis) const;
  Result<Boundaries> gridOf(const Strategy &strategy,
                            const std::vector<Axis> &axes) const;
  Boundaries splitBudget(const Strategy &strategy,
                         const std::vector<Axis> &axes) const;
  double paddedBy(const Boundaries &grid) const;
  /// A plan whose bound is what the real sizes cost.
  Result<Plan> measured(std::vector<Sizes> boxes) const;

  double costOf(const Sizes &sizes) const {
    return request.cost ? request.cost(sizes) : volumeOf(sizes);
  }

  const PlanRequest &request;
  bool hasLaunches;
  Histogram observed; // merged; empty without launches
  std::vector<std::string> names;
  Cut cut;
};

Status Planner::check() const {
  GAUDI_TRY(checkAxes(request.axes));
  assert((!hasLaunches || observed.names.size() == names.size()) &&
         "the columns of the histogram are the axes");
  for (const BucketChoice::Part &part : request.choice.parts)
    if (part.strategy.kind == Kind::Optimal && !hasLaunches)
      return fail("the strategy optimal needs a histogram of sizes; give one, "
                  "or use exponential:{}",
                  part.strategy.maxBuckets);
  return {};
}

Result<Plan> Planner::plan() {
  GAUDI_TRY(check());
  const BucketChoice &choice = request.choice;
  if (!choice.boxes.empty())
    return planBoxes();
  if (choice.parts.size() == 1 && choice.parts[0].symbol.empty())
    return planAll(choice.parts[0].strategy);
  return planSymbols();
}

Result<Plan> Planner::planAll(const Strategy &strategy) {
  if (strategy.kind == Kind::Optimal)
    return std::move(GAUDI_TRY(optimal({strategy.maxBuckets})).front());
  const Boundaries grid = GAUDI_TRY(gridOf(strategy, request.axes));
  const Buckets buckets = GAUDI_TRY(Buckets::grid(names, grid));
  Plan plan = GAUDI_TRY(measured(buckets.boxes()));
  // The bound of sizes that need not be multiples of the grain is not known.
  if (names.size() == 1 && hasLaunches && strategy.kind != Kind::Explicit) {
    const Line line = GAUDI_TRY(Line::create(
        request.axes[0], observed, request.cost, plan.buckets.size()));
    plan.lowerBound = std::min(plan.padded, line.cost(plan.buckets.size()));
  }
  return plan;
}

Result<Plan> Planner::planSymbols() {
  Boundaries grid(names.size());
  for (const BucketChoice::Part &part : request.choice.parts) {
    auto it = std::find(names.begin(), names.end(), part.symbol);
    if (it == names.end())
      return fail("{} is no dynamic size; there are {}", inQuotes(part.symbol),
                  printable(fmt::format("{}", fmt::join(names, ", "))));
    const size_t i = size_t(it - names.begin());
    const Axis &axis = request.axes[i];
    // Best for this symbol as if it were the only one.
    if (part.strategy.kind == Kind::Optimal) {
      const Line line = GAUDI_TRY(Line::create(
          axis, marginal(observed, i), costAlong(i), part.strategy.maxBuckets));
      grid[i] = line.boundaries(part.strategy.maxBuckets);
    } else {
      grid[i] = GAUDI_TRY(gridOf(part.strategy, {axis})).front();
    }
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (grid[i].empty())
      return fail("{} has no buckets; add {}=STRATEGY", inQuotes(names[i]),
                  printable(names[i]));
  const Buckets buckets = GAUDI_TRY(Buckets::grid(names, grid));
  return measured(buckets.boxes());
}

/// What sizes of one symbol cost where the others have the mean of their
/// launches.
CostFunction Planner::costAlong(size_t axis) const {
  if (!request.cost)
    return nullptr;
  Sizes mean;
  for (size_t i = 0; i < names.size(); ++i) {
    double sum = 0, launches = 0;
    for (const Observation &observation : observed.observations) {
      sum += double(observation.sizes[i]) * double(observation.count);
      launches += double(observation.count);
    }
    mean.push_back(std::llround(launches > 0 ? sum / launches : 0));
  }
  return [this, axis, mean](const Sizes &at) {
    Sizes sizes = mean;
    sizes[axis] = at[0];
    return request.cost(sizes);
  };
}

Result<Plan> Planner::planBoxes() const {
  const BucketChoice &choice = request.choice;
  // Columns of the choice in the order of the axes.
  std::vector<size_t> columns;
  for (const std::string &name : names) {
    auto it = std::find(choice.names.begin(), choice.names.end(), name);
    if (it == choice.names.end() || choice.names.size() != names.size())
      return fail("buckets of {} are given but the dynamic sizes are {}",
                  printable(fmt::format("{}", fmt::join(choice.names, ", "))),
                  printable(fmt::format("{}", fmt::join(names, ", "))));
    columns.push_back(size_t(it - choice.names.begin()));
  }
  std::vector<Sizes> boxes;
  for (const Sizes &given : choice.boxes) {
    Sizes box;
    for (size_t column : columns)
      box.push_back(given[column]);
    boxes.push_back(std::move(box));
  }
  return measured(std::move(boxes));
}

Result<std::vector<Plan>> Planner::optimal(const std::vector<size_t> &budgets) {
  std::vector<Plan> plans;
  // One symbol is solved exactly.
  if (names.size() == 1) {
    const Line line = GAUDI_TRY(
        Line::create(request.axes[0], observed, request.cost, budgets.front()));
    for (size_t budget : budgets) {
      std::vector<Sizes> boxes;
      for (int64_t size : line.boundaries(budget))
        boxes.push_back({size});
      plans.push_back(GAUDI_TRY(measured(std::move(boxes))));
      plans.back().lowerBound = line.cost(budget);
    }
    return plans;
  }
  Boxes boxes = GAUDI_TRY(Boxes::create(request.axes, observed, request.cost));
  for (size_t budget : budgets) {
    const BoxSolution solution = boxes.search(budget, request.rounds, cut);
    plans.push_back(GAUDI_TRY(measured(boxes.boxes(solution))));
    plans.back().lowerBound =
        std::min(solution.lowerBound, plans.back().padded);
    plans.back().isCut = cut.wasMade();
  }
  return plans;
}

Result<Boundaries> Planner::gridOf(const Strategy &strategy,
                                   const std::vector<Axis> &axes) const {
  if (strategy.kind == Kind::Explicit) {
    if (axes.size() > 1)
      return fail("explicit sizes are given but not of which symbol; write "
                  "{}={} for each of {}",
                  printable(axes[0].name), fmt::join(strategy.sizes, ","),
                  printable(fmt::format("{}", fmt::join(names, ", "))));
    return Boundaries{strategy.sizes};
  }
  if (strategy.step && *strategy.step > largestSize)
    return fail("the step {} exceeds 2^53", *strategy.step);
  if (strategy.kind != Kind::PercentPadding)
    return splitBudget(strategy, axes);
  if (strategy.percent) {
    Boundaries grid = percentGrid(strategy, axes, *strategy.percent);
    if (strategy.maxBuckets > 0 && combinations(grid) > strategy.maxBuckets)
      return fail("padding of at most {} % takes {} buckets, more than the {} "
                  "of the budget; allow more of either",
                  *strategy.percent, combinations(grid), strategy.maxBuckets);
    return grid;
  }
  // More padding takes fewer buckets: the least tenth of a per cent, by
  // bisection. At 100 % there is one bucket.
  int low = -1, high = 1000;
  while (high - low > 1) {
    const int tenths = (low + high) / 2;
    const Boundaries grid = percentGrid(strategy, axes, tenths / 10.0);
    (combinations(grid) <= strategy.maxBuckets ? high : low) = tenths;
  }
  return percentGrid(strategy, axes, high / 10.0);
}

/// Series along all axes whose combinations meet the budget, of those with the
/// least padding: of the launches if they are known, else of all sizes.
Boundaries Planner::splitBudget(const Strategy &strategy,
                                const std::vector<Axis> &axes) const {
  const bool canMeasure = hasLaunches && axes.size() == names.size();
  Boundaries best, grid;
  double least = 0;
  std::function<void(size_t)> choose = [&](size_t left) {
    const Axis &axis = axes[grid.size()];
    const bool isLast = grid.size() + 1 == axes.size();
    for (size_t count = isLast ? left : 1; count <= left; ++count) {
      grid.push_back(seriesOf(strategy, axis, count));
      // Rounding left fewer than wanted: then a smaller count was the same.
      const bool isNew = isLast || grid.back().size() == count;
      if (isLast) {
        const double padding =
            canMeasure ? paddedBy(grid) : meanPadding(grid, axes);
        if (best.empty() || padding < least) {
          least = padding;
          best = grid;
        }
      } else if (isNew) {
        choose(left / count);
      }
      grid.pop_back();
    }
  };
  choose(strategy.maxBuckets);
  return best;
}

/// What all launches take if each size is rounded up along its axis.
double Planner::paddedBy(const Boundaries &grid) const {
  double padded = 0;
  Sizes box(grid.size());
  for (const Observation &observation : observed.observations) {
    bool fits = true;
    for (size_t i = 0; i < grid.size() && fits; ++i) {
      auto it = std::lower_bound(grid[i].begin(), grid[i].end(),
                                 observation.sizes[i]);
      fits = it != grid[i].end();
      if (fits)
        box[i] = *it;
    }
    if (fits)
      padded += double(observation.count) * costOf(box);
  }
  return padded;
}

Result<Plan> Planner::measured(std::vector<Sizes> boxes) const {
  std::vector<double> costs;
  for (const Sizes &box : boxes)
    costs.push_back(box.size() == names.size() ? costOf(box) : 0);
  Plan plan{
      GAUDI_TRY(Buckets::create(names, std::move(boxes), std::move(costs)))};
  for (const Observation &observation : observed.observations) {
    const double count = double(observation.count);
    if (auto bucket = plan.buckets.choose(observation.sizes)) {
      plan.padded += count * plan.buckets.cost(*bucket);
      plan.real += count * costOf(observation.sizes);
    } else {
      plan.misses =
          checkedAdd(plan.misses, observation.count).value_or(UINT64_MAX);
    }
  }
  plan.lowerBound = std::min(plan.real, plan.padded);
  return plan;
}

Result<std::vector<Plan>> Planner::curve() {
  GAUDI_TRY(check());
  const BucketChoice &choice = request.choice;
  if (choice.parts.size() != 1 || !choice.parts[0].symbol.empty() ||
      choice.parts[0].strategy.maxBuckets == 0)
    return fail("a curve needs one strategy with a budget for all symbols, "
                "such as optimal:8");
  Strategy strategy = choice.parts[0].strategy;
  if (strategy.kind == Kind::Optimal) {
    // Descending: prices of a search are a good start for a smaller budget.
    std::vector<size_t> budgets(strategy.maxBuckets);
    std::iota(budgets.rbegin(), budgets.rend(), 1);
    std::vector<Plan> plans = GAUDI_TRY(optimal(budgets));
    std::reverse(plans.begin(), plans.end());
    return plans;
  }
  std::vector<Plan> plans;
  for (size_t budget = 1; budget <= choice.parts[0].strategy.maxBuckets;
       ++budget) {
    strategy.maxBuckets = budget;
    plans.push_back(GAUDI_TRY(planAll(strategy)));
  }
  return plans;
}

Result<std::vector<CurvePoint>> Planner::compare(size_t most) {
  GAUDI_TRY(check());
  if (!hasLaunches)
    return fail("strategies are compared by a histogram of sizes; give one");
  std::vector<size_t> budgets;
  for (size_t budget = 1; budget < most;
       budget += std::max<size_t>(budget / 5, 1))
    budgets.push_back(budget);
  budgets.push_back(most);
  // Descending: prices of a search are a good start for a smaller budget.
  std::vector<CurvePoint> points;
  std::vector<Plan> plans =
      GAUDI_TRY(optimal({budgets.rbegin(), budgets.rend()}));
  std::reverse(plans.begin(), plans.end());
  for (size_t i = 0; i < budgets.size(); ++i)
    points.push_back({Kind::Optimal, budgets[i], std::move(plans[i])});
  for (Kind kind : {Kind::Exponential, Kind::Linear, Kind::PercentPadding})
    for (size_t budget : budgets) {
      Strategy strategy;
      strategy.kind = kind;
      strategy.maxBuckets = budget;
      points.push_back({kind, budget, GAUDI_TRY(planAll(strategy))});
    }
  return points;
}
} // namespace

/// Adds what is odd about sizes that were given along one axis.
static void addDoubts(const Axis &axis, std::vector<int64_t> sizes,
                      std::vector<std::string> &doubts) {
  std::sort(sizes.begin(), sizes.end());
  const std::string name = printable(axis.name);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = sizes[i];
    if (i > 0 && size == sizes[i - 1])
      doubts.push_back(fmt::format(
          "bucket {} of {} is given twice; name it once", size, name));
    // The first one that fits the bound is meant to exceed it by the rest of a
    // grain at most.
    else if (size - axis.max >= std::max<int64_t>(axis.grain, 1))
      doubts.push_back(fmt::format(
          "bucket {} exceeds the bound of {}, {}, which no launch exceeds; "
          "leave the bucket out, or bound {} by {}",
          size, name, axis.max, name, size));
    else if (size < axis.min)
      doubts.push_back(
          fmt::format("bucket {} is below the smallest {}, {}, so that no "
                      "launch takes it; leave it out",
                      size, name, axis.min));
  }
}

std::vector<std::string>
gaudi::shapes::doubtsOf(const BucketChoice &choice,
                        const std::vector<Axis> &axes) {
  std::vector<std::string> doubts;
  for (const BucketChoice::Part &part : choice.parts)
    for (const Axis &axis : axes)
      if (part.strategy.kind == Kind::Explicit &&
          (part.symbol == axis.name ||
           (part.symbol.empty() && axes.size() == 1)))
        addDoubts(axis, part.strategy.sizes, doubts);
  for (size_t column = 0; column < choice.names.size(); ++column)
    for (const Axis &axis : axes) {
      if (axis.name != choice.names[column])
        continue;
      // A size is in several boxes; each doubt is told once.
      std::vector<int64_t> sizes;
      for (const Sizes &box : choice.boxes)
        sizes.push_back(box[column]);
      std::sort(sizes.begin(), sizes.end());
      sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
      addDoubts(axis, std::move(sizes), doubts);
    }
  return doubts;
}

Result<Plan> gaudi::shapes::planBuckets(const PlanRequest &request) {
  return Planner(request).plan();
}

Result<std::vector<Plan>> gaudi::shapes::planCurve(const PlanRequest &request) {
  return Planner(request).curve();
}

Result<std::vector<CurvePoint>>
gaudi::shapes::compareStrategies(const PlanRequest &request, size_t most) {
  return Planner(request).compare(most);
}

static void printPoint(fmt::memory_buffer &text, size_t budget,
                       const Plan &plan) {
  fmt::format_to(std::back_inserter(text), "{},{},{:.6f},{:.6f},\"{}\"\n",
                 budget, plan.buckets.size(), plan.waste(), plan.leastWaste(),
                 plan.buckets.text());
}

static constexpr std::string_view curveColumns =
    "max_buckets,buckets,waste,lower_bound,boundaries\n";

std::string gaudi::shapes::printCurve(const std::vector<Plan> &plans) {
  fmt::memory_buffer text;
  text.append(curveColumns);
  for (size_t i = 0; i < plans.size(); ++i)
    printPoint(text, i + 1, plans[i]);
  return fmt::to_string(text);
}

std::string gaudi::shapes::printCurve(const std::vector<CurvePoint> &points) {
  fmt::memory_buffer text;
  text.append(std::string_view("strategy,"));
  text.append(curveColumns);
  for (const CurvePoint &point : points) {
    text.append(std::string_view(nameOf(point.kind)));
    text.push_back(',');
    printPoint(text, point.maxBuckets, point.plan);
  }
  return fmt::to_string(text);
}
