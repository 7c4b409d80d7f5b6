// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipe cache for C.
#include "gaudi-c/RecipeCache.h"

#include "Error.h"
#include "Gaudi/Runtime/Device/RecipeCache.h"
#include "Gaudi/Runtime/Fork.h"
#include "Gaudi/Runtime/Plugins.h"
#include "GivenText.h"
#include "Recipe.h"

#include <sys/stat.h>

using namespace gaudi;
using namespace gaudi::capi;
using runtime::RecipeLevel;
using runtime::RecipeMiss;
using runtime::RecipePart;

struct GaudiRecipeCache {
  explicit GaudiRecipeCache(runtime::RecipeCacheEnvironment given)
      : cache(std::move(given.options)), warnings(std::move(given.warnings)) {}

  runtime::RecipeCache cache;
  std::mutex mutex;                  // of what follows
  std::vector<std::string> warnings; // of the environment, until they are asked
  const uint32_t forks = runtime::forkCount();
};

namespace {

/// What tells a rebuilt compiler from the one before: its version, size and
/// time. The file need not be there.
std::string buildVersion() {
  std::string version = gaudiVersionText();
  const Result<std::string> compiler =
      runtime::findPlugin("libGaudiCompiler.so");
  struct stat info;
  if (compiler && ::stat(compiler->c_str(), &info) == 0)
    version += fmt::format(", compiler of {} bytes, {}.{:09}", info.st_size,
                           info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  return version;
}

GaudiError *checkCache(const GaudiRecipeCache *cache) {
  GAUDI_C_CHECK(checkPointer(cache, "cache"));
  if (cache->forks == runtime::forkCount())
    return nullptr;
  return makeError(GaudiErrorUnavailable,
                   "the recipe cache was opened before fork() made this "
                   "process, which has none of its threads; open it again "
                   "here");
}

GaudiError *readParts(const GaudiRecipePart *given, size_t count,
                      std::vector<RecipePart> &parts) {
  if (count)
    GAUDI_C_CHECK(checkPointer(given, "parts"));
  for (size_t i = 0; i < count; ++i) {
    GAUDI_C_CHECK(checkPointer(given[i].name, "name"));
    if (given[i].bytes)
      GAUDI_C_CHECK(checkPointer(given[i].data, "data"));
    parts.push_back(
        {given[i].name,
         {static_cast<const uint8_t *>(given[i].data), given[i].bytes}});
  }
  return nullptr;
}

const char *nameOf(RecipeMiss reason) {
  switch (reason) {
  case RecipeMiss::None:
  case RecipeMiss::Absent:
    return "absent";
  case RecipeMiss::Busy:
    return "busy";
  case RecipeMiss::Foreign:
    return "foreign";
  case RecipeMiss::Damaged:
    return "damaged";
  }
  return "";
}

Json explain(const runtime::RecipeLookup &missed) {
  Json nearest;
  if (missed.nearest) {
    Json differences = Json::array();
    for (const runtime::RecipeDifference &each : missed.nearest->differences)
      differences.push_back({{"part", each.part},
                             {"was", each.was},
                             {"is", each.is},
                             {"line", each.line}});
    nearest = {{"id", missed.nearest->id},
               {"level", missed.nearest->level == RecipeLevel::Memory ? "memory"
                                                                      : "disk"},
               {"differences", std::move(differences)}};
  }
  return {{"text", missed.text()},
          {"reason", nameOf(missed.reason)},
          {"detail", missed.detail},
          {"nearest", std::move(nearest)}};
}

} // namespace

GaudiError *gaudiRecipeCacheOpen(const GaudiRecipeCacheOptions *given,
                                 GaudiRecipeCache **cache) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(cache, "cache"));
    GaudiRecipeCacheOptions options;
    gaudiRecipeCacheOptionsInit(&options);
    GAUDI_C_CHECK(readOptions(given, "gaudiRecipeCacheOptions", options));
    auto environment =
        GAUDI_C_TRY(GaudiErrorInvalidArgument,
                    runtime::recipeCacheEnvironment(
                        options.version ? options.version : buildVersion(),
                        options.config));
    if (options.memoryBytes)
      environment.options.memoryBytes = options.memoryBytes;
    if (options.documentedLines)
      environment.options.evictionLine = runtime::EvictionLine::Documentation;
    *cache = new GaudiRecipeCache(std::move(environment));
    return nullptr;
  });
}

