// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes by all that decides what they are: in memory, then on disk.
//
// A key is a list of named parts: the text of the model, device, options. They
// are kept beside the recipe and compared byte by byte, so that no two keys are
// taken for each other, and a miss can say what differs from the nearest key.
//
// Every process may look up, store and evict in one folder at any time and be
// killed at any point. A cache that cannot be used is not an error: every
// lookup misses, nothing is stored, and a line of the log says why
// (docs/cache.md, "Recipes").
#ifndef GAUDI_RUNTIME_DEVICE_RECIPECACHE_H
#define GAUDI_RUNTIME_DEVICE_RECIPECACHE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Device/RecipeCacheConfig.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

/// A part of a key. Large values (weights) are best given as a digest.
struct RecipePart {
  std::string_view name; ///< no two parts of a key have one name
  recipe::ByteSpan bytes;
};

enum class RecipeLevel { Memory, Disk, Miss };

/// Why a lookup missed.
enum class RecipeMiss {
  None,    ///< it did not
  Absent,  ///< there is no file of this key, or its writer has not finished
  Busy,    ///< another process holds the file for long
  Foreign, ///< the file cannot be read, is another user's, or writable by some
  Damaged, ///< the file is not as it was written; store() replaces it
};

/// A part that two keys do not share. Values are cut to what a line shows: of
/// texts the first line that differs.
struct RecipeDifference {
  std::string part;
  std::string was, is; ///< "absent", text in quotes, or a number of bytes
  uint64_t line = 0;   ///< of texts of several lines, from 1
};

/// The key in the cache that shares most parts with one that was not there.
struct NearestRecipe {
  std::string id;
  RecipeLevel level = RecipeLevel::Memory;
  std::vector<RecipeDifference> differences;
};

struct RecipeLookup {
  std::shared_ptr<const recipe::RecipeFile> recipe; ///< null: a miss
  RecipeLevel level = RecipeLevel::Miss;
  RecipeMiss reason = RecipeMiss::None;
  std::string detail; ///< of a file that was not used: what is wrong with it
  std::array<uint64_t, 2> key = {};     ///< XXH3-128 of the parts
  std::optional<NearestRecipe> nearest; ///< of a miss, if asked for
  /// A sentence that says all of this.
  std::string text() const;
};

/// Since the cache was opened.
struct RecipeCacheStats {
  uint64_t memoryHits = 0, diskHits = 0;
  uint64_t misses = 0; ///< all of them
  uint64_t busy = 0, foreign = 0, damaged = 0;
  uint64_t memoryEntries = 0, memoryBytes = 0; ///< now
  uint64_t memoryDropped = 0;
  uint64_t stored = 0, notStored = 0; ///< on disk
  uint64_t evicted = 0, evictedBytes = 0;
};

/// What a log should say.
struct RecipeCacheLine {
  bool isWarning;
  std::string text;
};

class RecipeCache {
public:
  /// Empties the folder first if the options say so, once in a process.
  explicit RecipeCache(RecipeCacheOptions options);
  /// Waits until everything is stored.
  ~RecipeCache();
  RecipeCache(const RecipeCache &) = delete;
  RecipeCache &operator=(const RecipeCache &) = delete;

  /// Thread-safe. All checksums of a recipe from disk are compared.
  /// `explain`: search the nearest key after a miss; reads at most a thousand
  /// files of the folder that it has not read before.
  RecipeLookup lookup(const std::vector<RecipePart> &parts,
                      bool explain = false);

  /// Keeps a recipe in memory and gives it to the thread that stores. Replaces
  /// none. Thread-safe.
  void store(const std::vector<RecipePart> &parts,
             std::shared_ptr<const recipe::RecipeFile> recipe);

  /// Waits until what store() was given so far is on disk or was given up.
  void flush();

  RecipeCacheStats stats() const;
  /// The lines since the last call, at most the newest 1,000.
  std::vector<RecipeCacheLine> takeLines();

private:
  RecipeLookup find(const std::vector<RecipePart> &parts, bool explain);
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_RECIPECACHE_H
