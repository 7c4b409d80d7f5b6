// Tables of whole numbers as CSV: histograms and tables of costs.
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

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_CSVTABLE_H
