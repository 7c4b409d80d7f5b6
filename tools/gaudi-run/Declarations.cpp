// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of gaudi-run as the command line and --help have them.
#include "Declarations.h"
#include "Gaudi/Support/Quote.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>

namespace gaudi::run {
namespace {

const char *const examples = R"(Inputs are given in order or by name:
  @x.npy                 a NumPy file; bf16 and f8 also from float32, rounded
  2x3xf32=1 2 3 4 5 6    elements in row-major order; f32=1.5 is a scalar
  4xi32=7                one value fills the tensor
  mask=@m.npy, n=i32=3   by name
  mask=1 2 3 4           elements of the input's own type
  mask=0, 3-5=0          one number fills the tensor; inputs 3 to 5, from 0

Examples:
  gaudi-run model.mlir --seed-inputs=1
  gaudi-run model.mlir --compile-only -o model.recipe --device=gaudi3
  gaudi-run model.recipe --input=@x.npy --output=@y.npy
  gaudi-run model.recipe --input=@x.npy --expect=@y.npy --report=text
  gaudi-run model.mlir --seed-inputs=7 --check
  gaudi-run model.recipe --seed-inputs=1 --warmup=3 --repeat=20
  gaudi-run model.mlir --predict --devices=gaudi2,gaudi3
  gaudi-run changed.mlir --compare-with=page.html
  gaudi-run model.mlir --plan-memory --device=gaudi3
  gaudi-run model.mlir --predict --html=page.html --trace=trace.json
  gaudi-run model.mlir --autocast=bf16
  gaudi-run model.mlir --seed-inputs=1 --check --save-replay=replay.zip
  gaudi-run replay.zip
  gaudi-run step.mlir --state=w=out0 --steps=100 --loss=out1 --seed-inputs=1

Models of PyTorch, JAX and ONNX: gaudi-import converts them to MLIR (docs/getting-started.md).

Exit codes: 0 success; 1 a comparison or --check-finite failed; 2 wrong usage,
or a file that cannot be read, understood or written; 3 compile error; 4 loading
or running failed (too little device memory, an index outside its tensor);
130 interrupted.)";

/// The options under one heading of the help.
class Group {
public:
  Group(CLI::App &app, const char *heading) : app(app), heading(heading) {}

