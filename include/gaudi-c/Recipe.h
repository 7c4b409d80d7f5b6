// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Recipes: open, verify, describe, save. Needs no compiler. */
#ifndef GAUDI_C_RECIPE_H
#define GAUDI_C_RECIPE_H

#include "gaudi-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable: any number of threads may use one at once. */
typedef struct GaudiRecipe GaudiRecipe;

/* Each of these verifies the recipe. Errors: Io, InvalidRecipe, OutOfMemory. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeOpen(const char *path,
                                             GaudiRecipe **recipe);
/* Copies the bytes. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeFromMemory(const void *data, size_t bytes, GaudiRecipe **recipe);
/* Executables that were loaded from it stay valid. */
GAUDI_C_EXPORTED void gaudiRecipeDestroy(GaudiRecipe *recipe);

/* Writes a temporary file beside `path` and renames it. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeSave(const GaudiRecipe *recipe,
                                             const char *path);
/* The file's bytes. */
GAUDI_C_EXPORTED void gaudiRecipeBytes(const GaudiRecipe *recipe,
                                       const void **data, size_t *bytes);
/* "gaudi2". */
GAUDI_C_EXPORTED GaudiStringRef gaudiRecipeDevice(const GaudiRecipe *recipe);
/* XXH3-128 of the bytes, 32 hexadecimal digits. */
GAUDI_C_EXPORTED GaudiStringRef gaudiRecipeHash(const GaudiRecipe *recipe);
/* The recipe as text: what gaudi-run --dump prints. Empty, as the hash, if
 * there is not enough host memory for it. */
GAUDI_C_EXPORTED GaudiStringRef gaudiRecipeText(const GaudiRecipe *recipe);

/* What launches exchange with the host. */
typedef struct GaudiTensorInfo {
  GaudiStringRef name;
  GaudiElementType type;
  uint32_t rank;
  /* -1 where the size differs from launch to launch. */
  const int64_t *shape;
  /* "batch x (seq - 1) x 768" for an entry with symbols, else empty. */
  GaudiStringRef symbolicShape;
  /* The number of the state that an input sets, or -1. */
  int32_t state;
} GaudiTensorInfo;

/* A size that a launch chooses: a multiple of `multiple` from min to max. */
typedef struct GaudiSymbolInfo {
  GaudiStringRef name;
  int64_t min, max, multiple;
} GaudiSymbolInfo;

/* Entries that a host may launch; variants and parts of another entry are not
 * among them. */
GAUDI_C_EXPORTED size_t gaudiRecipeNumEntries(const GaudiRecipe *recipe);
GAUDI_C_EXPORTED GaudiStringRef gaudiRecipeEntryName(const GaudiRecipe *recipe,
                                                     size_t entry);
/* Error: InvalidArgument, with the entries that exist. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeFindEntry(const GaudiRecipe *recipe,
                                                  const char *name,
                                                  size_t *entry);
/* Below, `entry` and `index` must be less than the numbers asked for; of others
 * there are no items, and what is asked of one is zero or empty. */
GAUDI_C_EXPORTED size_t gaudiRecipeNumInputs(const GaudiRecipe *recipe,
                                             size_t entry);
GAUDI_C_EXPORTED size_t gaudiRecipeNumOutputs(const GaudiRecipe *recipe,
                                              size_t entry);
GAUDI_C_EXPORTED GaudiTensorInfo gaudiRecipeInput(const GaudiRecipe *recipe,
                                                  size_t entry, size_t index);
GAUDI_C_EXPORTED GaudiTensorInfo gaudiRecipeOutput(const GaudiRecipe *recipe,
                                                   size_t entry, size_t index);
/* Tensors that keep their values from launch to launch, of all entries. */
GAUDI_C_EXPORTED size_t gaudiRecipeNumStates(const GaudiRecipe *recipe);
GAUDI_C_EXPORTED GaudiTensorInfo gaudiRecipeState(const GaudiRecipe *recipe,
                                                  size_t index);
GAUDI_C_EXPORTED size_t gaudiRecipeNumSymbols(const GaudiRecipe *recipe,
                                              size_t entry);
GAUDI_C_EXPORTED GaudiSymbolInfo gaudiRecipeSymbol(const GaudiRecipe *recipe,
                                                   size_t entry, size_t index);

