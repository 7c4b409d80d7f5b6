// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes that launches had, from CSV files.
//
// The first line names the columns, in any order: one per symbol, and `count`,
// how many launches had the sizes of the line (without that column: one). So a
// file is a histogram ("length,count", "batch,sequence,count") or a trace, one
// line per launch ("batch,sequence").
#ifndef GAUDI_SHAPES_HISTOGRAM_H
#define GAUDI_SHAPES_HISTOGRAM_H

#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::shapes {

/// Launches with the same sizes.
struct Observation {
  Sizes sizes;
  uint64_t count = 1;
  uint64_t line = 0; // of the file, from 1; 0: not from a file
};

struct Histogram {
  std::vector<std::string> names; // of the symbols, as the columns are
  std::vector<Observation> observations;

  /// Sum of the counts; saturates.
  uint64_t launches() const;
  /// The same launches with the columns in the order of `symbols`; columns that
  /// are not among them are dropped. Errors: a symbol without a column.
  Result<Histogram> columnsOf(const std::vector<std::string> &symbols) const;
  /// Observations of equal sizes become one, in ascending order of the sizes;
  /// those with a count of zero go.
  Histogram merged() const;
};

/// Reads `text`; the observations have the order of its lines. Errors name the
/// line, the column, and what was expected.
Result<Histogram> parseHistogram(std::string_view text);
/// Reads the file at `path`; errors name it.
Result<Histogram> readHistogram(const std::string &path);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_HISTOGRAM_H
