// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits CSV files into lines and fields.
#include "Gaudi/Support/Csv.h"

#include <utility>

using namespace gaudi;

static std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

CsvReader::CsvReader(std::string_view text) : rest(text) {
  if (rest.substr(0, 3) == "\xef\xbb\xbf") // byte order mark
    rest.remove_prefix(3);
}

bool CsvReader::next() {
  current.clear();
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view content = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++number;
    if (content.empty())
      continue;
    for (;;) {
      const size_t comma = content.find(',');
      current.push_back(trimmed(content.substr(0, comma)));
      if (comma == std::string_view::npos)
        return true;
      content.remove_prefix(comma + 1);
    }
  }
  return false;
}

Status CsvReader::expectCommas() const {
  if (current.size() != 1)
    return {};
  for (const auto &[separator, name] :
       {std::pair(';', "semicolons"), std::pair('\t', "tabs"),
        std::pair('|', "bars")})
    if (current[0].find(separator) != std::string_view::npos)
      return fail("line {}: its fields are separated by {}; separate them by "
                  "commas, in all lines",
                  number, name);
  return {};
}

Status CsvReader::expectFields(size_t columns) const {
  if (columns > 1)
    GAUDI_TRY(expectCommas());
  if (current.size() != columns)
    return fail("line {}: {} fields where the first line has {} columns; give "
                "each line one field per column",
                number, current.size(), columns);
  return {};
}
