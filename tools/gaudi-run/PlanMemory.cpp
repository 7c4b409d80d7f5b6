// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs of the device memory, and what would help.
#include "PlanMemory.h"
#include "BucketCurve.h"
#include "Compiler.h"
#include "Gaudi/Analysis/BatchPage.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/MemoryText.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "JsonOutput.h"
#include "Outputs.h"
#include "Sizes.h"
#include "Source.h"

#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using analysis::BatchPlan;
using analysis::BudgetPlan;
using analysis::MemoryReport;

/// Of compilations that nobody asked for.
Options silently(Options options) {
  options.save.clear();
  options.remarks = RemarkLevel::None;
  options.checkNumerics = false;
  return options;
}

Result<BudgetPlan> planWithBudget(const Options &options, uint64_t budget,
                                  Progress &progress) {
  Options tight = silently(options);
  tight.memoryBudget = budget;
  progress.step(fmt::format("planning a budget of {}", humanBytes(budget)));
  const auto compiler =
      GAUDI_TRY(Compiler::ofModel(tight, options.file, progress));
  const auto file = compiler->compileRecipe();
  if (!file) {
    BudgetPlan plan;
    plan.budget = budget;
    plan.refusal = compiler->firstError().empty() ? file.error().message
                                                  : compiler->firstError();
    return plan;
  }
  const uint32_t entry =
      GAUDI_TRY(predictedEntry(file->recipe(), compiler->entryName(), options));
  return analysis::budgetPlanOf(*file, entry, budget);
}

/// Chooses the sizes of --sizes for the dimensions that are not the batch.
Status chooseSizes(Compiler &compiler, const Options &options) {
  if (options.sizes.empty())
    return {};
  const std::vector<shapes::Symbol> symbols = compiler.symbols();
  if (symbols.empty())
    return fail("--sizes: {} has no dynamic sizes; remove the option",
                inQuotes(options.file));
  std::vector<std::string> names;
  for (const shapes::Symbol &symbol : symbols)
    names.push_back(symbol.name);
  shapes::Sizes sizes = GAUDI_TRY(givenSizes(names, options.sizes));
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0)
      sizes[i] = symbols[i].max;
    else if (!symbols[i].holds(sizes[i]))
      return fail("--sizes: {} is a size from {}, not {}{}", names[i],
                  symbols[i].boundsText(), sizes[i],
                  boundsAdvice(fmt::format("{} {}", names[i], sizes[i]),
                               symbols, {}, options));
  return compiler.select(sizes);
}

/// `failureCode` is set to that of a failure.
Result<BatchPlan> planBatches(const Options &options, uint64_t limit,
                              Progress &progress, Exit &failureCode) {
  failureCode = Exit::CompileError;
  const auto compiler =
      GAUDI_TRY(Compiler::ofModel(silently(options), options.file, progress));
  failureCode = Exit::BadInput;
  GAUDI_TRY(chooseSizes(*compiler, options));
  failureCode = Exit::CompileError;
  auto plan = capi::planBatches(
      *compiler, options.batchInput, limit,
      options.mode == Mode::BatchSweep ? analysis::BatchSizes::Sweep
                                       : analysis::BatchSizes::Largest,
      [&](int64_t size) {
        progress.step(fmt::format("planning a batch of {}", size));
        return compiler->compileBatch(size);
      });
  // Before anything was planned: the option is wrong, not the model.
  if (!plan && !options.batchInput.empty() &&
      plan.error().message.find("has no input '" + options.batchInput + "'") !=
          std::string::npos) {
    failureCode = Exit::BadInput;
    return fail("--batch-input: {}", plan.error().message);
  }
  return plan;
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
  Exit code; // of no failure of this run
  if (auto batch = planBatches(single, report.limit, progress, code))
    report.batch = std::move(*batch);
  const uint64_t fixed =
      report.prediction.persistent + report.prediction.constants;
  if (options.memoryBudget == 0 && fixed < report.limit)
    if (auto budget = planWithBudget(single, report.limit - fixed, progress))
      report.budget = std::move(*budget);
}

