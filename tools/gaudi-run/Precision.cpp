// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a model with two settings of autocast and compares them.
#include "Gaudi/Analysis/Precision.h"
#include "Compiler.h"
#include "Device.h"
#include "Gaudi/Support/Quote.h"
#include "JsonOutput.h"
#include "Precision.h"
#include "Predict.h"
#include "Sizes.h"
#include "Source.h"
#include "Steps.h"
#include "Values.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

/// Layers and ops that the text names.
constexpr size_t mostRows = 12;

class Comparison {
public:
  Comparison(const Options &options, Progress &progress, Exit &failureCode)
      : options(options), progress(progress), failureCode(failureCode) {}

  Result<Exit> ofPrecision() {
    files = GAUDI_TRY(openPredictionFiles(options));
    GAUDI_TRY(refuseRecipe());
    report.before = GAUDI_TRY(predictIn(options.against));
    report.after = GAUDI_TRY(predictIn(options.autocast));
    GAUDI_TRY(explain());
    progress.step("");
    const nlohmann::ordered_json json = toJson(report);
    Status written = write(json);
    if (options.report == ReportForm::Json)
      print("precision", json);
    else
      std::cout << textOf(report, mostRows);
    GAUDI_TRY(std::move(written)); // a full disk does not hide the results
    return Exit::Ok;
  }

  Result<Exit> ofLosses() {
    files = GAUDI_TRY(openPredictionFiles(options));
    GAUDI_TRY(refuseRecipe());
    losses.output = options.loss;
    losses.before = options.against;
    losses.after = options.autocast;
    losses.lossesBefore = GAUDI_TRY(lossesIn(options.against));
    losses.lossesAfter = GAUDI_TRY(lossesIn(options.autocast));
    progress.step("");
    const nlohmann::ordered_json json = toJson(losses);
    Status written = write(json);
    if (options.report == ReportForm::Json)
      print("losses", json);
    else
      std::cout << textOf(losses);
    GAUDI_TRY(std::move(written));
    return Exit::Ok;
  }

private:
  Status refuseRecipe() {
    return GAUDI_TRY(kindOfFile(options.file)) == SourceKind::Model
               ? Status()
               : refuseModelOptions(options);
  }

  Options inSetting(const std::string &setting) const {
    Options single = options;
    single.autocast = setting;
    return single;
  }

  Result<recipe::RecipeFile> compile(const Options &single) {
    progress.step(fmt::format("compiling {} in {}", inQuotes(options.file),
                              single.autocast));
    failureCode = Exit::CompileError;
    compiler = GAUDI_TRY(Compiler::ofModel(single, options.file, progress));
    auto file = GAUDI_TRY(compiler->compileRecipe());
    failureCode = Exit::BadInput;
    return file;
  }

  Result<analysis::PrecisionSide> predictIn(const std::string &setting) {
    const Options single = inSetting(setting);
    const auto file = GAUDI_TRY(compile(single));
    predictions.push_back(
        GAUDI_TRY(predictOne(file, compiler->entryName(), single,
                             compiler->takeRemarks(), std::nullopt)));
    return analysis::precisionSide(setting, predictions.back().prediction);
  }

  /// Which ops cause the error, by the reference.
  Status explain() {
    progress.step(fmt::format("evaluating {} in {} and {}",
                              inQuotes(options.file), options.against,
                              options.autocast));
    Options plain = inSetting("");
    plain.marksSources = true;
    failureCode = Exit::CompileError;
    compiler = GAUDI_TRY(Compiler::ofModel(plain, options.file, progress));
    std::vector<std::string> names;
    for (const shapes::Symbol &symbol : compiler->symbols())
      names.push_back(symbol.name);
    failureCode = Exit::BadInput;
    const shapes::Sizes sizes = GAUDI_TRY(givenSizes(names, options.sizes));
    for (size_t s = 0; s < names.size(); ++s)
      if (sizes[s] < 0)
        return fail("the size of {0} is not known: --autocast needs "
                    "--sizes={0}=N to compare",
                    names[s]);
    failureCode = Exit::CompileError;
    GAUDI_TRY(sizes.empty() ? compiler->import() : compiler->select(sizes));
    failureCode = Exit::BadInput;
    const std::optional<uint32_t> seed =
        options.inputs.empty() ? options.seed.value_or(1) : options.seed;
    const Inputs inputs = GAUDI_TRY(
        gatherInputs(options.inputs, seed, false, compiler->inputs()));
    failureCode = Exit::RunError;
    const Status explained = compiler->explainPrecision(
        inputs.tensors, options.against, options.autocast, analysis::causesWork,
        report);
    if (!explained) {
      const bool isSeeded = std::any_of(
          inputs.seeded.begin(), inputs.seeded.end(), [&](size_t input) {
            return !recipe::isFloat(inputs.tensors[input].type.element);
          });
      return fail("{}{}", explained.error().message,
                  isSeeded ? "; seeded integers are from 0 to 15: give indices "
                             "with --input"
                           : "");
    }
    failureCode = Exit::BadInput;
    return {};
  }

  Result<std::vector<double>> lossesIn(const std::string &setting) {
    const Options single = inSetting(setting);
    auto file =
        std::make_shared<const recipe::RecipeFile>(GAUDI_TRY(compile(single)));
    const std::string entry = compiler->entryName();
    if (wantsPredictionFiles(options))
      predictions.push_back(GAUDI_TRY(predictOne(
          *file, entry, single, compiler->takeRemarks(), std::nullopt)));
    progress.step(
        fmt::format("running {} in {}", inQuotes(options.file), setting));
    failureCode = Exit::RunError;
    const auto device = GAUDI_TRY(Device::load(file, single));
    failureCode = Exit::BadInput;
    GAUDI_TRY(device->selectEntry(entry, single));
    const size_t output = GAUDI_TRY(lossOutput(*device, single));
    const Inputs inputs = GAUDI_TRY(
        gatherInputs(options.inputs, options.seed, true, device->inputs()));
    failureCode = Exit::RunError;
    std::vector<double> values;
    GAUDI_TRY(device->launch(
        inputs.tensors, single, progress, [&](uint32_t) -> Status {
          values.push_back(lossOf(GAUDI_TRY(device->output(output))));
          return {};
        }));
    failureCode = Exit::BadInput;
    return values;
  }

  void print(const char *kind, const nlohmann::ordered_json &json) const {
    nlohmann::ordered_json whole = {{"model", options.file}};
    whole.update(json);
    printJsonObject(kind, whole);
  }

  /// The page and the trace are of the second setting.
  Status write(const nlohmann::ordered_json &json) {
    if (predictions.empty())
      return {};
    predictions.erase(predictions.begin(), predictions.end() - 1);
    return writePredictionFiles(files, options, predictions,
                                compiler->source().modelText(), {},
                                json.dump());
  }

  const Options &options;
  Progress &progress;
  Exit &failureCode;
  std::vector<OutputFile> files;
  std::unique_ptr<Compiler> compiler; // the last one
  std::vector<DevicePrediction> predictions;
  analysis::PrecisionReport report;
  analysis::LossComparison losses;
};

} // namespace

Result<Exit> comparePrecision(const Options &options, Progress &progress,
                              Exit &failureCode) {
  return Comparison(options, progress, failureCode).ofPrecision();
}

Result<Exit> compareLosses(const Options &options, Progress &progress,
                           Exit &failureCode) {
  return Comparison(options, progress, failureCode).ofLosses();
}

} // namespace gaudi::run
