// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// plan-buckets: chooses buckets for a histogram of sizes and says how much
// padding remains.
#include "CommandLine.h"
#include "Gaudi/Shapes/CostTable.h"
#include "Gaudi/Shapes/Planner.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Support/TextFile.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <iostream>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
// A symbol of fewer grains is no length.
constexpr int64_t grainsOfLength = 8;

struct Options {
  std::string file, strategy = "optimal", curve, cost;
  uint64_t maxBuckets = 0;
  std::vector<int64_t> grain, max, step;
  std::vector<double> percent;
  unsigned rounds = PlanRequest().rounds;
  double timeLimit = 60;
};

void addOptions(CLI::App &app, Options &options) {
  app.add_option("HISTOGRAM.csv", options.file,
                 "sizes that were seen: the first line names the columns, one "
                 "per symbol and count (length,count or batch,sequence,count); "
                 "without count each line is one launch")
      ->required();
  app.add_option("--max-buckets", options.maxBuckets,
                 "at most so many buckets in all")
      ->check(CLI::Range(uint64_t(1), uint64_t(maxBudget)));
  app.add_option("--strategy", options.strategy,
                 "optimal, exponential, linear or percent-padding, with the "
                 "budget of --max-buckets; or a choice as gaudi-run "
                 "--buckets takes it, such as explicit:128,512 or "
                 "batch=linear:4,sequence=exponential:8")
      ->capture_default_str();
  app.add_option("--grain", options.grain,
                 "sizes of buckets are multiples of it; one per symbol, or one "
                 "for all that reach at least eight times it (default: 1)")
      ->delimiter(',');
  app.add_option("--max", options.max,
                 "the largest size that a bucket must fit, one per symbol "
                 "(default: the largest of the histogram)")
      ->delimiter(',');
  app.add_option("--step", options.step,
                 "sizes of linear, exponential and percent-padding are "
                 "multiples of it (default: 128 for symbols that reach 1024, "
                 "else 1)")
      ->expected(1);
  app.add_option("--percent", options.percent,
                 "of percent-padding: the most of a bucket that may be padding "
                 "(default: the least for --max-buckets)")
      ->expected(1);
  app.add_option("--cost", options.cost,
                 "what a launch takes by the sizes of its bucket: a CSV file "
                 "with the columns of the symbols and cost, of all "
                 "combinations of some sizes; between them it is interpolated "
                 "(default: elements)")
      ->type_name("FILE.csv");
  app.add_option("--curve", options.curve,
                 "write the waste of 1, 2, ... buckets up to --max-buckets, as "
                 "CSV")
      ->type_name("FILE.csv");
  app.add_option("--rounds", options.rounds,
                 "limit of the search for several symbols; a higher one may "
                 "find less waste and a tighter bound")
      ->check(CLI::Range(1u, 1000000u))
      ->capture_default_str();
  app.add_option("--time-limit", options.timeLimit,
                 "seconds after which a search for several symbols ends with "
                 "the best buckets so far; a curve has so many for all of its "
                 "budgets")
      ->capture_default_str();
  app.footer(
      "Prints the buckets, the waste (cost of padding per cost of the real "
      "sizes: 0.112 are 11.2 %), and whether no other choice of that many "
      "wastes less; for several symbols also the waste below which none can "
      "get, by how much the cost of all launches may be above the least, and "
      "cut=yes if the time limit ended the search.\n\nExit codes: 0 success; 2 "
      "usage, or a file that cannot be read "
      "or written");
}

/// One number per symbol: those given, one for all, or the default.
Result<std::vector<int64_t>> perSymbol(std::string_view option,
                                       const std::vector<int64_t> &given,
                                       size_t symbols, int64_t least) {
  if (given.size() != symbols && given.size() != 1)
    return fail("{} has {} numbers but the histogram has {} symbols; give one "
                "per symbol",
                option, given.size(), symbols);
  for (int64_t number : given)
    if (number < least)
      return fail("{} must be at least {} but is {}", option, least, number);
  return given.size() == symbols ? given
                                 : std::vector<int64_t>(symbols, given[0]);
}

Result<std::vector<Axis>> axesOf(const Options &options,
                                 const Histogram &histogram) {
  if (histogram.launches() == 0)
    return fail("{}: all counts are 0; give the sizes that launches had their "
                "counts",
                printable(options.file));
  std::vector<Axis> axes;
  for (size_t i = 0; i < histogram.names.size(); ++i) {
    // The range that was seen.
    Axis axis{histogram.names[i], INT64_MAX, 0, 1};
    for (const Observation &observation : histogram.observations) {
      if (observation.count == 0)
        continue;
      axis.min = std::min(axis.min, observation.sizes[i]);
      axis.max = std::max(axis.max, observation.sizes[i]);
    }
    axes.push_back(std::move(axis));
  }
  if (!options.max.empty()) {
    const std::vector<int64_t> max =
        GAUDI_TRY(perSymbol("--max", options.max, axes.size(), 1));
    // A least size above the largest bucket would leave no bucket.
    for (size_t i = 0; i < axes.size(); ++i) {
      axes[i].max = max[i];
      axes[i].min = std::min(axes[i].min, max[i]);
    }
  }
  if (!options.grain.empty()) {
    const std::vector<int64_t> grain =
        GAUDI_TRY(perSymbol("--grain", options.grain, axes.size(), 1));
    // One number among several symbols is for lengths, not for batch sizes.
    const bool isForLengths = options.grain.size() < axes.size();
    for (size_t i = 0; i < axes.size(); ++i)
      if (!isForLengths || axes[i].max / grainsOfLength >= grain[i])
        axes[i].grain = grain[i];
  }
  return axes;
}

