// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of gaudi-run.
#include "CommandLine.h"
#include "Declarations.h"
#include "Gaudi/Device/AutocastTypes.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Shapes/Strategy.h"
#include "Gaudi/Shapes/SymbolText.h"
#include "Gaudi/Support/Autocast.h"
#include "Gaudi/Support/ByteSize.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "ReplayOptions.h"
#include "Sizes.h"
#include "Suffixes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace gaudi::run {
namespace {

constexpr std::pair<const char *, Mode> modes[] = {
    {"check", Mode::Check},
    {"bisect", Mode::Bisect},
    {"reference", Mode::Reference},
    {"verify", Mode::Verify},
    {"dump", Mode::Dump},
    {"dump-constants", Mode::Dump},
    {"compile-only", Mode::CompileOnly},
    {"predict", Mode::Predict},
    {"compare-with", Mode::Predict},
    {"plan-memory", Mode::PlanMemory},
    {"find-max-batch", Mode::FindMaxBatch},
    {"batch-sweep", Mode::BatchSweep},
    {"explain-recompile", Mode::ExplainRecompile},
    {"loss-curve", Mode::LossCurve}};

/// "--dump": the first of the given options that is one of `names`; "": none.
std::string givenOf(const GivenOptions &given,
                    std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (given.has(name))
      return std::string("--") + name;
  return "";
}

/// The option that chose the mode, "--dump"; "" of a plain run.
std::string modeOption(const GivenOptions &given) {
  for (const auto &[name, mode] : modes)
    if (given.has(name))
      return std::string("--") + name;
  return given.has("shapes-from") ? "--shapes-from" : "";
}

Result<Mode> modeOf(const GivenOptions &given) {
  const char *chosen = nullptr;
  Mode mode = Mode::Run;
  for (const auto &[name, meant] : modes) {
    if (!given.has(name))
      continue;
    if (chosen && meant != mode)
      return fail("--{} and --{} exclude each other; choose one", chosen, name);
    chosen = name;
    mode = meant;
  }
  return mode;
}

Result<uint64_t> bytesOption(const char *option, const std::string &text) {
  auto bytes = parseBytes(text);
  if (!bytes)
    return fail("{}: {}", option, bytes.error().message);
  // No card has so little: the unit is missing.
  if (option == std::string_view("--device-memory") && *bytes < 1024 &&
      text.find_first_not_of("0123456789.") == text.npos)
    return fail("{0}={1} has no unit, so that it would be {1} bytes; write "
                "{0}={1}GiB, {0}={1}M, or {0}={1}B if it is meant",
                option, text);
  return bytes;
}

/// Adds to a setting that says no lists those that PyTorch's autocast on hpu
/// would take, and checks it for the device unless several are predicted. A
/// file that a variable names is the variable's.
Status completeAutocast(const char *option, std::string &setting,
                        const Options &options) {
  const std::string given = setting;
  const auto check = [&](const char *culprit) -> Status {
    const auto parsed = parseAutocast(setting);
    if (!parsed)
      return fail("{}: {}", culprit, parsed.error().message);
    if (!options.devices.empty())
      return {};
    const auto fits =
        device::checkAutocast(*parsed, *GAUDI_TRY(device::DeviceSpec::lookup(
                                           options.device.value_or("gaudi2"))));
    return fits ? Status()
                : fail("{}: {}: {}", option, inQuotes(given),
                       fits.error().message);
  };
  GAUDI_TRY(check(option));
  if (setting == "f32" || setting.find(":lower=") != setting.npos ||
      setting.find(":fp32=") != setting.npos)
    return {};
  for (const auto &[key, variable] :
       {std::pair("lower", "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST"),
        std::pair("fp32", "PT_HPU_AUTOCAST_FP32_OPS_LIST")})
    if (const char *file = std::getenv(variable); file && *file) {
      setting += std::string(":") + key + "=" + file;
      GAUDI_TRY(check(variable));
    }
  return {};
}

/// Alone, --autocast compares; with what asks for a launch or for a file of the
/// recipe it is an option of the compiler.
Status checkAutocast(const GivenOptions &given, Options &options) {
  const bool isLossCurve = options.mode == Mode::LossCurve;
  if (!given.has("autocast")) {
    if (isLossCurve || given.has("against"))
      return fail("--{} needs --autocast=SETTING; add --autocast=bf16",
                  isLossCurve ? "loss-curve" : "against");
    return {};
  }
  GAUDI_TRY(completeAutocast("--autocast", options.autocast, options));
  GAUDI_TRY(completeAutocast("--against", options.against, options));
  if (isLossCurve)
    return options.steps && !options.loss.empty()
               ? Status()
               : fail("--loss-curve needs --steps=N and --loss=NAME; add {}",
                      options.steps          ? "--loss=NAME"
                      : options.loss.empty() ? "both"
                                             : "--steps=100");
  std::string launches = options.modeOption;
  if (launches.empty())
    launches = givenOf(given, {"save-recipe", "output", "print", "expect",
                               "steps", "repeat", "warmup", "check-finite",
                               "check-memory", "poison-padding"});
  if (launches.empty())
    options.mode = Mode::Precision;
  else if (given.has("against"))
    return fail("--against compares two settings, and {} is of one; remove "
                "one of them",
                launches);
  return {};
}

Status needsPlainRun(const char *option, const char *modes,
                     const Options &options) {
  return fail("{0} needs {1}, not {2}; remove {0} or {2}", option, modes,
              options.modeOption);
}

Status checkSteps(const GivenOptions &given, const Options &options) {
  if (options.mode == Mode::LossCurve)
    return {};
  if (!options.steps)
    return options.loss.empty() ? Status()
                                : fail("--loss needs --steps=N: it prints an "
                                       "output after each step; add --steps=1");
  if (options.mode != Mode::Run && options.mode != Mode::Check &&
      options.mode != Mode::Bisect)
    return needsPlainRun("--steps", "a plain run or --check", options);
  for (const char *other : {"repeat", "warmup"})
    if (given.has(other))
      return fail("--steps and --{} exclude each other; choose one", other);
  return {};
}

/// What only a launch on the device reads.
constexpr std::initializer_list<const char *> deviceOptions = {
    "repeat",      "warmup",         "check-memory",  "no-pipeline",
    "panel-cache", "cache-dir",      "no-cache",      "numerics",
    "loss",        "poison-padding", "strict-shapes", "steps"};

/// What a launch gives and is compared with.
constexpr std::initializer_list<const char *> resultOptions = {
    "output", "print", "expect", "atol", "rtol", "check-finite"};

/// Options of launches and of their results have no meaning for modes that run
/// nothing.
Status checkNoLaunch(const GivenOptions &given, const std::string &mode) {
  std::vector<std::string> others;
  auto add = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      // A replay says what would be compiled, or refused.
      if (given.has(name) && (std::string_view(name) != "strict-shapes" ||
                              !given.has("shapes-from")))
        others.push_back(std::string("--") + name);
  };
  add({"input", "seed-inputs", "threads", "check-numerics"});
  add(resultOptions);
  add(deviceOptions);
  if (others.empty())
    return {};
  const std::string last = others.back();
  others.pop_back();
  if (others.empty())
    return fail("{} runs nothing, so that {} has no meaning; remove one of "
                "them",
                mode, last);
  return fail("{} runs nothing, so that {} and {} have no meaning; remove them "
              "or {}",
              mode, fmt::join(others, ", "), last, mode);
}