void gaudiRecipeCacheDestroy(GaudiRecipeCache *cache) {
  // After a fork() there is no thread to wait for, and locks may be held.
  if (cache && cache->forks == runtime::forkCount())
    delete cache;
}

GaudiError *gaudiRecipeCacheLookup(GaudiRecipeCache *cache,
                                   const GaudiRecipePart *given, size_t count,
                                   GaudiRecipe **recipe,
                                   GaudiRecipeCacheLevel *level, char **why) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkCache(cache));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    std::vector<RecipePart> parts;
    GAUDI_C_CHECK(readParts(given, count, parts));
    runtime::RecipeLookup found = cache->cache.lookup(parts, why != nullptr);
    auto made = found.recipe
                    ? std::make_unique<GaudiRecipe>(std::move(found.recipe))
                    : nullptr;
    if (why) {
      *why = nullptr;
      if (!made)
        give(explain(found), why);
    }
    if (level)
      *level = found.level == RecipeLevel::Memory ? GaudiRecipeCacheMemory
               : found.level == RecipeLevel::Disk ? GaudiRecipeCacheDisk
                                                  : GaudiRecipeCacheMiss;
    *recipe = made.release();
    return nullptr;
  });
}

GaudiError *gaudiRecipeCacheStore(GaudiRecipeCache *cache,
                                  const GaudiRecipePart *given, size_t count,
                                  const GaudiRecipe *recipe) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkCache(cache));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    std::vector<RecipePart> parts;
    GAUDI_C_CHECK(readParts(given, count, parts));
    cache->cache.store(parts, recipe->file);
    return nullptr;
  });
}

GaudiError *gaudiRecipeCacheFlush(GaudiRecipeCache *cache) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkCache(cache));
    cache->cache.flush();
    return nullptr;
  });
}

GaudiError *gaudiRecipeCacheStats(GaudiRecipeCache *cache,
                                  GaudiRecipeCacheStats *stats) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkCache(cache));
    GAUDI_C_CHECK(checkPointer(stats, "stats"));
    GAUDI_C_CHECK(checkStats(stats, "GaudiRecipeCacheStats"));
    const runtime::RecipeCacheStats now = cache->cache.stats();
    GaudiRecipeCacheStats all = {};
    all.memoryHits = now.memoryHits;
    all.diskHits = now.diskHits;
    all.misses = now.misses;
    all.busy = now.busy;
    all.foreign = now.foreign;
    all.damaged = now.damaged;
    all.memoryEntries = now.memoryEntries;
    all.memoryBytes = now.memoryBytes;
    all.memoryDropped = now.memoryDropped;
    all.stored = now.stored;
    all.notStored = now.notStored;
    all.evicted = now.evicted;
    all.evictedBytes = now.evictedBytes;
    writeStats(all, stats);
    return nullptr;
  });
}

GaudiError *gaudiRecipeCacheLines(GaudiRecipeCache *cache,
                                  void (*line)(void *context, int32_t isWarning,
                                               GaudiStringRef text),
                                  void *context) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkCache(cache));
    if (!line)
      return makeError(GaudiErrorInvalidArgument, "'line' is null");
    std::vector<std::string> warnings;
    {
      std::lock_guard<std::mutex> lock(cache->mutex);
      warnings.swap(cache->warnings);
    }
    for (const std::string &text : warnings)
      line(context, 1, refOf(text));
    for (const runtime::RecipeCacheLine &each : cache->cache.takeLines())
      line(context, each.isWarning, refOf(each.text));
    return nullptr;
  });
}
