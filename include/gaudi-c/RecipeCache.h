// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Recipes of earlier compilations, in memory and in a folder that processes
 * share (docs/cache.md). Needs no compiler. Since version 1.5.
 *
 *   GaudiRecipePart parts[] = {{"source", text, length}, {"device", "gaudi2",
 * 6}}; GaudiRecipe *recipe; error = gaudiRecipeCacheLookup(cache, parts, 2,
 * &recipe, NULL, NULL); if (!error && !recipe) { error = gaudiCompile("model",
 * text, length, &options, &recipe); if (!error) error =
 * gaudiRecipeCacheStore(cache, parts, 2, recipe);
 *   }
 *
 * Any number of threads may use a cache at once. In a process that fork() made,
 * calls with a cache of the parent fail with Unavailable, and destroying it
 * frees nothing. */
#ifndef GAUDI_C_RECIPECACHE_H
#define GAUDI_C_RECIPECACHE_H

#include "gaudi-c/Recipe.h"
#include "gaudi-c/Support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GaudiRecipeCache GaudiRecipeCache;

/* A part of a key. All that decides what the recipe is must be in some part;
 * large values (weights) are best given as a digest. No two parts of a key have
 * one name. The memory is read during the call. */
typedef struct GaudiRecipePart {
  const char *name;
  const void *data; /* may be null if there are no bytes */
  size_t bytes;
} GaudiRecipePart;

typedef struct GaudiRecipeCacheOptions {
  size_t size; /* of this structure, set by gaudiRecipeCacheOptionsInit */
  /* PATH[,DELETE_ON_INIT[,SIZE_MB]]; null: what the environment says, "": only
   * in memory. The other variables of docs/cache.md count in any case. */
  const char *config;
  /* What makes recipes of equal parts unlike; null: this library and its
   * compiler, "": nothing does. */
  const char *version;
  uint64_t memoryBytes; /* of recipes in memory; 0: 4 GiB */
  /* The line of an evicted recipe as the documentation of Gaudi has it, not as
   * the bridge prints it. */
  int32_t documentedLines;
  int32_t reserved; /* 0 */
} GaudiRecipeCacheOptions;

/* Part of the program, so that it writes only the fields the program knows. */
static inline void
gaudiRecipeCacheOptionsInit(GaudiRecipeCacheOptions *options) {
  memset(options, 0, sizeof(*options));
  options->size = sizeof(*options);
}

/* `options`: null for the defaults. A folder that cannot be used is no error:
 * nothing is found and stored then, and a line says so. Error: InvalidArgument
 * (a variable or the config cannot be read). */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeCacheOpen(const GaudiRecipeCacheOptions *options,
                     GaudiRecipeCache **cache);
/* Waits until everything is stored. */
GAUDI_C_EXPORTED void gaudiRecipeCacheDestroy(GaudiRecipeCache *cache);

typedef enum GaudiRecipeCacheLevel {
  GaudiRecipeCacheMiss = 0,
  GaudiRecipeCacheMemory = 1,
  GaudiRecipeCacheDisk = 2
} GaudiRecipeCacheLevel;

/* `recipe`: the caller's to destroy; null after a miss, which is no error. All
 * checksums of a recipe from disk have been compared. `level` may be null.
 * `why`: null if it is not wanted; else after a miss JSON with the keys
 *   text         all of it in a sentence
 *   reason       "absent", "busy", "foreign" or "damaged" (docs/cache.md)
 *   detail       of a file that was not used: what is wrong with it, or ""
 *   nearest      null, or the cached key that shares most parts: `id`, `level`
 *                ("memory", "disk"), and `differences`, a list of `part`,
 *                `was`, `is` and `line` (of texts of lines, else 0)
 * to free with gaudiTextDestroy, and null after a hit. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeCacheLookup(GaudiRecipeCache *cache, const GaudiRecipePart *parts,
                       size_t numParts, GaudiRecipe **recipe,
                       GaudiRecipeCacheLevel *level, char **why);

/* Keeps the recipe in memory, and writes it to disk on a thread of the cache. A
 * key that has a recipe keeps it. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeCacheStore(GaudiRecipeCache *cache,
                                                   const GaudiRecipePart *parts,
                                                   size_t numParts,
                                                   const GaudiRecipe *recipe);
/* Waits until all that was stored so far is on disk or was given up. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeCacheFlush(GaudiRecipeCache *cache);

/* Since the cache was opened. */
typedef struct GaudiRecipeCacheStats {
  size_t size; /* of this structure; set by the caller */
  uint64_t memoryHits, diskHits, misses;
  uint64_t busy, foreign, damaged;                    /* of the misses */
  uint64_t memoryEntries, memoryBytes, memoryDropped; /* now; ever */
  uint64_t stored, notStored, evicted, evictedBytes;  /* on disk */
} GaudiRecipeCacheStats;
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeCacheStats(GaudiRecipeCache *cache, GaudiRecipeCacheStats *stats);

/* Calls `line` for what a log should say since the last call, before it
 * returns. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeCacheLines(
    GaudiRecipeCache *cache,
    void (*line)(void *context, int32_t isWarning, GaudiStringRef text),
    void *context);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_RECIPECACHE_H */
