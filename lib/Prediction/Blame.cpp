// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The peak of the workspace by op, and the records of memory.
#include "Gaudi/Prediction/Blame.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Remedies.h"
#include "TensorText.h"

#include <algorithm>
#include <tuple>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;

/// The name of the command that writes each root first; empty: none does.
std::vector<std::string_view> makersOf(const recipe::Recipe &recipe,
                                       const recipe::Entry &entry,
                                       const std::vector<uint32_t> &roots) {
  std::vector<std::string_view> makers(roots.size());
  for (const recipe::Command *command : items(entry.commands()))
    for (uint32_t out : items(command->outputs()))
      if (makers[roots[out]].empty())
        makers[roots[out]] = text(command->name());
  return makers;
}

void addPeak(Prediction &prediction, const recipe::Recipe &recipe,
             const Launch &launch, const recipe::LiveBuffers &live,
             const std::vector<uint32_t> &roots) {
  const auto tensors = items(recipe.tensors());
  const auto makers =
      makersOf(recipe, *items(recipe.entries())[launch.entry], roots);
  PeakMoment &peak = prediction.peak;
  peak.exists = true;
  peak.command = launch.first + live.command;
  peak.live = live.workspace;
  for (uint32_t t : live.tensors) {
    const recipe::Tensor &tensor = *tensors[t];
    peak.buffers.push_back(
        {t, std::string(text(tensor.name())), classText(tensor),
         typeText(tensor), std::string(makers[t]),
         std::string(text(items(recipe.locations())[tensor.location()])),
         recipe::tensorBytes(tensor)});
  }
}

void addPlans(Prediction &prediction, const recipe::Recipe &recipe) {
  const auto place = [&](uint32_t location) {
    return std::string(text(items(recipe.locations())[location]));
  };
  for (const recipe::MemoryPlan *from : items(recipe.memory())) {
    MemoryPlan &plan = prediction.plans.emplace_back();
    plan.entry = text(from->entry());
    plan.peaks = {from->program_order(), from->order(),
                  from->order_bound(),   from->planned(),
                  from->planned_bound(), from->budget()};
    for (const recipe::MemorySum *sum : items(from->sums()))
      plan.sums[size_t(sum->kind())].add(sum->count(), sum->bytes(),
                                         sum->picoseconds());
    for (const recipe::MemoryEntry *entry : items(from->entries()))
      plan.entries.push_back(
          {MemoryKind(entry->kind()), std::string(text(entry->name())),
           place(entry->location()), entry->bytes(), entry->picoseconds(),
           std::string(text(entry->reader())), place(entry->reader_location()),
           std::string(text(entry->reason())),
           std::string(text(entry->remedy()))});
  }
}

} // namespace

std::string_view nameOf(Remedy::Kind kind) {
  return kind == Remedy::Kind::Recompute ? "recompute" : "split";
}

std::vector<const MemoryPlan::Entry *> MemoryPlan::largest(MemoryKind kind,
                                                           size_t count) const {
  std::vector<const Entry *> found;
  for (const Entry &entry : entries)
    if (entry.kind == kind)
      found.push_back(&entry);
  // Entries of a plan are in one list: their addresses are their order.
  std::sort(found.begin(), found.end(), [](const Entry *a, const Entry *b) {
    return std::tie(b->bytes, b->picoseconds, a) <
           std::tie(a->bytes, a->picoseconds, b);
  });
  found.resize(std::min(found.size(), count));
  return found;
}

void addBlame(Prediction &prediction, const recipe::Recipe &recipe) {
  addPlans(prediction, recipe);
  // A program needs what the largest of its parts needs.
  const Launch *fullest = nullptr;
  recipe::LiveBuffers most;
  for (const Launch &launch : prediction.launches) {
    if (launch.count == 0)
      continue;
    recipe::LiveBuffers live = recipe::liveAtPeak(recipe, launch.entry);
    if (fullest && live.workspace <= most.workspace)
      continue;
    fullest = &launch;
    most = std::move(live);
  }
  if (!fullest)
    return;
  const std::vector<uint32_t> roots = recipe::rootsOf(recipe);
  addPeak(prediction, recipe, *fullest, most, roots);
  addRemedies(prediction, recipe, *fullest, roots);
}

} // namespace gaudi::prediction