/* A variant of an entry with symbols, which has fixed sizes, as a recipe of its
 * own. Its inputs are those of the entry and extents, numbers (i32) that say
 * how much of its tensors a launch uses; what is beyond may be anything. Since
 * version 1.5. */
GAUDI_C_EXPORTED size_t gaudiRecipeNumVariants(const GaudiRecipe *recipe,
                                               size_t entry);
GAUDI_C_EXPORTED GaudiError *gaudiRecipeVariant(const GaudiRecipe *recipe,
                                                size_t entry, size_t variant,
                                                GaudiRecipe **alone);
GAUDI_C_EXPORTED size_t gaudiRecipeNumExtents(const GaudiRecipe *recipe,
                                              size_t entry, size_t variant);
/* Which input of the variant extent `index` is, and its value in a launch of
 * such sizes, one per symbol. Error: InvalidArgument, a size out of bounds. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeExtent(const GaudiRecipe *recipe,
                                               size_t entry, size_t variant,
                                               size_t index,
                                               const int64_t *sizes,
                                               size_t *input, int64_t *value);

/* Planned device memory in bytes. */
typedef struct GaudiMemoryInfo {
  uint64_t persistent, constants, workspace;
} GaudiMemoryInfo;
GAUDI_C_EXPORTED GaudiMemoryInfo gaudiRecipeMemory(const GaudiRecipe *recipe);

/* What a launch would take on a card: one element of "predictions" in the JSON
 * of gaudi-run --predict (docs/gaudi-run.md), for the device that the recipe
 * was made for. `sizes`: one per symbol; null for an entry without symbols, or
 * for the largest ones. The text is terminated; free it with gaudiTextDestroy.
 */
GAUDI_C_EXPORTED GaudiError *gaudiRecipePredict(const GaudiRecipe *recipe,
                                                size_t entry,
                                                const int64_t *sizes,
                                                char **json);
/* What fills the memory of a card: the keys of gaudi-run --plan-memory
 * (docs/schema), without `model` and plans of other batches. `sizes` as above;
 * null for an entry with symbols: all variants, and which of them fit.
 * `deviceMemory`: bytes; 0: those of the card. What does not fit is no error.
 * Since version 1.2. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipePlanMemory(const GaudiRecipe *recipe, size_t entry,
                      const int64_t *sizes, uint64_t deviceMemory, char **json);
/* The same as text for people: a table, and what would help if it does not fit.
 * Since version 1.3. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeMemoryText(const GaudiRecipe *recipe, size_t entry,
                      const int64_t *sizes, uint64_t deviceMemory, char **text);
/* What would become of the launches of a trace, none of which is launched: the
 * keys of gaudi-run --shapes-from (docs/schema). `trace`: CSV, a launch per
 * line (docs/buckets.md). An entry without symbols: each line with another
 * signature than all before it is a compilation. `strictShapes`: what no
 * variant takes is refused, not compiled. Error: InvalidArgument, with the line
 * of the trace. Since version 1.2. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeReplayTrace(const GaudiRecipe *recipe, size_t entry,
                       const char *trace, int32_t strictShapes, char **json);
GAUDI_C_EXPORTED void gaudiTextDestroy(char *text);

/* A copy whose locations name places of a program in place of lines of the text
 * that it was compiled from: places[i], if it is not empty, stands for line
 * i + 1 of `source`, the name of that text. "encoder.layer.3 at train.py:12:1"
 * is a module and a line, as reports and pages show them. Since version 1.5. */
GAUDI_C_EXPORTED GaudiError *gaudiRecipeWithPlaces(const GaudiRecipe *recipe,
                                                   const char *source,
                                                   const char *const *places,
                                                   size_t numPlaces,
                                                   GaudiRecipe **renamed);
/* Writes what a launch would take as a page (HTML), or as Chrome trace events,
 * to a file, which appears whole or not at all; docs/gaudi-run.md describes
 * both. `sizes` as above. `script`: null, or what a program did, as the object
 * of docs/schema/script.schema.json, which becomes a section of the page. Since
 * version 1.5. */
GAUDI_C_EXPORTED GaudiError *
gaudiRecipeWritePage(const GaudiRecipe *recipe, size_t entry,
                     const int64_t *sizes, const char *title,
                     const char *script, const char *path);
GAUDI_C_EXPORTED GaudiError *gaudiRecipeWriteTrace(const GaudiRecipe *recipe,
                                                   size_t entry,
                                                   const int64_t *sizes,
                                                   const char *path);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_RECIPE_H */