/// The same of modes that end with a file or a recipe, or before a device.
Status checkPartOfRun(const GivenOptions &given, const Options &options) {
  const bool isReference = options.mode == Mode::Reference;
  if (!isReference && options.mode != Mode::Verify &&
      options.mode != Mode::Dump && options.mode != Mode::CompileOnly)
    return {};
  std::string other = givenOf(given, deviceOptions);
  if (other.empty())
    other = givenOf(given, {"device-memory"});
  if (other.empty() && !isReference)
    other = givenOf(given, {"input", "sizes"});
  if (other.empty() && !isReference)
    other = givenOf(given, resultOptions);
  // Inputs of the checks of passes.
  if (other.empty() && !isReference && !given.has("check-numerics") &&
      !given.has("verify-fusion"))
    other = givenOf(given, {"seed-inputs"});
  return other.empty() ? Status()
                       : fail("{} launches nothing on the device, so that {} "
                              "has no meaning; remove one of them",
                              options.modeOption, other);
}

Status checkPlans(const GivenOptions &given, const Options &options) {
  GAUDI_TRY(checkPartOfRun(given, options));
  if (options.mode == Mode::PlanMemory)
    GAUDI_TRY(checkNoLaunch(given, "--plan-memory"));
  if (options.mode == Mode::ExplainRecompile) {
    GAUDI_TRY(checkNoLaunch(given, "--explain-recompile"));
    if (given.has("save-recipe"))
      return fail("--explain-recompile keeps no recipe; remove -o");
  }
  if (options.plansBatches()) {
    const char *mode =
        options.mode == Mode::BatchSweep ? "--batch-sweep" : "--find-max-batch";
    GAUDI_TRY(checkNoLaunch(given, mode));
    if (given.has("save-recipe"))
      return fail("{} keeps no recipe; remove -o", mode);
  } else if (given.has("batch-input")) {
    return fail("--batch-input needs --find-max-batch or --batch-sweep; add "
                "one of them");
  }
  return {};
}

