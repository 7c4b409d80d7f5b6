// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The curve of each strategy, and what a prediction shows of buckets.
#include "BucketCurve.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"
#include "SymbolTable.h"

#include <filesystem>
#include <fmt/ostream.h>
#include <iostream>
#include <map>

namespace gaudi::run {
namespace {

using Point = prediction::Buckets::Point;

std::string percent(double fraction) {
  return fmt::format("{:.1f} %", fraction * 100);
}

/// Budgets as rows, strategies as columns.
void printCurve(std::ostream &out, const BucketPlan &plan,
                const Options &options) {
  std::vector<std::string> strategies;
  std::map<uint32_t, std::map<std::string, const Point *>> rows;
  for (const Point &point : plan.curve) {
    if (strategies.empty() || strategies.back() != point.strategy)
      strategies.push_back(point.strategy);
    rows[point.maxBuckets][point.strategy] = &point;
  }
  fmt::print(out,
             "padding by the number of buckets, as a share of {}, for the "
             "launches of {}\n  {:>10}",
             plan.isOfTime() ? "predicted device time" : "elements",
             inQuotes(options.bucketHistogram), "buckets");
  for (const std::string &strategy : strategies)
    fmt::print(out, "  {:>15}", strategy);
  fmt::print(out, "  {:>15}\n", "no choice below");
  for (const auto &[budget, points] : rows) {
    fmt::print(out, "  {:>10}", budget);
    for (const std::string &strategy : strategies) {
      const auto point = points.find(strategy);
      fmt::print(out, "  {:>15}",
                 point == points.end() ? "" : percent(point->second->waste));
    }
    const auto best = points.find("optimal");
    fmt::print(out, "  {:>15}\n",
               best == points.end() ? "" : percent(best->second->leastWaste));
  }
}

/// Adds launches, padding and misses.
Status addLaunches(prediction::Buckets &buckets,
                   const recipe::Dispatch &dispatch, const std::string &file) {
  const shapes::Histogram histogram = GAUDI_TRY(shapes::readHistogram(file));
  const SymbolTable table = GAUDI_TRY(SymbolTable::of(dispatch));
  const SymbolTable::Launches launches = GAUDI_TRY(table.launchesOf(histogram));
  buckets.histogram = std::filesystem::path(file).filename().string();
  buckets.launches = launches.observed;
  buckets.misses = launches.refused;
  for (const shapes::Observation &launch : launches.taken.observations) {
    const auto chosen = table.buckets().choose(launch.sizes);
    if (!chosen) {
      buckets.misses += launch.count;
      continue;
    }
    prediction::Buckets::Row &row = buckets.rows[*chosen];
    row.launches += launch.count;
    row.real += double(launch.count) * shapes::volumeOf(launch.sizes);
    row.padded += double(launch.count) * shapes::volumeOf(row.sizes);
  }
  return {};
}

} // namespace

Status reportBucketPlan(const BucketPlan &plan, const Options &options) {
  if (options.bucketCurve && plan.curve.empty())
    return fail("--bucket-curve: {} has no dynamic sizes",
                inQuotes(options.file));
  if (!options.bucketCostsFile.empty() && plan.costs.empty())
    return fail("--save-bucket-costs: {} has no dynamic sizes whose buckets "
                "were chosen by predicted times",
                inQuotes(options.file));
  if (!options.bucketCurveFile.empty())
    GAUDI_TRY(writeTextFile(options.bucketCurveFile, plan.curveText));
  if (!options.bucketCostsFile.empty())
    GAUDI_TRY(writeTextFile(options.bucketCostsFile, plan.costs));
  if (options.bucketCurve && options.report != ReportForm::Json)
    printCurve(std::cout, plan, options);
  return {};
}

Status checkHistogram(const recipe::Recipe &recipe, const Options &options) {
  for (const recipe::Entry *entry : recipe::items(recipe.entries()))
    if (entry->dispatch())
      return {};
  if (!options.bucketHistogram.empty())
    return fail("--bucket-histogram: no entry of {} has dynamic sizes; remove "
                "the option",
                inQuotes(options.file));
  return {};
}

Result<std::optional<prediction::Buckets>>
bucketsOfVariant(const recipe::Recipe &recipe, uint32_t number,
                 const std::optional<BucketPlan> &plan,
                 const Options &options) {
  for (const recipe::Entry *entry : recipe::items(recipe.entries())) {
    const recipe::Dispatch *dispatch = entry->dispatch();
    if (!dispatch)
      continue;
    prediction::Buckets buckets;
    bool hasVariant = false;
    for (const recipe::Variant *variant : recipe::items(dispatch->variants())) {
      prediction::Buckets::Row row;
      row.sizes = recipe::copyOf(variant->sizes());
      row.picoseconds = variant->picoseconds();
      row.isPredicted = variant->entry() == number;
      hasVariant |= row.isPredicted;
      buckets.rows.push_back(std::move(row));
    }
    if (!hasVariant)
      continue;
    for (const recipe::Symbol *symbol : recipe::items(dispatch->symbols()))
      buckets.symbols.emplace_back(recipe::text(symbol->name()));
    if (!options.bucketHistogram.empty())
      GAUDI_TRY(addLaunches(buckets, *dispatch, options.bucketHistogram));
    if (plan) {
      buckets.curve = plan->curve;
      buckets.isCurveOfTime = plan->isOfTime();
    }
    return std::optional(std::move(buckets));
  }
  return std::optional<prediction::Buckets>();
}

} // namespace gaudi::run
