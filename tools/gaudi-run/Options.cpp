// The command line of gaudi-run.
#include "Options.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Support/Quote.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

namespace gaudi::run {
namespace {

const char *const examples = R"(Inputs are given in order or by name:
  @x.npy                 a NumPy file; bf16 and f8 also from float32, rounded
  2x3xf32=1 2 3 4 5 6    elements in row-major order; f32=1.5 is a scalar
  4xi32=7                one value fills the tensor
  mask=@m.npy, n=i32=3   by name
  mask=0, 3-5=0          one number fills the tensor; inputs 3 to 5, from 0

Examples:
  gaudi-run model.mlir --seed-inputs=1
  gaudi-run model.mlir --compile-only -o model.recipe --device=gaudi3
  gaudi-run model.recipe --input=@x.npy --output=@y.npy
  gaudi-run model.recipe --input=@x.npy --expect=@y.npy --report=text
  gaudi-run model.mlir --seed-inputs=7 --check
  gaudi-run model.recipe --seed-inputs=1 --warmup=3 --repeat=20
  gaudi-run model.mlir --predict --devices=gaudi2,gaudi3
  gaudi-run model.mlir --predict --html=page.html --trace=trace.json
  gaudi-run step.mlir --state=w=out0 --steps=100 --loss=out1 --seed-inputs=1

Models of PyTorch, JAX and ONNX: docs/porting.md converts them to MLIR.

Exit codes: 0 success; 1 a comparison or --check-finite failed; 2 wrong usage,
or a file that cannot be read, understood or written; 3 compile error; 4 loading
or running failed (too little device memory, an index outside its tensor);
130 interrupted.)";

std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

/// Options that CLI11 stores as text, numbers or flags and `interpret` turns
/// into Options.
struct Raw {
  bool check = false, reference = false, verify = false, dump = false,
       compileOnly = false, predict = false, noCache = false,
       noPipeline = false;
  std::string device, devices, deviceMemory, report, cache, panelCache;
  uint32_t seed = 0;
  double atol = 0, rtol = 0;
};

/// The options under one heading of the help.
class Group {
public:
  Group(CLI::App &app, const char *heading) : app(app), heading(heading) {}