Status checkPrediction(const GivenOptions &given, const RawOptions &raw,
                       Options &options) {
  if (options.mode != Mode::Predict)
    return given.has("devices")
               ? fail("--devices needs --predict: add it; --device chooses the "
                      "device of other modes")
               : Status();
  GAUDI_TRY(checkNoLaunch(given, "--predict"));
  if (given.has("device-memory"))
    return fail("--predict compares with the memory of the card; remove "
                "--device-memory, or plan with it: --plan-memory");
  if (!given.has("devices"))
    return {};
  for (const char *other : {"device", "save-recipe"})
    if (given.has(other))
      return fail("--devices and --{} exclude each other; choose one", other);
  for (size_t at = 0; at <= raw.devices.size();) {
    const size_t comma =
        std::min(raw.devices.find(',', at), raw.devices.size());
    std::string name = raw.devices.substr(at, comma - at);
    if (auto device = device::DeviceSpec::lookup(name); !device)
      return fail("--devices: {}{}", device.error().message, commaAdvice(name));
    if (std::count(options.devices.begin(), options.devices.end(), name))
      return fail("--devices: {} is given twice; name it once", inQuotes(name));
    options.devices.push_back(std::move(name));
    at = comma + 1;
  }
  return {};
}

/// The files of predictions are of what runs or is predicted.
Status checkPictures(const GivenOptions &given, const Options &options) {
  for (const char *name : {"trace", "html"}) {
    if (!given.has(name))
      continue;
    const std::string &path = *name == 't' ? options.trace : options.html;
    if (path.empty())
      return fail("--{}: expected a file but got an empty name", name);
    GAUDI_TRY(refuseOtherFormat(std::string("--") + name, path,
                                *name == 't' ? ".json" : ".html"));
    if (options.mode == Mode::BatchSweep && *name == 'h')
      continue;
    if (options.mode != Mode::Run && options.mode != Mode::Check &&
        options.mode != Mode::Predict && options.mode != Mode::Precision &&
        options.mode != Mode::LossCurve)
      return needsPlainRun(*name == 't' ? "--trace" : "--html",
                           "a plain run, --check or --predict", options);
  }
  return {};
}

