// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles or opens what is to be predicted, for each device.
#include "Predict.h"
#include "BucketCurve.h"
#include "Compiler.h"
#include "Gaudi/Analysis/VariantBuckets.h"
#include "Gaudi/Prediction/Json.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "JsonOutput.h"
#include "Outputs.h"
#include "Sizes.h"
#include "Source.h"

#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

class Predictor {
public:
  Predictor(const Options &options, Progress &progress, Exit &failureCode)
      : options(options), progress(progress), failureCode(failureCode) {}

  Result<Exit> run() {
    std::vector<OutputFile> files = GAUDI_TRY(openPredictionFiles(options));
    const SourceKind kind = GAUDI_TRY(kindOfFile(options.file));
    GAUDI_TRY(kind == SourceKind::Model ? predictModel() : predictRecipe());
    failureCode = Exit::BadInput;
    Status written =
        writePredictionFiles(files, options, predictions, modelText(), {});
    progress.step("");
    for (const DevicePrediction &device : predictions) {
      times.predict += device.predictMilliseconds;
      times.advise += device.adviseMilliseconds;
    }
    if (options.report == ReportForm::Json)
      printJson();
    else
      printPredictions(std::cout, options.file, predictions, times);
    GAUDI_TRY(std::move(saved)); // a full disk does not hide the prediction
    GAUDI_TRY(std::move(written));
    return Exit::Ok;
  }

private:
  Status predictRecipe() {
    if (!options.devices.empty())
      return fail("--devices needs the model, but {} is a recipe, which is "
                  "compiled already",
                  inQuotes(options.file));
    Stopwatch watch;
    const auto file = GAUDI_TRY(openToPlan(options));
    times.read = watch.milliseconds();
    predictions.push_back(GAUDI_TRY(predictEntry(file, options.entry, {}, {})));
    return {};
  }

  Status predictModel() {
    GAUDI_TRY(checkSave(options));
    if (!options.save.empty())
      recipeFile = GAUDI_TRY(OutputFile::create(options.save));
    if (options.devices.empty()) {
      predictions.push_back(GAUDI_TRY(compileAndPredict(options)));
      return {};
    }
    std::string refusals;
    for (const std::string &name : options.devices) {
      Options single = options;
      single.device = name;
      auto result = compileAndPredict(single);
      if (result) {
        predictions.push_back(std::move(*result));
        continue;
      }
      predictions.push_back({name, result.error().message, {}, {}, {}, 0, 0});
      refusals += fmt::format("; {}: {}", name, result.error().message);
    }
    for (const DevicePrediction &prediction : predictions)
      if (prediction.error.empty())
        return {};
    return fail("no device takes {}{}", inQuotes(options.file), refusals);
  }

  Result<DevicePrediction> compileAndPredict(const Options &single) {
    progress.step(fmt::format("compiling {} for {}", inQuotes(options.file),
                              single.device.value_or("gaudi2")));
    Stopwatch watch;
    FileBytes source = GAUDI_TRY(FileBytes::read(options.file));
    times.read += watch.milliseconds();
    failureCode = Exit::CompileError;
    watch = Stopwatch();
    compiler = GAUDI_TRY(Compiler::create(single, progress));
    auto compiled = compile(std::move(source));
    if (!compiled && !options.devices.empty() &&
        !compiler->firstError().empty())
      return fail("{}", compiler->firstError());
    const GaudiBytes bytes = GAUDI_TRY(std::move(compiled));
    times.compile += watch.milliseconds();
    if (recipeFile)
      saved = save(bytes);
    const auto file = GAUDI_TRY(
        recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}, options.file));
    const std::optional<capi::BucketPlan> plan = compiler->bucketPlan();
    failureCode = Exit::BadInput;
    GAUDI_TRY(reportBucketPlan(*plan, single));
    return predictEntry(file, compiler->entryName(), compiler->takeRemarks(),
                        plan);
  }

  Status save(GaudiBytes bytes) {
    GAUDI_TRY(recipeFile->write(bytes.data, bytes.size));
    return recipeFile->commit();
  }

  Result<GaudiBytes> compile(FileBytes source) {
    GAUDI_TRY(compiler->parse(options.file, std::move(source)));
    return compiler->compile();
  }

  Result<DevicePrediction>
  predictEntry(const recipe::RecipeFile &file, const std::string &name,
               Remarks remarks, const std::optional<capi::BucketPlan> &plan) {
    progress.step(fmt::format("predicting {}", inQuotes(options.file)));
    return predictOne(file, name, options, std::move(remarks), plan);
  }

  /// Of what was compiled last.
  std::string_view modelText() const {
    return compiler ? compiler->source().modelText() : std::string_view();
  }

  void printJson() const {
    nlohmann::ordered_json json = {
        {"model", options.file},
        {"host_ms",
         {{"read", times.read},
          {"compile", times.compile},
          {"predict", times.predict},
          {"advise", times.advise}}},
        {"predictions", nlohmann::ordered_json::array()}};
    for (const DevicePrediction &device : predictions)
      if (device.error.empty())
        json["predictions"].push_back(toJson(device.prediction, device.advice));
      else
        json["predictions"].push_back(
            {{"device", device.device}, {"error", device.error}});
    printJsonObject("prediction", json);
  }

  const Options &options;
  Progress &progress;
  Exit &failureCode;
  std::unique_ptr<Compiler> compiler;   // of the last model
  std::optional<OutputFile> recipeFile; // of --save-recipe
  Status saved;                         // whether it could be written
  std::vector<DevicePrediction> predictions;
  PredictTimes times;
};

} // namespace

Result<DevicePrediction>
predictOne(const recipe::RecipeFile &file, const std::string &entry,
           const Options &options, Remarks remarks,
           const std::optional<capi::BucketPlan> &plan) {
  const uint32_t number =
      GAUDI_TRY(predictedEntry(file.recipe(), entry, options));
  DevicePrediction result;
  Stopwatch watch;
  result.prediction = GAUDI_TRY(prediction::predict(file, number));
  auto buckets = GAUDI_TRY(analysis::bucketsOfVariant(file.recipe(), number,
                                                      options.bucketHistogram));
  if (buckets && plan) {
    buckets->curve = plan->curve;
    buckets->isCurveOfTime = plan->isOfTime();
  }
  result.prediction.buckets = std::move(buckets);
  result.predictMilliseconds = watch.milliseconds();
  watch = Stopwatch();
  result.device = result.prediction.device->name;
  result.advice = advise(result.prediction,
                         remarks ? *remarks : std::vector<prediction::Remark>(),
                         [&](const prediction::WorkChange &change) {
                           return prediction::predict(file, number, change);
                         });
  result.adviseMilliseconds = watch.milliseconds();
  result.remarks = std::move(remarks);
  return result;
}

Result<Exit> predict(const Options &options, Progress &progress,
                     Exit &failureCode) {
  return Predictor(options, progress, failureCode).run();
}

} // namespace gaudi::run
