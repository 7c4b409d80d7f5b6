// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list by last use, and a map into it.
#include "RecipeMemory.h"

namespace gaudi::runtime {

/// The caller holds `mutex`. An entry of another key with the same hash is not
/// the one that is sought.
RecipeMemory::Entries::iterator *
RecipeMemory::findLocked(const RecipeKey &key) {
  const auto found = byId.find(key.id());
  return found != byId.end() && key.equals({found->second->key.data(),
                                            found->second->key.size()})
             ? &found->second
             : nullptr;
}

RecipeMemory::Recipe RecipeMemory::find(const RecipeKey &key) {
  std::lock_guard<std::mutex> lock(mutex);
  const Entries::iterator *found = findLocked(key);
  if (!found)
    return nullptr;
  entries.splice(entries.begin(), entries, *found);
  return entries.front().recipe;
}

RecipeMemory::Recipe RecipeMemory::add(const RecipeKey &key,
                                       const Recipe &recipe) {
  std::lock_guard<std::mutex> lock(mutex);
  if (const Entries::iterator *found = findLocked(key))
    return (*found)->recipe;
  if (const auto other = byId.find(key.id()); other != byId.end())
    drop(other->second);
  entries.push_front({key.id(), key.stored(), *readHead(key.head()), recipe});
  byId[key.id()] = entries.begin();
  bytes += entries.front().bytes();
  makeRoom();
  return recipe;
}

void RecipeMemory::drop(Entries::iterator entry) {
  bytes -= entry->bytes();
  byId.erase(entry->id);
  entries.erase(entry);
}

/// Looks at each entry once at most. Only `find` and `add`, which hold the
/// mutex, give out what nobody else holds, so a count of 1 stays.
void RecipeMemory::makeRoom() {
  auto entry = entries.end();
  while (entry != entries.begin() &&
         (entries.size() > mostEntries || bytes > mostBytes)) {
    --entry;
    if (entry->recipe.use_count() > 1)
      continue;
    const auto gone = entry++;
    drop(gone);
    ++dropped;
  }
}

std::optional<RecipeMemory::Nearest>
RecipeMemory::nearest(const std::vector<PartHead> &head) const {
  constexpr size_t most = 10000;
  std::lock_guard<std::mutex> lock(mutex);
  const Entry *best = nullptr;
  KeyDistance least;
  size_t seen = 0;
  for (auto entry = entries.begin(); entry != entries.end() && seen < most;
       ++entry, ++seen) {
    const KeyDistance far = distance(entry->head, head);
    if (!far.hasEqual || (best && far.differences >= least.differences))
      continue;
    best = &*entry;
    least = far;
  }
  if (!best)
    return std::nullopt;
  return Nearest{best->id, least, best->key};
}

RecipeMemory::Size RecipeMemory::size() const {
  std::lock_guard<std::mutex> lock(mutex);
  return {entries.size(), bytes, dropped};
}

} // namespace gaudi::runtime