Status checkMemoryCheck(const Options &options) {
  return options.checkMemory && options.mode != Mode::Run &&
                 options.mode != Mode::Check
             ? needsPlainRun("--check-memory", "a plain run or --check",
                             options)
             : Status();
}

Status checkComparison(const GivenOptions &given, const Options &options) {
  for (const char *name :
       {"model", "check-draws", "check-samples", "save-samples"})
    if (given.has(name) && options.mode != Mode::Check &&
        options.mode != Mode::Bisect)
      return fail("--{0} is of --check; add --check or remove --{0}", name);
  if (options.mode != Mode::Bisect)
    return given.has("bisect-dir")
               ? fail("--bisect-dir is of --bisect; add --bisect or remove it")
               : Status();
  for (const char *other :
       {"save-recipe", "output", "print", "expect", "atol", "rtol", "repeat",
        "warmup", "check-finite", "check-memory", "poison-padding"})
    if (given.has(other))
      return fail(
          "--bisect looks for an op and keeps nothing else; remove --{}",
          other);
  return {};
}

/// What --bisect compares besides the launch.
Status readAgainst(const GivenOptions &given, const RawOptions &raw,
                   Options &options) {
  if (!given.has("bisect") || raw.bisect == "true") // its plain form
    return {};
  const size_t colon = std::min(raw.bisect.find(':'), raw.bisect.size());
  const std::string kind = raw.bisect.substr(0, colon),
                    value = raw.bisect.substr(
                        std::min(colon + 1, raw.bisect.size()));
  const auto refuse = [&](const char *option) {
    return given.has(option) ? fail("--bisect={} and --{} exclude each other; "
                                    "choose one",
                                    raw.bisect, option)
                             : Status();
  };
  if ((kind == "golden" || kind == "forms") && !value.empty()) {
    (kind == "golden" ? options.goldenDir : options.formsDir) = value;
    return refuse("model");
  }
  if (kind == "device") {
    if (auto device = device::DeviceSpec::lookup(value); !device)
      return fail("--bisect: {}", device.error().message);
    options.otherDevice = value;
    return refuse("model");
  }
  if (kind == "numerics" && (value == "chip" || value == "exact")) {
    GAUDI_TRY(refuse("numerics"));
    options.numerics = value;
    return {};
  }
  if (kind == "autocast") {
    GAUDI_TRY(refuse("autocast"));
    options.otherAutocast = value;
    GAUDI_TRY(completeAutocast("--bisect", options.otherAutocast, options));
    return refuse("model");
  }
  return fail("--bisect: expected golden:DIR, forms:DIR, device:NAME, "
              "numerics:chip or autocast:SETTING but got {}",
              inQuotes(raw.bisect));
}

Status checkFusions(const GivenOptions &given, const Options &options) {
  if (given.has("disable-fusion"))
    if (auto names = parseFusionNames(options.disableFusion, disabledFusions());
        !names)
      return fail("--disable-fusion: {}", names.error().message);
  if (given.has("require-fusion"))
    if (auto required = parseRequiredFusions(options.requireFusion); !required)
      return fail("--require-fusion: {}", required.error().message);
  return {};
}

Status checkDumps(const GivenOptions &given, const RawOptions &raw,
                  Options &options) {
  if (!given.has("dump-graphs"))
    return {};
  options.dumpGraphs =
      raw.dumpGraphs == "true" ? ".graph_dumps" : raw.dumpGraphs; // plain form
  const std::string other =
      options.mode == Mode::Precision
          ? "--autocast alone"
          : givenOf(given, {"devices", "reference", "find-max-batch",
                            "batch-sweep", "loss-curve"});
  return other.empty()
             ? Status()
             : fail("--dump-graphs needs one compilation, not {}; {}", other,
                    options.mode == Mode::Precision ? "add -o FILE"
                                                    : "remove one of them");
}

