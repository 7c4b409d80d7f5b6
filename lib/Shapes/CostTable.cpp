// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of costs and their interpolation.
#include "Gaudi/Shapes/CostTable.h"

#include "CsvTable.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <optional>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
constexpr std::string_view costColumn = "cost";

/// The number of `symbol` in the columns of `table`.
Result<size_t> columnOf(const CsvTable &table, std::string_view symbol) {
  auto it = std::find(table.columns.begin(), table.columns.end(), symbol);
  if (it == table.columns.end())
    return fail("column {} is missing; the columns are the symbols and {}",
                inQuotes(symbol), costColumn);
  return size_t(it - table.columns.begin());
}
} // namespace

Result<CostTable> CostTable::create(std::vector<std::vector<int64_t>> sizes,
                                    std::vector<double> costs) {
  uint64_t combinations = 1;
  for (const std::vector<int64_t> &axis : sizes) {
    if (axis.empty() ||
        std::adjacent_find(axis.begin(), axis.end(),
                           std::greater_equal<int64_t>()) != axis.end())
      return fail("the sizes of a table of costs must ascend");
    combinations =
        checkedMul<uint64_t>(combinations, axis.size()).value_or(UINT64_MAX);
  }
  if (sizes.empty() || combinations != costs.size())
    return fail("there are {} costs for {} combinations of sizes; give each "
                "one once",
                costs.size(), combinations);
  for (double cost : costs)
    if (!(cost >= 0 && std::isfinite(cost)))
      return fail("a cost is {}; costs must be finite and not negative", cost);
  CostTable table;
  table.sizes = std::move(sizes);
  table.costs = std::move(costs);
  return table;
}

Result<CostTable> CostTable::parse(std::string_view text,
                                   const std::vector<std::string> &symbols) {
  const CsvTable table = GAUDI_TRY(parseCsv(text, "length,cost"));
  const size_t cost = GAUDI_TRY(columnOf(table, costColumn));
  std::vector<size_t> columns;
  std::vector<std::vector<int64_t>> sizes;
  uint64_t combinations = 1;
  for (const std::string &symbol : symbols) {
    const size_t column = GAUDI_TRY(columnOf(table, symbol));
    std::vector<int64_t> axis;
    for (const CsvTable::Row &row : table.rows)
      axis.push_back(row.values[column]);
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
    combinations =
        checkedMul<uint64_t>(combinations, axis.size()).value_or(UINT64_MAX);
    columns.push_back(column);
    sizes.push_back(std::move(axis));
  }
  // Counted before memory is taken: few lines could name many combinations.
  if (combinations != table.rows.size())
    return fail("there are {} costs for {} combinations of sizes; give each "
                "one once",
                table.rows.size(), combinations);
  std::vector<std::optional<double>> costs(combinations);
  for (const CsvTable::Row &row : table.rows) {
    // Row-major, the last symbol fastest.
    size_t at = 0;
    for (size_t i = 0; i < columns.size(); ++i)
      at = at * sizes[i].size() +
           size_t(std::lower_bound(sizes[i].begin(), sizes[i].end(),
                                   row.values[columns[i]]) -
                  sizes[i].begin());
    if (costs[at])
      return fail("line {}: these sizes are there twice", row.line);
    costs[at] = double(row.values[cost]);
  }
  // As many costs as combinations, none twice: each has one.
  std::vector<double> values;
  for (const std::optional<double> &value : costs)
    values.push_back(*value);
  return create(std::move(sizes), std::move(values));
}

Result<CostTable> CostTable::read(const std::string &path,
                                  const std::vector<std::string> &symbols) {
  const std::string text = GAUDI_TRY(readTextFile(path, "a CSV file of costs"));
  Result<CostTable> table = parse(text, symbols);
  if (!table)
    return fail("{}: {}", printable(path), table.error().message);
  return table;
}

double CostTable::operator()(const Sizes &at) const {
  assert(at.size() == sizes.size() && "one size per symbol");
  // One axis after the other, the slowest first, leaves one number.
  std::vector<double> corners = costs;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<int64_t> &axis = sizes[i];
    const size_t rest = corners.size() / axis.size();
    if (axis.size() == 1)
      continue;
    const size_t above = std::clamp<size_t>(
        size_t(std::lower_bound(axis.begin(), axis.end(), at[i]) -
               axis.begin()),
        1, axis.size() - 1);
    const double share = (double(at[i]) - double(axis[above - 1])) /
                         (double(axis[above]) - double(axis[above - 1]));
    std::vector<double> next(rest);
    for (size_t corner = 0; corner < rest; ++corner) {
      const double low = corners[(above - 1) * rest + corner];
      const double high = corners[above * rest + corner];
      next[corner] = low + share * (high - low);
    }
    corners = std::move(next);
  }
  assert(corners.size() == 1 && "every axis was reduced");
  return std::max(0.0, corners[0]);
}

std::string CostTable::print(const std::vector<std::string> &symbols) const {
  assert(symbols.size() == sizes.size() && "one name per symbol");
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{},{}\n", fmt::join(symbols, ","), costColumn);
  for (size_t at = 0; at < costs.size(); ++at) {
    // The number in the grid has the last symbol fastest.
    size_t rest = at, stride = costs.size();
    for (const std::vector<int64_t> &axis : sizes) {
      stride /= axis.size();
      fmt::format_to(out, "{},", axis[rest / stride]);
      rest %= stride;
    }
    fmt::format_to(out, "{:.0f}\n", costs[at]);
  }
  return fmt::to_string(text);
}
