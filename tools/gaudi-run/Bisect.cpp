// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --bisect, from the launch to the smallest model that shows what was found.
#include "Bisect.h"
#include "Check.h"
#include "Compiler.h"
#include "Device.h"
#include "Gaudi/Analysis/Bisect.h"
#include "Gaudi/Analysis/Precision.h"
#include "Gaudi/CApi/CommandTrace.h"
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Reduction.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Support/TemporaryFile.h"
#include "Gaudi/Support/Units.h"
#include "JsonOutput.h"
#include "KernelDifference.h"
#include "Outputs.h"
#include "Scratch.h"
#include "Source.h"
#include "Values.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;

/// An evaluation that takes no longer is made with more draws where few refuse
/// a result, as --check does it.
constexpr double quickMilliseconds = 2000;
/// How far back slices go, until one shows what was found.
constexpr uint32_t deepestSlice = 64;
/// How long ops of the slice that shows it are taken away.
constexpr double longestReduction = 30000;
constexpr size_t mostCauses = 5;

/// A model or recipe, what it is compared with, and its launches.
class Bisecting {
public:
  /// `scratch` is for slices that are tried; none without --bisect-dir.
  Bisecting(const Options &options, Progress &progress, Exit &failureCode,
            std::string scratch = "")
      : options(options), progress(progress), failureCode(failureCode),
        scratch(std::move(scratch)) {}

  /// Compiles and launches, until outputs are beyond the noise.
  Result<bool> differs() {
    GAUDI_TRY(open());
    GAUDI_TRY(launch());
    for (size_t s = 0; s < launched.size(); ++s) {
      failing = s;
      if (GAUDI_TRY(isBeyond(launched[s].sample)))
        return true;
    }
    return false;
  }

  Result<Json> report() {
    const bool found = GAUDI_TRY(differs());
    Json json = {{"model", options.file}};
    if (!options.model.empty())
      json["against"] = options.model;
    json["entry"] = compiler->entryName();
    json["device"] = recipe::text(file->recipe().target());
    if (!found) {
      json["kind"] = "none";
      json["compared"] =
          fmt::format("{} of {} are within the noise of the float64 reference",
                      countOf(comparisons.size(), "output"),
                      countOf(launched.size(), "launch", "launches"));
      return json;
    }
    const Launch &launch = launched[failing];
    if (options.steps)
      json["step"] = launch.step + 1;
    if (!launch.sample.regime.empty())
      json["regime"] = launch.sample.regime;
    for (const analysis::Comparison &comparison : comparisons)
      if (!comparison.passed()) {
        json["output"] = comparison.text();
        break;
      }
    GAUDI_TRY(search(launch, json));
    analysis::addLayers(json);
    if (json.contains("op"))
      GAUDI_TRY(addSlice(json));
    return json;
  }

