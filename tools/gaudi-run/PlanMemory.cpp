// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs of the device memory, and what would help.
#include "PlanMemory.h"
#include "BucketCurve.h"
#include "Compiler.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/MemoryReport.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "JsonOutput.h"
#include "MemoryText.h"
#include "Outputs.h"
#include "Sizes.h"
#include "Source.h"

#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using analysis::BatchPlan;
using analysis::BudgetPlan;
using analysis::MemoryReport;
using prediction::Prediction;

constexpr size_t mostBuffers = 10;

std::string neededText(const Prediction &prediction) {
  return fmt::format(
      "{} (persistent {}, const {}, workspace {})",
      humanBytes(prediction.memoryNeeded()), humanBytes(prediction.persistent),
      humanBytes(prediction.constants), humanBytes(prediction.workspace));
}

Result<BudgetPlan> planWithBudget(const Options &options, uint64_t budget,
                                  Progress &progress) {
  Options tight = options;
  tight.memoryBudget = budget;
  tight.save.clear();
  tight.remarks = RemarkLevel::None;
  tight.checkNumerics = false;
  progress.step(fmt::format("planning a budget of {}", humanBytes(budget)));
  const FileBytes source = GAUDI_TRY(FileBytes::read(options.file));
  const auto compiler = GAUDI_TRY(Compiler::create(tight, progress));
  GAUDI_TRY(compiler->parse(options.file, source.text()));
  const auto bytes = compiler->compile();
  if (!bytes) {
    BudgetPlan plan;
    plan.budget = budget;
    plan.refusal = compiler->firstError().empty() ? bytes.error().message
                                                  : compiler->firstError();
    return plan;
  }
  const auto file = GAUDI_TRY(
      recipe::RecipeFile::fromBuffer({bytes->data, bytes->size}, options.file));
  const uint32_t entry =
      GAUDI_TRY(predictedEntry(file.recipe(), compiler->entryName(), options));
  return analysis::budgetPlanOf(file, entry, budget);
}

Result<BatchPlan> planBatches(const Options &options, uint64_t limit,
                              Progress &progress) {
  const FileBytes source = GAUDI_TRY(FileBytes::read(options.file));
  Options quiet = options;
  quiet.save.clear();
  quiet.remarks = RemarkLevel::None;
  quiet.checkNumerics = false;
  const auto compiler = GAUDI_TRY(Compiler::create(quiet, progress));
  GAUDI_TRY(compiler->parse(options.file, source.text()));
  return capi::findLargestBatch(
      *compiler, options.batchInput, limit, [&](int64_t size) {
        progress.step(fmt::format("planning a batch of {}", size));
        return compiler->compileBatch(size);
      });
}

