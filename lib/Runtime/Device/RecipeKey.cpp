// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, compares and explains keys of recipes.
#include "RecipeKey.h"

#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <xxhash.h>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

struct Row {
  uint64_t nameBytes, valueBytes;
  RecipeId digest;
};

RecipeId digestOf(const void *data, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(data, size);
  return {hash.high64, hash.low64};
}

void append(std::vector<uint8_t> &to, const void *data, size_t size) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  to.insert(to.end(), bytes, bytes + size);
}

} // namespace

RecipeKey::RecipeKey(const std::vector<RecipePart> &given,
                     const std::string &version)
    : parts(given) {
  if (!version.empty())
    parts.push_back(
        {"version",
         {reinterpret_cast<const uint8_t *>(version.data()), version.size()}});
  const uint64_t count = parts.size();
  append(headBytes, &count, sizeof(count));
  for (const RecipePart &part : parts) {
    const Row row = {part.name.size(), part.bytes.size,
                     digestOf(part.bytes.data, part.bytes.size)};
    append(headBytes, &row, sizeof(row));
  }
  for (const RecipePart &part : parts)
    append(headBytes, part.name.data(), part.name.size());
  hash = digestOf(headBytes.data(), headBytes.size());
}

uint64_t RecipeKey::storedBytes() const {
  uint64_t bytes = headBytes.size();
  for (const RecipePart &part : parts)
    bytes += part.bytes.size;
  return bytes;
}

StoredKey RecipeKey::stored() const {
  StoredKey stored;
  stored.reserve(storedBytes());
  stored = headBytes;
  for (const RecipePart &part : parts)
    append(stored, part.bytes.data, part.bytes.size);
  return stored;
}

bool RecipeKey::equals(ByteSpan stored) const {
  if (stored.size != storedBytes() ||
      std::memcmp(stored.data, headBytes.data(), headBytes.size()) != 0)
    return false;
  const uint8_t *at = stored.data + headBytes.size();
  for (const RecipePart &part : parts) {
    if (part.bytes.size &&
        std::memcmp(at, part.bytes.data, part.bytes.size) != 0)
      return false;
    at += part.bytes.size;
  }
  return true;
}

bool PartHead::operator==(const PartHead &other) const {
  return name == other.name && bytes == other.bytes && digest == other.digest;
}

std::optional<std::vector<PartHead>> readHead(ByteSpan start) {
  uint64_t count = 0;
  if (start.size < sizeof(count))
    return std::nullopt;
  std::memcpy(&count, start.data, sizeof(count));
  const uint64_t left = start.size - sizeof(count);
  if (count > left / sizeof(Row))
    return std::nullopt;
  std::vector<PartHead> parts(count);
  uint64_t at = sizeof(count) + count * sizeof(Row);
  for (uint64_t i = 0; i < count; ++i) {
    Row row;
    std::memcpy(&row, start.data + sizeof(count) + i * sizeof(row),
                sizeof(row));
    if (row.nameBytes > start.size - at)
      return std::nullopt;
    parts[i] = {
        {reinterpret_cast<const char *>(start.data + at), row.nameBytes},
        row.valueBytes,
        row.digest};
    at += row.nameBytes;
  }
  return parts;
}

/// The part of that name, which mostly is at the same place in both keys.
static const PartHead *find(const std::vector<PartHead> &parts,
                            const std::string &name, size_t place) {
  if (place < parts.size() && parts[place].name == name)
    return &parts[place];
  const auto found =
      std::find_if(parts.begin(), parts.end(),
                   [&](const PartHead &part) { return part.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

KeyDistance distance(const std::vector<PartHead> &one,
                     const std::vector<PartHead> &other) {
  KeyDistance result;
  for (size_t i = 0; i < one.size(); ++i) {
    const PartHead *same = find(other, one[i].name, i);
    const bool isEqual = same && *same == one[i];
    result.differences += !isEqual;
    result.hasEqual |= isEqual;
  }
  for (size_t i = 0; i < other.size(); ++i)
    result.differences += !find(one, other[i].name, i);
  return result;
}

// --- what differs ------------------------------------------------------------

namespace {

/// Values of the parts of a stored key.
std::vector<std::pair<std::string, std::string_view>> valuesOf(ByteSpan key) {
  std::vector<std::pair<std::string, std::string_view>> values;
  const auto heads = readHead(key);
  if (!heads)
    return values;
  uint64_t at = sizeof(uint64_t) + heads->size() * sizeof(Row);
  for (const PartHead &head : *heads)
    at += head.name.size();
  for (const PartHead &head : *heads) {
    if (head.bytes > key.size - at)
      break;
    values.emplace_back(
        head.name,
        std::string_view(reinterpret_cast<const char *>(key.data + at),
                         head.bytes));
    at += head.bytes;
  }
  return values;
}

bool isText(std::string_view value) {
  return value.find('\0') == std::string_view::npos;
}

std::string_view lineOf(std::string_view text, uint64_t line) {
  for (; line > 1; --line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// As much of a line as a message shows, from where it matters.
std::string shown(std::string_view line, size_t from) {
  constexpr size_t before = 40, most = 120;
  const size_t begin =
      line.size() <= most || from <= before ? 0 : from - before;
  const std::string_view part = line.substr(begin, most);
  return fmt::format("{}{}{}", begin ? "..." : "", inQuotes(part),
                     begin + part.size() < line.size() ? "..." : "");
}

RecipeDifference difference(const std::string &name, std::string_view was,
                            std::string_view is) {
  if (!isText(was) || !isText(is))
    return {name, fmt::format("{} bytes", was.size()),
            was.size() == is.size() ? fmt::format("{} other bytes", is.size())
                                    : fmt::format("{} bytes", is.size())};
  const size_t at =
      size_t(std::mismatch(was.begin(), was.end(), is.begin(), is.end()).first -
             was.begin());
  const bool isLines = was.find('\n') != std::string_view::npos ||
                       is.find('\n') != std::string_view::npos;
  const uint64_t line =
      1 + uint64_t(std::count(was.begin(), was.begin() + int64_t(at), '\n'));
  const size_t newline = was.substr(0, at).rfind('\n');
  const size_t column =
      newline == std::string_view::npos ? at : at - newline - 1;
  return {name, shown(lineOf(was, line), column),
          shown(lineOf(is, line), column), isLines ? line : 0};
}

} // namespace

std::vector<RecipeDifference> differencesOf(ByteSpan was, ByteSpan is) {
  const auto before = valuesOf(was), after = valuesOf(is);
  const auto find = [](const auto &values, const std::string &name) {
    return std::find_if(values.begin(), values.end(),
                        [&](const auto &each) { return each.first == name; });
  };
  std::vector<RecipeDifference> result;
  for (const auto &[name, value] : after) {
    const auto old = find(before, name);
    if (old == before.end())
      result.push_back({name, "absent", fmt::format("{} bytes", value.size())});
    else if (old->second != value)
      result.push_back(difference(name, old->second, value));
  }
  for (const auto &[name, value] : before)
    if (find(after, name) == after.end())
      result.push_back({name, fmt::format("{} bytes", value.size()), "absent"});
  return result;
}

} // namespace gaudi::runtime
