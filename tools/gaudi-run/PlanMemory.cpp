// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch needs of the device memory, and what would help.
#include "PlanMemory.h"
#include "BatchSearch.h"
#include "BucketCurve.h"
#include "BucketMemory.h"
#include "Compiler.h"
#include "Entry.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Prediction/Json.h"
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
using prediction::Prediction;

constexpr size_t mostBuffers = 10;

void printJson(const Json &json) { printJsonObject("memory", json); }

std::string neededText(const Prediction &prediction) {
  return fmt::format(
      "{} (persistent {}, const {}, workspace {})",
      humanBytes(prediction.memoryNeeded()), humanBytes(prediction.persistent),
      humanBytes(prediction.constants), humanBytes(prediction.workspace));
}

/// The model, compiled with what a limit leaves to the workspace as its
/// --memory-budget.
struct BudgetPlan {
  uint64_t budget = 0;
  uint64_t needed = 0; ///< in all; 0: no order and no recomputing keeps to it
  uint32_t recomputed = 0;      ///< ops that run again
  timing::Picoseconds time = 0; ///< of a launch
  std::string refusal;          ///< of the compiler, if needed is 0
};

/// Plans of a model that would need less; none of a recipe.
struct Alternatives {
  std::optional<BatchPlan> batch;
  std::optional<BudgetPlan> budget;
};

Result<BudgetPlan> planWithBudget(const Options &options, uint64_t budget,
                                  Progress &progress) {
  BudgetPlan plan;
  plan.budget = budget;
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
    plan.refusal = compiler->firstError().empty() ? bytes.error().message
                                                  : compiler->firstError();
    return plan;
  }
  const auto file = GAUDI_TRY(
      recipe::RecipeFile::fromBuffer({bytes->data, bytes->size}, options.file));
  const uint32_t entry =
      GAUDI_TRY(predictedEntry(file.recipe(), compiler->entryName(), options));
  const Prediction prediction = GAUDI_TRY(prediction::predict(file, entry));
  plan.needed = prediction.memoryNeeded();
  plan.time = prediction.time();
  for (const prediction::MemoryPlan &each : prediction.plans)
    plan.recomputed += each.sums[size_t(MemoryKind::Recompute)].count;
  return plan;
}

