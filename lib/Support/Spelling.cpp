// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user may have meant.
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <utility>

using namespace gaudi;

/// Letters that are added, left out, replaced, or swapped with their neighbour.
/// O(|a| |b|).
static size_t editDistance(std::string_view a, std::string_view b) {
  // Distances of the prefixes of a, with one letter less and with two, to b's.
  std::vector<size_t> row(b.size() + 1), above(row), twoAbove(row);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    twoAbove.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] =
          std::min({above[j] + (a[i] != b[j]), row[j] + 1, above[j + 1] + 1});
      if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], twoAbove[j - 1] + 1);
    }
  }
  return row.back();
}

std::string gaudi::nearestName(std::string_view given,
                               const std::vector<std::string> &names) {
  std::string nearest;
  // Edits: too many. A third of a short name would be another one.
  constexpr size_t most = 4; // of a long name
  size_t best = std::min({std::max<size_t>(2, given.size() / 4),
                          given.size() / 3, most}) +
                1;
  for (const std::string &name : names)
    if (const size_t edits = editDistance(given, name); edits < best) {
      best = edits;
      nearest = name;
    }
  // The begin of a name, "--seed", "model" of a file.
  constexpr size_t leastLetters = 5;
  for (size_t i = 0; i < names.size() && nearest.empty(); ++i)
    if (given.size() >= leastLetters &&
        names[i].compare(0, given.size(), given) == 0)
      nearest = names[i];
  return nearest;
}

std::string gaudi::meantAmong(std::string_view given,
                              const std::vector<std::string> &names) {
  const std::string nearest = nearestName(given, names);
  return nearest.empty() ? ""
                         : fmt::format("did you mean {}? ", inQuotes(nearest));
}

std::optional<std::string>
gaudi::elementNameOf(std::string_view theirs, std::string_view unsignedBegin) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr Pair names[] = {{"bool", "i1"},     {"char", "i8"},
                            {"short", "i16"},   {"int", "i32"},
                            {"long", "i64"},    {"half", "f16"},
                            {"float", "f32"},   {"float8_e5m2", "f8E5M2"},
                            {"double", ""},     {"float8_e4m3fn", "f8E4M3FN"},
                            {"float64", ""},    {"bfloat16", "bf16"},
                            {"float32", "f32"}, {"float16", "f16"},
                            {"fp32", "f32"},    {"fp16", "f16"}};
  for (const auto &[other, ours] : names)
    if (theirs == other)
      return std::string(ours);
  for (const auto &[begin, ours] :
       {Pair("uint", unsignedBegin), Pair("int", "i")})
    for (const std::string_view bits : {"8", "16", "32", "64"})
      if (theirs.substr(0, begin.size()) == begin &&
          theirs.substr(begin.size()) == bits)
        return std::string(ours) + std::string(bits);
  return std::nullopt;
}

std::string gaudi::numberedAdvice(const std::vector<std::string> &names) {
  for (const std::string &name : names)
    for (const std::string_view begin : {"arg", "out"})
      if (name.size() > begin.size() &&
          name.compare(0, begin.size(), begin) == 0 &&
          name.find_first_not_of("0123456789", begin.size()) == name.npos)
        return fmt::format("; {} has no name of its own in the model, such as "
                           "{{gaudi.name = \"x\"}}",
                           name);
  return "";
}

std::string gaudi::commaAdvice(std::string_view item) {
  constexpr std::string_view separators = " ;\t|";
  std::string list;
  for (size_t at = 0; at < item.size();) {
    const size_t end =
        std::min(item.find_first_of(separators, at), item.size());
    if (end > at)
      list +=
          (list.empty() ? "" : ",") + std::string(item.substr(at, end - at));
    at = end + 1;
  }
  return list.find(',') == list.npos ? ""
                                     : "; separate them by commas: " + list;
}

std::string gaudi::homeAdvice(const std::string &path) {
  return path.compare(0, 2, "~/") == 0
             ? fmt::format("; the shell expands ~ at the begin of a word only; "
                           "write \"$HOME/{}\"",
                           path.substr(2))
             : "";
}

std::string gaudi::whyNotOpened(const std::string &path,
                                std::string_view next) {
  namespace fs = std::filesystem;
  const int error = errno;
  const std::string why = std::strerror(error);
  if (error == EACCES)
    return why + "; name a file that you may read";
  if (const std::string home = homeAdvice(path);
      error == ENOENT && !home.empty())
    return why + home;
  if (error == ENOENT && path.find("://") != path.npos)
    return why + "; an address is not read: download the file first";
  const fs::path folder = fs::path(path).parent_path();
  std::error_code failed;
  if (error == ENOENT && !folder.empty() && !fs::exists(folder, failed))
    return fmt::format(
        "{}; there is no folder {}{}", why, inQuotes(folder.string()),
        folder.is_absolute() ? ""
                             : " in " + fs::current_path(failed).string() +
                                   "; change to its folder, or write the whole "
                                   "path");
  std::vector<std::string> names;
  constexpr size_t most = 4096; // a look, not a search
  if (error == ENOENT)
    for (fs::directory_iterator it(folder.empty() ? "." : folder, failed), end;
         !failed && it != end && names.size() < most; it.increment(failed))
      names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end()); // folders have no order
  const std::string name = fs::path(path).filename().string();
  std::string near = nearestName(name, names);
  // "model" of model.mlir.
  for (const std::string &other : names)
    if (near.empty() && !name.empty() && fs::path(other).stem() == name)
      near = other;
  // Where a path begins that does not say so.
  if (near.empty() && error == ENOENT && folder.is_relative())
    return fmt::format("{} in {}; {}", why,
                       (folder.empty() ? fs::current_path(failed)
                                       : fs::current_path(failed) / folder)
                           .string(),
                       next);
  return near.empty() ? fmt::format("{}; {}", why, next)
                      : fmt::format("{}; did you mean {}?", why,
                                    inQuotes((folder / near).string()));
}
