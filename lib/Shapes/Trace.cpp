// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads traces of launches.
#include "Gaudi/Shapes/Trace.h"

#include "CsvTable.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>

using namespace gaudi;
using namespace gaudi::shapes;

std::optional<size_t> Trace::columnOf(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    return std::nullopt;
  return size_t(found - columns.begin());
}

Result<int64_t> Trace::sizeAt(const Launch &launch, size_t column) const {
  return parseNumber(launch.line, columns[column], launch.fields[column]);
}

Result<Trace> gaudi::shapes::parseTrace(std::string_view text) {
  CsvText table = GAUDI_TRY(parseCsvText(text, "batch,sequence"));
  const size_t count =
      size_t(std::find(table.columns.begin(), table.columns.end(), "count") -
             table.columns.begin());
  const bool hasCount = count < table.columns.size();
  if (hasCount && table.columns.size() == 1)
    return fail("only the column 'count' is there; add a column with sizes or "
                "types, as in sequence,count");
  Trace trace;
  trace.launches.reserve(table.rows.size());
  for (CsvText::Row &row : table.rows) {
    Trace::Launch launch{row.line, 1, std::move(row.fields)};
    if (hasCount) {
      launch.count = uint64_t(
          GAUDI_TRY(parseNumber(row.line, "count", launch.fields[count])));
      launch.fields.erase(launch.fields.begin() + ptrdiff_t(count));
    }
    if (launch.count)
      trace.launches.push_back(std::move(launch));
  }
  if (hasCount)
    table.columns.erase(table.columns.begin() + ptrdiff_t(count));
  trace.columns = std::move(table.columns);
  return trace;
}

Result<Trace> gaudi::shapes::readTrace(const std::string &path) {
  const std::string text =
      GAUDI_TRY(readTextFile(path, "a CSV file of launches"));
  Result<Trace> trace = parseTrace(text);
  if (!trace)
    return fail("{}: {}", printable(path), trace.error().message);
  return trace;
}
