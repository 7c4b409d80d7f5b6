// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory as text: what fills it, what aliases saved, what would help, and what
// buckets need.
#include "Gaudi/Analysis/MemoryText.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <numeric>
#include <sstream>

namespace gaudi::analysis {
namespace {

using prediction::MemoryPlan;
using prediction::Prediction;

std::string placeText(std::string_view location) {
  return location.empty() ? "" : fmt::format(" at {}", printable(location));
}

std::string commandText(const Prediction &prediction, uint32_t index) {
  const prediction::Command &command = prediction.commands[index];
  return fmt::format("#{} {}{}", index, printable(command.name),
                     placeText(command.location));
}

void printPeak(std::ostream &out, const Prediction &prediction, size_t limit) {
  const prediction::PeakMoment &peak = prediction.peak;
  if (!peak.exists)
    return;
  fmt::print(out, "largest buffers alive at the peak: {} of workspace at {}\n",
             humanBytes(peak.live), commandText(prediction, peak.command));
  // Weights hide what the launch itself needs: half of the lines are for it.
  size_t left[2] = {limit / 2, limit - limit / 2}, rest = 0;
  uint64_t restBytes = 0;
  for (const prediction::LiveBuffer &buffer : peak.buffers) {
    if (size_t &lines = left[buffer.kind == "workspace"]; lines == 0) {
      ++rest;
      restBytes += buffer.bytes;
      continue;
    } else {
      --lines;
    }
    fmt::print(
        out, "  {:>8}  {} {}{}{}{}\n", humanBytes(buffer.bytes), buffer.kind,
        buffer.name.empty() ? "" : inQuotes(buffer.name) + " ", buffer.type,
        buffer.op.empty() ? "" : " of " + printable(buffer.op),
        placeText(buffer.location));
  }
  if (rest)
    fmt::print(out, "  {:>8}  in {} more\n", humanBytes(restBytes), rest);
}

void printPlan(std::ostream &out, const MemoryPlan &plan) {
  const std::string line = plan.peaks.line();
  fmt::print(out, "memory plan of {}{}{}\n", inQuotes(plan.entry),
             line.empty() ? "" : ": ", line);
  for (unsigned k = 0; k < memoryKindCount; ++k)
    if (plan.sums[k].count)
      fmt::print(out, "  {}\n", plan.sums[k].line(MemoryKind(k)));
  constexpr size_t most = 5;
  for (const MemoryPlan::Entry *entry : plan.largest(MemoryKind::Copy, most)) {
    fmt::print(out, "  copy of {} in {}: {}{}\n",
               humanBytes(uint64_t(std::max<int64_t>(entry->bytes, 0))),
               timing::timeText(entry->picoseconds), printable(entry->name),
               placeText(entry->location));
    std::string why;
    if (!entry->reader.empty())
      why = fmt::format("{}{}", printable(entry->reader),
                        placeText(entry->readerLocation));
    for (const auto &[text, separator] :
         {std::pair(&entry->reason, " "), std::pair(&entry->remedy, "; ")})
      if (!text->empty())
        why += (why.empty() ? "" : separator) + printable(*text);
    if (!why.empty())
      fmt::print(out, "    {}\n", why);
  }
  for (const MemoryPlan::Entry *entry :
       plan.largest(MemoryKind::Recompute, most))
    fmt::print(out, "  runs again: {}{}, frees {} in {}\n",
               printable(entry->name), placeText(entry->location),
               humanBytes(uint64_t(std::max<int64_t>(entry->bytes, 0))),
               timing::timeText(entry->picoseconds));
}

void printRemedies(std::ostream &out, const Prediction &prediction) {
  if (prediction.remedies.empty())
    return;
  fmt::print(out, "what would lower the peak of the workspace\n");
  for (const prediction::Remedy &remedy : prediction.remedies)
    fmt::print(out, "  {}: {} live instead of {}{}\n", printable(remedy.text),
               humanBytes(remedy.peak), humanBytes(prediction.peak.live),
               remedy.cost
                   ? fmt::format(", costs {}", timing::timeText(remedy.cost))
                   : "");
}

std::string secondsText(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3)
                     : fmt::format("{:.3g} s", seconds);
}

/// What it takes to compile all buckets, and those that fit.
void printCompile(std::ostream &out, const BucketSet &set,
                  const std::vector<uint32_t> &kept) {
  const CompileModel &model = *set.compile;
  fmt::print(
      out,
      "predicted compile time, on {} of this host: {} for all buckets, "
      "of it {} once (choice of buckets {}, kernels and order {}){}\n",
      countOf(model.threads, "thread"), secondsText(model.of(set.all())),
      secondsText(model.shared()), secondsText(model.plan),
      secondsText(model.structure),
      kept.size() < set.buckets.size()
          ? fmt::format("; {} for those that fit", secondsText(model.of(kept)))
          : "");
  fmt::print(out,
             "  a linear model of what this compilation has measured: what is "
             "done once, and what each bucket takes, which is {}\n",
             model.areDerived ? "derived from few of them"
                              : "compiled from the source");
}

/// A table of the buckets, and which fit into `limit`.
void printBuckets(std::ostream &out, const BucketSet &set, uint64_t limit) {
  const std::vector<uint32_t> kept = set.largestFit(limit);
  fmt::print(out, "{} of {}\n", countOf(set.buckets.size(), "bucket"),
             fmt::join(set.symbols, ", "));
  fmt::print(out, "  {:>20}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}{}{}\n",
             "sizes", "tensors", "workspace", "recipe", "programs", "time",
             set.compile ? "     compile" : "",
             set.observed ? "    launches" : "");
  uint64_t recipeBytes = 0;
  for (uint32_t number = 0; number < set.buckets.size(); ++number) {
    const BucketNeeds &bucket = set.buckets[number];
    recipeBytes += bucket.recipe;
    const uint64_t tensors = std::accumulate(bucket.tensors.begin(),
                                             bucket.tensors.end(), uint64_t(0));
    fmt::print(out, "  {:>20}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}{}{}{}\n",
               fmt::format("{}", fmt::join(bucket.sizes, " x ")),
               humanBytes(tensors), humanBytes(bucket.workspace),
               humanBytes(bucket.recipe), humanBytes(bucket.program),
               bucket.picoseconds < 0
                   ? "?"
                   : timing::timeText(timing::Picoseconds(bucket.picoseconds)),
               set.compile ? fmt::format("  {:>10}",
                                         secondsText(set.compile->own[number]))
                           : "",
               set.observed ? fmt::format("  {:>8.1f} %",
                                          100.0 * double(bucket.launches) /
                                              double(set.observed))
                            : "",
               std::binary_search(kept.begin(), kept.end(), number)
                   ? ""
                   : "  does not fit");
  }
  fmt::print(out,
             "shared by all: constants {}, inputs and outputs, the workspace "
             "of the largest, {} of {}\nrecipe: {} of the host beside the "
             "constants\n",
             humanBytes(set.constants), countOf(set.kernels, "kernel"),
             humanBytes(set.program), humanBytes(recipeBytes));
  if (set.compile)
    printCompile(out, set, kept);
  if (set.missed)
    fmt::print(out, "no bucket for {} of the histogram{}\n",
               countOf(set.missed, "launch", "launches"),
               set.refused
                   ? fmt::format("; the model does not take the sizes of {}",
                                 set.refused)
                   : "");
  if (kept.size() < set.buckets.size())
    fmt::print(out, "largest set that fits into {}: {}, which need {}\n",
               humanBytes(limit), countOf(kept.size(), "bucket"),
               humanBytes(set.needed(kept)));
  if (!set.observed)
    return;
  constexpr size_t most = 3;
  fmt::print(out, "to drop first, by the histogram:\n");
  for (size_t i = 0; i < std::min(most, set.drops.size()); ++i) {
    const shapes::Drop &drop = set.drops[i];
    const BucketNeeds &bucket = set.buckets[drop.bucket];
    fmt::print(out, "  {}: {}{}, frees {} of the recipe\n",
               shapes::describeSizes(set.symbols, bucket.sizes),
               countOf(bucket.launches, "launch", "launches"),
               drop.misses > set.missed
                   ? fmt::format(", {} without a bucket then", drop.misses)
                   : "",
               humanBytes(bucket.recipe));
  }
}

std::string neededText(const Prediction &prediction) {
  return fmt::format(
      "{} (persistent {}, const {}, workspace {})",
      humanBytes(prediction.memoryNeeded()), humanBytes(prediction.persistent),
      humanBytes(prediction.constants), humanBytes(prediction.workspace));
}

std::string batchText(const BatchPlan &batch) {
  if (!batch.largest)
    return fmt::format("no batch of {} fits",
                       batch.step == 1 ? std::string("any size")
                                       : fmt::format("{} or more", batch.step));
  return fmt::format("a batch of {} instead of {} needs {}", *batch.largest,
                     batch.size, humanBytes(batch.planned.at(*batch.largest)));
}

std::string budgetText(const BudgetPlan &plan, const Prediction &today) {
  if (plan.needed == 0)
    return fmt::format("--memory-budget={} does not hold: {}", plan.budget,
                       printable(plan.refusal));
  return fmt::format(
      "--memory-budget={}: needs {}; {} again, a launch takes {} instead of {}",
      plan.budget, humanBytes(plan.needed),
      plan.recomputed == 1 ? std::string("1 op runs")
                           : fmt::format("{} ops run", plan.recomputed),
      timing::timeText(plan.time), timing::timeText(today.time()));
}

/// What fills the memory and what would help.
void printTable(std::ostream &out, const MemoryReport &report) {
  const Prediction &prediction = report.prediction;
  constexpr size_t mostBuffers = 10;
  printMemoryPlan(out, prediction, mostBuffers);
  if (const uint64_t missing = report.missing()) {
    fmt::print(out, "what would help: {} are missing\n", humanBytes(missing));
    for (const prediction::Remedy &remedy : prediction.remedies)
      if (remedy.saved >= missing)
        fmt::print(out, "  {}: frees {}, enough\n",
                   remedy.kind == prediction::Remedy::Kind::Recompute
                       ? "running ops again"
                       : "computing in two parts",
                   humanBytes(remedy.saved));
    if (report.budget)
      fmt::print(out, "  {}\n", budgetText(*report.budget, prediction));
    if (report.batch)
      fmt::print(out, "  {}\n", batchText(*report.batch));
    if (prediction.fits())
      fmt::print(out, "  all memory of the card: {} has {}\n",
                 prediction.device->name, humanBytes(prediction.capacity));
    else if (const auto devices = devicesWith(report.needed());
             !devices.empty()) {
      std::vector<std::string> names;
      for (const device::DeviceSpec *device : devices)
        names.push_back(fmt::format("{} has {}", device->name,
                                    humanBytes(device->memory.dramBytes)));
      fmt::print(out, "  another device: {}\n", fmt::join(names, ", "));
    }
  }
}

} // namespace

