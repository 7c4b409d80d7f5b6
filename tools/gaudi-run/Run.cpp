// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The modes of gaudi-run, from file to exit code.
#include "Run.h"
#include "Bisect.h"
#include "BucketCurve.h"
#include "Check.h"
#include "Device.h"
#include "ExplainRecompile.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Support/Units.h"
#include "LaunchedTrace.h"
#include "Outputs.h"
#include "PlanMemory.h"
#include "Precision.h"
#include "Predict.h"
#include "Replay.h"
#include "Results.h"
#include "Sizes.h"
#include "Source.h"
#include "Steps.h"
#include "Values.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/ostream.h>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

/// One invocation, step by step.
class Runner {
public:
  Runner(const Options &options, Recorder &recorder)
      : options(options), recorder(recorder) {
    report.file = options.file;
    report.remarkLevel = options.remarks;
    entryName = options.entry;
  }

  Ending run() {
    Ending ending;
    try {
      if (auto code = runMode())
        ending.code = *code;
      else
        ending = {failureCode == Exit::CompileError && Compiler::optionFailed()
                      ? Exit::BadInput
                      : failureCode,
                  code.error().message};
    } catch (const std::bad_alloc &) {
      ending = {Exit::RunError, "not enough host memory"};
    } catch (const std::exception &error) {
      ending = {Exit::RunError, error.what()};
    }
    progress.step("");
    if (auto saved = recorder.conclude(ending, failures());
        !saved && ending.code == Exit::Ok)
      return {Exit::BadInput, saved.error().message};
    else if (!saved)
      printWarning(saved.error().message);
    return ending;
  }

private:
  /// What checks found, in one line.
  std::string failures() const {
    std::vector<std::string> texts;
    for (const analysis::Comparison &comparison : report.comparisons)
      if (!comparison.passed())
        texts.push_back(comparison.text());
    if (report.finite && !report.finite->passed)
      texts.push_back(report.finite->message);
    return fmt::format("{}", fmt::join(texts, "; "));
  }

  Result<Exit> runMode() {
    GAUDI_TRY(recorder.begin());
    switch (options.mode) {
    case Mode::Predict:
      return predict(options, progress, failureCode);
    case Mode::PlanMemory:
      return planMemory(options, progress, failureCode);
    case Mode::FindMaxBatch:
    case Mode::BatchSweep:
      return planOtherBatches(options, progress, failureCode);
    case Mode::ExplainRecompile:
      return explainRecompile(options, progress, failureCode);
    case Mode::Precision:
      return comparePrecision(options, progress, failureCode);
    case Mode::Bisect:
      return bisect(options, progress, failureCode);
    case Mode::LossCurve:
      return compareLosses(options, progress, failureCode);
    default:
      return start();
    }
  }

  /// Passes the result of a stage on. If it failed, the invocation ends with
  /// the stage's code; failures outside stages are bad input.
  template <typename T> Result<T> during(Exit stage, Result<T> result) {
    if (!result)
      failureCode = stage;
    return result;
  }

  Result<Exit> start() {
    predictionFiles = GAUDI_TRY(openPredictionFiles(options));
    if (GAUDI_TRY(kindOfFile(options.file)) == SourceKind::Model)
      return withModel();
    GAUDI_TRY(refuseModelOptions(options));
    if (!options.model.empty())
      GAUDI_TRY(openModel());
    recipe::OpenOptions open;
    open.threads = options.threads;
    open.verifyConstants = options.mode != Mode::Run; // else at load
    Stopwatch watch;
    auto file = GAUDI_TRY(openRecipe(options.file, open));
    report.readMilliseconds = watch.milliseconds();
    return withRecipe(std::move(file));
  }

