// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles or opens what is to be predicted, for each device.
#include "Predict.h"
#include "BucketCurve.h"
#include "Compiler.h"
#include "Gaudi/Analysis/VariantBuckets.h"
#include "Gaudi/Prediction/Compare.h"
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

using Json = nlohmann::ordered_json;

class Predictor {
public:
  Predictor(const Options &options, Progress &progress, Exit &failureCode)
      : options(options), progress(progress), failureCode(failureCode) {}

  Result<Exit> run() {
    if (!options.compareWith.empty())
      before = GAUDI_TRY(readEarlier(options.compareWith));
    if (before && GAUDI_TRY(isPrediction(options.file)))
      return compareFiles();
    std::vector<OutputFile> files = GAUDI_TRY(openPredictionFiles(options));
    const SourceKind kind = GAUDI_TRY(kindOfFile(options.file));
    GAUDI_TRY(kind == SourceKind::Model ? predictModel() : predictRecipe());
    failureCode = Exit::BadInput;
    if (before)
      comparison = GAUDI_TRY(compareAll(predictionsJson()));
    Status written = writePredictionFiles(
        files, options, predictions, modelText(), {},
        {{}, comparison.is_null() ? "" : comparison.dump()});
    progress.step("");
    for (const DevicePrediction &device : predictions) {
      times.predict += device.predictMilliseconds;
      times.advise += device.adviseMilliseconds;
    }
    if (options.report == ReportForm::Json)
      printJson();
    else
      printText();
    GAUDI_TRY(std::move(saved)); // a full disk does not hide the prediction
    GAUDI_TRY(std::move(written));
    return Exit::Ok;
  }

private:
  Status predictRecipe() {
    if (!options.devices.empty())
      return fail("--devices needs the model, but {} is a recipe, which is "
                  "compiled already; name the model's file instead",
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
      predictions.push_back(
          {name, result.error().message, {}, {}, {}, {}, 0, 0});
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
    DevicePrediction made =
        GAUDI_TRY(predictOne(file, name, options, std::move(remarks), plan));
    if (compiler)
      made.passes = compiler->passes();
    return made;
  }

  /// Of what was compiled last.
  std::string_view modelText() const {
    return compiler ? compiler->source().modelText() : std::string_view();
  }

  static Result<Json> readEarlier(const std::string &path) {
    const FileBytes bytes = GAUDI_TRY(FileBytes::read(path));
    return prediction::readPredictions(bytes.text(), path);
  }

  /// Whether a file is a page or JSON, not something to predict.
  static Result<bool> isPrediction(const std::string &path) {
    const FileBytes bytes = GAUDI_TRY(FileBytes::read(path));
    const std::string_view text = bytes.text();
    return prediction::looksLikePrediction(text);
  }

  /// Compares two files that were written before.
  Result<Exit> compareFiles() {
    if (wantsPredictionFiles(options))
      return fail("{} is a prediction already, of which {} cannot be made; "
                  "name the model or the recipe instead",
                  inQuotes(options.file),
                  options.html.empty() ? "--trace" : "--html");
    comparison = GAUDI_TRY(compareAll(GAUDI_TRY(readEarlier(options.file))));
    if (options.report == ReportForm::Json)
      printJsonObject("comparison",
                      {{"model", options.file}, {"comparison", comparison}});
    else
      printComparison();
    return Exit::Ok;
  }

  /// What became of each device of the earlier prediction that has one now.
  Result<Json> compareAll(const Json &after) const {
    Json devices = Json::array();
    std::string known;
    for (const Json &old : *before) {
      known +=
          (known.empty() ? "" : ", ") + old.at("device").get<std::string>();
      for (const Json &now : after)
        if (now.at("device") == old.at("device"))
          devices.push_back(prediction::compare(old, now));
    }
    if (devices.empty())
      return fail("--compare-with: {} has a prediction for {}, none for {}; "
                  "choose the device with --device",
                  inQuotes(options.compareWith), known,
                  after[0].at("device").get<std::string>());
    return Json{{"with", options.compareWith}, {"devices", devices}};
  }

  Json predictionsJson() const {
    Json list = Json::array();
    for (const DevicePrediction &device : predictions)
      if (device.error.empty())
        list.push_back(toJson(device.prediction, device.advice));
    return list;
  }

  void printComparison() const {
    fmt::print(std::cout, "compared with {}\n",
               inQuotes(comparison.at("with").get<std::string>()));
    for (const Json &device : comparison.at("devices"))
      fmt::print(std::cout, "on {}, {}", device.at("device").get<std::string>(),
                 prediction::compareText(device));
  }

  void printText() const {
    printPredictions(std::cout, options.file, predictions, times);
    if (!comparison.is_null())
      printComparison();
    if (predictions.size() < 2)
      return;
    const Json list = predictionsJson();
    for (const auto &[slow, fast] : prediction::slowerPairs(list))
      fmt::print(std::cout, "{}\n",
                 printable(prediction::whySlower(list[slow], list[fast])));
  }

  void printJson() const {
    Json json = {{"model", options.file},
                 {"host_ms",
                  {{"read", times.read},
                   {"compile", times.compile},
                   {"predict", times.predict},
                   {"advise", times.advise}}},
                 {"predictions", Json::array()}};
    for (const DevicePrediction &device : predictions)
      if (device.error.empty())
        json["predictions"].push_back(toJson(device.prediction, device.advice));
      else
        json["predictions"].push_back(
            {{"device", device.device}, {"error", device.error}});
    if (!comparison.is_null())
      json["comparison"] = comparison;
    printJsonObject("prediction", json);
  }

  const Options &options;
  Progress &progress;
  Exit &failureCode;
  std::unique_ptr<Compiler> compiler;   // of the last model
  std::optional<OutputFile> recipeFile; // of --save-recipe
  Status saved;                         // whether it could be written
  std::vector<DevicePrediction> predictions;
  std::optional<Json> before; // predictions of --compare-with
  Json comparison;            // null: there is none
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
