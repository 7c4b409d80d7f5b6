// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The curve of each strategy.
#include "BucketCurve.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <map>

namespace gaudi::run {
namespace {

using Point = prediction::Buckets::Point;

std::string percent(double fraction) {
  return fmt::format("{:.1f} %", std::max(fraction, 0.0) * 100); // no "-0.0"
}

/// Budgets as rows, strategies as columns.
void printCurve(std::ostream &out, const capi::BucketPlan &plan,
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

} // namespace

Status reportBucketPlan(const capi::BucketPlan &plan, const Options &options) {
  if (options.bucketCurve && plan.curve.empty())
    return fail("--bucket-curve: {} has no dynamic sizes; remove the option",
                inQuotes(options.file));
  if (!options.bucketCostsFile.empty() && plan.costs.empty())
    return fail("--save-bucket-costs: {} has no dynamic sizes whose buckets "
                "were chosen by predicted times; remove the option",
                inQuotes(options.file));
  if (!options.bucketCurveFile.empty())
    GAUDI_TRY(writeTextFile(options.bucketCurveFile, plan.curveText));
  if (!options.bucketCostsFile.empty())
    GAUDI_TRY(writeTextFile(options.bucketCostsFile, plan.costs));
  if (options.bucketCurve && options.report != ReportForm::Json)
    printCurve(std::cout, plan, options);
  return {};
}

} // namespace gaudi::run
