// The command line of gaudi-run.
#include "Options.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Support/Quote.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <iostream>

namespace gaudi::run {
namespace {

const char *const examples = R"(Inputs are given in order or by name:
  @x.npy                 a NumPy file; bf16 and f8 also from float32, rounded
  2x3xf32=1 2 3 4 5 6    elements in row-major order; f32=1.5 is a scalar
  4xi32=7                one value fills the tensor
  mask=@m.npy, n=i32=3   by name

Examples:
  gaudi-run model.mlir --seed-inputs=1
  gaudi-run model.mlir --compile-only -o model.recipe --device=gaudi3
  gaudi-run model.recipe --input=@x.npy --output=@y.npy
  gaudi-run model.recipe --input=@x.npy --expect=@y.npy --report=text
  gaudi-run model.mlir --seed-inputs=7 --check
  gaudi-run model.recipe --seed-inputs=1 --warmup=3 --repeat=20

Exit codes: 0 success; 1 a comparison failed; 2 wrong usage, or a file that
cannot be read, understood or written; 3 compile error; 4 loading or running
failed (too little device memory, an index outside its tensor); 130 interrupted.)";

std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

/// What CLI11 only fills in as text or counts.
struct Raw {
  bool check = false, reference = false, verify = false, dump = false,
       compileOnly = false, noCache = false;
  std::string device, deviceMemory, report, cache, panelCache;
  uint32_t seed = 0;
  double atol = 0, rtol = 0;
};

void declare(CLI::App &app, Options &options, Raw &raw) {
  auto several = [&](const std::string &name, std::vector<std::string> &values,
                     const std::string &help) {
    return app.add_option(name, values, help)
        ->expected(1)
        ->take_all()
        ->type_size(1);
  };
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", std::string("gaudi-run ") + GAUDI_VERSION);
  app.add_option(
         "file", options.file,
         "a recipe, or a model in MLIR (text or bytecode; compiled first)")
      ->required();

  several("--input,-i", options.inputs,
          "an input of the model (repeatable; forms below)")
      ->group("Inputs")
      ->type_name("[NAME=]VALUE");
  app.add_option(
         "--seed-inputs", raw.seed,
         "fill inputs that are not given with reproducible random values")
      ->group("Inputs")
      ->type_name("N");

  several("--output", options.outputs,
          "write an output as .npy (repeatable; in order or by name); without "
          "it outputs are printed")
      ->group("Outputs")
      ->type_name("[NAME=]@FILE");
  app.add_option("--print", options.printedElements,
                 "elements printed per output")
      ->group("Outputs")
      ->type_name("N")
      ->capture_default_str();

  const CLI::Validator tolerance(
      [](std::string &text) {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return *end == 0 && end != text.c_str() && std::isfinite(value) &&
                       value >= 0
                   ? std::string()
                   : "expected a finite number of 0 or more but got '" + text +
                         "'";
      },
      "");
  several("--expect,-e", options.expected,
          "compare an output with a value (repeatable; in order or by name)")
      ->group("Comparison")
      ->type_name("[NAME=]VALUE");
  app.add_option(
         "--atol", raw.atol,
         "allow |got - expected| <= ATOL + RTOL * max|expected|; without "
         "both, the table of docs/numerics.md holds")
      ->group("Comparison")
      ->type_name("ATOL")
      ->check(tolerance);
  app.add_option("--rtol", raw.rtol, "see --atol")
      ->group("Comparison")
      ->type_name("RTOL")
      ->check(tolerance);

  const char *what = "What to do (default: run)";
  app.add_flag("--check", raw.check,
               "run, evaluate the float64 reference as well, compare every "
               "output (needs the model)")
      ->group(what);
  app.add_flag("--reference", raw.reference,
               "only evaluate the float64 reference (needs the model)")
      ->group(what);
  app.add_flag("--verify", raw.verify,
               "only check the recipe against every rule of the format")
      ->group(what);
  app.add_flag("--dump", raw.dump, "print the recipe as text")->group(what);
  app.add_flag("--dump-constants", options.dumpConstants,
               "print the recipe as text with all bytes of its constants")
      ->group(what);
  app.add_flag("--compile-only", raw.compileOnly,
               "stop after compiling; use with -o")
      ->group(what);

  app.add_option("-o,--save-recipe", options.save,
                 "write the compiled recipe to this file")
      ->group("Compiler")
      ->type_name("FILE");
  app.add_option("--device", raw.device,
                 "compile for gaudi, gaudi2 or gaudi3 (default gaudi2)")
      ->group("Compiler")
      ->type_name("NAME");
  app.add_option("--entry", options.entry,
                 "the function to run (default: main, or the only one)")
      ->group("Compiler")
      ->type_name("NAME");
  app.add_flag("--remarks", options.remarks,
               "print what each pass did, and why it did not")
      ->group("Compiler");
  app.add_flag("--check-numerics", options.checkNumerics,
               "evaluate the model before and after each pass and stop at the "
               "first one that changes a value too much")
      ->group("Compiler");

  app.add_option("--repeat", options.repeat,
                 "launch this often; print median and spread")
      ->group("Device")
      ->type_name("N")
      ->check(CLI::Range(1u, 100000000u));
  app.add_option("--warmup", options.warmup,
                 "launches before those that are timed")
      ->group("Device")
      ->type_name("N")
      ->check(CLI::Range(0u, 100000000u));
  app.add_option(
         "--threads", options.threads,
         "host threads (default: one per CPU); results do not depend on it")
      ->group("Device")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  app.add_flag("!--no-pipeline", options.pipelined,
               "run each TPC kernel after the whole matrix product before it, "
               "not on its tiles; results do not depend on it")
      ->group("Device");
  app.add_option("--device-memory", raw.deviceMemory,
                 "size of the device's memory, for example 512M or 4GiB "
                 "(default: the device's, as far as the host has it)")
      ->group("Device")
      ->type_name("BYTES");
  app.add_option("--cache-dir", raw.cache,
                 "folder for compiled kernels and packed constants (default: "
                 "$GAUDI_CACHE_DIR, or gaudi-mlir in the user's cache folder)")
      ->group("Device")
      ->type_name("DIR");
  app.add_flag("--no-cache", raw.noCache,
               "compile all kernels and pack all constants anew, keep none")
      ->group("Device");
  app.add_option("--panel-cache", raw.panelCache,
                 "most bytes of packed constants in the folder, 0 for none "
                 "(default: 4GiB)")
      ->group("Device")
      ->type_name("BYTES");
  app.add_option("--report", raw.report,
                 "print ops per engine, memory and times: text or json (json "
                 "replaces all other output)")
      ->group("Device")
      ->type_name("FORM")
      ->expected(1);
  app.footer(examples);
  app.get_formatter()->column_width(34);
}

Outcome<Mode> modeOf(const Raw &raw, const Options &options) {
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
  if (chosen.size() > 1)
    return badInput(std::string(chosen[0].first) + " and " + chosen[1].first +
                    " exclude each other");
  return chosen.empty() ? Mode::Run : chosen[0].second;
}

Done interpret(const CLI::App &app, const Raw &raw, Options &options) {
  auto mode = modeOf(raw, options);
  if (!mode)
    return again(mode.error());
  options.mode = *mode;
  if (app.count("--seed-inputs"))
    options.seed = raw.seed;
  if (app.count("--atol"))
    options.atol = raw.atol;
  if (app.count("--rtol"))
    options.rtol = raw.rtol;
  if (app.count("--device")) {
    if (auto device = device::DeviceSpec::lookup(raw.device); !device)
      return badInput("--device: " + device.error().message);
    options.device = raw.device;
  }
  if (app.count("--device-memory")) {
    auto bytes = parseBytes(raw.deviceMemory);
    if (!bytes)
      return badInput("--device-memory: " + bytes.error().message);
    options.deviceMemory = *bytes;
  }
  if (app.count("--panel-cache")) {
    auto bytes = raw.panelCache == "0" ? Outcome<uint64_t>(0)
                                       : parseBytes(raw.panelCache);
    if (!bytes)
      return badInput("--panel-cache: " + bytes.error().message);
    options.panelCacheBytes = *bytes;
  }
  if (app.count("--cache-dir") && raw.noCache)
    return badInput("--cache-dir and --no-cache exclude each other");
  if (app.count("--cache-dir") && raw.cache.empty())
    return badInput("--cache-dir: expected a folder; --no-cache uses none");
  if (app.count("--cache-dir"))
    options.cacheDirectory = raw.cache;
  else if (raw.noCache)
    options.cacheDirectory = "";
  if (raw.report == "text")
    options.report = ReportForm::Text;
  else if (raw.report == "json")
    options.report = ReportForm::Json;
  else if (app.count("--report"))
    return badInput("--report: expected text or json but got " +
                    inQuotes(raw.report));
  if (options.mode == Mode::CompileOnly && options.save.empty())
    return badInput("--compile-only without -o FILE would produce nothing");
  return {};
}

} // namespace

