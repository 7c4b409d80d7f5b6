// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of a recipe that the user means.
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"

namespace gaudi::analysis {

using namespace recipe;

Result<uint32_t> chooseEntry(const Recipe &recipe, const std::string &name,
                             const std::string &file) {
  const auto entries = items(recipe.entries());
  const auto nameOf = [&](uint32_t e) { return text(entries[e]->name()); };
  const std::vector<uint32_t> callable = callableEntries(recipe);
  if (name.empty() && callable.size() == 1)
    return callable[0];
  std::string names;
  for (uint32_t e : callable) {
    names +=
        fmt::format("{}{}", names.empty() ? "" : ", ", inQuotes(nameOf(e)));
  }
  if (names.empty())
    names = "none";
  if (!name.empty()) {
    for (uint32_t e = 0; e < entries.size(); ++e)
      if (nameOf(e) == name)
        return e;
    return fail("{} has no entry {}, it has {}", inQuotes(file), inQuotes(name),
                names);
  }
  for (const char *usual : {"main", "forward"})
    for (uint32_t e : callable)
      if (nameOf(e) == usual)
        return e;
  return fail("{} has {} entries and none is called 'main' or 'forward'; "
              "choose one with --entry: {}",
              inQuotes(file), callable.size(), names);
}

} // namespace gaudi::analysis
