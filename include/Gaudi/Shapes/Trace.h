// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, one per line of a CSV file, by what a compilation depends on.
//
// The first line names the columns: sizes, inputs (fields are types, such as
// 1x128xi32), "device", constants, and `count` (how many launches a line is;
// without that column: one).
#ifndef GAUDI_SHAPES_TRACE_H
#define GAUDI_SHAPES_TRACE_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::shapes {

struct Trace {
  struct Launch {
    uint64_t line = 0, count = 1;
    std::vector<std::string> fields; ///< one per column
  };
  std::vector<std::string> columns; ///< without `count`
  std::vector<Launch> launches;

  std::optional<size_t> columnOf(std::string_view name) const;
  /// A field as a size. Errors name line and column.
  Result<int64_t> sizeAt(const Launch &launch, size_t column) const;
};

/// In the order of the lines; those with a count of zero go. Errors name the
/// line.
Result<Trace> parseTrace(std::string_view text);
/// Reads the file at `path`; errors name it.
Result<Trace> readTrace(const std::string &path);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_TRACE_H
