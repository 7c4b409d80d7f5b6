// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the buckets of a function with dynamic sizes.
//
// A launch takes what its bucket takes, so padding is the cost of the buckets
// that launches run in beyond the cost of their own sizes. The planner finds
// few buckets with little padding for the launches of a histogram.
//
// One symbol: exact, a shortest path with few edges. Buckets that a larger and
// cheaper one replaces are left out, so costs ascend, which makes the lengths
// of the edges a Monge array whatever the costs are (docs/buckets.md has the
// proof); divide and conquer finds all budgets up to K in O(K n log n).
// Several symbols: any boxes, with a lower bound by Lagrangian relaxation and a
// local search. No result depends on the host, or on time but for `mustStop`.
#ifndef GAUDI_SHAPES_PLANNER_H
#define GAUDI_SHAPES_PLANNER_H

#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Shapes/Strategy.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gaudi::shapes {

/// One dynamic size, and which sizes its buckets may have.
struct Axis {
  std::string name;
  int64_t min = 1; // smallest size of a launch
  int64_t max = 1; // largest one; a bucket fits it
  /// Sizes of buckets are multiples of it. The largest one may so exceed `max`.
  int64_t grain = 1;
};

/// Of buckets that are given one by one: what is probably a mistake, in one
/// sentence each. Sizes that no launch has, and those that are there twice.
std::vector<std::string> doubtsOf(const BucketChoice &choice,
                                  const std::vector<Axis> &axes);

/// What a launch with a bucket of these sizes takes, in any unit; finite and
/// not negative. It must be a function: the same answer for the same sizes.
using CostFunction = std::function<double(const Sizes &)>;

struct PlanRequest {
  std::vector<Axis> axes;
  BucketChoice choice;
  /// Its columns are the axes in their order. The strategy optimal needs it;
  /// without it plans of others have no waste.
  const Histogram *histogram = nullptr;
  /// Empty: elements, the product of the sizes.
  CostFunction cost = nullptr;
  /// Rounds of the search for several symbols, of 5 to 20 milliseconds each.
  /// Searches end by themselves when steps get too short, at about 100.
  unsigned rounds = 100;
  /// Asked between steps of the search for several symbols, if it is there:
  /// true ends it with the best boxes so far.
  std::function<bool()> mustStop = nullptr;
};

struct Plan {
  Buckets buckets;
  /// Costs of all launches of the histogram: in their buckets, at their own
  /// sizes, and below which no plan of that many buckets can get. Zero without
  /// a histogram.
  double padded = 0;
  double real = 0;
  double lowerBound = 0;
  /// Launches that no bucket fits; the costs leave them out.
  uint64_t misses = 0;
  /// PlanRequest::mustStop ended the search: more time may find less padding
  /// and a tighter bound.
  bool isCut = false;

  /// Padding per cost of the real sizes: 0.112 are 11.2 %.
  double waste() const { return real > 0 ? padded / real - 1 : 0; }
  /// The least waste that the bound allows.
  double leastWaste() const { return real > 0 ? lowerBound / real - 1 : 0; }
  /// No plan of that many buckets has less padding.
  bool isProven() const { return padded <= lowerBound * (1 + 1e-12); }
};

/// The buckets of `request`. Errors: axes whose bounds do not ascend, a
/// strategy that does not fit the axes or lacks a histogram, a cost that is
/// negative or not finite, too many sizes for the budget.
Result<Plan> planBuckets(const PlanRequest &request);

/// Plans for budgets of 1, 2, ... buckets up to that of the strategy, which is
/// one for all symbols: how the waste falls.
Result<std::vector<Plan>> planCurve(const PlanRequest &request);
/// The same as CSV: `max_buckets,buckets,waste,lower_bound,boundaries`.
std::string printCurve(const std::vector<Plan> &plans);

/// A plan of one strategy for all symbols with a budget.
struct CurvePoint {
  Strategy::Kind kind = Strategy::Kind::Optimal;
  size_t maxBuckets = 0;
  Plan plan;
};

/// Plans of each strategy that takes a budget, for budgets up to `most`: all up
/// to 10, then each about a fifth larger. `request` needs a histogram; its
/// choice does not matter. Strategies come one after the other, budgets ascend.
Result<std::vector<CurvePoint>> compareStrategies(const PlanRequest &request,
                                                  size_t most);
/// The same as CSV, with a first column `strategy`.
std::string printCurve(const std::vector<CurvePoint> &points);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_PLANNER_H