  /// The model that a recipe is checked against.
  Status openModel() {
    if (GAUDI_TRY(kindOfFile(options.model)) != SourceKind::Model)
      return fail("--model={} is a recipe; name the model that {} was "
                  "compiled from",
                  options.model, inQuotes(options.file));
    compiler =
        GAUDI_TRY(during(Exit::CompileError,
                         Compiler::ofModel(options, options.model, progress)));
    return {};
  }

  Result<Exit> withModel() {
    if (!options.model.empty())
      return fail("--model needs a recipe, but {} is a model; remove --model",
                  inQuotes(options.file));
    GAUDI_TRY(checkSave(options));
    Stopwatch watch;
    FileBytes bytes = GAUDI_TRY(FileBytes::read(options.file));
    progress.step(fmt::format("compiling {}", inQuotes(options.file)));
    GAUDI_TRY(recorder.enter("compiling"));
    compiler = GAUDI_TRY(
        during(Exit::CompileError, Compiler::create(options, progress)));
    report.readMilliseconds = watch.milliseconds();
    watch = Stopwatch();
    GAUDI_TRY(during(Exit::CompileError,
                     compiler->parse(options.file, std::move(bytes))));
    report.parseMilliseconds = watch.milliseconds();
    if (options.mode == Mode::Reference)
      return referenceOnly();
    if (!options.shapesFrom.empty() && compiler->symbols().empty())
      return replayStatic();
    watch = Stopwatch();
    const GaudiBytes compiled =
        GAUDI_TRY(during(Exit::CompileError, compiler->compile()));
    report.compileMilliseconds = watch.milliseconds();
    if (options.checkNumerics)
      noteNumerics(compiler->numerics());
    remarks = compiler->takeRemarks();
    passes = compiler->passes();
    if (options.remarks != RemarkLevel::None)
      report.remarks = *remarks;
    bucketPlan = compiler->bucketPlan();
    progress.step("");
    GAUDI_TRY(reportBucketPlan(*bucketPlan, options));
    report.entry = entryName = compiler->entryName();
    if (!options.save.empty())
      GAUDI_TRY(writeFile(options.save, compiled.data, compiled.size));
    if (options.mode == Mode::CompileOnly)
      return finish(Exit::Ok);
    auto file = GAUDI_TRY(during(
        Exit::CompileError, recipe::RecipeFile::fromBuffer(
                                {compiled.data, compiled.size}, options.file)));
    compiler->releaseRecipe();
    dropCompiler();
    return withRecipe(std::move(file), /*isModel=*/true);
  }

  /// Replays the trace against a model of static sizes.
  Result<Exit> replayStatic() {
    const char *const needless =
        !options.save.empty()              ? "-o"
        : options.bucketCurve              ? "--bucket-curve"
        : !options.bucketCostsFile.empty() ? "--save-bucket-costs"
        : !options.bucketHistogram.empty() ? "--bucket-histogram"
        : !options.buckets.empty()         ? "--buckets"
        : options.strictShapes             ? "--strict-shapes"
                                           : nullptr;
    if (needless)
      return fail("--shapes-from compiles nothing where all sizes are static, "
                  "as in {}; remove {}",
                  inQuotes(options.file), needless);
    GAUDI_TRY(replaySignatures(
        GAUDI_TRY(compiler->describe(options.device.value_or("gaudi2"))),
        options));
    return Exit::Ok;
  }

  /// Says what was compared, or warns that nothing was.
  void noteNumerics(const GaudiNumerics &numerics) {
    if (!numerics.compared)
      return printWarning(
          fmt::format("--check-numerics compared nothing: {}",
                      *numerics.whyNot ? numerics.whyNot : "no pass ran"));
    numericsText = textOf(numerics);
  }

  /// Unless it evaluates the reference later; a page shows the model.
  void dropCompiler() {
    if (options.mode == Mode::Check)
      return;
    if (!options.html.empty())
      source = compiler->takeSource();
    compiler.reset();
  }

