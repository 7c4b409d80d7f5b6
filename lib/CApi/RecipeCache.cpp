// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipe cache for C.
#include "gaudi-c/RecipeCache.h"

#include "Error.h"
#include "Gaudi/Runtime/Device/RecipeCache.h"
#include "Gaudi/Runtime/Fork.h"
#include "Gaudi/Runtime/Plugins.h"
#include "Gaudi/Support/Descriptor.h"
#include "GivenText.h"
#include "Recipe.h"

#include <elf.h>
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

/// `size` bytes of a file from `offset` on; empty if it has fewer.
std::string readPart(const Descriptor &file, uint64_t offset, uint64_t size) {
  std::string bytes(size, '\0');
  const ssize_t got = ::pread(file.get(), bytes.data(), size, off_t(offset));
  return got >= 0 && uint64_t(got) == size ? bytes : std::string();
}

template <typename T> T at(const std::string &bytes, uint64_t offset) {
  T value = {};
  if (offset + sizeof(T) <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The hash of its content that the linker has put into a library
/// (NT_GNU_BUILD_ID), as hexadecimal digits; empty: there is none.
std::string linkerHash(const Descriptor &file) {
  const auto header = at<Elf64_Ehdr>(readPart(file, 0, sizeof(Elf64_Ehdr)), 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto part =
        at<Elf64_Phdr>(readPart(file, header.e_phoff + i * sizeof(Elf64_Phdr),
                                sizeof(Elf64_Phdr)),
                       0);
    constexpr uint64_t mostBytes = 4096;
    if (part.p_type != PT_NOTE || part.p_filesz > mostBytes)
      continue;
    const std::string notes = readPart(file, part.p_offset, part.p_filesz);
    const auto padded = [](uint64_t bytes) { return (bytes + 3) / 4 * 4; };
    for (uint64_t next = 0; next + sizeof(Elf64_Nhdr) <= notes.size();) {
      const auto note = at<Elf64_Nhdr>(notes, next);
      const uint64_t value = next + sizeof(note) + padded(note.n_namesz);
      next = value + padded(note.n_descsz);
      if (note.n_type != NT_GNU_BUILD_ID || next > notes.size())
        continue;
      std::string text;
      for (uint64_t byte = 0; byte < note.n_descsz; ++byte)
        text += fmt::format("{:02x}", at<uint8_t>(notes, value + byte));
      return text;
    }
  }
  return {};
}

/// What tells a rebuilt compiler from the one before: its version, and what the
/// linker has made of its content, so that a copy of it counts as the same; of
/// a library without that its size. The file need not be there.
std::string buildVersion() {
  std::string version = gaudiVersionText();
  const Result<std::string> compiler =
      runtime::findPlugin("libGaudiCompiler.so");
  if (!compiler)
    return version;
  const Descriptor file = Descriptor::openToRead(*compiler);
  struct stat info;
  if (!file.isOpen() || ::fstat(file.get(), &info) != 0)
    return version;
  const std::string hash = linkerHash(file);
  return version + (hash.empty()
                        ? fmt::format(", compiler of {} bytes", info.st_size)
                        : fmt::format(", compiler {}", hash));
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
