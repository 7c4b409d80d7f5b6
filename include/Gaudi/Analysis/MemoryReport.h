// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs of the device memory, without a launch, and what would
// need less.
#ifndef GAUDI_ANALYSIS_MEMORYREPORT_H
#define GAUDI_ANALYSIS_MEMORYREPORT_H

#include "Gaudi/Analysis/BatchSearch.h"
#include "Gaudi/Analysis/BucketMemory.h"
#include "Gaudi/Prediction/Prediction.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// A model, compiled with what a limit leaves to the workspace as its budget.
struct BudgetPlan {
  uint64_t budget = 0;
  uint64_t needed = 0; ///< in all; 0: no order and no recomputing keeps to it
  uint32_t recomputed = 0;      ///< ops that run again
  timing::Picoseconds time = 0; ///< of a launch
  std::string refusal;          ///< of the compiler, if needed is 0
};

/// Of an entry of the recipe that was compiled with this budget.
Result<BudgetPlan> budgetPlanOf(const recipe::RecipeFile &file, uint32_t entry,
                                uint64_t budget);

struct MemoryReport {
  const device::DeviceSpec *device = nullptr;
  std::string entry;
  uint64_t limit = 0; ///< bytes of device memory
  /// Of an entry with variants: each launch takes one of them.
  std::optional<BucketSet> buckets;
  prediction::Prediction prediction; ///< of another entry
  // What would need less, of a model; whoever can compile it fills them in.
  std::optional<BatchPlan> batch;
  std::optional<BudgetPlan> budget;

  uint64_t needed() const {
    return buckets ? buckets->needed() : prediction.memoryNeeded();
  }
  bool fits() const { return needed() <= limit; }
  uint64_t missing() const { return fits() ? 0 : needed() - limit; }
};

/// Of an entry, with the launches of `histogram` by bucket unless it is null.
/// `limit`: 0 for that of the device. Errors: no such entry, a histogram that
/// lacks a symbol.
Result<MemoryReport> planMemory(const recipe::RecipeFile &file, uint32_t entry,
                                const shapes::Histogram *histogram,
                                uint64_t limit);

/// The devices that have so many bytes of memory, the oldest first.
std::vector<const device::DeviceSpec *> devicesWith(uint64_t bytes);

/// The keys of gaudi-run --plan-memory (docs/schema).
nlohmann::ordered_json toJson(const MemoryReport &report);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_MEMORYREPORT_H