Outcome<uint64_t> parseBytes(const std::string &text) {
  const std::string hint = "; expected a size such as 512M, 4GiB or 1073741824";
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || text[0] < '0' || text[0] > '9' ||
      !std::isfinite(number))
    return badInput("cannot read a size from " + inQuotes(text) + hint);
  std::string unit(end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos
                    ? unit.size()
                    : unit.find_first_not_of(' '));
  for (char &c : unit)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const size_t power = std::string("KMGT").find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string::npos ||
        (rest != "" && rest != "B" && rest != "IB"))
      return badInput("unknown unit " + inQuotes(end) + hint);
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, double(power + 1));
  }
  const double bytes = number * factor;
  if (bytes < 1 || bytes > 0x1p60)
    return badInput(inQuotes(text) + " is not between 1 byte and 2^60 bytes");
  return static_cast<uint64_t>(bytes);
}

Outcome<std::variant<Options, Exit>> parseOptions(int argc, char **argv) {
  CLI::App app(
      "Runs models on an emulated Gaudi: a compiled recipe, or a .mlir "
      "model that is compiled first.",
      "gaudi-run");
  Options options;
  Raw raw;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    app.exit(request, std::cout, std::cerr);
    return Exit::Ok;
  } catch (const CLI::ParseError &error) {
    return badInput(oneLine(error.what()) +
                    " (gaudi-run --help lists the options)");
  }
  if (Done done = interpret(app, raw, options); !done)
    return again(done.error());
  return std::move(options);
}

} // namespace gaudi::run