Status checkPermutations(const Options &options) {
  for (const std::string &names : options.allowPermutation)
    if (names.empty())
      return fail("--allow-permutation: expected names of inputs and outputs, "
                  "'inputs', 'outputs' or 'all', but got an empty text");
  return {};
}

/// Symbols as --shape bounds them.
std::vector<shapes::Symbol> boundedSymbols(const Options &options) {
  std::vector<shapes::Symbol> symbols;
  for (const std::string &shape : options.shapes)
    for (size_t at = 0; at < shape.size();) {
      const size_t end = std::min(shape.find_first_of(":,;", at), shape.size());
      if (const auto symbol =
              shapes::parseSymbol(std::string_view(shape).substr(at, end - at)))
        symbols.push_back(*symbol);
      at = end + 1;
    }
  return symbols;
}

/// Warns of sizes within the bounds that have no bucket, where nothing can
/// compile them later or a number of buckets may be meant: "--buckets=4".
void warnOfMissingBuckets(const Options &options,
                          const shapes::BucketChoice &choice) {
  const std::string &buckets = options.buckets;
  const bool isNumber = buckets.find_first_not_of("0123456789") == buckets.npos;
  const bool isKept = !options.save.empty();
  if (!isNumber && !isKept)
    return;
  for (const shapes::Symbol &symbol : boundedSymbols(options))
    for (const auto &[name, strategy] : choice.parts) {
      if (strategy.kind != shapes::Strategy::Kind::Explicit ||
          strategy.sizes.empty() || (!name.empty() && name != symbol.name))
        continue;
      const int64_t largest =
          *std::max_element(strategy.sizes.begin(), strategy.sizes.end());
      if (largest >= symbol.max)
        continue;
      const std::string beyond =
          isKept ? fmt::format("the recipe takes no larger sizes; give {} a "
                               "bucket of {}, or the bounds {}..{}",
                               symbol.name, symbol.max,
                               std::min(symbol.min, largest), largest)
                 : "larger sizes are compiled when they come";
      printWarning(
          isNumber
              ? fmt::format("--buckets={0} is one bucket of the size {0}, and "
                            "{1} goes up to {2}: {3}; {0} buckets are "
                            "--buckets=exponential:{0}",
                            buckets, symbol.name, symbol.max, beyond)
              : fmt::format("--buckets={}: the largest bucket of {} is {}, and "
                            "its bound {}: {}",
                            buckets, symbol.name, largest, symbol.max, beyond));
    }
}

Status checkBuckets(const GivenOptions &given, const RawOptions &raw,
                    Options &options) {
  options.bucketCurve = given.has("bucket-curve");
  if (options.bucketCurve && raw.bucketCurve != "true") // its plain form
    options.bucketCurveFile = raw.bucketCurve;
  // Before the model is compiled, so that it is not the model's fault.
  if (given.has("buckets")) {
    const auto choice = shapes::parseStrategy(options.buckets);
    if (!choice)
      return fail("--buckets: {}", choice.error().message);
    warnOfMissingBuckets(options, *choice);
    for (const shapes::BucketChoice::Part &part : choice->parts)
      if (part.strategy.kind == shapes::Strategy::Kind::Optimal &&
          options.bucketHistogram.empty())
        return fail("--buckets={} needs the sizes that launches had; add "
                    "--bucket-histogram=FILE.csv, or write exponential for "
                    "optimal",
                    options.buckets);
  }
  if (given.has("bucket-histogram"))
    GAUDI_TRY(shapes::readHistogram(options.bucketHistogram));
  for (const char *name : {"bucket-curve", "save-bucket-costs", "bucket-cost"})
    if (given.has(name) && options.bucketHistogram.empty())
      return fail("--{} needs the sizes that launches had; add "
                  "--bucket-histogram=FILE.csv",
                  name);
  for (const char *name : {"buckets", "bucket-histogram"})
    if (given.has(name) && options.plansBatches())
      return fail("each batch is planned by itself, without buckets; remove "
                  "--{}",
                  name);
  const std::string meant =
      nearestName(options.bucketCost, {"device-time", "elements"});
  std::error_code ignored;
  if (!meant.empty() && meant != options.bucketCost &&
      !std::filesystem::exists(options.bucketCost, ignored))
    return fail("--bucket-cost: {} is no cost and no file; did you mean {}?",
                inQuotes(options.bucketCost), meant);
  if (given.has("save-bucket-costs") && options.bucketCost == "elements")
    return fail("--save-bucket-costs writes predicted times; remove "
                "--bucket-cost=elements");
  const std::string other =
      givenOf(given, {"reference", "find-max-batch", "batch-sweep",
                      "explain-recompile", "devices"});
  for (const char *name : {"bucket-curve", "save-bucket-costs"})
    if (given.has(name) && !other.empty())
      return fail("--{} needs one compilation with buckets, not {}; remove one "
                  "of them",
                  name, other);
  return {};
}