Result<BucketChoice> choiceOf(const Options &options) {
  const std::optional<Strategy::Kind> kind = strategyNamed(options.strategy);
  // A choice that has its numbers in its text.
  if (!kind || *kind == Strategy::Kind::Explicit) {
    auto choice = parseStrategy(options.strategy);
    const std::string meant =
        nearestName(options.strategy,
                    {"optimal", "exponential", "linear", "percent-padding"});
    if (!choice && !meant.empty())
      return fail("--strategy: {} is no strategy; did you mean {}?",
                  inQuotes(options.strategy), inQuotes(meant));
    if (!choice)
      return fail("--strategy: {}", choice.error().message);
    if (options.maxBuckets > 0 || !options.step.empty() ||
        !options.percent.empty())
      return fail("--max-buckets, --step and --percent are for --strategy="
                  "optimal, exponential, linear or percent-padding; {} has its "
                  "numbers in itself",
                  inQuotes(options.strategy));
    return choice;
  }
  Strategy strategy;
  strategy.kind = *kind;
  strategy.maxBuckets = options.maxBuckets;
  if (!options.percent.empty()) {
    if (*kind != Strategy::Kind::PercentPadding)
      return fail("--percent is for --strategy=percent-padding, not {}; remove "
                  "it, or choose that strategy",
                  options.strategy);
    if (!(options.percent[0] >= 0 && options.percent[0] <= 99))
      return fail("--percent must be a number from 0 to 99 but is {}",
                  options.percent[0]);
    strategy.percent = options.percent[0];
  } else if (options.maxBuckets == 0) {
    return fail("--strategy={} needs a budget; add --max-buckets=8",
                options.strategy);
  }
  if (!options.step.empty()) {
    if (*kind == Strategy::Kind::Optimal)
      return fail("--step is not for --strategy=optimal; use --grain");
    if (options.step[0] < 1)
      return fail("--step must be at least 1 but is {}", options.step[0]);
    strategy.step = options.step[0];
  }
  BucketChoice choice;
  choice.parts.push_back({"", std::move(strategy)});
  return choice;
}

/// "32,64" of one symbol, "1x32,8x64" of several.
std::string boundariesOf(const Buckets &buckets) {
  std::vector<std::string> boxes;
  std::vector<Sizes> sorted = buckets.boxes();
  std::sort(sorted.begin(), sorted.end());
  for (const Sizes &box : sorted)
    boxes.push_back(fmt::format("{}", fmt::join(box, "x")));
  return fmt::format("{}", fmt::join(boxes, ","));
}

/// Ends a search so many seconds after now.
std::function<bool()> deadline(double seconds) {
  return [seconds, time = Stopwatch()] {
    return time.milliseconds() >= seconds * 1e3;
  };
}

Result<int> planFile(const Options &options) {
  if (!(options.timeLimit >= 0 && options.timeLimit <= 1e9))
    return fail("--time-limit must be between 0 and 1e9 seconds but is {}",
                options.timeLimit);
  for (const std::string *read : {&options.file, &options.cost})
    if (std::error_code ignored;
        std::filesystem::equivalent(options.curve, *read, ignored))
      return fail("--curve: {} would replace a file that is read; name another",
                  inQuotes(options.curve));
  Stopwatch time;
  const Histogram histogram = GAUDI_TRY(readHistogram(options.file));
  PlanRequest request;
  request.axes = GAUDI_TRY(axesOf(options, histogram));
  request.choice = GAUDI_TRY(choiceOf(options));
  request.histogram = &histogram;
  request.rounds = options.rounds;
  if (!options.cost.empty())
    request.cost = GAUDI_TRY(CostTable::read(options.cost, histogram.names));
  // The curve and the plan have a time limit each.
  if (!options.curve.empty()) {
    request.mustStop = deadline(options.timeLimit);
    const std::vector<Plan> plans = GAUDI_TRY(planCurve(request));
    GAUDI_TRY(writeTextFile(options.curve, printCurve(plans)));
  }
  request.mustStop = deadline(options.timeLimit);
  const Plan plan = GAUDI_TRY(planBuckets(request));
  std::cout << fmt::format(
      "buckets={} boundaries={} waste={:.4f} proved={} seconds={:.3f}",
      plan.buckets.size(), boundariesOf(plan.buckets), plan.waste(),
      plan.isProven() ? "yes" : "no", time.milliseconds() / 1e3);
  // Of other choices than the optimal one no bound is known.
  if (request.axes.size() > 1 && plan.lowerBound > plan.real)
    std::cout << fmt::format(" bound={:.4f} gap={:.4f}", plan.leastWaste(),
                             plan.padded / plan.lowerBound - 1);
  if (plan.isCut)
    std::cout << " cut=yes";
  std::cout << '\n';
  // On stderr: stdout is one line, for scripts.
  if (plan.isCut)
    std::cerr << fmt::format(
        "plan-buckets: note: the time limit of {} s ended the search; a longer "
        "one may find less waste and a tighter bound\n",
        options.timeLimit);
  for (const std::string &name : histogram.names)
    if (name == "counts" || name == "freq" || name == "frequency")
      std::cerr << fmt::format(
          "plan-buckets: note: {}: column {} is taken as a size; the column "
          "that says how many launches had a size is called count\n",
          printable(options.file), inQuotes(name));
  if (plan.misses > 0)
    std::cerr << fmt::format(
        "plan-buckets: note: {} of {} launches fit no bucket and are left out "
        "of the waste\n",
        plan.misses, histogram.launches());
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  Options options;
  const Tool tool{
      "plan-buckets",
      "Chooses the padded sizes to compile for, from the sizes that "
      "launches have.",
      [&](CLI::App &app) { addOptions(app, options); },
      [&] { return planFile(options); }};
  return runTool(tool, argc, argv);
}
