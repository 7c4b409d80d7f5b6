// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables as CSV: of whole numbers (histograms, costs), of any text (traces).
#ifndef GAUDI_LIB_SHAPES_CSVTABLE_H
#define GAUDI_LIB_SHAPES_CSVTABLE_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::shapes {

struct CsvTable {
  struct Row {
    uint64_t line = 0; // from 1
    std::vector<int64_t> values;
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// Reads `text`: a first line with the names of columns, then whole numbers
/// that are not negative. `example` is a first line, for errors.
Result<CsvTable> parseCsv(std::string_view text, std::string_view example);

/// The same with fields of any text.
struct CsvText {
  struct Row {
    uint64_t line = 0; // from 1
    std::vector<std::string> fields;
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
};
Result<CsvText> parseCsvText(std::string_view text, std::string_view example);

/// The field of a row as a whole number that is not negative; errors name the
/// line and the column.
Result<int64_t> parseNumber(uint64_t line, std::string_view column,
                            std::string_view field);

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_CSVTABLE_H