Status checkSizes(const GivenOptions &given, const RawOptions &raw,
                  Options &options) {
  if (given.has("sizes"))
    options.sizes = GAUDI_TRY(parseSizes(raw.sizes));
  for (const std::string &shape : options.shapes)
    if (auto form = shapes::checkShapes(shape); !form)
      return fail("--shape: {}", form.error().message);
  GAUDI_TRY(checkBuckets(given, raw, options));
  if (!given.has("shapes-from"))
    return {};
  if (options.mode != Mode::Run)
    return fail("--shapes-from and {} exclude each other; choose one",
                options.modeOption);
  if (!options.launchesTrace())
    GAUDI_TRY(checkNoLaunch(given, "--shapes-from"));
  for (const char *other : {"output", "expect", "steps", "repeat", "warmup",
                            "check-finite", "check-numerics"})
    if (given.has(other))
      return fail("--shapes-from launches each line as often as it says, and "
                  "keeps no output; remove --{}",
                  other);
  return given.has("sizes")
             ? fail("--shapes-from and --sizes exclude each other; choose one")
             : Status();
}

Status checkConsole(const GivenOptions &given, const RawOptions &raw,
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
  if (given.has("color"))
    GAUDI_TRY(choose(
        "color", raw.colors,
        std::vector<std::pair<const char *, Colors>>{{"auto", Colors::Auto},
                                                     {"always", Colors::Always},
                                                     {"never", Colors::Never}},
        options.colors));
  if (given.has("remarks") && raw.remarks != "true") // its plain form
    GAUDI_TRY(choose("remarks", raw.remarks,
                     std::vector<std::pair<const char *, RemarkLevel>>{
                         {"summary", RemarkLevel::Summary},
                         {"missed", RemarkLevel::Missed},
                         {"all", RemarkLevel::All}},
                     options.remarks));
  else if (given.has("remarks"))
    options.remarks = RemarkLevel::Summary;
  const bool isQuiet = given.has("quiet"), isVerbose = given.has("verbose");
  if (isQuiet && isVerbose)
    return fail("--quiet and --verbose exclude each other; choose one");
  options.verbosity = isQuiet     ? Verbosity::Quiet
                      : isVerbose ? Verbosity::Verbose
                                  : Verbosity::Normal;
  return {};
}

/// "250", "250us", "5ms", "0.1s".
Result<double> microsecondsIn(const char *option, const std::string &text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}};
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && std::isfinite(number) && number >= 0)
    for (const auto &[unit, factor] : units)
      if (unit == end)
        return number * factor;
  return fail("{0}: expected microseconds, or a number with a unit (us, ms, s) "
              "but got {1}; write {0}=250, or {0}=5ms",
              option, inQuotes(text));
}