  Result<Exit> withRecipe(recipe::RecipeFile file, bool isModel = false) {
    if (options.mode == Mode::Verify) {
      if (options.report == ReportForm::Json)
        printVerifiedJson(options.file, file);
      else
        printVerified(std::cout, options.file, isModel, file);
      return Exit::Ok;
    }
    if (options.mode == Mode::Dump) {
      recipe::PrintOptions print;
      if (!options.dumpConstants)
        print.elideConstantsAbove = 1024;
      if (options.report == ReportForm::Json)
        printDumpJson(options.file, file, print);
      else
        recipe::printRecipe(std::cout, file, print);
      return Exit::Ok;
    }
    if (!options.shapesFrom.empty()) {
      const uint32_t entry = GAUDI_TRY(
          analysis::chooseEntry(file.recipe(), entryName, options.file));
      GAUDI_TRY(replayShapes(
          std::make_shared<const recipe::RecipeFile>(std::move(file)), entry,
          options, report.compileMilliseconds, progress, failureCode));
      return Exit::Ok;
    }
    GAUDI_TRY(load(std::move(file)));
    report.entry = device->entryName();
    if (wantsPredictionFiles(options)) {
      Options chosen = options;
      chosen.sizes.clear(); // the entry is the variant for them
      predictions.push_back(
          GAUDI_TRY(predictOne(device->recipe(), report.entry, chosen,
                               std::move(remarks), bucketPlan)));
      predictions.back().passes = std::move(passes);
    }
    if (options.steps)
      lossIndex = GAUDI_TRY(lossOutput(*device, options));
    if (!options.loss.empty())
      report.loss = LossCurve{options.loss, {}};
    GAUDI_TRY(prepare(device->inputs(), device->outputs()));
    GAUDI_TRY(recorder.launching(device->entryName(), device->namedSizes(),
                                 inputs, expected));
    outputs = GAUDI_TRY(during(Exit::RunError, launch()));
    report.device =
        GAUDI_TRY(device->report(options.report != ReportForm::None));
    report.device->recompiled = recompiled;
    warnOfCache();
    recorder.launched(outputs, *report.device);
    if (options.checkFinite) {
      report.finite = analysis::checkFinite(
          outputs, valuesOfStep(inputs.tensors, device->lastStep()),
          device->nonFiniteOrigin());
      const bool isModel = compiler || report.compileMilliseconds;
      if (isModel && !report.finite->passed)
        if (const auto given =
                GAUDI_TRY(device->inputsOfLastStep(inputs.tensors)))
          findBirth(*given);
    }
    if (options.mode == Mode::Check) {
      GAUDI_TRY(recorder.enter("comparing with the reference"));
      GAUDI_TRY(during(Exit::CompileError, importFor(device->sizes())));
      if (!options.model.empty())
        GAUDI_TRY(requireModelOf(*device, *compiler, options));
      const std::vector<Launched> samples = GAUDI_TRY(launchSamples(
          *compiler, *device, options, inputs, outputs, progress));
      device.reset();
      GAUDI_TRY(compareWithReference(samples));
    }
    return deliver();
  }

  /// A folder that the user names and that keeps nothing; the report has notes
  /// of all folders.
  void warnOfCache() const {
    const char *const named = options.cacheDirectory ? "--cache-dir"
                              : std::getenv("GAUDI_CACHE_DIR")
                                  ? "GAUDI_CACHE_DIR"
                                  : nullptr;
    for (const std::string *note :
         {&report.device->kernels.cacheNote, &report.device->panels.cacheNote})
      if (named && note->compare(0, 7, "cannot ") == 0)
        return printWarning(fmt::format(
            "{}: {}; nothing is kept for other runs; name a folder of your "
            "own that can be written, or give --no-cache",
            named, *note));
  }

  /// Of a model with dynamic sizes, the static one of exactly these.
  Status importFor(const shapes::Sizes &sizes) {
    return sizes.empty() ? compiler->import() : compiler->select(sizes);
  }