  /// Compares values of another implementation, or modules that another
  /// compilation left, with the reference. Nothing is launched.
  Result<Json> given() {
    const bool isGolden = !options.goldenDir.empty();
    const std::string &folder = isGolden ? options.goldenDir : options.formsDir;
    capi::CompilerSession::Bisection request;
    std::vector<FileBytes> texts;
    if (isGolden) {
      request.golden = GAUDI_TRY(readGolden());
      request.places = GAUDI_TRY(readPlaces());
    }
    for (const std::string &path :
         GAUDI_TRY(isGolden ? std::vector<std::string>()
                            : filesIn(folder, ".mlir"))) {
      texts.push_back(GAUDI_TRY(FileBytes::read(path)));
      request.forms.push_back(
          {std::filesystem::path(path).stem().string(), texts.back().text()});
    }
    if (GAUDI_TRY(kindOfFile(options.file)) != SourceKind::Model)
      return fail("--bisect={}:DIR needs the model, but {} is a recipe; name "
                  "the model's file instead",
                  isGolden ? "golden" : "forms", inQuotes(options.file));
    own = GAUDI_TRY(during(Exit::CompileError,
                           Compiler::ofModel(options, options.file, progress)));
    if (!own->symbols().empty()) {
      GAUDI_TRY(compile());
      entry = own->entryName();
      GAUDI_TRY(chooseSizes());
    }
    compiler = own.get();
    GAUDI_TRY(import());
    const bool isSeeded = !options.seed && options.inputs.empty();
    inputs = GAUDI_TRY(gatherInputs(
        options.inputs, isSeeded ? std::optional<uint32_t>(1) : options.seed,
        false, own->inputs()));
    progress.step(
        fmt::format("evaluating the reference of {}", inQuotes(options.file)));
    GAUDI_TRY(during(Exit::RunError, own->evaluate(inputs.tensors, false,
                                                   options.checkDraws.value_or(
                                                       GAUDI_DRAWS_BY_WORK))));
    Json json = {{"model", options.file},
                 {"against", folder},
                 {"entry", own->entryName()}};
    json.update(
        Json::parse(GAUDI_TRY(during(isGolden ? Exit::BadInput : Exit::RunError,
                                     own->bisect(inputs.tensors, request)))));
    json["unit"] = isGolden ? "value" : "op";
    if (isGolden)
      sayWhatMatched(request.golden.size(), json);
    else if (json["kind"] == "none")
      json["compared"] =
          fmt::format("{} keep the values of the float64 reference",
                      countOf(request.forms.size(), "form"));
    else
      json["compared"] = comparedIn(json);
    analysis::addLayers(json);
    if (!isGolden && json.contains("op"))
      GAUDI_TRY(addSlice(json));
    return json;
  }

  /// The ops that cause most of the difference to the model without autocast,
  /// which is no defect.
  Status addCauses(Json &json) {
    Options plain = options;
    plain.autocast.clear();
    plain.marksSources = true;
    auto session = GAUDI_TRY(during(
        Exit::CompileError, Compiler::ofModel(plain, options.file, progress)));
    GAUDI_TRY(during(Exit::CompileError, session->import()));
    analysis::PrecisionReport found;
    GAUDI_TRY(during(Exit::RunError,
                     session->explainPrecision(launched[failing].sample.inputs,
                                               "f32", options.autocast,
                                               analysis::causesWork, found)));
    json["causes"] = Json::array();
    for (const analysis::PrecisionOp *op : analysis::rankedOps(found))
      if (json["causes"].size() < mostCauses)
        json["causes"].push_back({{"name", op->name},
                                  {"location", op->location},
                                  {"type", op->after},
                                  {"share", op->share}});
    return {};
  }

private:
  struct Launch {
    Launched sample;
    uint32_t step = 0;
    std::vector<std::vector<uint8_t>> states; ///< before it
  };

