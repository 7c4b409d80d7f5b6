// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulation of a trace of launches against the variants of a recipe:
// TraceReplay.cpp runs it, TraceReplayText.cpp prints what it found.
#ifndef GAUDI_RUN_TRACEREPLAY_H
#define GAUDI_RUN_TRACEREPLAY_H

#include "Exit.h"
#include "Gaudi/Shapes/Trace.h"
#include "Misses.h"
#include "Options.h"
#include "SymbolTable.h"
#include "TraceLauncher.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gaudi::run {

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
  Miss miss;
  double milliseconds = 0; ///< of the host; 0: nothing was compiled
};

/// Launches that are refused for one reason.
struct Refusal {
  uint64_t launches = 0, line = 0; ///< the first line with it
  Miss miss;
  int64_t low = 0, high = 0, step = 0; ///< of the sizes of its symbol
};

/// What a trace tells of each symbol and input, by column.
struct Columns {
  std::vector<std::optional<size_t>> symbols, inputs;
  std::optional<size_t> device;
  std::vector<std::string> ignored;
};

class Replay {
public:
  /// `launcher` may be null.
  Replay(SymbolTable table, std::string device, const Options &options,
         std::optional<double> compileMilliseconds, TraceLauncher *launcher,
         Exit &failureCode);

  Status run(const shapes::Trace &trace);

  void printText() const;
  void printJson() const;

private:
  /// Passes the result on. If it failed, it is an error of that code.
  template <typename T> Result<T> during(Exit stage, Result<T> result) {
    if (!result)
      failureCode = stage;
    return result;
  }

  bool isOfOtherDevice(const shapes::Trace::Launch &launch) const;

  Status readColumns(const shapes::Trace &trace);

  /// `wrong` says what another model would be needed for.
  Result<shapes::Sizes> sizesOf(const shapes::Trace &trace,
                                const shapes::Trace::Launch &launch,
                                Miss &wrong) const;

  Status take(const shapes::Trace::Launch &launch, const shapes::Sizes &sizes);

  Status compile(uint64_t line, Miss miss);

  /// What a launch takes in each bucket. Nobody has predicted the new one: it
  /// takes as long as the slowest of the others, of which those that are larger
  /// count by their share of its volume.
  std::vector<double> costsWith(const shapes::Sizes &box) const;

  void refuse(const shapes::Trace::Launch &launch, int64_t size, Miss miss);

  uint64_t refused() const;

  std::string avoidedBy(const Refusal &refusal) const;

  /// What would have avoided all compilations; empty: there is none.
  std::string avoidAll() const;

  /// Compilations by the symbol to blame, the most first.
  std::vector<std::pair<size_t, size_t>> causes() const;

  void printVariants() const;
  void printCompilations() const;

  SymbolTable table;
  std::string device;
  const Options &options;
  TraceLauncher *launcher;
  Exit &failureCode;
  bool mayCompile;
  Columns columns;
  shapes::Buckets buckets; ///< with those that launches have compiled
  std::vector<Hits> hits;  ///< per bucket
  Hits all;
  uint64_t launches = 0, untimed = 0;
  double time = 0;                           ///< in picoseconds
  std::optional<double> variantMilliseconds; ///< to compile one
  std::vector<Compilation> compilations;
  std::vector<Refusal> refusals;
  std::map<std::tuple<shapes::Sizes, size_t, std::string>, size_t> refusalOf;
  std::map<std::string, std::vector<uint64_t>> others; ///< lines, by device
};

} // namespace gaudi::run

#endif // GAUDI_RUN_TRACEREPLAY_H
