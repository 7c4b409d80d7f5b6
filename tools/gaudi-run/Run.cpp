// The modes of gaudi-run, from file to exit code.
#include "Run.h"
#include "Compiler.h"
#include "Device.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Quote.h"
#include "Outputs.h"
#include "Source.h"
#include "Values.h"

#include <chrono>
#include <exception>
#include <iostream>
#include <new>

namespace gaudi::run {
namespace {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - started)
        .count();
  }

private:
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
};

/// One invocation, step by step.
class Runner {
public:
  explicit Runner(const Options &options) : options(options) {
    report.file = options.file;
  }

  Outcome<Exit> run() {
    auto code = [this]() -> Outcome<Exit> {
      try {
        return start();
      } catch (const std::bad_alloc &) {
        return fail(Exit::RunError, "not enough host memory");
      } catch (const std::exception &error) {
        return fail(Exit::RunError, error.what());
      }
    }();
    progress.step("");
    return code;
  }

private:
  Outcome<Exit> start() {
    auto kind = kindOfFile(options.file);
    if (!kind)
      return again(kind.error());
    if (*kind == SourceKind::Recipe) {
      if (Done fits = needsNoModel(); !fits)
        return again(fits.error());
      recipe::OpenOptions open;
      open.threads = options.threads;
      open.verifyConstants = options.mode != Mode::Run; // else at load
      Stopwatch watch;
      auto file = recipe::RecipeFile::open(options.file, open);
      if (!file)
        return badInput(file.error());
      report.readMilliseconds = watch.milliseconds();
      return withRecipe(std::move(*file));
    }
    return withModel();
  }

  Done needsNoModel() const {
    const char *flag = options.mode == Mode::Check         ? "--check"
                       : options.mode == Mode::Reference   ? "--reference"
                       : options.mode == Mode::CompileOnly ? "--compile-only"
                       : options.remarks                   ? "--remarks"
                       : options.checkNumerics             ? "--check-numerics"
                       : !options.save.empty()             ? "-o"
                                                           : nullptr;
    if (flag)
      return badInput(std::string(flag) + " needs the model, but " +
                      inQuotes(options.file) +
                      " is a recipe, which is compiled already");
    return {};
  }

  Outcome<Exit> withModel() {
    Stopwatch watch;
    auto bytes = FileBytes::read(options.file);
    if (!bytes)
      return again(bytes.error());
    source = std::move(*bytes);
    progress.step("compiling " + inQuotes(options.file));
    auto loaded = Compiler::create(options, progress);
    if (!loaded)
      return again(loaded.error());
    compiler = std::move(*loaded);
    report.readMilliseconds = watch.milliseconds();
    watch = Stopwatch();
    if (Done parsed = compiler->parse(options.file, source.text()); !parsed)
      return again(parsed.error());
    report.parseMilliseconds = watch.milliseconds();
    watch = Stopwatch();
    if (options.mode == Mode::Reference)
      return referenceOnly();
    auto compiled = compiler->compile();
    if (!compiled)
      return again(compiled.error());
    report.compileMilliseconds = watch.milliseconds();
    if (!options.save.empty() && sameFile(options.save, options.file))
      return badInput("--save-recipe: " + inQuotes(options.save) +
                      " would replace the model");
    report.entry = compiler->entryName();
    if (!options.save.empty())
      if (Done saved = writeFile(options.save, compiled->data, compiled->size);
          !saved)
        return again(saved.error());
    if (options.mode == Mode::CompileOnly)
      return finish(Exit::Ok);
    auto file = recipe::RecipeFile::fromBuffer({compiled->data, compiled->size},
                                               options.file);
    if (!file)
      return fail(Exit::CompileError, file.error().message);
    compiler->releaseRecipe();
    if (options.mode != Mode::Check) {
      compiler.reset();
      source = {};
    }
    return withRecipe(std::move(*file));
  }

  Outcome<Exit> withRecipe(recipe::RecipeFile file) {
    if (options.mode == Mode::Verify) {
      std::cout << inQuotes(options.file) << " is a valid recipe for "
                << recipe::text(file->target()) << ": "
                << recipe::items(file->entries()).size() << " entries, "
                << recipe::items(file->tensors()).size() << " tensors, "
                << recipe::items(file->kernels()).size() << " kernels, "
                << file.fileSize() << " bytes\n";
      return Exit::Ok;
    }
    if (options.mode == Mode::Dump) {
      recipe::PrintOptions print;
      if (!options.dumpConstants)
        print.elideConstantsAbove = 1024;
      recipe::printRecipe(std::cout, file, print);
      return Exit::Ok;
    }
    auto loaded = Device::load(std::move(file), options, progress);
    if (!loaded)
      return again(loaded.error());
    device = std::move(*loaded);
    report.entry = device->entryName();
    if (Done prepared = prepare(device->inputs(), device->outputs()); !prepared)
      return again(prepared.error());
    auto results = device->launch(inputs, options, progress);
    if (!results)
      return again(results.error());
    outputs = std::move(*results);
    report.device = device->report();
    if (options.mode == Mode::Check) {
      device.reset();
      if (Done compared = compareWithReference(); !compared)
        return again(compared.error());
    }
    return deliver();
  }