class Planner {
public:
  Planner(const Options &options, Progress &progress, Exit &failureCode)
      : options(options), progress(progress), failureCode(failureCode) {}

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
      fmt::print(std::cout, "model {}, entry {}\n", inQuotes(options.file),
                 inQuotes(report.entry));
      analysis::printMemory(std::cout, report);
    }
    if (report.fits())
      return Exit::Ok;
    failureCode = Exit::RunError;
    return fail(analysis::outOfMemory(report, /*details=*/false));
  }

  Result<Exit> planOthers() {
    const bool sweeps = options.mode == Mode::BatchSweep;
    if (GAUDI_TRY(kindOfFile(options.file)) != SourceKind::Model)
      return fail("{} needs the model, but {} is a recipe, which is compiled "
                  "already; --plan-memory shows its buckets",
                  sweeps ? "--batch-sweep" : "--find-max-batch",
                  inQuotes(options.file));
    const auto spec = GAUDI_TRY(
        device::DeviceSpec::lookup(options.device.value_or("gaudi2")));
    const uint64_t limit =
        options.deviceMemory ? options.deviceMemory : spec->memory.dramBytes;
    std::optional<OutputFile> page; // before the work
    if (!options.html.empty())
      page = GAUDI_TRY(OutputFile::create(options.html));
    const BatchPlan batch =
        GAUDI_TRY(planBatches(options, limit, progress, failureCode));
    progress.step("");
    failureCode = Exit::BadInput;
    if (page) {
      GAUDI_TRY(analysis::writeBatchPage(
          *page, {options.file, std::string(spec->name), batch, limit}));
      GAUDI_TRY(page->commit());
    }
    if (options.report == ReportForm::Json)
      printJsonObject("memory", {{"model", options.file},
                                 {"device", spec->name},
                                 {"batch", toJson(batch, limit)}});
    else
      printBatch(batch, limit, spec->name, sweeps);
    if (batch.largest)
      return Exit::Ok;
    failureCode = Exit::RunError;
    return fail("no batch fits into {}: {} needs {}; --plan-memory says what "
                "fills it",
                humanBytes(limit), batch.planned.begin()->first,
                humanBytes(batch.planned.begin()->second));
  }

private:
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
    return planFile(GAUDI_TRY(openToPlan(options)), options.entry);
  }

  Result<MemoryReport> planModel() {
    GAUDI_TRY(checkSave(options));
    progress.step(fmt::format("compiling {}", inQuotes(options.file)));
    failureCode = Exit::CompileError;
    const auto compiler =
        GAUDI_TRY(Compiler::ofModel(options, options.file, progress));
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

  static std::string microseconds(double value) {
    return timing::timeText(timing::Picoseconds(value * 1e6));
  }

  /// Memory, time and time per sample of each batch that has one.
  static void printSweep(const BatchPlan &batch, uint64_t limit) {
    fmt::print(std::cout, "  {:>10}  {:>10}  {:>10}  {:>10}\n", "batch",
               "memory", "launch", "per sample");
    for (const auto &[size, time] : batch.times)
      if (const uint64_t bytes = batch.planned.at(size); bytes <= limit)
        fmt::print(std::cout, "  {:>10}  {:>10}  {:>10}  {:>10}\n", size,
                   humanBytes(bytes), microseconds(time),
                   microseconds(time / double(size)));
    const auto best = batch.fastest(limit);
    if (!best)
      return;
    const auto perSample = [&](int64_t size) {
      return batch.times.at(size) / double(size);
    };
    fmt::print(std::cout, "least time per sample: a batch of {}, {}\n", *best,
               microseconds(perSample(*best)));
    for (const auto &[size, time] : batch.times)
      if (size < *best && perSample(size) <= 1.05 * perSample(*best)) {
        fmt::print(std::cout, "a batch of {} is within 5 % of it\n", size);
        break;
      }
  }

  void printBatch(const BatchPlan &batch, uint64_t limit,
                  std::string_view device, bool sweeps) const {
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
    if (sweeps)
      printSweep(batch, limit);
    else
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
  Exit &failureCode;
};

} // namespace

Result<Exit> planMemory(const Options &options, Progress &progress,
                        Exit &failureCode) {
  return Planner(options, progress, failureCode).plan();
}

Result<Exit> planOtherBatches(const Options &options, Progress &progress,
                              Exit &failureCode) {
  return Planner(options, progress, failureCode).planOthers();
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
  std::string text = analysis::outOfMemory(report, /*details=*/true);
  if (options.deviceMemory)
    text = "--device-memory: " + text;
  return fail(text);
}

} // namespace gaudi::run