  /// "a, b and 3 more".
  static std::string shortListOf(const Json &names) {
    constexpr size_t most = 5;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), most); ++i)
      text += (i ? ", " : "") + names[i].get<std::string>();
    return names.size() > most
               ? text + fmt::format(" and {} more", names.size() - most)
               : text;
  }

  /// What was compared with the golden values, and what was not.
  static void sayWhatMatched(size_t values, Json &json) {
    const Json &unmatched = json["unmatched"];
    std::string text = fmt::format(
        "of {}, {} are within the noise, {} beyond it and {} of no op{}",
        countOf(values, "value"), json["within"].get<uint64_t>(),
        json["beyond"].get<uint64_t>(), unmatched.size(),
        unmatched.empty() ? "" : ": " + shortListOf(unmatched));
    if (const uint64_t skipped = json["not_compared"])
      text +=
          fmt::format("; {} follow from these and are not compared", skipped);
    if (json.contains("incomparable"))
      text += fmt::format("; {} cannot be compared: {}",
                          json["incomparable"].size(),
                          shortListOf(json["incomparable"]));
    json["compared"] = text;
  }

  /// Those with this ending, in the order of their names.
  static Result<std::vector<std::string>> filesIn(const std::string &folder,
                                                  const char *ending) {
    std::error_code error;
    std::vector<std::string> paths;
    for (std::filesystem::directory_iterator at(folder, error), end;
         !error && at != end; at.increment(error))
      if (at->path().extension() == ending)
        paths.push_back(at->path().string());
    const char *const writers =
        std::string_view(ending) == ".npy"
            ? "golden:DIR holds NAME.npy of each op or module, as "
              "gaudi_mlir.torch.dump_values(model, args, DIR) writes them"
            : "forms:DIR holds the module after some phases, as gaudi-opt "
              "MODEL --gaudi-compile=stop-after=fuse -o DIR/1-fuse.mlir "
              "writes it";
    if (error)
      return fail("--bisect: cannot read the folder {}: {}; {}",
                  inQuotes(folder), error.message(), writers);
    if (paths.empty())
      return fail("--bisect: the folder {} has no file NAME{}; {}",
                  inQuotes(folder), ending, writers);
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  Result<std::vector<recipe::HostTensor>> readGolden() const {
    const std::vector<std::string> paths =
        GAUDI_TRY(filesIn(options.goldenDir, ".npy"));
    std::vector<recipe::HostTensor> values;
    for (const std::string &path : paths) {
      NpyArray array = GAUDI_TRY(readNpy(path));
      recipe::Parameter parameter{
          std::filesystem::path(path).stem().string(), {}, false, {}};
      parameter.type.shape = array.shape;
      for (uint8_t element = 0;; ++element) {
        if (element > uint8_t(recipe::ElementType::MAX))
          return fail("--bisect: {} has elements of a type that no tensor has; "
                      "save what array.astype(numpy.float32) gives",
                      inQuotes(path));
        parameter.type.element = recipe::ElementType(element);
        const NpyType type = recipe::npyType(parameter.type.element);
        // Values of float64 are rounded.
        if (type == array.type ||
            (array.type == NpyType{'f', 8} && type == NpyType{'f', 4}))
          break;
      }
      values.push_back(
          {parameter.name, parameter.type,
           GAUDI_TRY(recipe::elementsOf(std::move(array), parameter, path,
                                        /*acceptDouble=*/true))});
    }
    return values;
  }

  /// What lines of the model are called, if the folder says it.
  Result<std::vector<std::string>> readPlaces() const {
    const std::filesystem::path path =
        std::filesystem::path(options.goldenDir) / "places.txt";
    std::vector<std::string> places;
    if (!std::filesystem::exists(path))
      return places;
    const FileBytes bytes = GAUDI_TRY(FileBytes::read(path.string()));
    std::string_view left = bytes.text();
    while (!left.empty()) {
      const size_t end = std::min(left.find('\n'), left.size());
      places.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return places;
  }

  /// Passes on the result of a stage, whose failures have this code.
  template <typename T> Result<T> during(Exit stage, Result<T> result) {
    failureCode = result ? Exit::BadInput : stage;
    return result;
  }

  Status open() {
    if (GAUDI_TRY(kindOfFile(options.file)) != SourceKind::Model)
      return openGiven();
    progress.step(fmt::format("compiling {}", inQuotes(options.file)));
    own = GAUDI_TRY(during(Exit::CompileError,
                           Compiler::ofModel(options, options.file, progress)));
    GAUDI_TRY(compile());
    entry = own->entryName();
    if (!own->symbols().empty())
      GAUDI_TRY(chooseSizes());
    if (options.model.empty())
      compiler = own.get();
    else
      GAUDI_TRY(openModel(options.device));
    return import();
  }

  Status compile() {
    file = std::make_shared<const recipe::RecipeFile>(
        GAUDI_TRY(during(Exit::CompileError, own->compileRecipe())));
    return {};
  }

  /// Compiles a model with dynamic sizes for exactly those of the inputs, so
  /// that nothing is padded.
  Status chooseSizes() {
    options.buckets =
        GAUDI_TRY(during(Exit::RunError, load(true)))->exactBucket();
    options.bucketHistogram.clear();
    own = GAUDI_TRY(during(Exit::CompileError,
                           Compiler::ofModel(options, options.file, progress)));
    GAUDI_TRY(compile());
    sizes = GAUDI_TRY(during(Exit::RunError, load(true)))->sizes();
    return {};
  }

  /// The right model, at the sizes of the inputs.
  Status import() {
    if (compiler->symbols().size() != sizes.size())
      return fail("--bisect: {} has {}, --model={} has {}; export both with "
                  "the same dynamic dimensions",
                  inQuotes(options.file), countOf(sizes.size(), "dynamic size"),
                  options.model, compiler->symbols().size());
    return during(Exit::CompileError,
                  sizes.empty() ? compiler->import() : compiler->select(sizes));
  }

  Status openGiven() {
    GAUDI_TRY(refuseModelOptions(options));
    recipe::OpenOptions opening;
    opening.threads = options.threads;
    file = std::make_shared<const recipe::RecipeFile>(
        GAUDI_TRY(openRecipe(options.file, opening)));
    GAUDI_TRY(checkDevice(file->recipe(), options));
    GAUDI_TRY(openModel(std::string(recipe::text(file->recipe().target()))));
    const auto sized = GAUDI_TRY(load(true));
    if (!sized->exactBucket().empty() && !sized->isExact())
      return fail("--bisect: the variant of {} for {} pads its inputs; give "
                  "inputs of exactly the sizes of a variant",
                  inQuotes(options.file), sized->exactBucket());
    sizes = sized->sizes();
    return import();
  }

  /// The model that is right, on the device of what is compared.
  Status openModel(std::optional<std::string> device) {
    if (GAUDI_TRY(kindOfFile(options.model)) != SourceKind::Model)
      return fail("--model={} is a recipe; name the model that {} was "
                  "compiled from",
                  options.model, inQuotes(options.file));
    Options single = options;
    single.device = std::move(device);
    single.autocast.clear();
    right =
        GAUDI_TRY(during(Exit::CompileError,
                         Compiler::ofModel(single, options.model, progress)));
    compiler = right.get();
    return {};
  }

  Result<std::unique_ptr<Device>> load(bool pipelined) {
    Options how = options;
    how.pipelined = pipelined && options.pipelined;
    progress.step(fmt::format("loading {}", inQuotes(options.file)));
    auto device = GAUDI_TRY(during(Exit::RunError, Device::load(file, how)));
    Status selected = device->selectEntry(entry, options);
    // The bucket is compiled then.
    if (!selected && (device->missedBucket().empty() || !sizes.empty()))
      return fail("{}", selected.error().message);
    return device;
  }

  Status launch() {
    auto device = GAUDI_TRY(load(/*pipelined=*/true));
    if (sizes.empty()) // a variant has a name of its own
      entry = device->entryName();
    const size_t count = device->inputs().size(),
                 expected = compiler->inputs().size();
    if (count != expected)
      return fail("--bisect: {} has {}, --model={} has {}; name two forms of "
                  "one function",
                  inQuotes(options.file), countOf(count, "input"),
                  options.model, expected);
    if (!options.model.empty())
      GAUDI_TRY(requireModelOf(*device, *compiler, options));
    const bool isGiven = options.seed || !options.inputs.empty();
    inputs = GAUDI_TRY(gatherInputs(
        options.inputs, isGiven ? options.seed : std::optional<uint32_t>(1),
        options.steps != 0, device->inputs()));
    Options once = options;
    once.repeat = 1;
    once.warmup = 0;
    once.report = ReportForm::None;
    once.trace.clear();
    once.checkFinite = false;
    if (options.steps)
      return launchSteps(*device, once);
    auto outputs = GAUDI_TRY(during(
        Exit::RunError, device->launch(inputs.tensors, once, progress,
                                       [](uint32_t) { return Status(); })));
    Options seeded = once;
    if (!seeded.seed)
      seeded.seed = 1;
    for (Launched &sample : GAUDI_TRY(
             during(Exit::RunError, launchSamples(*compiler, *device, seeded,
                                                  inputs, outputs, progress))))
      launched.push_back({std::move(sample), 0, {}});
    return {};
  }

  /// Each step is a launch of its own, from the states that the device had
  /// before it: errors of earlier steps are theirs.
  Status launchSteps(Device &device, const Options &once) {
    std::vector<recipe::HostTensor> given;
    std::vector<std::vector<uint8_t>> states;
    const auto remember = [&](uint32_t step) -> Status {
      given = valuesOfStep(inputs.tensors, step);
      if (step)
        GAUDI_TRY(device.readStateInputs(given));
      states = GAUDI_TRY(device.readStates());
      return {};
    };
    GAUDI_TRY(remember(0));
    return during(Exit::RunError, [&]() -> Status {
      GAUDI_TRY(device.launch(
          inputs.tensors, once, progress, [&](uint32_t step) -> Status {
            Launch one{{"", given, {}}, step, states};
            for (size_t i = 0; i < device.outputs().size(); ++i)
              one.sample.outputs.push_back(GAUDI_TRY(device.output(i)));
            launched.push_back(std::move(one));
            return step + 1 < options.steps ? remember(step + 1) : Status();
          }));
      return {};
    }());
  }

  /// Whether an output is beyond the noise.
  Result<bool> isBeyond(const Launched &sample) {
    const auto compare = [&](uint32_t pairs) -> Result<bool> {
      progress.step(fmt::format("evaluating the reference of {}",
                                inQuotes(options.file)));
      GAUDI_TRY(during(Exit::RunError,
                       compiler->evaluate(sample.inputs, false, pairs)));
      comparisons.clear();
      bool passed = true;
      for (size_t i = 0; i < sample.outputs.size(); ++i) {
        comparisons.push_back(analysis::compare(
            sample.outputs[i], compiler->result(i), compiler->noise(i),
            sample.regime.empty()
                ? "the reference"
                : fmt::format("the reference on {} inputs", sample.regime)));
        passed &= comparisons.back().passed();
      }
      return !passed;
    };
    const Stopwatch watch;
    bool beyond =
        GAUDI_TRY(compare(options.checkDraws.value_or(GAUDI_DRAWS_BY_WORK)));
    if (beyond && !options.checkDraws &&
        watch.milliseconds() < quickMilliseconds)
      beyond = GAUDI_TRY(compare(GAUDI_MORE_DRAWS_BY_WORK));
    return beyond;
  }

  /// Launches again, with every command on its own, and compares the ops.
  Status search(const Launch &launch, Json &json) {
    auto device = GAUDI_TRY(load(/*pipelined=*/false));
    capi::CommandTrace trace(device->executed(), file->recipe(),
                             device->entryNumber());
    auto outputs = GAUDI_TRY(
        during(Exit::RunError,
               device->observe(launch.sample.inputs, launch.states, trace)));
    if (!trace.isComplete())
      return fail("--bisect: cannot keep what the commands give in a file of "
                  "{}; set TMPDIR to a folder with more space",
                  inQuotes(temporaryFolder()));
    progress.step(
        fmt::format("comparing the ops of {}", inQuotes(options.file)));
    capi::CompilerSession::Bisection request;
    if (own && compiler != own.get()) {
      request.suspectName = options.file;
      request.suspect = own->source().text();
    }
    trace.fill(request);
    json.update(Json::parse(GAUDI_TRY(during(
        Exit::RunError, compiler->bisect(launch.sample.inputs, request)))));
    const std::string kind = json["kind"];
    json["unit"] = kind == "op" ? "op" : "command";
    // The commands, one by one, may be right where the timed launch is not.
    if ((kind == "sum" || kind == "unmatched") && isRight(outputs)) {
      json["kind"] = "pipeline";
      json.erase("op");
    }
    if (json.contains("ops"))
      json["compared"] = comparedIn(json);
    // Of a recipe; a model has an op for that.
    if (kind == "command" && !own && sizes.empty() &&
        json.contains("counterpart") && !json.contains("until"))
      if (const auto right = compiler->compileRecipe()) {
        const std::string part = json.value("part", "");
        addInstruction({*file, part.empty() ? entry : part},
                       {*right, part.empty() ? compiler->entryName() : part},
                       json);
      }
    return {};
  }

  static std::string comparedIn(const Json &json) {
    const uint64_t ops = json["ops"], within = json["within"],
                   beyond = json["beyond"], skipped = json["not_compared"];
    return fmt::format(
        "of {}, {} are within the noise, {} beyond it{} and {} without a "
        "counterpart in the model",
        countOf(ops, json["unit"].get<std::string>()), within, beyond,
        skipped ? fmt::format(", {} follow from these and are not compared",
                              skipped)
                : "",
        ops - within - beyond - skipped);
  }

  bool isRight(const std::vector<recipe::HostTensor> &outputs) const {
    for (size_t i = 0; i < outputs.size(); ++i)
      if (!analysis::compare(outputs[i], compiler->result(i),
                             compiler->noise(i), "the reference")
               .passed())
        return false;
    return true;
  }

  /// A model that may show what was found.
  struct Candidate {
    Options small;
    uint64_t ops = 0;
    Result<bool> shows;
  };

  /// Writes a slice to a folder, and compares it.
  Result<Candidate> tryOut(const std::string &folder,
                           const capi::CompilerSession::Slice &slice) const {
    Options small = GAUDI_TRY(writeSlice(folder, slice));
    Exit ignored = Exit::Ok;
    Result<bool> shows = Bisecting(small, progress, ignored).differs();
    return Candidate{std::move(small), opsIn(slice.model), std::move(shows)};
  }

  /// The first slice that shows it, from the op alone to ever more that it
  /// reads from, and then without what it does not need. Of the imported model
  /// (where passes make the difference), or as a pair of forms. None shows it:
  /// false.
  Result<bool> addSlice(Json &json, bool ofImport) {
    for (uint32_t depth = 0; depth <= deepestSlice;
         depth = depth ? 2 * depth : 1) {
      auto slice = compiler->slice(depth, ofImport);
      if (!slice && ofImport)
        return false;
      if (!slice)
        return fail("{}", slice.error().message);
      const Candidate candidate = GAUDI_TRY(tryOut(scratch, *slice));
      if (candidate.shows && *candidate.shows) {
        json["slice"] = {
            {"depth", depth}, {"ops", candidate.ops}, {"shows", true}};
        GAUDI_TRY(reduce(depth, ofImport, slice->numOps, json["slice"]));
        return true;
      }
      if (slice->isWhole)
        return false;
    }
    return false;
  }

  /// Takes away ops of a slice that shows it, as gaudi-reduce does, for some
  /// seconds: their results become inputs.
  Status reduce(uint32_t depth, bool ofImport, uint32_t ops, Json &json) {
    const Stopwatch watch;
    std::vector<uint32_t> left(ops);
    std::iota(left.begin(), left.end(), 0);
    const auto sliceOf = [&](const std::vector<uint32_t> &kept) {
      std::vector<uint8_t> removed(ops, 1);
      for (const uint32_t op : kept)
        removed[op] = 0;
      return compiler->slice(depth, ofImport, removed);
    };
    Status written;
    const auto remove = [&](size_t begin, size_t end) {
      std::vector<uint32_t> kept = left;
      kept.erase(kept.begin() + int64_t(begin), kept.begin() + int64_t(end));
      if (!written || watch.milliseconds() > longestReduction)
        return false;
      const auto slice = sliceOf(kept);
      if (!slice)
        return false;
      const auto candidate = tryOut(scratch, *slice);
      if (!candidate)
        written = fail("{}", candidate.error().message);
      if (!candidate || !candidate->shows || !*candidate->shows)
        return false;
      left = std::move(kept);
      return true;
    };
    reduceParts([&] { return left.size(); }, remove);
    GAUDI_TRY(std::move(written));
    const auto slice = sliceOf(left);
    if (!slice)
      return fail("{}", slice.error().message);
    const Options small = GAUDI_TRY(writeSlice(options.bisectDir, *slice));
    json["ops"] = opsIn(slice->model);
    json["command"] = commandOf(small);
    return {};
  }

  /// Writes the smallest model that shows it to --bisect-dir.
  Status addSlice(Json &json) {
    if (options.bisectDir.empty())
      return {};
    std::error_code error;
    std::filesystem::create_directories(options.bisectDir, error);
    if (error)
      return fail("--bisect-dir: cannot create the folder {}: {}; name a "
                  "folder that can be written",
                  inQuotes(options.bisectDir), error.message());
    if ((json.contains("pass") && GAUDI_TRY(addSlice(json, true))) ||
        GAUDI_TRY(addSlice(json, false)))
      return {};
    // None shows it: the op alone is what remains.
    const Candidate alone =
        GAUDI_TRY(tryOut(options.bisectDir, GAUDI_TRY(compiler->slice(0))));
    json["slice"] = {{"depth", 0},
                     {"ops", alone.ops},
                     {"shows", alone.shows && *alone.shows},
                     {"command", commandOf(alone.small)}};
    if (!alone.shows)
      json["slice"]["error"] = alone.shows.error().message;
    return {};
  }

  static uint64_t opsIn(const std::string &model) {
    uint64_t ops = 0;
    for (size_t at = 0; (at = model.find("= gaudi.", at)) != model.npos; ++at)
      ops += model.compare(at, 16, "= gaudi.constant") != 0 &&
             model.compare(at, 15, "= gaudi.kernel.") != 0;
    return ops;
  }

  /// Options that compare the slice in the folder.
  Result<Options> writeSlice(const std::filesystem::path &folder,
                             const capi::CompilerSession::Slice &slice) const {
    Options small;
    small.mode = Mode::Bisect;
    small.device = options.device;
    small.threads = options.threads;
    small.checkSamples = 0;
    small.cacheDirectory = options.cacheDirectory;
    // What decides on the launch and on the noise. The ops have their precision
    // already, whatever --autocast says.
    small.numerics = options.numerics;
    small.disableFusion = options.disableFusion;
    small.pipelined = options.pipelined;
    small.checkDraws = options.checkDraws;
    const auto write = [&](const char *name, const std::string &text) {
      return writeFile((folder / name).string(),
                       reinterpret_cast<const uint8_t *>(text.data()),
                       text.size());
    };
    GAUDI_TRY(write("model.mlir", slice.model));
    small.file = (folder / "model.mlir").string();
    if (!slice.suspect.empty()) {
      GAUDI_TRY(write("suspect.mlir", slice.suspect));
      small.model = small.file;
      small.file = (folder / "suspect.mlir").string();
    }
    std::vector<std::optional<std::string>> files;
    for (size_t i = 0; i < slice.inputs.size(); ++i) {
      files.push_back((folder / fmt::format("{}.npy", i)).string());
      small.inputs.push_back("@" + *files.back());
    }
    GAUDI_TRY(writeOutputs(slice.inputs, files));
    return small;
  }

  static std::string commandOf(const Options &small) {
    std::string text = "gaudi-run " + forShell(small.file) + " --bisect";
    const auto add = [&](const char *option, const std::string &value) {
      if (!value.empty())
        text += fmt::format(" {}={}", option, forShell(value));
    };
    add("--model", small.model);
    add("--device", small.device.value_or(""));
    add("--numerics", small.numerics);
    add("--disable-fusion", small.disableFusion);
    if (!small.pipelined)
      text += " --no-pipeline";
    if (small.checkDraws)
      text += fmt::format(" --check-draws={}", *small.checkDraws);
    for (const std::string &input : small.inputs)
      add("--input", input);
    return text;
  }

  /// A word of a shell's command line.
  static std::string forShell(const std::string &word) {
    const auto isPlain = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) ||
             std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
    };
    if (std::all_of(word.begin(), word.end(), isPlain))
      return word;
    std::string quoted = "'";
    for (const char c : word)
      quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
  }

  Options options; ///< with the bucket of the inputs
  Progress &progress;
  Exit &failureCode;
  shapes::Sizes sizes; ///< of the launch; empty: they are static
  std::unique_ptr<Compiler> own, right; ///< of the file; of --model
  Compiler *compiler = nullptr;         ///< whose reference is right
  std::shared_ptr<const recipe::RecipeFile> file;
  std::string entry;
  Inputs inputs;
  std::vector<Launch> launched;
  size_t failing = 0;
  std::vector<analysis::Comparison> comparisons; ///< of the last launch
  std::string scratch;
};

