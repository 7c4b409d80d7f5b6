// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two levels of the recipe cache, its counters, and what it says.
#include "Gaudi/Runtime/Device/RecipeCache.h"
#include "Gaudi/Monitoring/Events.h"

#include "../Host/JobThread.h"
#include "RecipeFolder.h"
#include "RecipeMemory.h"

#include <atomic>
#include <cassert>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <set>

namespace gaudi::runtime {

using recipe::RecipeFile;

struct RecipeCache::State {
  explicit State(RecipeCacheOptions given)
      : options(std::move(given)),
        memory(options.memoryEntries, options.memoryBytes) {
    if (!options.folder.path.empty())
      folder.emplace(options.folder, options.version, options.evictionLine,
                     [this](bool isWarning, std::string text) {
                       say(isWarning, std::move(text));
                     });
  }

  void say(bool isWarning, std::string text) {
    constexpr size_t mostLines = 1000;
    std::lock_guard<std::mutex> lock(mutex);
    lines.push_back({isWarning, std::move(text)});
    if (lines.size() > mostLines)
      lines.pop_front();
  }

  std::optional<NearestRecipe> nearest(const RecipeKey &key);

  const RecipeCacheOptions options;
  RecipeMemory memory;
  std::optional<RecipeFolder> folder;
  std::atomic<uint64_t> memoryHits{0}, diskHits{0}, misses{0}, busy{0},
      foreign{0}, damaged{0}, stored{0}, notStored{0};
  std::mutex mutex;
  std::deque<RecipeCacheLine> lines;
  JobThread storing{JobThread::Priority::Normal}; // last: it uses all others
};

/// True for the first cache of the process with that folder.
static bool isFirstOf(const std::string &path) {
  static std::mutex mutex;
  static std::set<std::string> &seen = *new std::set<std::string>;
  std::lock_guard<std::mutex> lock(mutex);
  return seen.insert(path).second;
}

RecipeCache::RecipeCache(RecipeCacheOptions options)
    : state(std::make_unique<State>(std::move(options))) {
  if (state->folder && isFirstOf(state->options.folder.path) &&
      state->options.folder.deleteOnInit)
    state->folder->clear();
}

RecipeCache::~RecipeCache() = default;

RecipeLookup RecipeCache::lookup(const std::vector<RecipePart> &parts,
                                 bool explain) {
  RecipeLookup result = find(parts, explain);
  monitoring::emitCacheLookup(
      result.recipe != nullptr,
      fmt::format("{:016x}{:016x}", result.key[0], result.key[1]));
  return result;
}

RecipeLookup RecipeCache::find(const std::vector<RecipePart> &parts,
                               bool explain) {
  const RecipeKey key(parts, state->options.version);
  RecipeLookup result;
  result.key = key.id();
  if (state->options.keepInMemory) {
    result.recipe = state->memory.find(key);
    if (result.recipe) {
      result.level = RecipeLevel::Memory;
      ++state->memoryHits;
      return result;
    }
  }
  result.reason = RecipeMiss::Absent;
  if (state->folder) {
    RecipeFolder::Loaded loaded = state->folder->load(key);
    result.reason = loaded.reason;
    result.detail = std::move(loaded.detail);
    if (loaded.recipe) {
      result.level = RecipeLevel::Disk;
      result.recipe = state->options.keepInMemory
                          ? state->memory.add(key, loaded.recipe)
                          : std::move(loaded.recipe);
      ++state->diskHits;
      return result;
    }
  }
  ++state->misses;
  if (result.reason == RecipeMiss::Busy)
    ++state->busy;
  if (result.reason == RecipeMiss::Foreign)
    ++state->foreign;
  if (result.reason == RecipeMiss::Damaged)
    ++state->damaged;
  if (!result.detail.empty())
    state->say(true, "recipe cache: not used: " + result.detail);
  if (explain)
    result.nearest = state->nearest(key);
  return result;
}

/// Of keys at equal distance that of memory, which was used last.
std::optional<NearestRecipe> RecipeCache::State::nearest(const RecipeKey &key) {
  const std::vector<PartHead> head = *readHead(key.head());
  auto inMemory = memory.nearest(head);
  auto onDisk = folder ? folder->nearest(head) : std::nullopt;
  if (!inMemory && !onDisk)
    return std::nullopt;
  const StoredKey sought = key.stored();
  const bool isOnDisk =
      onDisk && (!inMemory ||
                 onDisk->distance.differences < inMemory->distance.differences);
  const StoredKey &found = isOnDisk ? onDisk->key : inMemory->key;
  NearestRecipe nearest;
  nearest.id = isOnDisk ? onDisk->name
                        : fmt::format("{:016x}{:016x}", inMemory->id[0],
                                      inMemory->id[1]);
  nearest.level = isOnDisk ? RecipeLevel::Disk : RecipeLevel::Memory;
  nearest.differences = differencesOf({found.data(), found.size()},
                                      {sought.data(), sought.size()});
  return nearest;
}

void RecipeCache::store(const std::vector<RecipePart> &parts,
                        std::shared_ptr<const RecipeFile> recipe) {
  assert(recipe && "a recipe to store");
  const RecipeKey key(parts, state->options.version);
  if (state->options.keepInMemory)
    state->memory.add(key, recipe);
  if (!state->folder)
    return;
  const bool added =
      state->storing.add([state = state.get(), id = key.id(),
                          stored = key.stored(), recipe = std::move(recipe)] {
        bool done = false;
        try {
          done = state->folder->store(id, stored, *recipe);
        } catch (const std::bad_alloc &) {
        }
        ++(done ? state->stored : state->notStored);
      });
  if (!added)
    ++state->notStored;
}

void RecipeCache::flush() { state->storing.await(); }

RecipeCacheStats RecipeCache::stats() const {
  RecipeCacheStats stats;
  stats.memoryHits = state->memoryHits;
  stats.diskHits = state->diskHits;
  stats.misses = state->misses;
  stats.busy = state->busy;
  stats.foreign = state->foreign;
  stats.damaged = state->damaged;
  const RecipeMemory::Size size = state->memory.size();
  stats.memoryEntries = size.entries;
  stats.memoryBytes = size.bytes;
  stats.memoryDropped = size.dropped;
  stats.stored = state->stored;
  stats.notStored = state->notStored;
  if (state->folder) {
    stats.evicted = state->folder->evicted();
    stats.evictedBytes = state->folder->evictedBytes();
  }
  return stats;
}

std::vector<RecipeCacheLine> RecipeCache::takeLines() {
  std::lock_guard<std::mutex> lock(state->mutex);
  std::vector<RecipeCacheLine> taken(state->lines.begin(), state->lines.end());
  state->lines.clear();
  return taken;
}

std::string RecipeLookup::text() const {
  if (level != RecipeLevel::Miss)
    return fmt::format("hit {}",
                       level == RecipeLevel::Memory ? "in memory" : "on disk");
  std::string text = "miss";
  if (!detail.empty())
    text += fmt::format(" ({})", detail);
  if (!nearest)
    return text + ": nothing like it is cached";
  text += fmt::format(": unlike the nearest recipe, {} {},",
                      nearest->level == RecipeLevel::Memory ? "in memory"
                                                            : "on disk",
                      nearest->id.substr(0, 8));
  for (const RecipeDifference &each : nearest->differences)
    text += fmt::format(
        "{} {}{} is {}, not {}",
        &each == nearest->differences.data() ? "" : ";", each.part,
        each.line ? fmt::format(" (line {})", each.line) : std::string(),
        each.is, each.was);
  return text;
}

} // namespace gaudi::runtime
