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
  Predictor(const Options &options, Progress &progress)
      : options(options), progress(progress) {}

  Result<Exit> run() {
    std::vector<OutputFile> files = GAUDI_TRY(openPredictionFiles(options));
    const SourceKind kind = GAUDI_TRY(kindOfFile(options.file));
    GAUDI_TRY(kind == SourceKind::Model ? predictModel() : predictRecipe());
    failureCode = Exit::BadInput;
    Status written = writePredictionFiles(files, options, predictions,
                                          source.modelText(), {});
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

  Exit failureCode = Exit::BadInput;

private:
  Status predictRecipe() {
    if (!options.devices.empty())
      return fail("--devices needs the model, but {} is a recipe, which is "
                  "compiled already",
                  inQuotes(options.file));
    GAUDI_TRY(refuseModelOptions(options, /*readsHistogram=*/true));
    recipe::OpenOptions open;
    open.verifyConstants = false; // no byte of them is used
    Stopwatch watch;
    const auto file = GAUDI_TRY(openRecipe(options.file, open));
    times.read = watch.milliseconds();
    const std::string_view target = recipe::text(file->target());
    if (options.device && *options.device != target)
      return fail("{} was compiled for {}, not for {}; compile the model for "
                  "that device",
                  inQuotes(options.file), target, *options.device);
    GAUDI_TRY(checkHistogram(file.recipe(), options));
    predictions.push_back(GAUDI_TRY(predictEntry(file, options.entry, {}, {})));
    return {};
  }

  Status predictModel() {
    Stopwatch watch;
    source = GAUDI_TRY(FileBytes::read(options.file));
    times.read = watch.milliseconds();
    if (!options.save.empty()) {
      if (sameFile(options.save, options.file))
        return fail("--save-recipe: {} would replace the model",
                    inQuotes(options.save));
      recipeFile = GAUDI_TRY(OutputFile::create(options.save));
    }
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
    failureCode = Exit::CompileError;
    Stopwatch watch;
    const auto compiler = GAUDI_TRY(Compiler::create(single, progress));
    auto compiled = compile(*compiler);
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

  Result<GaudiBytes> compile(Compiler &compiler) {
    GAUDI_TRY(compiler.parse(options.file, source.text()));
    return compiler.compile();
  }

  Result<DevicePrediction>
  predictEntry(const recipe::RecipeFile &file, const std::string &name,
               Remarks remarks, const std::optional<capi::BucketPlan> &plan) {
    progress.step(fmt::format("predicting {}", inQuotes(options.file)));
    return predictOne(file, name, options, std::move(remarks), plan);
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
  FileBytes source;
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

Ending predict(const Options &options, Progress &progress) {
  Predictor predictor(options, progress);
  auto code = predictor.run();
  if (!code)
    return {predictor.failureCode, code.error().message};
  return {*code, ""};
}

} // namespace gaudi::run