/// Whether slices have a file of this name.
bool isOfSlice(const std::filesystem::path &file) {
  const std::string name = file.filename(), stem = file.stem();
  return name == "model.mlir" || name == "suspect.mlir" ||
         (file.extension() == ".npy" &&
          std::all_of(stem.begin(), stem.end(),
                      [](unsigned char c) { return std::isdigit(c); }));
}

/// An error if a slice would replace what the bisection reads.
Status checkFolder(const Options &options) {
  if (options.bisectDir.empty())
    return {};
  std::vector<std::string> read = {options.file, options.model};
  for (const std::string &input : options.inputs)
    read.push_back(GAUDI_TRY(parseValueSpec("--input", input)).file);
  for (const char *form : {"model.mlir", "suspect.mlir"})
    if (!options.formsDir.empty())
      read.push_back(std::filesystem::path(options.formsDir) / form);
  std::error_code error;
  for (std::filesystem::directory_iterator at(options.bisectDir, error), end;
       !error && at != end; at.increment(error)) {
    const std::string path = at->path();
    if (isOfSlice(path) &&
        std::any_of(read.begin(), read.end(),
                    [&](const auto &other) { return sameFile(path, other); }))
      return fail("--bisect-dir: {} is read, and would be replaced; choose "
                  "another folder",
                  inQuotes(path));
  }
  return {};
}

} // namespace

