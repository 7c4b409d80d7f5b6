// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines and fields of CSV files without quotes.
#ifndef GAUDI_SUPPORT_CSV_H
#define GAUDI_SUPPORT_CSV_H

#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gaudi {

/// Walks the lines of a text. Blank lines, spaces around fields, carriage
/// returns and a byte order mark are skipped.
class CsvReader {
public:
  /// `text` must outlive the fields.
  explicit CsvReader(std::string_view text);

  /// Goes to the next line that is not blank; false: there is none.
  bool next();

  /// Of the line where it is, from 1; at the end, of the last one.
  uint64_t line() const { return number; }
  const std::vector<std::string_view> &fields() const { return current; }

  /// An error that names the separator if the line has one field, which another
  /// one than the comma seems to split.
  Status expectCommas() const;
  /// An error that names the line unless it has a field per column.
  Status expectFields(size_t columns) const;

private:
  std::string_view rest;
  uint64_t number = 0;
  std::vector<std::string_view> current;
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_CSV_H
