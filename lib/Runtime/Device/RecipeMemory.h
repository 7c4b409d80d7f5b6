// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes in memory: the least recently used ones go first, those in use stay.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_RECIPEMEMORY_H
#define GAUDI_LIB_RUNTIME_DEVICE_RECIPEMEMORY_H

#include "RecipeKey.h"

#include <list>
#include <mutex>
#include <unordered_map>

namespace gaudi::runtime {

class RecipeMemory {
public:
  using Recipe = std::shared_ptr<const recipe::RecipeFile>;

  RecipeMemory(uint64_t mostEntries, uint64_t mostBytes)
      : mostEntries(mostEntries), mostBytes(mostBytes) {}

  /// Null if it is not there. O(1) beside the bytes of the key.
  Recipe find(const RecipeKey &key);
  /// The recipe that is kept: one that was there, else `recipe`.
  Recipe add(const RecipeKey &key, const Recipe &recipe);

  struct Nearest {
    RecipeId id;
    KeyDistance distance;
    StoredKey key;
  };
  /// Of the 10,000 last used the key that shares most parts; of equals the last
  /// used.
  std::optional<Nearest> nearest(const std::vector<PartHead> &head) const;

  struct Size {
    uint64_t entries, bytes, dropped;
  };
  Size size() const;

private:
  struct Entry {
    RecipeId id;
    StoredKey key;
    std::vector<PartHead> head;
    Recipe recipe;
    uint64_t bytes() const { return key.size() + recipe->fileSize(); }
  };
  struct Hash {
    size_t operator()(const RecipeId &id) const { return size_t(id[1]); }
  };
  using Entries = std::list<Entry>;

  Entries::iterator *findLocked(const RecipeKey &key);
  void drop(Entries::iterator entry);
  void makeRoom();

  const uint64_t mostEntries, mostBytes;
  mutable std::mutex mutex;
  Entries entries; // the last used first
  std::unordered_map<RecipeId, Entries::iterator, Hash> byId;
  uint64_t bytes = 0, dropped = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_RECIPEMEMORY_H
