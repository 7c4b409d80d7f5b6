// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tables of measured products.
#include "Rows.h"
#include "Gaudi/Support/Quote.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

namespace gaudi::benchmark {
namespace {

using device::DType;

constexpr std::array<std::string_view, 9> required = {
    "id",      "chip",          "M", "K", "N", "dtype", "trans_a",
    "trans_b", "nodes_in_graph"};

struct TypeName {
  std::string_view name;
  DType type;
};
constexpr TypeName typeNames[] = {
    {"bf16", DType::BF16},        {"fp32", DType::F32},
    {"f32", DType::F32},          {"fp16", DType::F16},
    {"f16", DType::F16},          {"fp8", DType::F8E4M3FN},
    {"fp8_143", DType::F8E4M3FN}, {"fp8_152", DType::F8E5M2},
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\"";
  const size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> cells;
  for (size_t begin = 0;;) {
    const size_t comma = line.find(',', begin);
    cells.emplace_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos)
      return cells;
    begin = comma + 1;
  }
}

/// Names from the file, which may hold anything.
std::string listOf(const std::vector<std::string> &names) {
  return inQuotes(fmt::format("{}", fmt::join(names, ", ")));
}

/// One line of the table; its errors say where it is.
class Line {
public:
  Line(const std::string &path, size_t number,
       const std::map<std::string, size_t, std::less<>> &columns,
       std::vector<std::string> cells)
      : path(path), number(number), columns(columns), cells(std::move(cells)) {}

  const std::string &text(std::string_view column) const {
    static const std::string none;
    const auto it = columns.find(column);
    return it == columns.end() ? none : cells[it->second];
  }

  tl::unexpected<Error> bad(std::string_view what) const {
    return fail("{}:{}: {}", path, number, what);
  }

  Result<int64_t> whole(std::string_view column, int64_t least,
                        int64_t most) const {
    const std::string &cell = text(column);
    int64_t value = 0;
    const auto [end, code] =
        std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty() || code != std::errc() ||
        end != cell.data() + cell.size() || value < least || value > most)
      return bad(fmt::format("{} is {}, expected a whole number from {} to {}",
                             column, inQuotes(cell), least, most));
    return value;
  }

  /// Nothing if the cell is empty or the column absent.
  Result<std::optional<double>> measure(std::string_view column) const {
    const std::string &cell = text(column);
    if (cell.empty())
      return std::optional<double>();
    char *end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value) || value <= 0)
      return bad(fmt::format("{} is {}, expected a number above 0", column,
                             inQuotes(cell)));
    return std::optional<double>(value);
  }

private:
  const std::string &path;
  size_t number;
  const std::map<std::string, size_t, std::less<>> &columns;
  std::vector<std::string> cells;
};

Result<DType> typeOf(const Line &line, const device::DeviceSpec &spec) {
  const std::string &text = line.text("dtype");
  std::vector<std::string_view> names;
  for (const TypeName &known : typeNames) {
    names.push_back(known.name);
    if (known.name != text)
      continue;
    if (!spec.mme.types.contains(known.type))
      return line.bad(fmt::format("the matrix engine of {} does not compute {}",
                                  spec.name, text));
    return known.type;
  }
  return line.bad(fmt::format("unknown dtype {}, expected one of {}",
                              inQuotes(text), fmt::join(names, ", ")));
}

Result<Row> rowOf(const Line &line) {
  constexpr int64_t maxSize = int64_t(1) << 30;
  Row row;
  row.id = line.text("id");
  row.chip = line.text("chip");
  row.dtype = line.text("dtype");
  // The first generation's device has no number.
  auto spec =
      device::DeviceSpec::lookup(row.chip == "gaudi1" ? "gaudi" : row.chip);
  if (!spec)
    return line.bad(
        fmt::format("unknown chip {}, expected one of gaudi1, gaudi2, gaudi3",
                    inQuotes(row.chip)));
  row.spec = *spec;
  row.type = GAUDI_TRY(typeOf(line, *row.spec));
  row.isQuantized = row.dtype == "fp8";
  row.m = GAUDI_TRY(line.whole("M", 1, maxSize));
  row.k = GAUDI_TRY(line.whole("K", 1, maxSize));
  row.n = GAUDI_TRY(line.whole("N", 1, maxSize));
  row.transposedA = GAUDI_TRY(line.whole("trans_a", 0, 1));
  row.transposedB = GAUDI_TRY(line.whole("trans_b", 0, 1));
  row.nodes = GAUDI_TRY(line.whole("nodes_in_graph", 1, maxSize));
  const auto us = GAUDI_TRY(line.measure("us_per_gemm"));
  const auto tops = GAUDI_TRY(line.measure("tops_measured"));
  if (!us && !tops)
    return line.bad("neither tops_measured nor us_per_gemm is given");
  row.microseconds =
      us ? *us
         : 2.0 * double(row.m) * double(row.k) * double(row.n) / *tops / 1e6;
  constexpr double shortest = 1e-6, longest = 9e12; // of predicted times
  if (row.microseconds < shortest || row.microseconds > longest)
    return line.bad(
        fmt::format("{} means {:g} us per product, expected from {:g} to {:g}",
                    us ? "us_per_gemm" : "tops_measured", row.microseconds,
                    shortest, longest));
  return row;
}

} // namespace

Result<std::vector<Row>> readRows(const std::string &path) {
  errno = 0;
  std::ifstream file(path);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    if (errno != 0)
      return fail("cannot read {}: {}", inQuotes(path), std::strerror(errno));
    return fail("{} is empty, expected a line of column names", inQuotes(path));
  }
  std::string text;
  std::getline(file, text);
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) // a byte order mark
    text.erase(0, 3);
  std::map<std::string, size_t, std::less<>> columns;
  const std::vector<std::string> names = cellsOf(text);
  for (size_t i = 0; i < names.size(); ++i)
    columns.emplace(names[i], i);
  for (std::string_view name : required)
    if (columns.count(name) == 0)
      return fail("{} has no column {}; it has {}", inQuotes(path),
                  inQuotes(name), listOf(names));
  if (columns.count("tops_measured") + columns.count("us_per_gemm") == 0)
    return fail("{} has neither a column 'tops_measured' nor 'us_per_gemm'; it "
                "has {}",
                inQuotes(path), listOf(names));

  std::vector<Row> rows;
  for (size_t number = 2; std::getline(file, text); ++number) {
    if (trimmed(text).empty())
      continue;
    std::vector<std::string> cells = cellsOf(text);
    if (cells.size() != names.size())
      return fail("{}:{}: {} cells, but {} columns", path, number, cells.size(),
                  names.size());
    rows.push_back(
        GAUDI_TRY(rowOf(Line(path, number, columns, std::move(cells)))));
  }
  if (rows.empty())
    return fail("{} has column names but no rows", inQuotes(path));
  return rows;
}

} // namespace gaudi::benchmark
