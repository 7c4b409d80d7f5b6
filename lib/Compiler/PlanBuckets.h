// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner of buckets shares with the session that runs it.
#ifndef GAUDI_LIB_COMPILER_PLANBUCKETS_H
#define GAUDI_LIB_COMPILER_PLANBUCKETS_H

#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Shapes/CostTable.h"
#include "Gaudi/Shapes/Planner.h"
#include "ProbeLaunches.h"
#include <map>

namespace gaudi {

/// How the buckets of a function were chosen.
struct BucketPlan {
  std::vector<std::string> symbols;
  /// What launches take by their sizes, in picoseconds, if that was asked.
  std::optional<gaudi::shapes::CostTable> table;
  std::vector<gaudi::shapes::CurvePoint> curve; // if it was wanted
};

/// One compilation with symbols.
struct BucketPlanning {
  LaunchProber prober;     // empty: that of the pass
  bool wantsCurve = false; // how the waste falls with the number of buckets
  // By function.
  std::map<std::string, Probes> probes; // that are known
  std::map<std::string, BucketPlan> plans;
};

/// gaudi-plan-buckets whose probes compile with `compile`, and which fills
/// `planning` if it is not null.
std::unique_ptr<Pass> createPlanBuckets(const PlanBucketsOptions &options,
                                        const CompileOptions &compile,
                                        BucketPlanning *planning);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_PLANBUCKETS_H