  void flag(const char *name, bool &value, const char *help) {
    app.add_flag(name, value, help)->group(heading);
  }
  template <typename T>
  CLI::Option *option(const char *name, T &value, const char *type,
                      const char *help) {
    return app.add_option(name, value, help)->group(heading)->type_name(type);
  }
  /// An option that may be given several times, with one value each time.
  void repeatable(const char *name, std::vector<std::string> &values,
                  const char *type, const char *help) {
    // Without allow_extra_args the option would swallow FILE after its value.
    option(name, values, type, help)
        ->expected(1)
        ->take_all()
        ->type_size(1)
        ->allow_extra_args(false);
  }

private:
  CLI::App &app;
  const char *heading;
};

void declareTensors(CLI::App &app, Options &options, Raw &raw) {
  Group inputs(app, "Inputs");
  inputs.repeatable("--input,-i", options.inputs, "[NAME=]VALUE",
                    "an input of the model (repeatable; forms below)");
  inputs.option("--seed-inputs", raw.seed, "N",
                "fill the other inputs with reproducible random values");
  Group outputs(app, "Outputs");
  outputs.repeatable(
      "--output", options.outputs, "[NAME=]@FILE",
      "write an output as .npy (repeatable; in order or by name); "
      "other outputs are printed");
  outputs
      .option("--print", options.printedElements, "N",
              "elements printed per output")
      ->capture_default_str();
}

void declareComparison(CLI::App &app, Options &options, Raw &raw) {
  const CLI::Validator tolerance(
      [](std::string &text) {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return *end == 0 && end != text.c_str() && std::isfinite(value) &&
                       value >= 0
                   ? std::string()
                   : "expected a finite number of 0 or more but got " +
                         inQuotes(text);
      },
      "");
  Group group(app, "Comparison");
  group.repeatable(
      "--expect,-e", options.expected, "[NAME=]VALUE",
      "compare an output with a value (repeatable; in order or by name)");
  group
      .option("--atol", raw.atol, "ATOL",
              "allow |got - expected| <= ATOL + RTOL * max|expected|; default: "
              "the table of docs/numerics.md")
      ->check(tolerance);
  group.option("--rtol", raw.rtol, "RTOL", "see --atol")->check(tolerance);
  group.flag("--check-finite", options.checkFinite,
             "fail if an output holds NaN or an infinity, and name the "
             "command that made the first one");
}

void declareModes(CLI::App &app, Options &options, Raw &raw) {
  Group group(app, "Mode (default: run)");
  group.flag("--check", raw.check,
             "run, evaluate the float64 reference, compare every output "
             "(needs the model)");
  group.flag("--reference", raw.reference,
             "only evaluate the float64 reference (needs the model)");
  group.flag("--verify", raw.verify,
             "only check the recipe against every rule of the format");
  group.flag("--dump", raw.dump, "print the recipe as text");
  group.flag("--dump-constants", options.dumpConstants,
             "print the recipe as text with all bytes of its constants");
  group.flag("--compile-only", raw.compileOnly,
             "stop after compiling; use with -o");
  group.flag("--predict", raw.predict,
             "predict the time of a launch on the card; runs nothing and needs "
             "no inputs");
  group.option("--devices", raw.devices, "NAME,...",
               "--predict for several devices side by side (compiles the model "
               "for each)");
}

void declareCompiler(CLI::App &app, Options &options, Raw &raw) {
  Group group(app, "Compiler");
  group.option("-o,--save-recipe", options.save, "FILE",
               "write the compiled recipe to this file");
  group.option("--device", raw.device, "NAME",
               "compile for gaudi, gaudi2 or gaudi3 (default gaudi2)");
  group.option("--entry", options.entry, "NAME",
               "the function to run (default: main, forward, or the only one); "
               "with -o also several, NAME,NAME");
  group.flag("--lift-elided", options.liftElided,
             "make inputs of the constants whose data is not in the file "
             "(dense_resource<__elided__>); they follow the model's own");
  group.flag("--remarks", options.remarks,
             "print what each pass did, and what it did not do and why");
  group.flag("--check-numerics", options.checkNumerics,
             "evaluate the model before and after each pass and stop at the "
             "first pass that changes a value too much");
}

void declareSteps(CLI::App &app, Options &options) {
  Group group(app, "Training steps");
  group.repeatable("--state", options.states, "IN=OUT,...",
                   "outputs that replace inputs from launch to launch, by name "
                   "or number (1-3=0-2), besides those that the model marks");
  group
      .option("--steps", options.steps, "N",
              "launch N times, each from the state that the one before left")
      ->check(CLI::Range(1u, 100000000u));
  group.option("--loss", options.loss, "NAME",
               "print this output, a single number, after each step");
}

void declareDevice(CLI::App &app, Options &options, Raw &raw) {
  Group group(app, "Device");
  group
      .option("--threads", options.threads, "N",
              "host threads (default: one per CPU); results do not depend "
              "on it")
      ->check(CLI::Range(1u, 1024u));
  group.flag("--no-pipeline", raw.noPipeline,
             "run each TPC kernel after the matrix product before it, not on "
             "its tiles; results do not depend on it");
  group
      .option("--max-iterations", options.maxIterations, "N",
              "most iterations of the loops of one launch")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 62))
      ->capture_default_str();
  group.option("--device-memory", raw.deviceMemory, "BYTES",
               "size of the device memory, for example 512M or 4GiB "
               "(default: the card's, limited by the host's free memory)");
  group.option("--cache-dir", raw.cache, "DIR",
               "folder for compiled kernels and packed constants (default: "
               "$GAUDI_CACHE_DIR, or gaudi-mlir in the user's cache folder)");
  group.flag("--no-cache", raw.noCache,
             "disable the cache: compile all kernels and pack all constants");
  group.option("--panel-cache", raw.panelCache, "BYTES",
               "limit of packed constants in the cache, 0 for none "
               "(default: 4GiB)");
}

void declarePictures(CLI::App &app, Options &options) {
  Group group(app, "Files to look at (with a run also what this host took)");
  group.option("--html", options.html, "FILE",
               "write one page for a browser: predicted time, engine timeline, "
               "memory, kernels, remarks, cost of each line");
  group.option("--trace", options.trace, "FILE",
               "write the predicted timeline as Chrome trace events, for "
               "Perfetto and TensorBoard");
}

void declareMeasurement(CLI::App &app, Options &options, Raw &raw) {
  Group group(app, "Measurement (times of the host, not of a card)");
  group
      .option("--repeat", options.repeat, "N",
              "launch N times; print median and spread")
      ->check(CLI::Range(1u, 100000000u));
  group
      .option("--warmup", options.warmup, "N",
              "launches before those that are timed")
      ->check(CLI::Range(0u, 100000000u));
  group
      .option("--report", raw.report, "FORM",
              "print commands per engine, memory and times: text or json (json "
              "replaces all other output)")
      ->expected(1);
}

void declare(CLI::App &app, Options &options, Raw &raw) {
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "gaudi-run " GAUDI_VERSION,
                       "print the version");
  app.add_option(
         "file", options.file,
         "a recipe, or a model in MLIR (text or bytecode; compiled first)")
      ->required();
  declareTensors(app, options, raw);
  declareComparison(app, options, raw);
  declareModes(app, options, raw);
  declareCompiler(app, options, raw);
  declareSteps(app, options);
  declareDevice(app, options, raw);
  declarePictures(app, options);
  declareMeasurement(app, options, raw);
  app.footer(examples);
  app.get_formatter()->column_width(34);
}