/// Fills in what fits, if the file is a model: another batch, and today's with
/// a budget for the workspace. What fails is left out: it is no error of this
/// run.
void addAlternatives(MemoryReport &report, const Options &options,
                     Progress &progress) {
  const auto kind = kindOfFile(options.file);
  if (!kind || *kind != SourceKind::Model)
    return;
  Options single = options;
  single.devices = {options.device.value_or("gaudi2")}; // says nothing
  if (auto batch = planBatches(single, report.limit, progress))
    report.batch = std::move(*batch);
  const uint64_t fixed =
      report.prediction.persistent + report.prediction.constants;
  if (options.memoryBudget == 0 && fixed < report.limit)
    if (auto budget = planWithBudget(single, report.limit - fixed, progress))
      report.budget = std::move(*budget);
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
std::string tableOf(const MemoryReport &report) {
  const Prediction &prediction = report.prediction;
  std::ostringstream out;
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
    else if (const auto devices = analysis::devicesWith(report.needed());
             !devices.empty()) {
      std::vector<std::string> names;
      for (const device::DeviceSpec *device : devices)
        names.push_back(fmt::format("{} has {}", device->name,
                                    humanBytes(device->memory.dramBytes)));
      fmt::print(out, "  another device: {}\n", fmt::join(names, ", "));
    }
  }
  std::string text = out.str();
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

class Planner {
public:
  Planner(const Options &options, Progress &progress)
      : options(options), progress(progress) {}

  Exit failureCode = Exit::BadInput;

  Result<Exit> plan() {
    const SourceKind kind = GAUDI_TRY(kindOfFile(options.file));
    MemoryReport report =
        GAUDI_TRY(kind == SourceKind::Model ? planModel() : planRecipe());
    if (!report.buckets && !report.fits())
      addAlternatives(report, options, progress);
    progress.step("");
    if (options.report == ReportForm::Json) {
      Json json = {{"model", options.file}};
      json.update(toJson(report));
      printJsonObject("memory", json);
    } else {
      printText(report);
    }
    if (report.fits())
      return Exit::Ok;
    failureCode = Exit::RunError;
    if (!report.buckets)
      return fail("out of device memory: the recipe needs {} but the device "
                  "has {}",
                  neededText(report.prediction), humanBytes(report.limit));
    return fail("out of device memory: the {} need {} but the device has {}; "
                "{} fit",
                countOf(report.buckets->buckets.size(), "bucket"),
                humanBytes(report.needed()), humanBytes(report.limit),
                report.buckets->largestFit(report.limit).size());
  }

  Result<Exit> findBatch() {
    if (GAUDI_TRY(kindOfFile(options.file)) != SourceKind::Model)
      return fail("--find-max-batch needs the model, but {} is a recipe, which "
                  "is compiled already",
                  inQuotes(options.file));
    const auto spec = GAUDI_TRY(
        device::DeviceSpec::lookup(options.device.value_or("gaudi2")));
    const uint64_t limit =
        options.deviceMemory ? options.deviceMemory : spec->memory.dramBytes;
    failureCode = Exit::CompileError;
    const BatchPlan batch = GAUDI_TRY(planBatches(options, limit, progress));
    progress.step("");
    if (options.report == ReportForm::Json)
      printJsonObject("memory", {{"model", options.file},
                                 {"device", spec->name},
                                 {"batch", toJson(batch, limit)}});
    else
      printBatch(batch, limit, spec->name);
    if (batch.largest)
      return Exit::Ok;
    failureCode = Exit::RunError;
    return fail("no batch fits into {}: {} needs {}", humanBytes(limit),
                batch.planned.begin()->first,
                humanBytes(batch.planned.begin()->second));
  }

private:
  void printText(const MemoryReport &report) const {
    fmt::print(std::cout, "model {}, entry {}\nplanned for {}: {} of {}: {}\n",
               inQuotes(options.file), inQuotes(report.entry),
               report.device->name,
               report.buckets ? humanBytes(report.needed())
                              : neededText(report.prediction),
               humanBytes(report.limit),
               report.fits() ? "fits"
                             : fmt::format("does not fit by {}",
                                           humanBytes(report.missing())));
    if (report.buckets)
      printBuckets(std::cout, *report.buckets, report.limit);
    else
      fmt::print(std::cout, "{}\n", tableOf(report));
  }

  Result<MemoryReport> planFile(const recipe::RecipeFile &file,
                                const std::string &name) {
    const uint32_t entry =
        GAUDI_TRY(analysis::chooseEntry(file.recipe(), name, options.file));
    if (!file->entries()->Get(entry)->dispatch() || !options.sizes.empty())
      return analysis::planMemory(
          file, GAUDI_TRY(predictedEntry(file.recipe(), name, options)),
          nullptr, options.deviceMemory);
    std::optional<shapes::Histogram> histogram;
    if (!options.bucketHistogram.empty())
      histogram = GAUDI_TRY(shapes::readHistogram(options.bucketHistogram));
    return analysis::planMemory(file, entry, histogram ? &*histogram : nullptr,
                                options.deviceMemory);
  }

  Result<MemoryReport> planRecipe() {
    GAUDI_TRY(refuseModelOptions(options, /*readsHistogram=*/true));
    recipe::OpenOptions open;
    open.verifyConstants = false; // no byte of them is used
    const auto file = GAUDI_TRY(openRecipe(options.file, open));
    const std::string_view target = recipe::text(file->target());
    if (options.device && *options.device != target)
      return fail("{} was compiled for {}, not for {}; compile the model for "
                  "that device",
                  inQuotes(options.file), target, *options.device);
    GAUDI_TRY(checkHistogram(file.recipe(), options));
    return planFile(file, options.entry);
  }

  Result<MemoryReport> planModel() {
    const FileBytes source = GAUDI_TRY(FileBytes::read(options.file));
    if (!options.save.empty() && sameFile(options.save, options.file))
      return fail("--save-recipe: {} would replace the model",
                  inQuotes(options.save));
    progress.step(fmt::format("compiling {}", inQuotes(options.file)));
    failureCode = Exit::CompileError;
    const auto compiler = GAUDI_TRY(Compiler::create(options, progress));
    GAUDI_TRY(compiler->parse(options.file, source.text()));
    const GaudiBytes bytes = GAUDI_TRY(compiler->compile());
    failureCode = Exit::BadInput;
    if (!options.save.empty())
      GAUDI_TRY(writeFile(options.save, bytes.data, bytes.size));
    const auto file = GAUDI_TRY(
        recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}, options.file));
    GAUDI_TRY(reportBucketPlan(compiler->bucketPlan(), options));
    MemoryReport report = GAUDI_TRY(planFile(file, compiler->entryName()));
    if (report.buckets) {
      auto model = analysis::compileModel(compiler->compileTimes());
      if (model.own.size() == report.buckets->buckets.size())
        report.buckets->compile = std::move(model);
    }
    return report;
  }

  void printBatch(const BatchPlan &batch, uint64_t limit,
                  std::string_view device) const {
    fmt::print(std::cout, "model {}, a batch of {}\n", inQuotes(options.file),
               batch.size);
    constexpr size_t most = 8;
    for (size_t i = 0; i < std::min(most, batch.inputs.size()); ++i)
      fmt::print(std::cout, "  input {} {} grows with it\n",
                 inQuotes(batch.inputs[i].name), batch.inputs[i].type);
    if (batch.inputs.size() > most)
      fmt::print(std::cout, "  and {} more\n", batch.inputs.size() - most);
    fmt::print(std::cout, "planned for {} ({}): {}\n", device,
               humanBytes(limit),
               countOf(batch.planned.size(), "batch", "batches"));
    for (const auto &[size, bytes] : batch.planned)
      fmt::print(std::cout, "  {:>10}  {:>10}  {:>14} B{}\n", size,
                 humanBytes(bytes), bytes,
                 bytes <= limit ? "" : "  does not fit");
    if (batch.largest)
      fmt::print(std::cout, "largest batch that fits: {}\n", *batch.largest);
    if (!batch.refusal.empty())
      fmt::print(std::cout, "the next one does not compile: {}\n",
                 printable(batch.refusal));
  }

  const Options &options;
  Progress &progress;
};

