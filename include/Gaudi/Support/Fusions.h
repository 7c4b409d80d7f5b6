// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of fusion, and the lines that count their candidates.
//
// docs/fusion.md defines what a candidate of each kind is. Passes record one
// outcome per candidate, recipes keep them, and reports count them here.
#ifndef GAUDI_SUPPORT_FUSIONS_H
#define GAUDI_SUPPORT_FUSIONS_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi {

struct FusionKind {
  std::string_view name;  ///< in options, recipes and JSON: "layer_norm"
  std::string_view title; ///< for people: "layer norm"
  /// What the members of a candidate are: "parameters". Empty: it has none.
  std::string_view members;
};

/// All kinds, in the order of reports.
const std::vector<FusionKind> &fusionKinds();
/// Null for a name that is none of them.
const FusionKind *findFusionKind(std::string_view name);

/// What became of one candidate.
struct FusionOutcome {
  std::string_view kind;
  bool fused = false;
  uint64_t members = 0;
  int64_t bytesSaved = 0;
  int64_t picosecondsSaved = 0;
  std::string_view location; ///< "model.mlir:3:8", or empty
  std::string_view text;     ///< as in recipes
};

/// The candidates of one kind.
struct FusionCount {
  std::string_view kind, title;
  uint64_t candidates = 0, fused = 0;
  uint64_t members = 0; ///< of the fused ones
  int64_t bytesSaved = 0, picosecondsSaved = 0;
  /// "layer norm 24/25: one at model.mlir:3:8: its mean is in another kernel".
  /// Misses for one reason are told together, the most frequent reason first.
  std::string line;
};

/// One count for each kind that has candidates, in the order of fusionKinds();
/// kinds that this build does not know follow in the order of their first one.
std::vector<FusionCount>
countFusions(const std::vector<FusionOutcome> &outcomes);

/// The reason in the text of a missed candidate: what follows the first ": ".
std::string_view reasonOf(std::string_view text);

/// Reads "sdpa,tpc": names of `known`, each at most once. The error lists the
/// known names.
Result<std::vector<std::string>>
parseFusionNames(std::string_view text,
                 const std::vector<std::string_view> &known);

/// Reads "sdpa:12,adamw:1": kinds, each at most once, with the number of
/// candidates that must be fused.
Result<std::vector<std::pair<std::string, uint64_t>>>
parseRequiredFusions(std::string_view text);

/// The names that disable a pass or a part of one: "sdpa", "tpc", ...
const std::vector<std::string_view> &disabledFusions();

} // namespace gaudi

#endif // GAUDI_SUPPORT_FUSIONS_H