  /// Adds to what --check-finite says whether the model has it, or which pass
  /// made it reachable. Values that come in with an input are the input's.
  void findBirth(const std::vector<recipe::HostTensor> &given) {
    if (std::any_of(given.begin(), given.end(), [](const auto &input) {
          return recipe::firstNonFinite(input).has_value();
        }))
      return;
    progress.step(fmt::format("looking for the pass of {} that makes it",
                              inQuotes(options.file)));
    auto found = birthOf(given);
    if (found)
      report.finite->birth = std::move(*found);
    report.finite->message +=
        "; " +
        (found ? analysis::textOfBirth(
                     nlohmann::ordered_json::parse(report.finite->birth))
               : "which pass made it is not known: " + found.error().message);
  }

  /// JSON. After a launch without --check the model is read again: most are
  /// finite, and need no compiler in memory.
  Result<std::string> birthOf(const std::vector<recipe::HostTensor> &given) {
    if (!compiler)
      compiler = GAUDI_TRY(Compiler::ofModel(options, options.file, progress));
    if (device)
      GAUDI_TRY(importFor(device->sizes()));
    return compiler->findNonFinite(given);
  }

  Status load(recipe::RecipeFile opened) {
    progress.step(fmt::format("loading {}", inQuotes(options.file)));
    const auto file =
        std::make_shared<const recipe::RecipeFile>(std::move(opened));
    recorder.setRecipe(file, report.compileMilliseconds.has_value());
    GAUDI_TRY(recorder.enter("loading the recipe"));
    GAUDI_TRY(checkDevice(file->recipe(), options));
    auto loaded = Device::load(file, options);
    // A damaged file is bad input, as it is where opening finds the damage.
    if (!loaded && !file->constantsVerified())
      GAUDI_TRY(file->verifyConstants(options.threads));
    if (!loaded)
      GAUDI_TRY(during(Exit::RunError,
                       explainMemory(*file, entryName, options, progress)));
    device = GAUDI_TRY(during(Exit::RunError, std::move(loaded)));
    Status selected = device->selectEntry(entryName, options);
    if (selected || device->missedBucket().empty() || recompiled)
      return selected;
    if (options.strictShapes || !report.compileMilliseconds)
      return fail(
          "{}; {}", selected.error().message,
          options.strictShapes && report.compileMilliseconds
              ? "without --strict-shapes, a variant is compiled for it"
              : "compile the model with a bucket that holds it (--buckets), or "
                "run the model itself, which compiles one");
    return compileVariant(device->missedBucket(), selected.error().message);
  }

  /// Loads a recipe of one variant for all launches: no other takes them.
  Status compileVariant(std::string bucket, const std::string &reason) {
    device.reset();
    CompiledBucket made = GAUDI_TRY(
        during(Exit::CompileError, compileBucket(options, bucket, progress)));
    compiler = std::move(made.compiler);
    remarks = compiler->takeRemarks();
    recompiled = {reason, std::move(bucket), made.milliseconds};
    printWarning(recompiled->text());
    dropCompiler();
    return load(std::move(made.file));
  }

  Status afterStep(uint32_t step) {
    if (!report.loss)
      return {};
    const recipe::HostTensor loss = GAUDI_TRY(device->output(lossIndex));
    report.loss->values.push_back(lossOf(loss));
    if (options.report == ReportForm::Json)
      return {};
    progress.clear();
    fmt::print(std::cout, "step {}: loss {}\n", step + 1, elementText(loss, 0));
    std::cout.flush(); // a person may be watching
    return {};
  }

  Result<std::vector<recipe::HostTensor>> launch() {
    auto results =
        device->launch(inputs.tensors, options, progress,
                       [&](uint32_t step) { return afterStep(step); });
    if (results)
      return results;
    return fail("{}{}", results.error().message,
                indexAdvice(results.error().message));
  }