  Outcome<Exit> referenceOnly() {
    if (Done imported = compiler->import(); !imported)
      return again(imported.error());
    report.entry = compiler->entryName();
    report.compileMilliseconds.reset();
    if (Done prepared = prepare(compiler->inputs(), compiler->outputs());
        !prepared)
      return again(prepared.error());
    if (Done evaluated = evaluate(); !evaluated)
      return again(evaluated.error());
    for (size_t i = 0; i < expected.size(); ++i)
      outputs.push_back(compiler->roundedResult(i));
    return deliver();
  }

  /// Reads all that the run needs, so that a mistake shows before it starts.
  Done prepare(const std::vector<Parameter> &ins,
               const std::vector<Parameter> &outs) {
    progress.step("reading inputs");
    auto files = matchOutputFiles(options.outputs, outs);
    if (!files)
      return again(files.error());
    outputFiles = std::move(*files);
    for (const auto &output : outputFiles) {
      if (!output)
        continue;
      if (sameFile(*output, options.file))
        return badInput("--output: " + inQuotes(*output) +
                        " would replace the file that is run");
      if (!options.save.empty() && sameFile(*output, options.save))
        return badInput("--output: " + inQuotes(*output) +
                        " is where --save-recipe goes");
    }
    auto specs = matchSpecs("--expect", options.expected, outs);
    if (!specs)
      return again(specs.error());
    expected.resize(outs.size());
    expectedName.resize(outs.size());
    for (size_t i = 0; i < outs.size(); ++i) {
      if (!(*specs)[i])
        continue;
      auto value = readValue("--expect", *(*specs)[i], outs[i]);
      if (!value)
        return again(value.error());
      expected[i] = std::move(*value);
      expectedName[i] = (*specs)[i]->file.empty() ? "the given value"
                                                  : inQuotes((*specs)[i]->file);
    }
    auto values = gatherInputs(options.inputs, options.seed, ins);
    if (!values)
      return again(values.error());
    inputs = std::move(*values);
    return {};
  }

  Done evaluate() {
    progress.step("evaluating the reference of " + inQuotes(options.file));
    Stopwatch watch;
    if (Done done = compiler->evaluate(inputs); !done)
      return done;
    report.referenceMilliseconds = watch.milliseconds();
    return {};
  }

  Done compareWithReference() {
    if (Done imported = compiler->import(); !imported)
      return imported;
    if (Done evaluated = evaluate(); !evaluated)
      return evaluated;
    for (size_t i = 0; i < outputs.size(); ++i)
      report.comparisons.push_back(compare(
          outputs[i], compiler->result(i),
          toleranceFor(outputs[i].type.element, options.atol, options.rtol),
          "the reference"));
    return {};
  }

  /// Files, comparisons and text for the user.
  Outcome<Exit> deliver() {
    if (Done written = writeOutputs(outputs, outputFiles); !written)
      return again(written.error());
    for (size_t i = 0; i < outputs.size(); ++i)
      if (expected[i])
        report.comparisons.push_back(compare(
            outputs[i], *expected[i],
            toleranceFor(outputs[i].type.element, options.atol, options.rtol),
            expectedName[i]));
    bool passed = true;
    for (const Comparison &comparison : report.comparisons)
      passed &= comparison.passed;
    return finish(passed ? Exit::Ok : Exit::Mismatch);
  }

  Exit finish(Exit code) {
    progress.step(""); // or it would be drawn between the lines
    if (options.report == ReportForm::Json) {
      printJson(std::cout, report, outputs, options.printedElements);
    } else {
      for (size_t i = 0; i < outputs.size(); ++i)
        if (!outputFiles[i])
          printOutput(std::cout, outputs[i], options.printedElements);
      if (options.report == ReportForm::Text)
        printText(std::cout, report);
      else if (options.repeat > 1 && report.device)
        std::cout << "run " << text(spreadOf(report.device->launches)) << "\n";
      for (const Comparison &comparison : report.comparisons)
        if (comparison.passed)
          std::cout << comparison.text() << "\n";
    }
    for (const Comparison &comparison : report.comparisons)
      if (!comparison.passed)
        std::cerr << "gaudi-run: error: " << comparison.text() << "\n";
    return code;
  }

  const Options &options;
  Progress progress;
  FileBytes source; // the compiler reads from it as long as it lives
  std::unique_ptr<Compiler> compiler;
  Report report;
  std::vector<HostTensor> inputs, outputs;
  std::vector<std::optional<std::string>> outputFiles;
  std::vector<std::optional<HostTensor>> expected;
  std::vector<std::string> expectedName;
  std::unique_ptr<Device> device;
};

} // namespace

Exit run(const Options &options,
         const std::function<Exit(const Outcome<Exit> &)> &conclude) {
  Runner runner(options);
  return conclude(runner.run());
}

} // namespace gaudi::run
