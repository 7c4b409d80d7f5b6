// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user may have meant.
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <utility>

using namespace gaudi;

/// Levenshtein distance, O(|a| |b|).
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1); // distances of a's prefix to b's
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string gaudi::nearestName(std::string_view given,
                               const std::vector<std::string> &names) {
  std::string nearest;
  // Edits: too many. A third of a short name would be another one.
  size_t best =
      std::min(std::max<size_t>(2, given.size() / 4), given.size() / 3) + 1;
  for (const std::string &name : names)
    if (const size_t edits = editDistance(given, name); edits < best) {
      best = edits;
      nearest = name;
    }
  return nearest;
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

std::string gaudi::whyNotOpened(const std::string &path) {
  namespace fs = std::filesystem;
  const int error = errno;
  std::string why = std::strerror(error);
  if (error != ENOENT)
    return why;
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> names;
  std::error_code failed;
  constexpr size_t most = 4096; // a look, not a search
  for (fs::directory_iterator it(folder.empty() ? "." : folder, failed), end;
       !failed && it != end && names.size() < most; it.increment(failed))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end()); // folders have no order
  const std::string near =
      nearestName(fs::path(path).filename().string(), names);
  return near.empty() ? why
                      : why + "; did you mean " +
                            inQuotes((folder / near).string()) + "?";
}
