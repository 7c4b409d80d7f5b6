// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch takes at some sizes, and between them.
#ifndef GAUDI_SHAPES_COSTTABLE_H
#define GAUDI_SHAPES_COSTTABLE_H

#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::shapes {

/// Costs over a grid of sizes, interpolated linearly along each axis. Beyond
/// the grid the outermost two sizes are continued (a cost never falls below
/// zero); along an axis with one size the cost does not change.
class CostTable {
public:
  /// `costs` of all combinations of `sizes`, which ascend per symbol, the last
  /// symbol fastest. Errors: sizes that do not ascend, a number of costs that
  /// differs, a cost below 0 or not finite.
  static Result<CostTable> create(std::vector<std::vector<int64_t>> sizes,
                                  std::vector<double> costs);
  /// Reads CSV: columns of the symbols and `cost` (a whole number), one line
  /// per combination.
  static Result<CostTable> parse(std::string_view text,
                                 const std::vector<std::string> &symbols);
  static Result<CostTable> read(const std::string &path,
                                const std::vector<std::string> &symbols);

  double operator()(const Sizes &at) const;
  /// The CSV that parse() reads; costs are rounded to whole numbers.
  std::string print(const std::vector<std::string> &symbols) const;
  /// The sizes of the grid, per symbol.
  const std::vector<std::vector<int64_t>> &grid() const { return sizes; }

private:
  std::vector<std::vector<int64_t>> sizes;
  std::vector<double> costs;
};

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_COSTTABLE_H
