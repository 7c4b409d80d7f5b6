// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that no option takes, and options without their value.
#include "Spelling.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

using namespace gaudi;

static std::vector<std::string> longNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

namespace {
/// An option of other programs, and what the program here has for it.
struct ForeignOption {
  std::string_view names; ///< between blanks
  const char *ours;       ///< the option, which the program must have
  const char *next;
};
constexpr ForeignOption foreignOptions[] = {
    {" -V -version ", "--version", "write --version"},
    // Other programs of the project have --json.
    {" --json --format ", "--report", "write --report=json > FILE"},
    {" --json --format -f --query-gpu --query-aip -Q -q --query --csv --xml ",
     "--loop", "write --json, which has all that is known of each card"},
    {" -l -lms --loop-ms --interval --watch -w -d --delay ", "--loop",
     "write --loop=SECONDS"},
    {" -i --id -L --list-gpus --list --device ", "--loop",
     "all cards are shown; HABANA_VISIBLE_MODULES=0,1 chooses some"},
    {" --target --arch --march --mcpu --hardware --hw --backend --provider "
     "--execution_provider --ep --chip --platform -d --hpu ",
     "--device", "write --device=gaudi2 (or gaudi, gaudi3)"},
    {" --gaudi --gaudi1 ", "--device", "write --device=gaudi"},
    {" --gaudi2 ", "--device", "write --device=gaudi2"},
    {" --gaudi3 ", "--device", "write --device=gaudi3"},
    {" --dtype --precision --bf16 --bfloat16 --amp --mixed-precision --half "
     "--inference-precision --infer_precision --autocast-dtype --torch_dtype ",
     "--autocast", "write --autocast=bf16"},
    {" --fp16 --float16 ", "--autocast", "write --autocast=f16"},
    {" --fp8 --float8 --int8 ", "--autocast", "write --autocast=fp8"},
    {" --iterations --iters --iter --niter --num-iterations --loops --runs "
     "--num-runs --count --num_iters -n --bench --benchmark --time ",
     "--repeat", "write --repeat=20, with --warmup=3 before it"},
    {" --warmUp --warmup-iters --num-warmup --warmup_runs ", "--warmup",
     "write --warmup=3"},
    {" --profile --profiler --profiling --dumpProfile --stats "
     "--enable_profiling --enable-profiling --prof -p ",
     "--trace", "write --report=text, or --trace=FILE.json for Perfetto"},
    {" --batch --batch-size --batch_size -b --bs ", "--sizes",
     "the batch is a size of the model: with dynamic sizes --sizes=batch=N, "
     "or --find-max-batch"},
    {" --input-shape --input-shapes --input_shape --inputShapes --shapes "
     "--minShapes --optShapes --maxShapes --data_shape --dynamic-shapes ",
     "--shape",
     "inputs have the shapes of the model; bounds of dynamic dimensions ('?') "
     "are --shape=INPUT:NAME=MIN..MAX, and --sizes=NAME=N is a launch's"},
    {" --inputs --loadInputs --in --feed --data --data_path --input-data ",
     "--input", "write --input=NAME=@FILE.npy, once for each input"},
    {" --outputs --out --save-output --exportOutput --output-file ", "--output",
     "write --output=NAME=@FILE.npy for an output of the model, or -o FILE for "
     "its recipe"},
    {" --random --random-inputs --rand --random_input --seed -s ",
     "--seed-inputs", "write --seed-inputs=1"},
    {" --onnx --model-path --model_path -m --path --load --file --recipe ",
     "--seed-inputs", "the model needs no option: gaudi-run FILE"},
    {" -O -O0 -O1 -O2 -O3 -Os -Ofast --opt-level --optimize --opt "
     "--optimization-level --graph_optimization_level ",
     "--disable-fusion",
     "there are no levels, everything is optimised; leave it out (fusions "
     "alone are left out, by --disable-fusion=NAME)"},
    {" --compile --build --buildOnly --saveEngine --save --export --emit ",
     "--compile-only", "write --compile-only -o FILE.recipe"},
    {" --workspace --max-memory --memPoolSize --mem --memory ",
     "--memory-budget",
     "write --memory-budget=4GiB, or --device-memory=32GiB for a smaller card"},
    {" -j --jobs --num-threads --num_threads --nthreads --intra-op ",
     "--threads", "write --threads=N"},
    {" --debug --log-level --loglevel --log --trace-log ", "--verbose",
     "write --verbose"},
    {" --silent --no-warnings -w --no-output ", "--quiet", "write --quiet"},
    {" --function --func --main --entry-point --entry-function "
     "--entry-point-name ",
     "--entry", "write --entry=NAME"},
    {" --verify-accuracy --accuracy --validate --golden ", "--check",
     "write --check, which compares with the float64 reference, or "
     "--expect=@FILE.npy"},
    {" --print-ir-after-all --mlir-print-ir-after-all --dump-ir --print-ir "
     "--dumpLayerInfo --dump-graph --save-ir ",
     "--dump-graphs", "write --dump-graphs=DIR"},
    {" --gaudi-compile --pass-pipeline --canonicalize --mlir-timing ",
     "--compile-only",
     "that is an option of gaudi-opt: gaudi-opt FILE with it"},
};

/// Puts the value that the user gave in the place of the example that follows
/// `ours` and '=' in the text, where both are numbers, or a name is asked for.
std::string withValue(std::string next, const std::string &ours,
                      const std::string &value) {
  constexpr std::string_view digits = "0123456789";
  const size_t at = next.find(ours + "=");
  if (at == next.npos || value.empty())
    return next;
  const size_t begin = at + ours.size() + 1;
  const size_t end = std::min(next.find_first_of(" ,;=:", begin), next.size());
  const std::string example = next.substr(begin, end - begin);
  const bool areNumbers = (example.find_first_not_of(digits) == example.npos ||
                           example == "N" || example == "SECONDS") &&
                          value.find_first_not_of(digits) == value.npos;
  // Of "NAME=@FILE.npy" a file is the second part, alone.
  const bool hasFile = value.find('@') != value.npos;
  const bool isFile = std::filesystem::path(value).extension() == ".npy";
  if (example == "NAME" && next.compare(end, 2, "=@") == 0 &&
      (hasFile || isFile))
    return next.replace(begin, next.find_first_of(" ,;)", end) - begin,
                        (hasFile ? "" : "@") + printable(value));
  return areNumbers || example == "NAME"
             ? next.replace(begin, end - begin, printable(value))
             : next;
}

/// What to write for an option of other programs; "": it is none.
std::string nextOfForeign(const std::string &argument,
                          const std::vector<std::string> &names) {
  const size_t equals = std::min(argument.find('='), argument.size());
  const std::string given = argument.substr(0, equals);
  // "-n10", "-j8": a letter and its value.
  const bool isNumbered =
      given.size() > 2 &&
      given.find_first_not_of("0123456789", 2) == given.npos;
  const std::string word =
      " " + (isNumbered ? given.substr(0, 2) : given) + " ";
  for (const ForeignOption &foreign : foreignOptions)
    if (foreign.names.find(word) != foreign.names.npos &&
        std::find(names.begin(), names.end(), foreign.ours) != names.end())
      return withValue(foreign.next, foreign.ours,
                       isNumbered                 ? given.substr(2)
                       : equals < argument.size() ? argument.substr(equals + 1)
                                                  : "");
  return "";
}

/// True of "GB", "MiB", "k": what is left of "96 GB" in the shell.
bool isUnit(std::string text) {
  for (char &c : text)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  return !text.empty() && text.size() <= 3 &&
         std::string_view("KMGT").find(text[0]) != std::string_view::npos &&
         (text.size() == 1 || text.substr(1) == "B" || text.substr(1) == "IB");
}
} // namespace

