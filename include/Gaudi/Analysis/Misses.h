// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that no variant takes: the reason, and what would have avoided it.
#ifndef GAUDI_ANALYSIS_MISSES_H
#define GAUDI_ANALYSIS_MISSES_H

#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Shapes/Recompile.h"

namespace gaudi::analysis {

struct Miss {
  size_t symbol = 0;      ///< that the reason is about
  bool isRefused = false; ///< outside the bounds: no variant may be made
  std::string reason;     ///< "dimension 1 of input 'tokens' (seq) is 300, ..."
  std::string error;      ///< what a launch that may compile nothing says
  std::string avoidedBy;  ///< the end of a sentence after "avoided by "
  shapes::Sizes box;      ///< of a variant that would take it
};

/// Bounds of a symbol that hold sizes from `low` to `high`, all multiples of
/// `step`, besides those that it has: "seq=16..5000/4 in --shape or
/// gaudi.dims".
std::string widerBounds(const SymbolTable &table, size_t symbol, int64_t low,
                        int64_t high, int64_t step);

/// "'--buckets=seq=128,256'", or of many only the last `added`.
std::string bucketsOption(const shapes::Buckets &buckets, size_t added);

/// What makes one recipe for `is` and all sizes of `table`: "--shape=...
/// '--buckets=...'". The dimensions of `was` are those of the table,
/// dynamicSize where they vary; others that differ become symbols. `sizes` are
/// those of the table's symbols for `is`, -1 if nothing tells one.
std::string sharedRecipe(const SymbolTable &table, const shapes::Signature &was,
                         const shapes::Signature &is,
                         const shapes::Sizes &sizes);

/// Of sizes that none of `buckets` takes, or that the bounds exclude. A launch
/// compiles the same variant.
std::optional<Miss> missOf(const SymbolTable &table,
                           const shapes::Buckets &buckets,
                           const shapes::Sizes &sizes);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_MISSES_H