Status checkReplay(const GivenOptions &given, const RawOptions &raw,
                   Options &options) {
  if (given.has("save-replay") && options.saveReplay.empty())
    return fail("--save-replay: expected a file but got an empty name");
  if (options.saveReplay != options.file) // which has an error of its own
    GAUDI_TRY(refuseOtherFormat("--save-replay", options.saveReplay, ".zip"));
  for (const char *name : {"with-inputs", "save-replay-slower-than"})
    if (given.has(name) && options.saveReplay.empty() && !replayFolder())
      return fail("--{} needs a file; add --save-replay=FILE.zip, or set "
                  "GAUDI_REPLAY_DIR to a folder",
                  name);
  if (given.has("save-replay-slower-than"))
    options.replaySlowerThan = GAUDI_TRY(
        microsecondsIn("--save-replay-slower-than", raw.replaySlowerThan));
  if (given.has("save-replay") && !isReplayable(options))
    return needsPlainRun("--save-replay",
                         "a plain run, --check, --reference, --compile-only or "
                         "a comparison of --autocast",
                         options);
  for (const ReplayableOption &option : replayableOptions())
    if (const auto values = given.values(option.name); !values.empty())
      options.given.push_back({option.name, values});
  return {};
}

Status interpret(const GivenOptions &given, const RawOptions &raw,
                 Options &options) {
  GAUDI_TRY(checkConsole(given, raw, options));
  setUpConsole(options.colors, options.verbosity);
  options.mode = GAUDI_TRY(modeOf(given));
  options.modeOption = modeOption(given);
  options.pipelined = !given.has("no-pipeline");
  if (given.has("seed-inputs"))
    options.seed = raw.seed;
  if (given.has("atol"))
    options.atol = raw.atol;
  if (given.has("rtol"))
    options.rtol = raw.rtol;
  if (given.has("device")) {
    if (auto device = device::DeviceSpec::lookup(raw.device); !device)
      return fail("--device: {}{}", device.error().message,
                  raw.device.find(',') == raw.device.npos
                      ? ""
                      : "; several are predicted: --predict --devices=" +
                            raw.device);
    options.device = raw.device;
  }
  if (given.has("memory-budget"))
    options.memoryBudget =
        GAUDI_TRY(bytesOption("--memory-budget", raw.memoryBudget));
  if (given.has("device-memory"))
    options.deviceMemory =
        GAUDI_TRY(bytesOption("--device-memory", raw.deviceMemory));
  if (given.has("panel-cache"))
    options.panelCacheBytes =
        raw.panelCache == "0"
            ? 0
            : GAUDI_TRY(bytesOption("--panel-cache", raw.panelCache));
  const bool isUncached = given.has("no-cache");
  if (given.has("cache-dir") && isUncached)
    return fail("--cache-dir and --no-cache exclude each other; choose one");
  if (given.has("panel-cache") && isUncached)
    return fail("--panel-cache and --no-cache exclude each other; choose one");
  if (given.has("cache-dir") && raw.cache.empty())
    return fail("--cache-dir: expected a folder but got an empty name; "
                "--no-cache disables the cache");
  if (given.has("cache-dir") && raw.cache.compare(0, 2, "~/") == 0)
    return fail("--cache-dir: {} begins with ~, which a shell does not expand "
                "there; write --cache-dir=\"$HOME/{}\"",
                inQuotes(raw.cache), raw.cache.substr(2));
  std::error_code ignored;
  if (given.has("cache-dir") && std::filesystem::exists(raw.cache, ignored) &&
      !std::filesystem::is_directory(raw.cache, ignored))
    return fail("--cache-dir: {} is no folder; name a folder, which is made if "
                "it is missing; --no-cache disables the cache",
                inQuotes(raw.cache));
  if (given.has("cache-dir")) {
    std::error_code problem;
    std::filesystem::create_directories(raw.cache, problem);
    if (problem)
      return fail("--cache-dir: cannot make {}: {}; name a folder that can be "
                  "written; --no-cache disables the cache",
                  inQuotes(raw.cache), problem.message());
    options.cacheDirectory = raw.cache;
  }
  if (isUncached)
    options.cacheDirectory = "";
  if (raw.report == "text")
    options.report = ReportForm::Text;
  else if (raw.report == "json")
    options.report = ReportForm::Json;
  else if (given.has("report"))
    return fail("--report: expected text or json but got {}; a file is written "
                "by the shell: --report=json > FILE",
                inQuotes(raw.report));
  if (options.mode == Mode::CompileOnly && options.save.empty())
    return fail("--compile-only needs a file for the recipe; {}",
                given.has("output")
                    ? "write -o FILE instead of --output, which is of outputs"
                    : "add -o FILE");
  GAUDI_TRY(checkComparison(given, options));
  GAUDI_TRY(readAgainst(given, raw, options));
  GAUDI_TRY(checkFusions(given, options));
  GAUDI_TRY(checkPermutations(options));
  GAUDI_TRY(checkPrediction(given, raw, options));
  GAUDI_TRY(checkPlans(given, options));
  GAUDI_TRY(checkAutocast(given, options));
  GAUDI_TRY(checkPictures(given, options));
  GAUDI_TRY(checkMemoryCheck(options));
  GAUDI_TRY(checkSizes(given, raw, options));
  GAUDI_TRY(checkDumps(given, raw, options));
  GAUDI_TRY(checkReplay(given, raw, options));
  return checkSteps(given, options);
}