std::string gaudi::unexpectedArgument(const CLI::App &app,
                                      const std::string &files) {
  const std::vector<std::string> extras = app.remaining();
  const std::string argument = extras.empty() ? "" : extras.front();
  const std::vector<std::string> names = longNames(app);
  // A dash that a text processor made of two hyphens.
  for (const std::string_view dash : {"\xe2\x80\x93", "\xe2\x80\x94"})
    if (argument.compare(0, dash.size(), dash) == 0)
      return fmt::format("unexpected argument {}; options begin with two "
                         "hyphens: --{}",
                         inQuotes(argument),
                         printable(argument.substr(dash.size())));
  const bool takesInputs =
      std::find(names.begin(), names.end(), "--input") != names.end();
  if (takesInputs && argument.compare(0, 1, "@") == 0)
    return fmt::format(
        "unexpected argument {}; each input has an option of its "
        "own: --input={}",
        inQuotes(argument), printable(argument));
  // "gaudi-run compile model.mlir".
  for (const CLI::Option *option : app.get_options())
    if (option->get_positional() && !option->results().empty())
      if (const std::string word = option->results().front();
          argument[0] != '-' &&
          std::string_view(" run compile check predict benchmark infer eval "
                           "verify info ")
                  .find(" " + word + " ") != std::string_view::npos)
        return fmt::format("{} is no command and is read as the FILE; write "
                           "{} {}",
                           inQuotes(word), app.get_name(), printable(argument));
  const bool isNumber =
      !argument.empty() &&
      argument.find_first_of("0123456789") != argument.npos &&
      argument.find_first_not_of("0123456789.,+-eE[]") == argument.npos;
  if (isNumber && takesInputs)
    return fmt::format("unexpected argument {}; quote a value that has blanks: "
                       "--input=\"2xf32=1 2\"",
                       inQuotes(argument));
  if (isUnit(argument))
    for (const CLI::Option *option : app.get_options())
      if (option->get_type_name() == "BYTES" && !option->results().empty())
        return fmt::format("unexpected argument '{1}'; a size is one word: "
                           "write {0}={2}{1}",
                           option->get_name(), argument,
                           option->results().back());
  for (const CLI::Option *option : app.get_options())
    if (option->count() && option->get_type_name().compare(0, 2, "[=") == 0 &&
        !argument.empty() && argument[0] != '-')
      return fmt::format("unexpected argument {0}; one FILE is read, and a "
                         "value of {1} follows '=': {1}={2}",
                         inQuotes(argument), option->get_name(),
                         printable(argument));
  if (argument.empty() || argument[0] != '-') {
    const auto options = app.get_options();
    if (std::none_of(
            options.begin(), options.end(),
            [](const CLI::Option *option) { return option->get_positional(); }))
      return fmt::format("unexpected argument {}; {} reads no file: --help "
                         "lists its options",
                         inQuotes(argument), app.get_name());
    const bool isMode =
        std::find(names.begin(), names.end(), "--" + argument) != names.end();
    return fmt::format("unexpected argument {}; {}", inQuotes(argument),
                       isMode ? "did you mean --" + argument + "?" : files);
  }
  const std::string given = argument.substr(0, argument.find('='));
  std::string nearest = nearestName(given, names);
  // "-l" of another tool, where one name begins with the letter.
  if (given.size() == 2) {
    const auto begins = [&](const std::string &name) {
      return name[2] == given[1];
    };
    if (std::count_if(names.begin(), names.end(), begins) == 1)
      nearest = *std::find_if(names.begin(), names.end(), begins);
  }
  // "--no-check".
  if (given.compare(0, 5, "--no-") == 0 &&
      std::find(names.begin(), names.end(), "--" + given.substr(5)) !=
          names.end())
    return fmt::format("unknown option {}; leave --{} out", inQuotes(given),
                       given.substr(5));
  if (const std::string next = nextOfForeign(argument, names); !next.empty())
    return fmt::format("unknown option {}; {}", inQuotes(given), next);
  return fmt::format("unknown option {}; {}", inQuotes(given),
                     nearest.empty()
                         ? app.get_name() + " --help lists the options"
                         : fmt::format("did you mean {}?", nearest));
}

std::string gaudi::missingValue(const CLI::App &app) {
  const std::vector<std::string> names = longNames(app);
  for (const CLI::Option *option : app.get_options())
    for (const std::string &value : option->results())
      if (const std::string name = value.substr(0, value.find('='));
          std::find(names.begin(), names.end(), name) != names.end())
        return fmt::format("{0} needs a value, but {1} follows it; write "
                           "{0}={2}",
                           option->get_name(), value,
                           option->get_type_name().empty()
                               ? "VALUE"
                               : option->get_type_name());
  return "";
}