/// Levenshtein distance, O(|a| |b|).
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1); // distances of a's prefix to b's
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The error of the first argument that no option takes.
std::string unexpectedArgument(const CLI::App &app) {
  const std::vector<std::string> extras = app.remaining();
  const std::string argument = extras.empty() ? "" : extras.front();
  if (argument.empty() || argument[0] != '-')
    return fmt::format("unexpected argument {}; one FILE is run at a time",
                       inQuotes(argument));
  const std::string given = argument.substr(0, argument.find('='));
  std::string nearest;
  size_t best = std::max<size_t>(2, given.size() / 4) + 1; // edits: too many
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      if (const size_t edits = editDistance(given, "--" + name); edits < best) {
        best = edits;
        nearest = name;
      }
  return fmt::format("unknown option {}; {}", inQuotes(given),
                     nearest.empty()
                         ? "gaudi-run --help lists the options"
                         : fmt::format("did you mean --{}?", nearest));
}

Result<Mode> modeOf(const Raw &raw, const Options &options) {
  std::vector<std::pair<const char *, Mode>> chosen;
  if (raw.check)
    chosen.push_back({"--check", Mode::Check});
  if (raw.reference)
    chosen.push_back({"--reference", Mode::Reference});
  if (raw.verify)
    chosen.push_back({"--verify", Mode::Verify});
  if (raw.dump || options.dumpConstants)
    chosen.push_back({"--dump", Mode::Dump});
  if (raw.compileOnly)
    chosen.push_back({"--compile-only", Mode::CompileOnly});
  if (raw.predict)
    chosen.push_back({"--predict", Mode::Predict});
  if (chosen.size() > 1)
    return fail("{} and {} exclude each other; choose one", chosen[0].first,
                chosen[1].first);
  return chosen.empty() ? Mode::Run : chosen[0].second;
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

/// Options of launches and of their results have no meaning for --predict.
Status checkPrediction(const CLI::App &app, const Raw &raw, Options &options) {
  if (options.mode != Mode::Predict)
    return isGiven(app, "devices")
               ? fail("--devices needs --predict; --device chooses the device "
                      "of other modes")
               : Status();
  for (const char *other :
       {"input", "seed-inputs", "output", "print", "expect", "atol", "rtol",
        "check-finite", "steps", "loss", "threads", "no-pipeline",
        "device-memory", "cache-dir", "no-cache", "panel-cache", "repeat",
        "warmup", "check-numerics"})
    if (isGiven(app, other))
      return fail("--predict runs nothing, so that --{} has no meaning; remove "
                  "one of them",
                  other);
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

Status interpret(const CLI::App &app, const Raw &raw, Options &options) {
  options.mode = GAUDI_TRY(modeOf(raw, options));
  options.pipelined = !raw.noPipeline;
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
  if (isGiven(app, "device-memory"))
    options.deviceMemory =
        GAUDI_TRY(bytesOption("--device-memory", raw.deviceMemory));
  if (isGiven(app, "panel-cache"))
    options.panelCacheBytes =
        raw.panelCache == "0"
            ? 0
            : GAUDI_TRY(bytesOption("--panel-cache", raw.panelCache));
  if (isGiven(app, "cache-dir") && raw.noCache)
    return fail("--cache-dir and --no-cache exclude each other; choose one");
  if (isGiven(app, "cache-dir") && raw.cache.empty())
    return fail("--cache-dir: expected a folder but got an empty name; "
                "--no-cache disables the cache");
  if (isGiven(app, "cache-dir"))
    options.cacheDirectory = raw.cache;
  else if (raw.noCache)
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
  GAUDI_TRY(checkPrediction(app, raw, options));
  GAUDI_TRY(checkPictures(app, options));
  return checkSteps(app, options);
}

} // namespace

Result<uint64_t> parseBytes(const std::string &text) {
  const char *const hint = "; expected a size such as 512M, 4GiB or 1073741824";
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || text[0] < '0' || text[0] > '9' ||
      !std::isfinite(number))
    return fail("cannot read a size from {}{}", inQuotes(text), hint);
  std::string unit(end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  for (char &c : unit)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const size_t power = std::string("KMGT").find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string::npos ||
        (rest != "" && rest != "B" && rest != "IB"))
      return fail("unknown unit {}{}", inQuotes(end), hint);
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, double(power + 1));
  }
  const double bytes = number * factor;
  if (bytes < 1 || bytes > 0x1p60)
    return fail("{} is not between 1 byte and 2^60 bytes", inQuotes(text));
  return static_cast<uint64_t>(bytes);
}

Result<std::optional<Options>> parseOptions(int argc, char **argv) {
  CLI::App app("Runs models on an emulated Gaudi: a compiled recipe, or a "
               "model in MLIR that is compiled first.",
               "gaudi-run");
  Options options;
  Raw raw;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    app.exit(request, std::cout, std::cerr);
    return std::nullopt;
  } catch (const CLI::ExtrasError &) {
    return fail(unexpectedArgument(app));
  } catch (const CLI::ParseError &error) {
    return fail("{} (gaudi-run --help lists the options)",
                oneLine(error.what()));
  }
  GAUDI_TRY(interpret(app, raw, options));
  return options;
}

} // namespace gaudi::run