Ending endingOf(const Planner &planner, Result<Exit> code) {
  if (!code)
    return {planner.failureCode, code.error().message};
  return {*code, ""};
}

} // namespace

Ending planMemory(const Options &options, Progress &progress) {
  Planner planner(options, progress);
  return endingOf(planner, planner.plan());
}

Ending findMaxBatch(const Options &options, Progress &progress) {
  Planner planner(options, progress);
  return endingOf(planner, planner.findBatch());
}

/// The error of a recipe that does not fit.
static std::string outOfMemory(const MemoryReport &report) {
  // Lines after the first one of an error are indented.
  std::string table;
  for (char c : tableOf(report))
    table += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return fmt::format("out of device memory: the recipe needs {} but the device "
                     "has {}\n  {}",
                     neededText(report.prediction), humanBytes(report.limit),
                     table);
}

Status explainMemory(const recipe::RecipeFile &file, const std::string &name,
                     const Options &options, Progress &progress) {
  const uint32_t entry =
      GAUDI_TRY(predictedEntry(file.recipe(), name, options));
  MemoryReport report = GAUDI_TRY(
      analysis::planMemory(file, entry, nullptr, options.deviceMemory));
  if (const uint64_t host = runtime::availableHostMemory();
      host && !options.deviceMemory)
    report.limit = std::min(report.limit, host);
  if (report.fits())
    return {};
  addAlternatives(report, options, progress);
  progress.step("");
  return fail(outOfMemory(report));
}

} // namespace gaudi::run
