// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's library, loaded only to compile or evaluate a model.
#ifndef GAUDI_RUN_COMPILER_H
#define GAUDI_RUN_COMPILER_H

#include "Compare.h"
#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Prediction/Remark.h"
#include "Gaudi/Shapes/Recompile.h"
#include "HostTensor.h"
#include "Options.h"
#include "Progress.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::run {

/// How the compiler chose buckets.
struct BucketPlan {
  std::string costs; ///< CSV of predicted times; empty: by elements
  std::vector<prediction::Buckets::Point> curve;
  std::string curveText; ///< CSV

  bool isOfTime() const { return !costs.empty(); }
};

/// Seconds that the compilation of variants took (GaudiCompileTimes).
struct CompileTimes {
  double plan = 0, structure = 0, derivation = 0, emission = 0;
  std::vector<double> variants; ///< of one thread each
  bool areDerived = false;
  uint32_t threads = 1;
};

class Compiler {
public:
  /// Loads libGaudiCompiler.so from ../lib beside this executable and opens a
  /// session. Diagnostics of the session go to standard error, unless there are
  /// several devices: then only the first error counts.
  static Result<std::unique_ptr<Compiler>> create(const Options &options,
                                                  Progress &progress);
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  Status parse(const std::string &name, std::string_view source);
  std::string entryName() const;

  /// A size that a launch chooses.
  struct Symbol {
    std::string name;
    int64_t min = 0, max = 0, multiple = 1;
  };
  /// Of the entry's dynamic dimensions; none: it is static.
  std::vector<Symbol> symbols() const;

  /// What the compilation of the entry depends on, as the source says it.
  Result<shapes::Signature> describe();

  /// Needed before the signature and `evaluate` of a static entry.
  Status import();
  /// The same of an entry with symbols, for one size of each.
  Status select(const std::vector<int64_t> &sizes);
  std::vector<Parameter> inputs() const;
  std::vector<Parameter> outputs() const;

  /// The recipe's bytes, valid until releaseRecipe.
  Result<GaudiBytes> compile();
  void releaseRecipe();
  /// Of the last compile of an entry with symbols.
  BucketPlan bucketPlan() const;
  CompileTimes compileTimes() const;
  /// Which inputs grow with the leading dimension of the input of that name;
  /// empty: chosen. The next one has that many of another size.
  Result<GaudiBatch> findBatch(const std::string &input);
  Result<GaudiBytes> compileBatch(int64_t size);
  /// Prints no more diagnostics.
  void holdBack() { holdsBack = true; }
  /// The first error of the compiler, in one line; may be empty.
  const std::string &firstError() const { return firstErrorText; }

  /// What --check-numerics compared; its text lives as long as the session.
  GaudiNumerics numerics() const { return api->numerics(session); }

  /// What the passes of `compile` reported; nothing without
  /// --html, --predict or --remarks, nor with --remarks=all as text.
  std::vector<prediction::Remark> takeRemarks() { return std::move(remarks); }

  /// After import or select: samples of inputs of other regimes, where these
  /// were seeded. None if the search would be more than `work`.
  struct Sample {
    std::string regime;
    std::vector<HostTensor> inputs;
  };
  Result<std::vector<Sample>> drawInputs(const std::vector<HostTensor> &inputs,
                                         const std::vector<size_t> &seeded,
                                         uint32_t seed, double work);
  /// `continues`: states have the values that the last call left. `drawPairs`:
  /// how many pairs of draws of a device's errors are evaluated, too.
  Status evaluate(const std::vector<HostTensor> &inputs, bool continues,
                  uint32_t drawPairs);
  /// What the draws tell about an output, valid until it is asked for another.
  ExpectedNoise noise(size_t output) const;
  ExpectedValues result(size_t output) const;
  /// `result`, rounded once to the output's element type.
  HostTensor roundedResult(size_t output) const;

private:
  Compiler(const GaudiCompilerApi *api, Progress &progress)
      : api(api), progress(progress) {}
  void print(std::string_view diagnostic);
  void printLine(std::string_view line);
  /// The session's error unless `code` is 0.
  Status statusOf(int code) const;

  const GaudiCompilerApi *api;
  Progress &progress;
  GaudiSession *session = nullptr;
  bool holdsBack = false; // diagnostics are not printed
  RemarkLevel printedRemarks = RemarkLevel::None;
  std::vector<prediction::Remark> remarks;
  std::string printed; // of the line that is not complete yet
  std::string firstErrorText;
};

/// What was compared, and what was not and why.
std::string textOf(const GaudiNumerics &numerics);

} // namespace gaudi::run

#endif // GAUDI_RUN_COMPILER_H
