// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads CSV tables.
#include "CsvTable.h"

#include "Gaudi/Support/Csv.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <charconv>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
/// Reads into a CsvTable or a CsvText.
template <typename Table> class Parser {
public:
  Parser(std::string_view text, std::string_view example)
      : reader(text), example(example) {}

  Result<Table> parse() {
    if (!reader.next())
      return fail("the file is empty; expected a first line with the columns, "
                  "such as {}",
                  example);
    GAUDI_TRY(readHeader());
    while (reader.next())
      GAUDI_TRY(readRow());
    if (table.rows.empty())
      return fail("line {}: nothing follows the names of the columns; expected "
                  "a line per row",
                  reader.line());
    return std::move(table);
  }

private:
  Status readHeader() {
    GAUDI_TRY(reader.expectCommas());
    for (std::string_view name : reader.fields()) {
      if (name.empty())
        return fail("line {}: column {} has no name; the first line names the "
                    "columns, such as {}",
                    reader.line(), table.columns.size() + 1, example);
      if (name.find_first_of("0123456789") != std::string_view::npos &&
          name.find_first_not_of("+-.0123456789eE") == std::string_view::npos)
        return fail("line {}: the first line must name the columns, such as "
                    "{}, but has the number {}",
                    reader.line(), example, inQuotes(name));
      if (std::find(table.columns.begin(), table.columns.end(), name) !=
          table.columns.end())
        return fail("line {}: column {} is there twice", reader.line(),
                    inQuotes(name));
      table.columns.emplace_back(name);
    }
    return {};
  }

  Status readRow() {
    GAUDI_TRY(reader.expectFields(table.columns.size()));
    const std::vector<std::string_view> &fields = reader.fields();
    typename Table::Row row;
    row.line = reader.line();
    for (size_t i = 0; i < fields.size(); ++i)
      GAUDI_TRY(readField(fields[i], table.columns[i], row));
    table.rows.push_back(std::move(row));
    return {};
  }

  static Status readField(std::string_view field, const std::string &column,
                          CsvTable::Row &row) {
    row.values.push_back(GAUDI_TRY(parseNumber(row.line, column, field)));
    return {};
  }
  static Status readField(std::string_view field, const std::string &,
                          CsvText::Row &row) {
    row.fields.emplace_back(field);
    return {};
  }

  CsvReader reader;
  std::string_view example;
  Table table;
};
} // namespace

Result<CsvTable> gaudi::shapes::parseCsv(std::string_view text,
                                         std::string_view example) {
  return Parser<CsvTable>(text, example).parse();
}

Result<CsvText> gaudi::shapes::parseCsvText(std::string_view text,
                                            std::string_view example) {
  return Parser<CsvText>(text, example).parse();
}

Result<int64_t> gaudi::shapes::parseNumber(uint64_t line,
                                           std::string_view column,
                                           std::string_view field) {
  int64_t value = 0;
  const char *begin = field.data(), *end = begin + field.size();
  auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range)
    return fail("line {}: {} {} does not fit 64 bits", line, printable(column),
                inQuotes(field));
  if (error != std::errc() || rest != end || value < 0)
    return fail("line {}: {} must be a whole number that is not negative "
                "but is {}",
                line, printable(column), inQuotes(field));
  return value;
}