/// The first option that only models have, or null.
const char *modelOnlyOption(const Options &options, bool readsHistogram) {
  return options.mode == Mode::Check && options.model.empty()    ? "--check"
         : options.mode == Mode::Bisect && options.model.empty() ? "--bisect"
         : options.mode == Mode::Reference                       ? "--reference"
         : options.mode == Mode::CompileOnly    ? "--compile-only"
         : options.remarks != RemarkLevel::None ? "--remarks"
         : options.checkNumerics                ? "--check-numerics"
         : !options.autocast.empty()            ? "--autocast"
         : !options.disableFusion.empty()       ? "--disable-fusion"
         : !options.requireFusion.empty()       ? "--require-fusion"
         : options.memoryBudget                 ? "--memory-budget"
         : options.maxExpandedOps               ? "--max-expanded-ops"
         : options.verifyFusion                 ? "--verify-fusion"
         : !options.dumpGraphs.empty()          ? "--dump-graphs"
         : options.liftElided                   ? "--lift-elided"
         : !options.states.empty()              ? "--state"
         : !options.shapes.empty()              ? "--shape"
         : !options.buckets.empty()             ? "--buckets"
         : options.bucketCurve                  ? "--bucket-curve"
         : !options.bucketCostsFile.empty()     ? "--save-bucket-costs"
         : !options.bucketCost.empty()          ? "--bucket-cost"
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
                "already; {}",
                option, inQuotes(options.file),
                options.mode == Mode::Check || options.mode == Mode::Bisect
                    ? "name the model with --model=MODEL"
                    : "name the model's file instead");
  return {};
}

Status checkTolerances(const Options &options) {
  if (options.mode == Mode::Run && options.expected.empty() &&
      (options.atol || options.rtol))
    return fail("--{0} is of --expect and --check; add one of them or remove "
                "--{0}",
                options.atol ? "atol" : "rtol");
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
  Options options;
  RawOptions raw;
  const std::optional<GivenOptions> given = GAUDI_TRY(readCommandLine(
      "gaudi-run",
      "Runs models on an emulated Gaudi: a compiled recipe, or a model in MLIR "
      "that is compiled first.",
      [&](CLI::App &app) { declare(app, options, raw); },
      "one FILE is run at a time: run the others by themselves; lists have "
      "commas (--devices=gaudi2,gaudi3)",
      argc, argv));
  if (!given)
    return std::nullopt;
  GAUDI_TRY(interpret(*given, raw, options));
  return options;
}

} // namespace gaudi::run
