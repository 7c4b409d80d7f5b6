// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of gaudi-run.
#ifndef GAUDI_RUN_OPTIONS_H
#define GAUDI_RUN_OPTIONS_H

#include "Console.h"
#include "Exit.h"
#include "Gaudi/Runtime/Executable.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

enum class Mode {
  Run,
  Check,
  Reference,
  Verify,
  Dump,
  CompileOnly,
  Predict,
  PlanMemory,
  FindMaxBatch,
  BatchSweep,
  ExplainRecompile,
  Precision,
  LossCurve,
  Bisect
};
/// An option of the command line with the values that it was given.
struct GivenOption {
  std::string name; ///< "seed-inputs"
  std::vector<std::string> values;
};

enum class ReportForm { None, Text, Json };
/// How much --remarks prints.
enum class RemarkLevel { None, Summary, Missed, All };

/// A size that launches choose, by its name.
struct NamedSize {
  std::string name;
  int64_t size = 0;
};

struct Options {
  std::string file;
  Mode mode = Mode::Run;
  std::string modeOption;       ///< "--dump", which chose it; empty: none
  std::string explainRecompile; ///< what `file` is compared with
  std::string compareWith;      ///< an earlier prediction; empty: none

  std::vector<std::string> inputs;
  std::optional<uint32_t> seed;
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  std::optional<double> atol, rtol;
  /// Pairs of draws that decide; 0: the fixed table does.
  std::optional<uint32_t> checkDraws;
  uint32_t checkSamples = 32; ///< most, of seeded inputs of other regimes
  std::string saveSamples;    ///< a folder; empty: none
  /// The model of what --check or --bisect compares; empty: none.
  std::string model;
  /// Of --bisect: what else is compared.
  std::string goldenDir;     ///< values of another implementation
  std::string formsDir;      ///< modules after passes
  std::string otherDevice;   ///< a launch on this device
  std::string otherAutocast; ///< the model in this precision
  std::string bisectDir;     ///< for the smallest model; empty: none
  uint32_t printedElements = 16;
  std::vector<NamedSize> sizes; ///< those that no input tells
  std::string shapesFrom;       ///< a trace of shapes; empty: none
  std::string numerics;         ///< "exact", "chip"; empty: $GAUDI_NUMERICS
  bool poisonPadding = false;
  bool strictShapes = false; ///< no variant is compiled for a launch

  std::optional<std::string> device; ///< absent: gaudi2, or the recipe's own
  /// Of --predict; empty: `device`.
  std::vector<std::string> devices;
  std::string entry;
  std::vector<std::string> states;           ///< "IN=OUT,...", from --state
  std::vector<std::string> allowPermutation; ///< of tensors, or "all"
  std::vector<std::string> shapes; ///< "x:batch=1..64,seq=16..4096/16"
  std::string buckets;             ///< "exponential:8"; empty: chosen
  std::string bucketHistogram;     ///< CSV file; empty: none
  std::string bucketCost;   ///< "device-time", "elements" or a file; or empty
  bool bucketCurve = false; ///< print how the waste falls
  std::string bucketCurveFile, bucketCostsFile; ///< CSV to write; or empty
  std::string save;            ///< file for the compiled recipe; empty: none
  std::string trace, html;     ///< files for predictions; empty: none
  std::string autocast;        ///< "bf16", ...; empty: as the model says
  std::string against = "f32"; ///< what that is compared with
  bool marksSources = false;   ///< of a compiler that compares them
  std::string disableFusion;   ///< "sdpa,tpc"
  std::string requireFusion;   ///< "sdpa:12,adamw:1"
  uint64_t memoryBudget = 0;   ///< bytes of workspace; 0: no limit
  uint64_t maxExpandedOps = 0; ///< by unrolling and inlining; 0: the default
  std::string dumpGraphs;      ///< a folder; empty: none are dumped
  bool verifyFusion = false;
  std::string batchInput; ///< of modes of batches; empty: chosen
  RemarkLevel remarks = RemarkLevel::None;
  bool checkNumerics = false;
  bool liftElided = false;
  bool checkFinite = false;
  bool checkMemory = false;
  bool dumpConstants = false;

  uint32_t steps = 0; ///< launches that continue from each other; 0: none do
  std::string loss;   ///< the output printed after each step; empty: none
  uint32_t repeat = 1;
  uint32_t warmup = 0;
  uint32_t threads = 0;  ///< 0: one per CPU
  bool pipelined = true; ///< TPC kernels run on the tiles of matrix commands
  /// Of the loops of one launch.
  uint64_t maxIterations = runtime::LoadOptions().maxIterations;
  /// Of the kernels that a recipe has compiled.
  uint64_t maxKernelWeight = runtime::LoadOptions().maxKernelWeight;
  uint64_t deviceMemory = 0; ///< bytes; 0: the card's
  /// Absent: the user's cache folder; empty: no cache.
  std::optional<std::string> cacheDirectory;
  uint64_t panelCacheBytes = runtime::defaultPanelCacheBytes;
  ReportForm report = ReportForm::None;
  std::string saveReplay;    ///< a file; empty: only what fails is saved
  bool replayInputs = false; ///< with their values
  /// Microseconds of the host, from which on a launch is saved; absent: all.
  std::optional<double> replaySlowerThan;
  /// Those that say what is launched, for a replay.
  std::vector<GivenOption> given;
  Colors colors = Colors::Auto;
  Verbosity verbosity = Verbosity::Normal;

  /// Whether other batch sizes of the model are planned.
  bool plansBatches() const {
    return mode == Mode::FindMaxBatch || mode == Mode::BatchSweep;
  }
  /// Whether the lines of --shapes-from are launched.
  bool launchesTrace() const {
    return !shapesFrom.empty() && (seed || !inputs.empty());
  }
};

/// No options if --help or --version asked for text, which is printed. Errors:
/// wrong usage.
Result<std::optional<Options>> parseOptions(int argc, char **argv);

/// Refuses tolerances of nothing. For all but replays, where they were and are
/// allowed.
Status checkTolerances(const Options &options);

/// Whether the command line asks for JSON, also if it is wrong otherwise.
bool asksForJson(int argc, char **argv);

/// Fails if there is an option that only models have; the file is a recipe.
/// Those that read a histogram count its launches for a recipe, too.
Status refuseModelOptions(const Options &options, bool readsHistogram = false);

} // namespace gaudi::run

#endif // GAUDI_RUN_OPTIONS_H
