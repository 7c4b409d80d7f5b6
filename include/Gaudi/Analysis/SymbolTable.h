// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols of an entry with variants, read from the recipe alone.
#ifndef GAUDI_ANALYSIS_SYMBOLTABLE_H
#define GAUDI_ANALYSIS_SYMBOLTABLE_H

#include "Gaudi/Recipe/Sizes.h"
#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Shapes/Symbol.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// What a launch of such an entry would do, without a device.
class SymbolTable {
public:
  struct Symbol : shapes::Symbol {
    /// The dimension that tells its size; none: the caller does.
    std::optional<recipe::SymbolSource> source;
  };
  using Shape = std::vector<int64_t>;

  static Result<SymbolTable> of(const recipe::Dispatch &dispatch);

  const std::vector<Symbol> &symbols() const { return table; }
  const shapes::Buckets &buckets() const { return variants; }
  std::vector<std::string> inputNames() const;
  const recipe::Dispatch &dispatch() const { return *given; }

  /// The sizes that shapes of inputs tell; -1: nothing tells it. `known` are
  /// taken as they are unless negative. If one is out of bounds, the shapes are
  /// not compared, and symbols that nothing tells yet have their smallest size.
  /// Errors: a shape that contradicts the model or another one.
  Result<shapes::Sizes> sizesOf(const std::vector<std::optional<Shape>> &inputs,
                                shapes::Sizes known) const;

  /// The first symbol whose size the model does not take.
  std::optional<size_t> outOfBounds(const shapes::Sizes &sizes) const;

  struct Launches {
    shapes::Histogram taken; ///< its columns are the symbols
    uint64_t refused = 0;    ///< launches of sizes out of bounds
    uint64_t observed = 0;   ///< both
  };
  /// Errors: a symbol without a column.
  Result<Launches> launchesOf(const shapes::Histogram &histogram) const;

  /// "dimension 1 of input 'tokens' (seq)", or "seq".
  std::string subject(size_t symbol) const;
  /// The largest sizes of all symbols.
  shapes::Sizes limits() const;

  /// The entry whose commands a launch of these sizes runs. Those below 0 fit
  /// any variant; of several the fastest, without any size the slowest. Errors:
  /// a size that the model does not take, sizes that exceed every variant.
  Result<uint32_t> entryFor(const shapes::Sizes &sizes) const;

private:
  SymbolTable(const recipe::Dispatch &dispatch, shapes::Buckets variants)
      : given(&dispatch), variants(std::move(variants)) {}

  const recipe::Dispatch *given;
  shapes::Buckets variants;
  std::vector<Symbol> table;
  std::vector<recipe::SymbolSource> sources; ///< in the order of their use
};

/// "batch 3, seq 100".
std::string namedSizes(const std::vector<std::string> &names,
                       const shapes::Sizes &sizes);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_SYMBOLTABLE_H
