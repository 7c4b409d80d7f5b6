// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs of the device memory.
#include "Gaudi/Analysis/MemoryReport.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Prediction/Json.h"
#include "Gaudi/Recipe/Views.h"

#include <nlohmann/json.hpp>

namespace gaudi::analysis {

using Json = nlohmann::ordered_json;

Result<BudgetPlan> budgetPlanOf(const recipe::RecipeFile &file, uint32_t entry,
                                uint64_t budget) {
  const auto prediction = GAUDI_TRY(prediction::predict(file, entry));
  BudgetPlan plan;
  plan.budget = budget;
  plan.needed = prediction.memoryNeeded();
  plan.time = prediction.time();
  for (const prediction::MemoryPlan &each : prediction.plans)
    plan.recomputed += each.sums[size_t(MemoryKind::Recompute)].count;
  return plan;
}

Result<MemoryReport> planMemory(const recipe::RecipeFile &file, uint32_t entry,
                                const shapes::Histogram *histogram,
                                uint64_t limit) {
  MemoryReport report;
  const auto entries = recipe::items(file->entries());
  if (entry < entries.size() && entries[entry]->dispatch()) {
    report.buckets = GAUDI_TRY(bucketSetOf(file.recipe(), entry, histogram));
    report.entry = report.buckets->entry;
    report.device =
        GAUDI_TRY(device::DeviceSpec::lookup(recipe::text(file->target())));
  } else {
    report.prediction = GAUDI_TRY(prediction::predict(file, entry));
    report.entry = report.prediction.entry;
    report.device = report.prediction.device;
  }
  report.limit = limit ? limit : report.device->memory.dramBytes;
  return report;
}

std::vector<const device::DeviceSpec *> devicesWith(uint64_t bytes) {
  std::vector<const device::DeviceSpec *> devices;
  for (const char *name : {"gaudi", "gaudi2", "gaudi3"})
    if (const auto spec = device::DeviceSpec::lookup(name);
        spec && (*spec)->memory.dramBytes >= bytes)
      devices.push_back(*spec);
  return devices;
}

static Json budgetJson(const BudgetPlan &plan, uint64_t limit) {
  if (plan.needed == 0)
    return {
        {"budget", plan.budget}, {"fits", false}, {"refused", plan.refusal}};
  return {{"budget", plan.budget},
          {"fits", plan.needed <= limit},
          {"needed", plan.needed},
          {"recomputed", plan.recomputed},
          {"time_us", double(plan.time) / 1e6}};
}

Json toJson(const MemoryReport &report) {
  Json json = {{"device", report.device->name}, {"entry", report.entry}};
  if (report.buckets) {
    json["memory"] = toJson(*report.buckets, report.limit);
    return json;
  }
  constexpr size_t mostBuffers = 1000;
  json["memory"] = prediction::summaryOf(report.prediction)["memory"];
  json["memory"]["limit"] = report.limit;
  json["memory"]["fits"] = report.fits();
  json["memory"].update(prediction::blameOf(report.prediction, mostBuffers));
  if (report.batch)
    json["batch"] = toJson(*report.batch, report.limit);
  if (report.budget)
    json["budget"] = budgetJson(*report.budget, report.limit);
  return json;
}

} // namespace gaudi::analysis
