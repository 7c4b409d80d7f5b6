// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session of the compiler's library (libGaudiCompiler.so), for the tools and
// for the C interface: its C functions with the types of our libraries.
#ifndef GAUDI_CAPI_COMPILERSESSION_H
#define GAUDI_CAPI_COMPILERSESSION_H

#include "Gaudi/Analysis/BatchSearch.h"
#include "Gaudi/Analysis/BucketMemory.h"
#include "Gaudi/Analysis/Compare.h"
#include "Gaudi/Analysis/Precision.h"
#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Shapes/Recompile.h"
#include "Gaudi/Shapes/Symbol.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::capi {

/// How the compiler chose buckets.
struct BucketPlan {
  std::string costs; ///< CSV of predicted times; empty: by elements
  std::vector<prediction::Buckets::Point> curve;
  std::string curveText; ///< CSV

  bool isOfTime() const { return !costs.empty(); }
};

/// One model on its way. CompilerApi.h says what the functions do, in which
/// order they are called, and how long what they return lives. One thread at a
/// time.
class CompilerSession {
public:
  CompilerSession() = default;
  ~CompilerSession();
  CompilerSession(const CompilerSession &) = delete;
  CompilerSession &operator=(const CompilerSession &) = delete;

  /// Needed before all others. Errors: not enough host memory.
  Status open(const GaudiCompilerApi &compiler,
              const GaudiSessionOptions &options);
  /// What the last function that failed returned (GAUDI_STATUS_...); 0: none
  /// has.
  int32_t status() const { return lastStatus; }

  Status parse(const std::string &name, std::string_view source);
  std::string entryName() const;

  /// Of the entry's dynamic dimensions; none: it is static.
  std::vector<shapes::Symbol> symbols() const;

  /// What the compilation of the entry for `device` depends on, as the source
  /// says it.
  Result<shapes::Signature> describe(std::string device);

  /// Needed before the signature and `evaluate` of a static entry.
  Status import();
  /// The same of an entry with symbols, for one size of each.
  Status select(const std::vector<int64_t> &sizes);
  std::vector<recipe::Parameter> inputs() const;
  std::vector<recipe::Parameter> outputs() const;

  /// The recipe's bytes, valid until releaseRecipe.
  Result<GaudiBytes> compile();
  void releaseRecipe();
  /// What each pass of the last compile changed; empty without keepPasses.
  std::string passes() const { return api->passes(session); }
  /// Of the last compile of an entry with symbols.
  BucketPlan bucketPlan() const;
  analysis::CompileTimes compileTimes() const;
  /// What --check-numerics compared; its text lives as long as the session.
  GaudiNumerics numerics() const { return api->numerics(session); }

  /// The batch sizes of the model, none planned. `input`: whose leading
  /// dimension it is; empty: chosen.
  Result<analysis::BatchPlan> findBatch(const std::string &input);
  Result<GaudiBytes> compileBatch(int64_t size);

  /// After import or select: samples of inputs of other regimes, where these
  /// were seeded. None if the search would be more than `work`.
  struct Sample {
    std::string regime;
    std::vector<recipe::HostTensor> inputs;
  };
  Result<std::vector<Sample>>
  drawInputs(const std::vector<recipe::HostTensor> &inputs,
             const std::vector<size_t> &seeded, uint32_t seed, double work);
  /// `continues`: states have the values that the last call left. `drawPairs`:
  /// how many pairs of draws of a device's errors are evaluated, too.
  Status evaluate(const std::vector<recipe::HostTensor> &inputs, bool continues,
                  uint32_t drawPairs);
  /// What the draws tell about an output, valid until it is asked for another.
  ExpectedNoise noise(size_t output) const;
  analysis::ExpectedValues result(size_t output) const;
  /// Fills in outputs, ops and error of two settings; see CompilerApi.h.
  Status explainPrecision(const std::vector<recipe::HostTensor> &inputs,
                          const std::string &before, const std::string &after,
                          double work, analysis::PrecisionReport &report);
  /// A command of a recipe, as a device ran it.
  struct TracedCommand {
    std::string name, location;
    std::vector<uint32_t> producers; ///< earlier commands that it reads from
    std::vector<recipe::TensorType> results;
  };
  /// A launch of one function of a program.
  struct TracedLaunch {
    std::string function;
    uint32_t firstCommand = 0, numCommands = 0;
    std::vector<recipe::Parameter> variables; ///< before it
  };
  struct Bisection {
    /// Another form of the model; its text must outlive the session. Empty:
    /// none.
    std::string suspectName;
    std::string_view suspect;
    /// Modules after passes, and the names of these, instead of those that this
    /// compiler makes; texts outlive the session.
    std::vector<std::pair<std::string, std::string_view>> forms;
    /// Values of another implementation, which are compared instead.
    std::vector<recipe::HostTensor> golden;
    std::vector<std::string> places; ///< of the lines of the source
    std::vector<TracedCommand> commands;
    /// Fills in what a command gave; false: it cannot be read.
    std::function<bool(uint32_t command, uint32_t result, uint8_t *bytes,
                       uint64_t size)>
        read;
    std::vector<TracedLaunch> launches; ///< of a program; else none
    /// The same of a variable before a launch.
    std::function<bool(uint32_t launch, uint32_t variable, uint8_t *bytes,
                       uint64_t size)>
        readVariable;
  };
  /// After `evaluate` of these inputs. The report as JSON; see CompilerApi.h.
  Result<std::string> bisect(const std::vector<recipe::HostTensor> &inputs,
                             const Bisection &bisection);
  /// The op that it found, with what it reads as inputs.
  struct Slice {
    std::string model, suspect; ///< modules; no suspect: ""
    std::vector<recipe::HostTensor> inputs;
    bool isWhole = false; ///< it reads inputs of the model only
    uint32_t numOps = 0;  ///< besides the op, before any is removed
  };
  /// `ofImport`: of the imported model; see CompilerApi.h. `removed`: of
  /// numOps; empty: none is.
  Result<Slice> slice(uint32_t depth, bool ofImport = false,
                      const std::vector<uint8_t> &removed = {});
  /// Where NaN or an infinity of the outputs begins; JSON, see CompilerApi.h.
  Result<std::string>
  findNonFinite(const std::vector<recipe::HostTensor> &inputs);
  /// `result`, rounded once to the output's element type.
  recipe::HostTensor roundedResult(size_t output) const;

private:
  /// The session's error unless `code` is 0.
  Status statusOf(int32_t code);

  const GaudiCompilerApi *api = nullptr;
  GaudiSession *session = nullptr;
  int32_t lastStatus = 0;
};

/// Plans batches of the parsed model until the largest that fits into `limit`
/// bytes is known; a sweep plans others, too, and predicts the time of each.
/// `input`: as for findBatch. `compile`: compileBatch, or something that calls
/// it. Errors: the model has no other batch size, or does not compile.
Result<analysis::BatchPlan>
planBatches(CompilerSession &session, const std::string &input, uint64_t limit,
            analysis::BatchSizes sizes,
            const std::function<Result<GaudiBytes>(int64_t)> &compile);

} // namespace gaudi::capi

#endif // GAUDI_CAPI_COMPILERSESSION_H