  /// Which input has the index that the device found to be outside its tensor,
  /// and where; "" of other errors.
  std::string indexAdvice(const std::string &problem) const {
    constexpr std::string_view before = "index ", outside = " is out of bounds",
                               ofSize = "(size ";
    const size_t at = problem.find(outside), size = problem.find(ofSize);
    const size_t number = problem.rfind(before, at);
    if (at == problem.npos || size == problem.npos || number == problem.npos ||
        !std::strchr("-0123456789", problem[number + before.size()]))
      return "";
    const long long index =
        std::strtoll(problem.c_str() + number + before.size(), nullptr, 10);
    const long long end =
        std::strtoll(problem.c_str() + size + ofSize.size(), nullptr, 10);
    std::string seeded;
    for (size_t input : inputs.seeded)
      if (!recipe::isFloat(inputs.tensors[input].type.element))
        seeded +=
            (seeded.empty() ? "" : ", ") + inQuotes(inputs.tensors[input].name);
    if (!seeded.empty())
      return fmt::format("; --seed-inputs filled {} with integers from 0 to "
                         "15: give indices with --input",
                         seeded);
    for (const recipe::HostTensor &input : inputs.tensors)
      for (uint64_t i = 0; i < input.type.count(); ++i)
        if (!recipe::isFloat(input.type.element) && input.intAt(i) == index)
          return fmt::format("; element {} of input {} is {}: where that is "
                             "the index, give one from 0 to {}",
                             recipe::positionText(input.type.shape, i),
                             inQuotes(input.name), index, end - 1);
    return fmt::format(
        "; the model computes it: indices are from 0 to {} there", end - 1);
  }

  Result<Exit> referenceOnly() {
    std::vector<std::string> names;
    for (const shapes::Symbol &symbol : compiler->symbols())
      names.push_back(symbol.name);
    const shapes::Sizes sizes = GAUDI_TRY(givenSizes(names, options.sizes));
    for (size_t s = 0; s < names.size(); ++s)
      if (sizes[s] < 0)
        return fail("the size of {0} is not known: --reference needs "
                    "--sizes={0}=N",
                    names[s]);
    GAUDI_TRY(during(Exit::CompileError, importFor(sizes)));
    report.entry = compiler->entryName();
    GAUDI_TRY(prepare(compiler->inputs(), compiler->outputs()));
    GAUDI_TRY(evaluate(inputs.tensors, 0));
    for (size_t i = 0; i < expected.size(); ++i)
      outputs.push_back(compiler->roundedResult(i));
    if (options.checkFinite) {
      report.finite = analysis::checkFinite(outputs, inputs.tensors, "");
      if (!report.finite->passed && !options.steps)
        findBirth(inputs.tensors);
    }
    return deliver();
  }

  /// Reads everything that the run needs, so that mistakes are found before it
  /// starts.
  Status prepare(const std::vector<recipe::Parameter> &ins,
                 const std::vector<recipe::Parameter> &outs) {
    progress.step("reading inputs");
    outputFiles = GAUDI_TRY(matchOutputFiles(options.outputs, outs));
    for (const auto &output : outputFiles) {
      if (!output)
        continue;
      // A file of --input may be: a state of the next run.
      for (const std::string &text : options.expected)
        if (const size_t at = text.find('@');
            at != text.npos && sameFile(*output, text.substr(at + 1)))
          return fail(
              "--output: {} would replace the file of --expect={}; name "
              "another file",
              inQuotes(*output), printable(text));
      if (sameFile(*output, options.file))
        return fail("--output: {} would replace the file that is run; name "
                    "another file",
                    inQuotes(*output));
      if (!options.save.empty() && sameFile(*output, options.save))
        return fail("--output: {} is the file of --save-recipe; name another "
                    "file",
                    inQuotes(*output));
    }
    const auto specs =
        GAUDI_TRY(matchSpecs("--expect", options.expected, outs));
    expected.resize(outs.size());
    expectedName.resize(outs.size());
    for (size_t i = 0; i < outs.size(); ++i) {
      if (!specs[i])
        continue;
      expected[i] = GAUDI_TRY(readValue("--expect", *specs[i], outs, i));
      expectedName[i] =
          specs[i]->file.empty() ? "the given value" : inQuotes(specs[i]->file);
    }
    inputs = GAUDI_TRY(
        gatherInputs(options.inputs, options.seed, options.steps != 0, ins));
    return {};
  }

