// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and prints buffers as CSV.
#include "BufferCsv.h"

#include "Gaudi/Support/Csv.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <unordered_map>

using namespace gaudi;
using namespace gaudi::plan;

namespace {
enum Column : size_t { Id, Lower, Upper, Size, Offset, Alignment, Columns };
constexpr std::array<std::string_view, Columns> columnNames = {
    "id", "lower", "upper", "size", "offset", "alignment"};
constexpr size_t requiredColumns = Offset;

class Parser {
public:
  explicit Parser(std::string_view text) : reader(text) {}

  Result<BufferFile> parse() {
    if (!reader.next())
      return fail("the file is empty; expected a first line with the columns "
                  "id,lower,upper,size");
    GAUDI_TRY(readHeader());
    while (reader.next())
      GAUDI_TRY(readBuffer());
    return std::move(file);
  }

private:
  Status readHeader() {
    GAUDI_TRY(reader.expectCommas());
    std::array<bool, Columns> isGiven = {};
    for (std::string_view name : reader.fields()) {
      auto it = std::find(columnNames.begin(), columnNames.end(), name);
      if (it == columnNames.end())
        return fail("line {}: unknown column {}; the columns are "
                    "id,lower,upper,size and, if wanted, offset,alignment",
                    reader.line(), inQuotes(name));
      const size_t column = size_t(it - columnNames.begin());
      if (isGiven[column])
        return fail("line {}: column {} is there twice; remove one of them",
                    reader.line(), inQuotes(name));
      isGiven[column] = true;
      columns.push_back(Column(column));
    }
    for (size_t i = 0; i < requiredColumns; ++i)
      if (!isGiven[i])
        return fail("line {}: column {} is missing; the first line names the "
                    "columns id,lower,upper,size",
                    reader.line(), inQuotes(columnNames[i]));
    return {};
  }

  Status readBuffer() {
    GAUDI_TRY(reader.expectFields(columns.size()));
    const std::vector<std::string_view> &fields = reader.fields();
    const uint64_t line = reader.line();
    memory::Buffer buffer;
    std::string id;
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string_view field = fields[i];
      switch (columns[i]) {
      case Id:
        id = std::string(field);
        break;
      case Lower:
        buffer.begin = GAUDI_TRY(number<int64_t>(Lower, field));
        break;
      case Upper:
        buffer.end = GAUDI_TRY(number<int64_t>(Upper, field));
        break;
      case Size:
        buffer.size = GAUDI_TRY(number<uint64_t>(Size, field));
        break;
      case Offset:
        if (!field.empty())
          buffer.offset = GAUDI_TRY(number<uint64_t>(Offset, field));
        break;
      case Alignment:
        if (!field.empty())
          buffer.alignment = GAUDI_TRY(number<uint64_t>(Alignment, field));
        break;
      case Columns:
        break;
      }
    }
    if (id.empty())
      return fail("line {}: the id is empty; give each buffer one", line);
    auto [known, isNew] = lineOf.try_emplace(id, line);
    if (!isNew)
      return fail("line {}: id {} is that of line {}, too; ids must differ",
                  line, inQuotes(id), known->second);
    if (buffer.end < buffer.begin)
      return fail("line {}: upper {} is below lower {}; the time from which a "
                  "buffer is alive comes first",
                  line, buffer.end, buffer.begin);
    if (buffer.alignment == 0)
      return fail("line {}: alignment is 0; it must be positive", line);
    file.ids.push_back(std::move(id));
    file.lines.push_back(line);
    file.buffers.push_back(buffer);
    return {};
  }

  template <typename T>
  Result<T> number(Column column, std::string_view field) const {
    T value = 0;
    const char *end = field.data() + field.size();
    auto [rest, error] = std::from_chars(field.data(), end, value);
    if (error == std::errc::result_out_of_range)
      return fail("line {}: {} {} does not fit 64 bits; write a smaller number",
                  reader.line(), columnNames[column], inQuotes(field));
    if (error != std::errc() || rest != end)
      return fail("line {}: {} must be a whole number{} but is {}",
                  reader.line(), columnNames[column],
                  T(-1) < T(0) ? "" : " of bytes", inQuotes(field));
    return value;
  }

  CsvReader reader;
  std::vector<Column> columns;
  std::unordered_map<std::string, uint64_t> lineOf;
  BufferFile file;
};
} // namespace

Result<BufferFile> gaudi::plan::parseBuffers(std::string_view text) {
  return Parser(text).parse();
}

std::string gaudi::plan::printBuffers(const BufferFile &file,
                                      const std::vector<uint64_t> &offsets) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  const bool isAligned = std::any_of(
      file.buffers.begin(), file.buffers.end(),
      [](const memory::Buffer &buffer) { return buffer.alignment != 1; });
  fmt::format_to(out, "id,lower,upper,size{},offset\n",
                 isAligned ? ",alignment" : "");
  for (size_t i = 0; i < offsets.size(); ++i) {
    const memory::Buffer &buffer = file.buffers[i];
    fmt::format_to(out, "{},{},{},{}", file.ids[i], buffer.begin, buffer.end,
                   buffer.size);
    if (isAligned)
      fmt::format_to(out, ",{}", buffer.alignment);
    fmt::format_to(out, ",{}\n", offsets[i]);
  }
  return fmt::to_string(text);
}
