// Reads CSV tables.
#include "CsvTable.h"

#include "Gaudi/Support/Csv.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <charconv>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
class Parser {
public:
  Parser(std::string_view text, std::string_view example)
      : reader(text), example(example) {}

  Result<CsvTable> parse() {
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
    CsvTable::Row row;
    row.line = reader.line();
    for (size_t i = 0; i < fields.size(); ++i) {
      int64_t value = 0;
      const char *begin = fields[i].data(), *end = begin + fields[i].size();
      auto [rest, error] = std::from_chars(begin, end, value);
      if (error == std::errc::result_out_of_range)
        return fail("line {}: {} {} does not fit 64 bits", reader.line(),
                    printable(table.columns[i]), inQuotes(fields[i]));
      if (error != std::errc() || rest != end || value < 0)
        return fail("line {}: {} must be a whole number that is not negative "
                    "but is {}",
                    reader.line(), printable(table.columns[i]),
                    inQuotes(fields[i]));
      row.values.push_back(value);
    }
    table.rows.push_back(std::move(row));
    return {};
  }

  CsvReader reader;
  std::string_view example;
  CsvTable table;
};
} // namespace

Result<CsvTable> gaudi::shapes::parseCsv(std::string_view text,
                                         std::string_view example) {
  return Parser(text, example).parse();
}
