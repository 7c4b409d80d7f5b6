// Reads CSV tables.
#include "CsvTable.h"

#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::vector<std::string_view> fieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos)
      return fields;
    line.remove_prefix(comma + 1);
  }
}

class Parser {
public:
  explicit Parser(std::string_view example) : example(example) {}

  Result<CsvTable> parse(std::string_view text) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") // byte order mark
      text.remove_prefix(3);
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view content = trimmed(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line;
      if (content.empty())
        continue;
      if (table.columns.empty())
        GAUDI_TRY(readHeader(content));
      else
        GAUDI_TRY(readRow(content));
    }
    if (table.columns.empty())
      return fail("the file is empty; expected a first line with the columns, "
                  "such as {}",
                  example);
    if (table.rows.empty())
      return fail("line {}: nothing follows the names of the columns; expected "
                  "a line per row",
                  line);
    return std::move(table);
  }

private:
  Status readHeader(std::string_view content) {
    for (std::string_view name : fieldsOf(content)) {
      if (name.empty())
        return fail("line {}: column {} has no name; the first line names the "
                    "columns, such as {}",
                    line, table.columns.size() + 1, example);
      if (name.find_first_of("0123456789") != std::string_view::npos &&
          name.find_first_not_of("+-.0123456789eE") == std::string_view::npos)
        return fail("line {}: the first line must name the columns, such as "
                    "{}, but has the number {}",
                    line, example, inQuotes(name));
      if (std::find(table.columns.begin(), table.columns.end(), name) !=
          table.columns.end())
        return fail("line {}: column {} is there twice", line, inQuotes(name));
      table.columns.emplace_back(name);
    }
    return {};
  }

  Status readRow(std::string_view content) {
    const std::vector<std::string_view> fields = fieldsOf(content);
    if (fields.size() != table.columns.size())
      return fail("line {}: {} fields where the first line has {} columns",
                  line, fields.size(), table.columns.size());
    CsvTable::Row row;
    row.line = line;
    for (size_t i = 0; i < fields.size(); ++i) {
      int64_t value = 0;
      const char *begin = fields[i].data(), *end = begin + fields[i].size();
      auto [rest, error] = std::from_chars(begin, end, value);
      if (error == std::errc::result_out_of_range)
        return fail("line {}: {} {} does not fit 64 bits", line,
                    printable(table.columns[i]), inQuotes(fields[i]));
      if (error != std::errc() || rest != end || value < 0)
        return fail("line {}: {} must be a whole number that is not negative "
                    "but is {}",
                    line, printable(table.columns[i]), inQuotes(fields[i]));
      row.values.push_back(value);
    }
    table.rows.push_back(std::move(row));
    return {};
  }

  std::string_view example;
  uint64_t line = 0;
  CsvTable table;
};
} // namespace

Result<CsvTable> gaudi::shapes::parseCsv(std::string_view text,
                                         std::string_view example) {
  return Parser(example).parse(text);
}

Result<std::string> gaudi::shapes::readText(const std::string &path,
                                            std::string_view what) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  std::string text;
  if (file) {
    char chunk[1 << 16];
    errno = 0;
    while (const size_t got = std::fread(chunk, 1, sizeof chunk, file.get()))
      text.append(chunk, got);
  }
  if (!file || std::ferror(file.get()))
    return fail("cannot read {}: {}; name a CSV file of {}", inQuotes(path),
                std::strerror(errno), what);
  return text;
}