/// What fits, if the file is a model: another batch, and today's with a budget
/// for the workspace. What fails is left out: it is no error of this run.
Alternatives alternativesOf(const Options &options,
                            const Prediction &prediction, uint64_t limit,
                            Progress &progress) {
  Alternatives found;
  const auto kind = kindOfFile(options.file);
  if (!kind || *kind != SourceKind::Model)
    return found;
  Options single = options;
  single.devices = {options.device.value_or("gaudi2")}; // says nothing
  if (auto batch = findLargestBatch(single, limit, 0, progress))
    found.batch = std::move(*batch);
  const uint64_t fixed = prediction.persistent + prediction.constants;
  if (options.memoryBudget == 0 && fixed < limit)
    if (auto budget = planWithBudget(single, limit - fixed, progress))
      found.budget = std::move(*budget);
  return found;
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

/// Devices whose memory is enough.
std::string largerDevices(const Prediction &prediction) {
  std::string names;
  for (const char *name : {"gaudi", "gaudi2", "gaudi3"})
    if (const auto spec = device::DeviceSpec::lookup(name);
        spec && (*spec)->memory.dramBytes >= prediction.memoryNeeded())
      names += fmt::format("{}{} has {}", names.empty() ? "" : ", ", name,
                           humanBytes((*spec)->memory.dramBytes));
  return names;
}

/// What fills the memory and what would help.
std::string tableOf(const Prediction &prediction, uint64_t limit,
                    const Alternatives &alternatives) {
  std::ostringstream out;
  printMemoryPlan(out, prediction, mostBuffers);
  if (prediction.memoryNeeded() > limit) {
    const uint64_t missing = prediction.memoryNeeded() - limit;
    fmt::print(out, "what would help: {} are missing\n", humanBytes(missing));
    for (const prediction::Remedy &remedy : prediction.remedies)
      if (remedy.saved >= missing)
        fmt::print(out, "  {}: frees {}, enough\n",
                   remedy.kind == prediction::Remedy::Kind::Recompute
                       ? "running ops again"
                       : "computing in two parts",
                   humanBytes(remedy.saved));
    if (alternatives.budget)
      fmt::print(out, "  {}\n", budgetText(*alternatives.budget, prediction));
    if (alternatives.batch)
      fmt::print(out, "  {}\n", batchText(*alternatives.batch));
    if (prediction.fits())
      fmt::print(out, "  all memory of the card: {} has {}\n",
                 prediction.device->name, humanBytes(prediction.capacity));
    else if (const std::string devices = largerDevices(prediction);
             !devices.empty())
      fmt::print(out, "  another device: {}\n", devices);
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
    const Prediction prediction =
        GAUDI_TRY(kind == SourceKind::Model ? predictModel() : predictRecipe());
    const uint64_t limit = limitOf(prediction.capacity);
    if (buckets)
      return planBuckets(prediction.device->name, limit);
    const bool fits = prediction.memoryNeeded() <= limit;
    Alternatives alternatives;
    if (!fits)
      alternatives = alternativesOf(options, prediction, limit, progress);
    progress.step("");
    if (options.report == ReportForm::Json) {
      Json json = {{"model", options.file},
                   {"device", prediction.device->name},
                   {"entry", prediction.entry},
                   {"memory", prediction::summaryOf(prediction)["memory"]}};
      json["memory"]["limit"] = limit;
      json["memory"]["fits"] = fits;
      json["memory"].update(prediction::blameOf(prediction, 1000));
      if (alternatives.batch)
        json["batch"] = batchJson(*alternatives.batch, limit);
      if (alternatives.budget)
        json["budget"] = budgetJson(*alternatives.budget, limit);
      printJson(json);
    } else {
      fmt::print(
          std::cout, "model {}, entry {}\nplanned for {}: {} of {}: {}\n",
          inQuotes(options.file), inQuotes(prediction.entry),
          prediction.device->name, neededText(prediction), humanBytes(limit),
          fits ? "fits"
               : fmt::format("does not fit by {}",
                             humanBytes(prediction.memoryNeeded() - limit)));
      fmt::print(std::cout, "{}\n", tableOf(prediction, limit, alternatives));
    }
    if (fits)
      return Exit::Ok;
    failureCode = Exit::RunError;
    return fail("out of device memory: the recipe needs {} but the device has "
                "{}",
                neededText(prediction), humanBytes(limit));
  }

  Result<Exit> findBatch() {
    if (GAUDI_TRY(kindOfFile(options.file)) != SourceKind::Model)
      return fail("--find-max-batch needs the model, but {} is a recipe, which "
                  "is compiled already",
                  inQuotes(options.file));
    const auto spec = GAUDI_TRY(
        device::DeviceSpec::lookup(options.device.value_or("gaudi2")));
    const uint64_t limit = limitOf(spec->memory.dramBytes);
    failureCode = Exit::CompileError;
    const BatchPlan batch =
        GAUDI_TRY(findLargestBatch(options, limit, 0, progress));
    progress.step("");
    if (options.report == ReportForm::Json)
      printJson({{"model", options.file},
                 {"device", spec->name},
                 {"batch", batchJson(batch, limit)}});
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
  uint64_t limitOf(uint64_t capacity) const {
    return options.deviceMemory ? options.deviceMemory : capacity;
  }

  Result<Prediction> predictFile(const recipe::RecipeFile &file,
                                 const std::string &name) {
    const uint32_t entry =
        GAUDI_TRY(chooseEntry(file.recipe(), name, options.file));
    if (!file->entries()->Get(entry)->dispatch() || !options.sizes.empty())
      return prediction::predict(
          file, GAUDI_TRY(predictedEntry(file.recipe(), name, options)));
    std::optional<shapes::Histogram> histogram;
    if (!options.bucketHistogram.empty())
      histogram = GAUDI_TRY(shapes::readHistogram(options.bucketHistogram));
    buckets = GAUDI_TRY(
        bucketsOf(file.recipe(), entry, histogram ? &*histogram : nullptr));
    Prediction card; // of no launch: each takes a bucket of its own
    card.device =
        GAUDI_TRY(device::DeviceSpec::lookup(recipe::text(file->target())));
    card.capacity = card.device->memory.dramBytes;
    return card;
  }

  Result<Exit> planBuckets(std::string_view device, uint64_t limit) {
    progress.step("");
    const uint64_t needed = buckets->needed();
    if (options.report == ReportForm::Json) {
      printJson({{"model", options.file},
                 {"device", device},
                 {"entry", buckets->entry},
                 {"memory", bucketsJson(*buckets, limit)}});
    } else {
      fmt::print(std::cout,
                 "model {}, entry {}\nplanned for {}: {} of {}: {}\n",
                 inQuotes(options.file), inQuotes(buckets->entry), device,
                 humanBytes(needed), humanBytes(limit),
                 needed <= limit ? "fits"
                                 : fmt::format("does not fit by {}",
                                               humanBytes(needed - limit)));
      printBuckets(std::cout, *buckets, limit);
    }
    if (needed <= limit)
      return Exit::Ok;
    failureCode = Exit::RunError;
    return fail("out of device memory: the {} need {} but the device has {}; "
                "{} fit",
                countOf(buckets->buckets.size(), "bucket"), humanBytes(needed),
                humanBytes(limit), buckets->largestFit(limit).size());
  }

  Result<Prediction> predictRecipe() {
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
    return predictFile(file, options.entry);
  }

  Result<Prediction> predictModel() {
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
    auto prediction = predictFile(file, compiler->entryName());
    if (prediction && buckets) {
      CompileModel model = compileModel(compiler->compileTimes());
      if (model.own.size() == buckets->buckets.size())
        buckets->compile = std::move(model);
    }
    return prediction;
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

  static Json batchJson(const BatchPlan &batch, uint64_t limit) {
    Json inputs = Json::array(), planned = Json::array();
    for (const BatchPlan::Input &input : batch.inputs)
      inputs.push_back({{"name", input.name}, {"type", input.type}});
    for (const auto &[size, bytes] : batch.planned)
      planned.push_back({{"batch", size}, {"needed", bytes}});
    Json json = {{"size", batch.size},
                 {"step", batch.step},
                 {"limit", limit},
                 {"largest", batch.largest ? Json(*batch.largest) : Json()},
                 {"inputs", std::move(inputs)},
                 {"planned", std::move(planned)}};
    if (!batch.refusal.empty())
      json["refused"] = batch.refusal;
    return json;
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
  std::optional<BucketSet> buckets; // of an entry with variants
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

/// The error of a recipe that needs more than `limit` bytes of device memory.
static std::string outOfMemory(const Prediction &prediction, uint64_t limit,
                               const Options &options, Progress &progress) {
  const Alternatives alternatives =
      alternativesOf(options, prediction, limit, progress);
  progress.step("");
  // Lines after the first one of an error are indented.
  std::string table;
  for (char c : tableOf(prediction, limit, alternatives))
    table += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return fmt::format("out of device memory: the recipe needs {} but the device "
                     "has {}\n  {}",
                     neededText(prediction), humanBytes(limit), table);
}

Status explainMemory(const recipe::RecipeFile &file, const std::string &name,
                     const Options &options, Progress &progress) {
  const uint32_t entry =
      GAUDI_TRY(predictedEntry(file.recipe(), name, options));
  const auto prediction = GAUDI_TRY(prediction::predict(file, entry));
  uint64_t limit = options.deviceMemory;
  if (limit == 0) {
    limit = prediction.capacity;
    if (const uint64_t host = runtime::availableHostMemory())
      limit = std::min(limit, host);
  }
  return prediction.memoryNeeded() <= limit
             ? Status()
             : fail(outOfMemory(prediction, limit, options, progress));
}

} // namespace gaudi::run