  Status evaluate(const std::vector<recipe::HostTensor> &values,
                  uint32_t drawPairs) {
    progress.step(
        fmt::format("evaluating the reference of {}", inQuotes(options.file)));
    Stopwatch watch;
    for (uint32_t step = 0; step < std::max(options.steps, 1u); ++step)
      GAUDI_TRY(
          during(Exit::RunError, compiler->evaluate(valuesOfStep(values, step),
                                                    step != 0, drawPairs)));
    report.referenceMilliseconds =
        report.referenceMilliseconds.value_or(0) + watch.milliseconds();
    return {};
  }

  Status compareWithReference(const std::vector<Launched> &samples) {
    report.comparisons.resize(outputs.size());
    for (const Launched &sample : samples) {
      const auto evaluated = [&](uint32_t drawPairs) {
        return evaluate(sample.inputs, drawPairs);
      };
      GAUDI_TRY(compareSample(*compiler, sample, options, evaluated,
                              report.comparisons));
    }
    return {};
  }

  /// Writes the files, compares, and prints.
  Result<Exit> deliver() {
    assert(outputs.size() == outputFiles.size() &&
           outputs.size() == expected.size() && "one of each per output");
    GAUDI_TRY(writeOutputs(outputs, outputFiles));
    for (size_t i = 0; i < outputs.size(); ++i)
      if (expected[i])
        report.comparisons.push_back(analysis::compare(
            outputs[i], *expected[i],
            analysis::toleranceFor(outputs[i].type.element, options.atol,
                                   options.rtol),
            expectedName[i]));
    bool passed = !report.finite || report.finite->passed;
    for (const analysis::Comparison &comparison : report.comparisons)
      passed &= comparison.passed();
    Status written;
    if (!predictions.empty())
      written = writePredictionFiles(
          predictionFiles, options, predictions,
          (compiler ? compiler->source() : source).modelText(), report.device);
    const Exit code = finish(passed ? Exit::Ok : Exit::Mismatch);
    GAUDI_TRY(std::move(written)); // a full disk does not hide the results
    return code;
  }

  Exit finish(Exit code) {
    progress.step(""); // so that the progress line is not between the others
    printResults({options, report, outputs, outputFiles, numericsText}, code);
    return code;
  }

  const Options &options;
  Recorder &recorder;
  Exit failureCode = Exit::BadInput;
  Progress progress;
  std::string entryName; // empty: the device chooses
  FileBytes source;      // of a compiler that is gone
  std::unique_ptr<Compiler> compiler;
  Report report;
  Remarks remarks;
  std::string passes;                         // of a page
  std::optional<capi::BucketPlan> bucketPlan; // of a model
  std::vector<OutputFile> predictionFiles;    // of --trace and --html
  std::vector<DevicePrediction> predictions;  // for them
  std::string numericsText; // of --check-numerics that compared something
  Inputs inputs;
  std::optional<CompiledVariant> recompiled; // for the launches
  size_t lossIndex = 0;                      // of --loss
  std::vector<recipe::HostTensor> outputs;
  std::vector<std::optional<std::string>> outputFiles;
  std::vector<std::optional<recipe::HostTensor>> expected;
  std::vector<std::string> expectedName;
  std::unique_ptr<Device> device;
};

} // namespace

Exit run(const Options &options, Recorder &recorder,
         const std::function<Exit(const Ending &)> &conclude) {
  Runner runner(options, recorder);
  return conclude(runner.run());
}

} // namespace gaudi::run
