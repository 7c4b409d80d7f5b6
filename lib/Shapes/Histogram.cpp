// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and orders observed sizes.
#include "Gaudi/Shapes/Histogram.h"

#include "CsvTable.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>
#include <fmt/ranges.h>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
constexpr std::string_view countColumn = "count";

uint64_t addSaturated(uint64_t a, uint64_t b) {
  return checkedAdd(a, b).value_or(UINT64_MAX);
}
} // namespace

uint64_t Histogram::launches() const {
  uint64_t sum = 0;
  for (const Observation &observation : observations)
    sum = addSaturated(sum, observation.count);
  return sum;
}

Result<Histogram>
Histogram::columnsOf(const std::vector<std::string> &symbols) const {
  std::vector<size_t> columns;
  for (const std::string &symbol : symbols) {
    auto it = std::find(names.begin(), names.end(), symbol);
    if (it == names.end())
      return fail("the histogram has no column {}; its columns are {}; "
                  "name a column of the first line so",
                  inQuotes(symbol),
                  printable(fmt::format("{}", fmt::join(names, ","))));
    columns.push_back(size_t(it - names.begin()));
  }
  Histogram result;
  result.names = symbols;
  result.observations.reserve(observations.size());
  for (const Observation &observation : observations) {
    Observation chosen{{}, observation.count, observation.line};
    for (size_t column : columns)
      chosen.sizes.push_back(observation.sizes[column]);
    result.observations.push_back(std::move(chosen));
  }
  return result;
}

Histogram Histogram::merged() const {
  Histogram sorted = *this;
  // Of equal sizes the first line stays, whatever the order of the sort.
  std::sort(sorted.observations.begin(), sorted.observations.end(),
            [](const Observation &a, const Observation &b) {
              return a.sizes != b.sizes ? a.sizes < b.sizes : a.line < b.line;
            });
  Histogram result;
  result.names = names;
  for (Observation &observation : sorted.observations) {
    if (observation.count == 0)
      continue;
    if (!result.observations.empty() &&
        result.observations.back().sizes == observation.sizes)
      result.observations.back().count =
          addSaturated(result.observations.back().count, observation.count);
    else
      result.observations.push_back(std::move(observation));
  }
  return result;
}

Result<Histogram> gaudi::shapes::parseHistogram(std::string_view text) {
  CsvTable table = GAUDI_TRY(parseCsv(text, "length,count"));
  Histogram histogram;
  size_t count = table.columns.size(); // its column
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i] == countColumn)
      count = i;
    else
      histogram.names.push_back(table.columns[i]);
  }
  if (histogram.names.empty())
    return fail("only the column {} is there; add a column with sizes, as in "
                "length,count",
                inQuotes(countColumn));
  histogram.observations.reserve(table.rows.size());
  for (CsvTable::Row &row : table.rows) {
    Observation observation;
    observation.line = row.line;
    if (count < row.values.size()) {
      observation.count = uint64_t(row.values[count]);
      row.values.erase(row.values.begin() + ptrdiff_t(count));
    }
    observation.sizes = std::move(row.values);
    histogram.observations.push_back(std::move(observation));
  }
  return histogram;
}

Result<Histogram> gaudi::shapes::readHistogram(const std::string &path) {
  const std::string text =
      GAUDI_TRY(readTextFile(path, "a CSV file of observed sizes"));
  Result<Histogram> histogram = parseHistogram(text);
  if (!histogram)
    return fail("{}: {}", printable(path), histogram.error().message);
  return histogram;
}