  void flag(const char *name, bool &value, const char *help) {
    app.add_flag(name, value, help)->group(heading)->disable_flag_override();
  }
  /// One that is asked for by its name.
  void flag(const char *name, const std::string &help) {
    app.add_flag(name, help)->group(heading)->disable_flag_override();
  }
  template <typename T>
  CLI::Option *option(const char *name, T &value, const char *type,
                      const char *help) {
    return app.add_option(name, value, help)->group(heading)->type_name(type);
  }
  /// An option for a number of launches.
  void launches(const char *name, unsigned &value, unsigned least,
                const char *help) {
    option(name, value, "N", help)->check(CLI::Range(least, 100000000u));
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

void declareTensors(CLI::App &app, Options &options, RawOptions &raw) {
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

void declareComparison(CLI::App &app, Options &options, RawOptions &raw) {
  const CLI::Validator tolerance(
      [](std::string &text) {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return *end == 0 && end != text.c_str() && std::isfinite(value) &&
                       value >= 0
                   ? std::string()
                   : "expected a finite number of 0 or more but got " +
                         inQuotes(text) + "; write one such as 1e-3";
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
  group
      .option("--check-draws", options.checkDraws, "N",
              "pairs of draws of rounding errors that tell what --check "
              "allows; 0: the table of docs/numerics.md does; default: 8, of "
              "large models 2, and four times as many for what these refuse")
      ->check(CLI::Range(0u, 64u));
  group
      .option("--check-samples", options.checkSamples, "N",
              "most samples of seeded inputs of other regimes that --check "
              "compares on, too, of models that are small enough; default: 32")
      ->check(CLI::Range(0u, 1000u));
  group.option("--save-samples", options.saveSamples, "DIR",
               "write the inputs that --check compares on to "
               "DIR/NUMBER-REGIME/INDEX.npy");
  group.option("--model", options.model, "FILE",
               "the model of the recipe, for --check and --bisect; of "
               "--bisect FILE may also be another form of it");
  group.flag("--check-finite", options.checkFinite,
             "fail if an output holds NaN or an infinity, and name the "
             "command that made the first one");
}

void declareModes(CLI::App &app, Options &options, RawOptions &raw) {
  Group group(app, "Mode (default: run)");
  group.flag("--check",
             "run, evaluate the float64 reference, compare every output "
             "(needs the model)");
  app.add_flag(
         "--bisect", raw.bisect,
         "as --check; if an output is out of tolerance, name the first "
         "pass, op or command whose values leave the expected noise "
         "(needs the model). =golden:DIR: name the first value of "
         "DIR/NAME.npy that the model does not give. =forms:DIR: "
         "the first of the modules DIR/*.mlir, as passes left them, and "
         "its op. =device:NAME, =numerics:chip, =autocast:SETTING: there, "
         "too")
      ->group("Mode (default: run)")
      ->type_name("[=AGAINST]");
  group.option("--bisect-dir", options.bisectDir, "DIR",
               "write the smallest model that shows what --bisect found, and "
               "its inputs, to this folder");
  group.flag("--reference",
             "only evaluate the float64 reference (needs the model)");
  group.flag("--verify",
             "only check the recipe against every rule of the format");
  group.flag("--dump", "print the recipe as text");
  group.flag("--dump-constants", options.dumpConstants,
             "print the recipe as text with all bytes of its constants");
  group.flag("--compile-only", "stop after compiling; use with -o");
  group.flag("--predict",
             "predict the time of a launch on the card; runs nothing and needs "
             "no inputs");
  group.flag("--plan-memory",
             "print what fills the memory of the card, and what would help if "
             "it does not fit; runs nothing and needs no inputs");
  group.flag("--find-max-batch",
             "find the largest leading dimension whose plan fits (needs the "
             "model); runs nothing");
  group.flag("--batch-sweep",
             "print the memory, the predicted time and the time per sample of "
             "batches up to the largest that fits (needs the model); runs "
             "nothing");
  group.option("--explain-recompile", options.explainRecompile, "OLD",
               "say why FILE is not served by what was compiled for OLD, and "
               "what would have avoided it; each is a model or a recipe; runs "
               "nothing");
  group.flag("--loss-curve",
             "compare the --loss of --steps with --autocast and with "
             "--against (needs the model)");
  group.option("--against", options.against, "SETTING",
               "what --autocast is compared with: f32 (the default), or "
               "another of its settings");
  group.option("--compare-with", options.compareWith, "OLD",
               "--predict, and say what became of OLD, an earlier page or "
               "JSON of --predict; FILE may be such a file, too");
  group.option("--batch-input", options.batchInput, "NAME",
               "the input whose leading dimension --find-max-batch and "
               "--batch-sweep change "
               "(default: the one that most tensors grow with)");
  group.option(
      "--devices", raw.devices, "NAME,...",
      "--predict for several devices, a column each (compiles the model "
      "for each)");
}

void declareCompiler(CLI::App &app, Options &options, RawOptions &raw) {
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
  group.repeatable("--allow-permutation", options.allowPermutation, "NAME,...",
                   "inputs and outputs that the device may store in another "
                   "order, if that is faster: names, inputs, outputs or all; "
                   "values are given and shown in the model's order");
  group.option("--autocast", options.autocast, "SETTING",
               "compute in bf16 or f16 what torch.autocast would; fp8: bf16 "
               "with products of 8 bits; alone: compare device time, memory "
               "and error with --against, and name the ops that cause the "
               "error. bf16:lower=FILE:fp32=FILE: other lists of ops");
  group.option("--disable-fusion", options.disableFusion, "NAME,...",
               "leave fusions out: some of sdpa, adamw, sgd, clip_norm, "
               "batch_norm, tpc");
  group.option("--require-fusion", options.requireFusion, "KIND:N,...",
               "fail unless N candidates of the kind are fused: "
               "sdpa:12,layer_norm:25");
  group.option("--memory-budget", raw.memoryBudget, "BYTES",
               "keep the workspace below this (512M, 4GiB): order the ops for "
               "it, and run cheap ones again instead of keeping their results");
  group
      .option("--max-expanded-ops", options.maxExpandedOps, "N",
              "most ops that unrolling loops and inlining calls may add to the "
              "model, each (default: 131072)")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 40));
  group.flag("--verify-fusion", options.verifyFusion,
             "evaluate every value that a fusion replaces before and after "
             "it, in several regimes of inputs");
  app.add_flag("--remarks", raw.remarks,
               "count what passes did and did not do; =missed: what was lost "
               "and why, the dearest first; =all: every remark with its line "
               "of the model")
      ->group("Compiler")
      ->type_name("[=LEVEL]");
  app.add_flag("--dump-graphs", raw.dumpGraphs,
               "write the graph before and after each pass that changes it, "
               "as MLIR, DOT, SVG, ONNX for Netron and Synapse's JSON, with "
               "what changed and why; =DIR: there (default: .graph_dumps)")
      ->group("Compiler")
      ->type_name("[=DIR]");
  group.flag("--check-numerics", options.checkNumerics,
             "evaluate the model before and after each pass and stop at the "
             "first pass that changes a value too much");
}

void declareShapes(CLI::App &app, Options &options, RawOptions &raw) {
  Group group(app, "Dynamic shapes");
  group.repeatable("--shape", options.shapes, "INPUT:DIM,...",
                   "bounds of the dynamic dimensions of an input: "
                   "tokens:batch=1..64,seq=16..4096/16 (NAME=MIN..MAX, "
                   "/MULTIPLE; a name alone is bounded elsewhere)");
  group.option("--buckets", options.buckets, "STRATEGY",
               "the sizes to compile: explicit:128,512, linear:8, "
               "exponential:8, percent-padding:25 or optimal:8, for all sizes "
               "or per size (batch=exponential:4,seq=explicit:128,512)");
  group.option("--bucket-histogram", options.bucketHistogram, "FILE",
               "CSV file of the sizes that launches had (columns: the names of "
               "the sizes, and count); optimal needs it");
  group.option("--bucket-cost", options.bucketCost, "COST",
               "what the buckets save with a histogram: device-time "
               "(predicted, the default), elements, or a CSV file of costs");
  group.option("--save-bucket-costs", options.bucketCostsFile, "FILE.csv",
               "write the predicted times that the buckets were chosen by, as "
               "plan-buckets --cost reads them");
  app.add_flag("--bucket-curve", raw.bucketCurve,
               "compare the strategies: how much padding 1, 2, ... buckets "
               "leave for the histogram; =FILE.csv also writes it")
      ->group("Dynamic shapes")
      ->type_name("[=FILE.csv]");
  group.option("--sizes", raw.sizes, "NAME=N,...",
               "sizes of the launch that no --input tells");
  group.option("--shapes-from", options.shapesFrom, "FILE.csv",
               "print which variants the launches of a trace take, their "
               "padding, device time and misses (columns: names of the sizes, "
               "and count); runs nothing");
  group.flag("--strict-shapes", options.strictShapes,
             "fail if no variant takes the launch, instead of compiling one "
             "(needs the model)");
  group.flag("--poison-padding", options.poisonPadding,
             "fill what pads inputs with NaN, infinities and random bits by "
             "turns, before each launch; launch twice more, and fail if an "
             "output changes");
}

void declareSteps(CLI::App &app, Options &options) {
  Group group(app, "Training steps");
  group.repeatable("--state", options.states, "IN=OUT,...",
                   "outputs that replace inputs from launch to launch, by name "
                   "or number (1-3=0-2), besides those that the model marks");
  group.launches(
      "--steps", options.steps, 1,
      "launch N times, each from the state that the one before left");
  group.option("--loss", options.loss, "NAME",
               "print this output, a single number, after each step");
}

void declareDevice(CLI::App &app, Options &options, RawOptions &raw) {
  Group group(app, "Device");
  group
      .option("--threads", options.threads, "N",
              "host threads (default: one per CPU); results do not depend "
              "on it")
      ->check(CLI::Range(1u, 1024u));
  group.flag("--no-pipeline",
             "run each TPC kernel after the matrix product before it, not on "
             "its tiles; results do not depend on it");
  group
      .option("--numerics", options.numerics, "MODE",
              "exact, or chip: add up matrix products as the device's engine "
              "does, as far as that is published; slow")
      ->check(CLI::IsMember({"exact", "chip"}));
  group.flag("--check-memory", options.checkMemory,
             "poison device memory that holds no value, and stop at the first "
             "command that reads it or writes outside its outputs; slow");
  group
      .option("--max-iterations", options.maxIterations, "N",
              "most iterations of the loops of one launch")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 62))
      ->capture_default_str();
  group
      .option("--max-kernel-weight", options.maxKernelWeight, "N",
              "most weight of the kernels that a recipe has compiled; bounds "
              "the time for recipes of strangers")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 62))
      ->capture_default_str();
  group.option("--device-memory", raw.deviceMemory, "BYTES",
               "size of the device memory, for example 512M or 4GiB "
               "(default: the card's, limited by the host's free memory)");
  group.option("--cache-dir", raw.cache, "DIR",
               "folder for compiled kernels and packed constants (default: "
               "$GAUDI_CACHE_DIR, or gaudi-mlir in the user's cache folder)");
  group.flag("--no-cache",
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

void declareReplay(CLI::App &app, Options &options, RawOptions &raw) {
  Group group(app, "Replay (gaudi-run REPLAY.zip runs it again and compares)");
  group.option("--save-replay", options.saveReplay, "FILE.zip",
               "write the launch to this file, however it ends, unless its "
               "input is wrong; with $GAUDI_REPLAY_DIR what fails or crashes "
               "goes there");
  group.flag("--with-inputs", options.replayInputs,
             "with the values of inputs, and of --expect; else a replay has "
             "only their types and hashes, and fills inputs with seeded ones");
  group.option("--save-replay-slower-than", raw.replaySlowerThan, "US",
               "keep that file only if something fails, or if this host takes "
               "more microseconds for the launch (the median of --repeat); "
               "with a unit: 5ms");
}

void declareMeasurement(CLI::App &app, Options &options, RawOptions &raw) {
  Group group(app, "Measurement (times of the host, not of a card)");
  group.launches("--repeat", options.repeat, 1,
                 "launch N times; print median and spread");
  group.launches("--warmup", options.warmup, 0,
                 "launches before those that are timed");
  group
      .option("--report", raw.report, "FORM",
              "print commands per engine, memory and times: text or json (json "
              "replaces all other output)")
      ->expected(1);
}

void declareConsole(CLI::App &app, RawOptions &raw) {
  Group group(app, "Messages");
  group.flag("--quiet,-q", "print no warnings and no outputs, only errors");
  group.flag("--verbose,-v", "print what is being done, and how long it took");
  group.option("--color", raw.colors, "WHEN",
               "colours: always, never or auto (the default: on a terminal, "
               "unless NO_COLOR is set)");
}

} // namespace

void declare(CLI::App &app, Options &options, RawOptions &raw) {
  app.add_option(
         "file", options.file,
         "a recipe, a model in MLIR (text or bytecode; compiled first), or a "
         "file of --save-replay; -: standard input")
      ->required();
  declareTensors(app, options, raw);
  declareComparison(app, options, raw);
  declareModes(app, options, raw);
  declareCompiler(app, options, raw);
  declareShapes(app, options, raw);
  declareSteps(app, options);
  declareDevice(app, options, raw);
  declarePictures(app, options);
  declareReplay(app, options, raw);
  declareMeasurement(app, options, raw);
  declareConsole(app, raw);
  app.footer(examples);
  app.get_formatter()->column_width(34);
}

} // namespace gaudi::run