void printMemoryPlan(std::ostream &out, const Prediction &prediction,
                     size_t buffers) {
  printPeak(out, prediction, buffers);
  for (const MemoryPlan &plan : prediction.plans)
    printPlan(out, plan);
  printRemedies(out, prediction);
}

void printMemory(std::ostream &out, const MemoryReport &report) {
  fmt::print(out, "planned for {}: {} of {}: {}\n", report.device->name,
             report.buckets ? humanBytes(report.needed())
                            : neededText(report.prediction),
             humanBytes(report.limit),
             report.fits() ? "fits"
                           : fmt::format("does not fit by {}",
                                         humanBytes(report.missing())));
  if (report.buckets)
    printBuckets(out, *report.buckets, report.limit);
  else
    printTable(out, report);
}

std::string outOfMemory(const MemoryReport &report, bool details) {
  if (report.buckets)
    return fmt::format(
        "out of device memory: the {} need {} but the device has {}; {} fit",
        countOf(report.buckets->buckets.size(), "bucket"),
        humanBytes(report.needed()), humanBytes(report.limit),
        report.buckets->largestFit(report.limit).size());
  std::string text = fmt::format(
      "out of device memory: the recipe needs {} but the device has {}",
      neededText(report.prediction), humanBytes(report.limit));
  if (!details)
    return text;
  // Lines after the first one of an error are indented.
  std::stringstream table;
  printTable(table, report);
  for (std::string line; std::getline(table, line);)
    text += "\n  " + line;
  return text;
}

} // namespace gaudi::analysis
