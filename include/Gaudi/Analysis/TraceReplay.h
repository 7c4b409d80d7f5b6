// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulation of a trace of launches against the variants of a recipe: which
// variant each would take, what would be compiled, what is refused.
#ifndef GAUDI_ANALYSIS_TRACEREPLAY_H
#define GAUDI_ANALYSIS_TRACEREPLAY_H

#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Shapes/Trace.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// What does the launches of a trace, where they are not only simulated.
class TraceLauncher {
public:
  virtual ~TraceLauncher() = default;

  struct Compiled {
    double milliseconds = 0;  ///< of the host
    int64_t picoseconds = -1; ///< predicted, of a launch
  };
  /// Makes the variant of the sizes `box` of symbols called `names`.
  virtual Result<Compiled> compile(const std::vector<std::string> &names,
                                   const shapes::Sizes &box) = 0;
  /// Launches `count` times with tensors of these sizes, in the recipe of the
  /// model (`made` is 0) or in that of the number `made` that was compiled,
  /// from 1.
  virtual Status launch(const std::vector<std::string> &names,
                        const shapes::Sizes &sizes, size_t made,
                        uint64_t count) = 0;
};

struct ReplayOptions {
  std::string trace;      ///< its name, for people
  bool mayCompile = true; ///< what no variant takes; else it is refused
  /// What the compiler took for the variants of the recipe, of the host; none:
  /// nobody knows.
  std::optional<double> compileMilliseconds;
  TraceLauncher *launcher = nullptr; ///< null: nothing is launched
};

/// What a trace of launches shows.
struct TraceReport {
  /// Launches of one variant. Products of sizes, over all of them.
  struct Hits {
    uint64_t launches = 0;
    double real = 0, padded = 0;
    uint64_t compiledAt = 0;  ///< a line; 0: the recipe has it
    int64_t picoseconds = -1; ///< predicted, of a launch; -1: unknown

    /// By how much the padded elements exceed the real ones, in per cent.
    double padding() const { return real > 0 ? 100 * (padded / real - 1) : 0; }
    void add(uint64_t count, double realElements, double paddedElements) {
      launches += count;
      real += double(count) * realElements;
      padded += double(count) * paddedElements;
    }
  };
  /// A variant that a launch compiles.
  struct Compilation {
    uint64_t line = 0;
    size_t bucket = 0;
    std::string subject; ///< "dimension 1 of input 'tokens' (seq)"
    std::string reason, avoidedBy;
    double milliseconds = 0; ///< of the host; 0: nothing was compiled
  };
  /// Launches that are refused for one reason.
  struct Refusal {
    uint64_t launches = 0, line = 0; ///< the first line with it
    std::string reason, avoidedBy;
    shapes::Sizes box; ///< of a variant that would take them; may be empty
  };
  /// Launches on another device than the recipe's.
  struct OtherDevice {
    std::string name;
    uint64_t line = 0; ///< the first one
  };
  /// Compilations with the same size to blame.
  struct Cause {
    size_t compilations = 0;
    std::string subject;
  };

  std::string trace, device;
  bool isLaunched = false, mayCompile = true;
  std::vector<std::string> symbols;
  std::vector<shapes::Sizes> buckets; ///< with those that launches compiled
  std::vector<Hits> hits;             ///< per bucket
  Hits all;
  uint64_t launches = 0;
  uint64_t untimed = 0;   ///< launches that nobody has predicted
  double picoseconds = 0; ///< of the device, for the others
  std::optional<double> variantMilliseconds; ///< to compile one
  std::vector<Compilation> compilations;
  std::vector<Cause> causes; ///< the most frequent first
  std::string avoidedBy;     ///< all compilations; empty: there is none
  /// Buckets that leave clearly less padding, where there is much of it; empty:
  /// none are known.
  std::string lessPadding;
  std::vector<Refusal> refusals;
  std::vector<OtherDevice> others;
  std::vector<std::string> ignored; ///< columns that the model does not have

  uint64_t refused() const; ///< launches
  /// Of the compilations, if each takes as long as a variant did.
  std::optional<double> predictedMilliseconds() const;
};

/// Replays the trace with an entry that has variants, for `device`. Before the
/// first launch, all lines are read. Errors: a symbol that no column tells, a
/// field that is no size or type, those of the launcher.
Result<TraceReport> replayTrace(const recipe::Dispatch &dispatch,
                                std::string_view device,
                                const shapes::Trace &trace,
                                const ReplayOptions &options);

/// The keys of gaudi-run --shapes-from (docs/schema).
nlohmann::ordered_json toJson(const TraceReport &report);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_TRACEREPLAY_H
