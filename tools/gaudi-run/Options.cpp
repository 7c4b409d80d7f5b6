// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of gaudi-run.
#include "Declarations.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Shapes/Strategy.h"
#include "Gaudi/Support/ByteSize.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Support/Quote.h"
#include "Sizes.h"
#include "Spelling.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <iostream>

namespace gaudi::run {
namespace {

std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

Result<uint64_t> bytesOption(const char *option, const std::string &text) {
  auto bytes = parseBytes(text);
  if (!bytes)
    return fail("{}: {}", option, bytes.error().message);
  return bytes;
}

/// Whether the user gave the option. CLI::App::count() ends the process when it
/// has no memory.
bool isGiven(const CLI::App &app, std::string_view name) {
  for (const CLI::Option *option : app.get_options())
    for (const std::string &known : option->get_lnames())
      if (known == name)
        return option->count() != 0;
  assert(false && "no option of that name");
  return false;
}

Result<Mode> modeOf(const CLI::App &app) {
  static constexpr std::pair<const char *, Mode> modes[] = {
      {"check", Mode::Check},
      {"reference", Mode::Reference},
      {"verify", Mode::Verify},
      {"dump", Mode::Dump},
      {"dump-constants", Mode::Dump},
      {"compile-only", Mode::CompileOnly},
      {"predict", Mode::Predict},
      {"plan-memory", Mode::PlanMemory},
      {"find-max-batch", Mode::FindMaxBatch},
      {"explain-recompile", Mode::ExplainRecompile}};
  const char *chosen = nullptr;
  Mode mode = Mode::Run;
  for (const auto &[name, meant] : modes) {
    if (!isGiven(app, name))
      continue;
    if (chosen && meant != mode)
      return fail("--{} and --{} exclude each other; choose one", chosen, name);
    chosen = name;
    mode = meant;
  }
  return mode;
}

Status checkSteps(const CLI::App &app, const Options &options) {
  if (!options.steps)
    return options.loss.empty() ? Status()
                                : fail("--loss needs --steps=N: it prints an "
                                       "output after each step");
  if (options.mode != Mode::Run && options.mode != Mode::Check)
    return fail("--steps needs a plain run or --check; remove the option of "
                "another mode (--reference, --dump, ...)");
  for (const char *other : {"repeat", "warmup"})
    if (isGiven(app, other))
      return fail("--steps and --{} exclude each other; choose one", other);
  return {};
}

/// Options of launches and of their results have no meaning for modes that run
/// nothing.
Status checkNoLaunch(const CLI::App &app, const char *mode) {
  for (const char *other :
       {"input",        "seed-inputs", "output",         "print",
        "expect",       "atol",        "rtol",           "check-finite",
        "check-memory", "steps",       "loss",           "threads",
        "no-pipeline",  "cache-dir",   "no-cache",       "panel-cache",
        "repeat",       "warmup",      "check-numerics", "poison-padding",
        "strict-shapes"}) {
    // A replay says what would be compiled, or refused.
    if (std::string_view(other) == "strict-shapes" &&
        isGiven(app, "shapes-from"))
      continue;
    if (isGiven(app, other))
      return fail("{} runs nothing, so that --{} has no meaning; remove one of "
                  "them",
                  mode, other);
  }
  return {};
}

Status checkPlans(const CLI::App &app, const Options &options) {
  if (options.mode == Mode::PlanMemory)
    GAUDI_TRY(checkNoLaunch(app, "--plan-memory"));
  if (options.mode == Mode::ExplainRecompile) {
    GAUDI_TRY(checkNoLaunch(app, "--explain-recompile"));
    if (isGiven(app, "save-recipe"))
      return fail("--explain-recompile keeps no recipe; remove -o");
  }
  if (options.mode == Mode::FindMaxBatch) {
    GAUDI_TRY(checkNoLaunch(app, "--find-max-batch"));
    if (isGiven(app, "save-recipe"))
      return fail("--find-max-batch keeps no recipe; remove -o");
  } else if (isGiven(app, "batch-input")) {
    return fail("--batch-input needs --find-max-batch");
  }
  return {};
}

Status checkPrediction(const CLI::App &app, const RawOptions &raw,
                       Options &options) {
  if (options.mode != Mode::Predict)
    return isGiven(app, "devices")
               ? fail("--devices needs --predict; --device chooses the device "
                      "of other modes")
               : Status();
  GAUDI_TRY(checkNoLaunch(app, "--predict"));
  if (isGiven(app, "device-memory"))
    return fail("--predict compares with the memory of the card; "
                "--plan-memory takes --device-memory");
  if (!isGiven(app, "devices"))
    return {};
  for (const char *other : {"device", "save-recipe"})
    if (isGiven(app, other))
      return fail("--devices and --{} exclude each other; choose one", other);
  for (size_t at = 0; at <= raw.devices.size();) {
    const size_t comma =
        std::min(raw.devices.find(',', at), raw.devices.size());
    std::string name = raw.devices.substr(at, comma - at);
    if (auto device = device::DeviceSpec::lookup(name); !device)
      return fail("--devices: {}", device.error().message);
    if (std::count(options.devices.begin(), options.devices.end(), name))
      return fail("--devices: {} is given twice", inQuotes(name));
    options.devices.push_back(std::move(name));
    at = comma + 1;
  }
  return {};
}

/// The files of predictions are of what runs or is predicted.
Status checkPictures(const CLI::App &app, const Options &options) {
  for (const char *name : {"trace", "html"}) {
    if (!isGiven(app, name))
      continue;
    if ((*name == 't' ? options.trace : options.html).empty())
      return fail("--{}: expected a file but got an empty name", name);
    if (options.mode != Mode::Run && options.mode != Mode::Check &&
        options.mode != Mode::Predict)
      return fail("--{} needs a plain run, --check or --predict; remove the "
                  "option of another mode (--reference, --dump, ...)",
                  name);
  }
  return {};
}

Status checkMemoryCheck(const Options &options) {
  if (options.checkMemory && options.mode != Mode::Run &&
      options.mode != Mode::Check)
    return fail("--check-memory needs a plain run or --check; remove the "
                "option of another mode (--reference, --dump, ...)");
  return {};
}

Status checkComparison(const CLI::App &app, const Options &options) {
  for (const char *name :
       {"model", "check-draws", "check-samples", "save-samples"})
    if (isGiven(app, name) && options.mode != Mode::Check)
      return fail("--{0} is of --check; add --check or remove --{0}", name);
  return {};
}

Status checkFusions(const CLI::App &app, const Options &options) {
  if (isGiven(app, "disable-fusion"))
    if (auto names = parseFusionNames(options.disableFusion, disabledFusions());
        !names)
      return fail("--disable-fusion: {}", names.error().message);
  if (isGiven(app, "require-fusion"))
    if (auto required = parseRequiredFusions(options.requireFusion); !required)
      return fail("--require-fusion: {}", required.error().message);
  return {};
}

Status checkPermutations(const Options &options) {
  for (const std::string &names : options.allowPermutation)
    if (names.empty())
      return fail("--allow-permutation: expected names of inputs and outputs, "
                  "'inputs', 'outputs' or 'all', but got an empty text");
  return {};
}

Status checkBuckets(const CLI::App &app, const RawOptions &raw,
                    Options &options) {
  options.bucketCurve = isGiven(app, "bucket-curve");
  if (options.bucketCurve && raw.bucketCurve != "true") // its plain form
    options.bucketCurveFile = raw.bucketCurve;
  // Before the model is compiled, so that it is not the model's fault.
  if (isGiven(app, "buckets"))
    if (auto strategy = shapes::parseStrategy(options.buckets); !strategy)
      return fail("--buckets: {}", strategy.error().message);
  if (isGiven(app, "bucket-histogram"))
    GAUDI_TRY(shapes::readHistogram(options.bucketHistogram));
  for (const char *name : {"bucket-curve", "save-bucket-costs", "bucket-cost"})
    if (isGiven(app, name) && options.bucketHistogram.empty())
      return fail("--{} needs --bucket-histogram: the sizes that launches had",
                  name);
  for (const char *name : {"buckets", "bucket-histogram"})
    if (isGiven(app, name) && options.mode == Mode::FindMaxBatch)
      return fail("--find-max-batch takes models of static sizes; remove --{}",
                  name);
  if (isGiven(app, "save-bucket-costs") && options.bucketCost == "elements")
    return fail("--save-bucket-costs writes predicted times; remove "
                "--bucket-cost=elements");
  for (const char *name : {"bucket-curve", "save-bucket-costs"})
    if (isGiven(app, name) &&
        (options.mode == Mode::Reference ||
         options.mode == Mode::FindMaxBatch ||
         options.mode == Mode::ExplainRecompile || !options.devices.empty()))
      return fail("--{} needs one compilation with buckets; remove "
                  "--reference, --find-max-batch, --explain-recompile or "
                  "--devices",
                  name);
  return {};
}

Status checkSizes(const CLI::App &app, const RawOptions &raw,
                  Options &options) {
  if (isGiven(app, "sizes"))
    options.sizes = GAUDI_TRY(parseSizes(raw.sizes));
  GAUDI_TRY(checkBuckets(app, raw, options));
  if (!isGiven(app, "shapes-from"))
    return {};
  if (options.mode != Mode::Run)
    return fail("--shapes-from is a mode of its own; remove the option of "
                "another mode (--check, --dump, ...)");
  if (!options.launchesTrace())
    GAUDI_TRY(checkNoLaunch(app, "--shapes-from"));
  for (const char *other : {"output", "expect", "steps", "repeat", "warmup",
                            "check-finite", "check-numerics"})
    if (isGiven(app, other))
      return fail("--shapes-from launches each line as often as it says, and "
                  "keeps no output; remove --{}",
                  other);
  return isGiven(app, "sizes")
             ? fail("--shapes-from and --sizes exclude each other; choose one")
             : Status();
}

Status checkConsole(const CLI::App &app, const RawOptions &raw,
                    Options &options) {
  const auto choose = [&](const char *option, const std::string &given,
                          const auto &choices, auto &chosen) -> Status {
    std::string names;
    for (const auto &[name, value] : choices) {
      if (given == name) {
        chosen = value;
        return {};
      }
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return fail("--{}: expected one of {} but got {}", option, names,
                inQuotes(given));
  };
  if (isGiven(app, "color"))
    GAUDI_TRY(choose(
        "color", raw.colors,
        std::vector<std::pair<const char *, Colors>>{{"auto", Colors::Auto},
                                                     {"always", Colors::Always},
                                                     {"never", Colors::Never}},
        options.colors));
  if (isGiven(app, "remarks") && raw.remarks != "true") // its plain form
    GAUDI_TRY(choose("remarks", raw.remarks,
                     std::vector<std::pair<const char *, RemarkLevel>>{
                         {"summary", RemarkLevel::Summary},
                         {"missed", RemarkLevel::Missed},
                         {"all", RemarkLevel::All}},
                     options.remarks));
  else if (isGiven(app, "remarks"))
    options.remarks = RemarkLevel::Summary;
  const bool isQuiet = isGiven(app, "quiet"),
             isVerbose = isGiven(app, "verbose");
  if (isQuiet && isVerbose)
    return fail("--quiet and --verbose exclude each other; choose one");
  options.verbosity = isQuiet     ? Verbosity::Quiet
                      : isVerbose ? Verbosity::Verbose
                                  : Verbosity::Normal;
  return {};
}

Status interpret(const CLI::App &app, const RawOptions &raw, Options &options) {
  GAUDI_TRY(checkConsole(app, raw, options));
  setUpConsole(options.colors, options.verbosity);
  options.mode = GAUDI_TRY(modeOf(app));
  options.pipelined = !isGiven(app, "no-pipeline");
  if (isGiven(app, "seed-inputs"))
    options.seed = raw.seed;
  if (isGiven(app, "atol"))
    options.atol = raw.atol;
  if (isGiven(app, "rtol"))
    options.rtol = raw.rtol;
  if (isGiven(app, "device")) {
    if (auto device = device::DeviceSpec::lookup(raw.device); !device)
      return fail("--device: {}", device.error().message);
    options.device = raw.device;
  }
  if (isGiven(app, "memory-budget"))
    options.memoryBudget =
        GAUDI_TRY(bytesOption("--memory-budget", raw.memoryBudget));
  if (isGiven(app, "device-memory"))
    options.deviceMemory =
        GAUDI_TRY(bytesOption("--device-memory", raw.deviceMemory));
  if (isGiven(app, "panel-cache"))
    options.panelCacheBytes =
        raw.panelCache == "0"
            ? 0
            : GAUDI_TRY(bytesOption("--panel-cache", raw.panelCache));
  const bool isUncached = isGiven(app, "no-cache");
  if (isGiven(app, "cache-dir") && isUncached)
    return fail("--cache-dir and --no-cache exclude each other; choose one");
  if (isGiven(app, "cache-dir") && raw.cache.empty())
    return fail("--cache-dir: expected a folder but got an empty name; "
                "--no-cache disables the cache");
  if (isGiven(app, "cache-dir"))
    options.cacheDirectory = raw.cache;
  else if (isUncached)
    options.cacheDirectory = "";
  if (raw.report == "text")
    options.report = ReportForm::Text;
  else if (raw.report == "json")
    options.report = ReportForm::Json;
  else if (isGiven(app, "report"))
    return fail("--report: expected text or json but got {}",
                inQuotes(raw.report));
  if (options.mode == Mode::CompileOnly && options.save.empty())
    return fail("--compile-only needs -o FILE for the recipe");
  GAUDI_TRY(checkComparison(app, options));
  GAUDI_TRY(checkFusions(app, options));
  GAUDI_TRY(checkPermutations(options));
  GAUDI_TRY(checkPrediction(app, raw, options));
  GAUDI_TRY(checkPlans(app, options));
  GAUDI_TRY(checkPictures(app, options));
  GAUDI_TRY(checkMemoryCheck(options));
  for (const auto &[mode, name] :
       {std::pair(Mode::Verify, "--verify"), std::pair(Mode::Dump, "--dump")})
    if (options.mode == mode && options.report == ReportForm::Json)
      return fail("--report=json does not go with {}, which prints text; "
                  "remove one of them",
                  name);
  GAUDI_TRY(checkSizes(app, raw, options));
  return checkSteps(app, options);
}

/// The first option that only models have, or null.
const char *modelOnlyOption(const Options &options, bool readsHistogram) {
  return options.mode == Mode::Check && options.model.empty() ? "--check"
         : options.mode == Mode::Reference                    ? "--reference"
         : options.mode == Mode::CompileOnly                  ? "--compile-only"
         : options.remarks != RemarkLevel::None               ? "--remarks"
         : options.checkNumerics            ? "--check-numerics"
         : !options.disableFusion.empty()   ? "--disable-fusion"
         : !options.requireFusion.empty()   ? "--require-fusion"
         : options.memoryBudget             ? "--memory-budget"
         : options.verifyFusion             ? "--verify-fusion"
         : !options.states.empty()          ? "--state"
         : !options.shapes.empty()          ? "--shape"
         : !options.buckets.empty()         ? "--buckets"
         : options.bucketCurve              ? "--bucket-curve"
         : !options.bucketCostsFile.empty() ? "--save-bucket-costs"
         : !options.bucketCost.empty()      ? "--bucket-cost"
         : !options.bucketHistogram.empty() && !readsHistogram
             ? "--bucket-histogram"
         : !options.allowPermutation.empty() ? "--allow-permutation"
         : !options.save.empty()             ? "-o"
                                             : nullptr;
}

} // namespace

Status refuseModelOptions(const Options &options, bool readsHistogram) {
  if (const char *option = modelOnlyOption(options, readsHistogram))
    return fail("{} needs the model, but {} is a recipe, which is compiled "
                "already",
                option, inQuotes(options.file));
  return {};
}

bool asksForJson(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--report=json" ||
        (argument == "--report" && i + 1 < argc &&
         std::string_view(argv[i + 1]) == "json"))
      return true;
  }
  return false;
}

Result<std::optional<Options>> parseOptions(int argc, char **argv) {
  CLI::App app("Runs models on an emulated Gaudi: a compiled recipe, or a "
               "model in MLIR that is compiled first.",
               "gaudi-run");
  Options options;
  RawOptions raw;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    app.exit(request, std::cout, std::cerr);
    return std::nullopt;
  } catch (const CLI::ExtrasError &) {
    return fail(unexpectedArgument(app, "one FILE is run at a time"));
  } catch (const CLI::ParseError &error) {
    return fail("{} (gaudi-run --help lists the options)",
                oneLine(error.what()));
  }
  GAUDI_TRY(interpret(app, raw, options));
  return options;
}

} // namespace gaudi::run