/// The launch; with another device or precision, if it is right, the one
/// there.
static Result<Json> reportOf(const Options &options, Progress &progress,
                             Exit &failureCode) {
  GAUDI_TRY(checkFolder(options));
  std::optional<Scratch> scratch;
  if (!options.bisectDir.empty())
    scratch.emplace(GAUDI_TRY(Scratch::create("bisect")));
  const std::string folder = scratch ? scratch->folder() : "";
  if (!options.goldenDir.empty() || !options.formsDir.empty())
    return Bisecting(options, progress, failureCode, folder).given();
  Json json =
      GAUDI_TRY(Bisecting(options, progress, failureCode, folder).report());
  const bool isOther =
      !options.otherDevice.empty() || !options.otherAutocast.empty();
  if (!isOther || json["kind"] != "none")
    return json;
  Options other = options;
  if (!options.otherAutocast.empty())
    other.autocast = options.otherAutocast;
  if (!options.otherDevice.empty())
    other.device = options.otherDevice;
  Bisecting there(other, progress, failureCode, folder);
  json = GAUDI_TRY(there.report());
  json["against"] =
      options.otherDevice.empty() ? "f32" : options.device.value_or("gaudi2");
  if (!options.otherAutocast.empty())
    GAUDI_TRY(there.addCauses(json));
  return json;
}

Result<Exit> bisect(const Options &options, Progress &progress,
                    Exit &failureCode) {
  const Json json = GAUDI_TRY(reportOf(options, progress, failureCode));
  progress.step("");
  if (options.report == ReportForm::Json)
    printJsonObject("bisect", json);
  else
    std::cout << analysis::textOfBisection(json);
  return json["kind"] == "none" ? Exit::Ok : Exit::Mismatch;
}

} // namespace gaudi::run
