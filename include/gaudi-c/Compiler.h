// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compiles MLIR text or bytecode in memory to a recipe in memory.
 *
 *   GaudiCompileOptions options;
 *   gaudiCompileOptionsInit(&options);
 *   options.device = "gaudi2";
 *   GaudiRecipe *recipe;
 *   GaudiError *error =
 *       gaudiCompile("mlp.mlir", text, length, &options, &recipe);
 *
 * The first call opens libGaudiCompiler.so, which is beside this library. */
#ifndef GAUDI_C_COMPILER_H
#define GAUDI_C_COMPILER_H

#include "gaudi-c/Recipe.h"
#include "gaudi-c/Support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a pass did or did not do. The texts live during the call. */
typedef struct GaudiCompilerRemark {
  GaudiStringRef pass;     /* "gaudi-fuse-tpc" */
  GaudiStringRef kind;     /* "passed", "missed", "failed", "analysis" */
  GaudiStringRef location; /* "file:line:column", or empty */
  GaudiStringRef text;
  GaudiStringRef name; /* what of the pass it is about: "keep-apart" */
  /* Of missed ones, what was lost at most: picoseconds on the device and bytes
   * of its memory. -1: not known; 0: nothing. */
  int64_t lostPicoseconds;
  int64_t lostBytes;
} GaudiCompilerRemark;

/* The values of a `dense_resource<name>` constant of the model that the text
 * leaves out. Dense, little-endian. The memory stays the caller's and must live
 * until the compile call returns. */
typedef struct GaudiResource {
  const char *name;
  const void *data;
  size_t bytes;
  /* Must be those of the constant. The type as safetensors files name it, which
   * have more types than inputs do: "F32", "BF16", "F64", "F8_E4M3", "I64",
   * "U8", "BOOL" (docs/weights.md). */
  const char *elementType;
  uint32_t rank;
  const int64_t *shape; /* may be null if the rank is 0 */
} GaudiResource;

typedef struct GaudiCompileOptions {
  size_t size;        /* of this structure, set by gaudiCompileOptionsInit */
  const char *device; /* "gaudi", "gaudi2" (default) or "gaudi3" */
  /* The rest is as the option of gaudi-run of that name says
   * (docs/gaudi-run.md); null or 0 is its default. */
  const char *entry;
  int32_t allEntries;
  const char *state;
  const char *allowPermutation;
  const char *disableFusion;
  const char *requireFusion;
  const char *shape;
  const char *buckets;
  const char *bucketHistogram;
  const char *bucketCost;
  uint64_t memoryBudget;
  int32_t verifyFusion;
  uint32_t threads; /* 1: on the calling thread; 0: as many as useful */
  const GaudiResource *resources;
  size_t numResources;
  /* Called for each remark of a pass, one call at a time. May be null. */
  void (*remark)(void *context, const GaudiCompilerRemark *remark);
  /* Called with the warnings of a compilation that succeeds, as text: whole
   * lines, with source lines and notes. May be null. */
  void (*diagnostic)(void *context, GaudiStringRef text);
  void *context; /* passed to the functions */
  /* As memoryBudget is: an option of gaudi-run. Since version 1.1. */
  uint64_t maxExpandedOps;
  /* As --autocast is. Since version 1.6. */
  const char *autocast;
  /* Folder for the graph before and after each pass (docs/replay.md). Null: one
   * of the process in .graph_dumps if GRAPH_VISUALIZATION is set, else none.
   * Since version 1.7. */
  const char *dumpGraphs;
} GaudiCompileOptions;

/* Part of the program, so that it writes only the fields the program knows. */
static inline void gaudiCompileOptionsInit(GaudiCompileOptions *options) {
  memset(options, 0, sizeof(*options));
  options->size = sizeof(*options);
  options->device = "gaudi2";
}

/* `name` is used in locations; weights that the model names are in its folder.
 * Errors: InvalidArgument (also of options), InvalidModel (with location and
 * details), OutOfMemory, Unavailable. */
GAUDI_C_EXPORTED GaudiError *gaudiCompile(const char *name, const void *source,
                                          size_t bytes,
                                          const GaudiCompileOptions *options,
                                          GaudiRecipe **recipe);

/* Whether the front ends take the model, up to the gaudi dialect: what
 * gaudiCompile does first, in a fraction of its time. Dynamic sizes are taken
 * as small ones. */
GAUDI_C_EXPORTED GaudiError *gaudiImport(const char *name, const void *source,
                                         size_t bytes,
                                         const GaudiCompileOptions *options);

/* The largest size of the leading dimension whose plan fits: the keys `device`
 * and `batch` of gaudi-run --find-max-batch (docs/schema); `largest` is null if
 * none fits. `input`: whose leading dimension it is; null: chosen.
 * `deviceMemory`: bytes; 0: those of the card. Free the text with
 * gaudiTextDestroy. Errors: as gaudiCompile; a model without that input
 * or another batch size is an InvalidModel. Since version 1.2. */
GAUDI_C_EXPORTED GaudiError *
gaudiFindMaxBatch(const char *name, const void *source, size_t bytes,
                  const GaudiCompileOptions *options, const char *input,
                  uint64_t deviceMemory, char **json);

/* The same of batches 1, 2, 4, ... up to that size, with the predicted time of
 * each: the keys of gaudi-run --batch-sweep. `page`: a file to write the table
 * and its curves to, as HTML; null: none. Errors: Io for the file, too. Since
 * version 1.6. */
GAUDI_C_EXPORTED GaudiError *
gaudiSweepBatch(const char *name, const void *source, size_t bytes,
                const GaudiCompileOptions *options, const char *input,
                uint64_t deviceMemory, const char *page, char **json);

/* What a model is compared on, and how its locations are called. */
typedef struct GaudiPrecisionOptions {
  size_t size; /* of this structure */
  /* Settings as --autocast takes them; null: "f32" and "bf16". */
  const char *before, *after;
  /* Dense, one for each input of the model, or none: seeded. A buffer without
   * data is seeded. */
  const GaudiBuffer *inputs;
  size_t numInputs;
  uint64_t seed;
  /* As gaudiRecipeWithPlaces takes them, for locations of `name`. */
  const char *const *places;
  size_t numPlaces;
} GaudiPrecisionOptions;

/* Device time, memory and error of a model in two precisions, and which ops
 * cause the error: the keys of gaudi-run --autocast (docs/schema) but for names
 * of files. `options`: without autocast. Models of static sizes only. Free the
 * text with gaudiTextDestroy. Since version 1.6. */
GAUDI_C_EXPORTED GaudiError *
gaudiComparePrecision(const char *name, const void *source, size_t bytes,
                      const GaudiCompileOptions *options,
                      const GaudiPrecisionOptions *precision, char **json);

/* What a model is bisected on. */
typedef struct GaudiBisectOptions {
  size_t size; /* of this structure */
  /* As GaudiPrecisionOptions has them. */
  const GaudiBuffer *inputs;
  size_t numInputs;
  uint64_t seed;
  const char *const *places;
  size_t numPlaces;
  /* Another form of the model, which is launched and compared; null: none. */
  const char *suspectName;
  const void *suspect;
  size_t suspectBytes;
  /* Values of another implementation, dense, by the names of ops or modules:
   * then nothing is launched, and only these are compared. */
  const GaudiBuffer *golden;
  const char *const *goldenNames;
  size_t numGolden;
} GaudiBisectOptions;

/* The first pass, op or command of a launch whose values leave the noise that
 * the float64 reference lets expect: the keys of gaudi-run --bisect
 * (docs/schema) but for names of files. Models of static sizes only. Free the
 * text with gaudiTextDestroy. Since version 1.7. */
GAUDI_C_EXPORTED GaudiError *gaudiBisect(const char *name, const void *source,
                                         size_t bytes,
                                         const GaudiCompileOptions *options,
                                         const GaudiBisectOptions *bisection,
                                         char **json);

/* A recipe, or a model where `recipe` is null. */
typedef struct GaudiRecompileSide {
  const GaudiRecipe *recipe;
  size_t entry;     /* of the recipe */
  const char *name; /* for people; may be null of a recipe */
  const void *source;
  size_t bytes;
} GaudiRecompileSide;

/* Why what was compiled for `was` does not serve `is`, and what would have
 * avoided that: the keys of gaudi-run --explain-recompile (docs/schema) but for
 * names of files. `options`: of models; two recipes need no compiler. Free the
 * text with gaudiTextDestroy. Since version 1.2. */
GAUDI_C_EXPORTED GaudiError *
gaudiExplainRecompile(const GaudiRecompileSide *was,
                      const GaudiRecompileSide *is,
                      const GaudiCompileOptions *options, char **json);

/* The names of the PyTorch ops that the front end of the torch dialect lowers:
 * "aten.add.Tensor", without the overload "default". Empty past the last one.
 * The names live as long as the library, and the compiler need not be there.
 * Since version 1.4. */
GAUDI_C_EXPORTED GaudiStringRef gaudiTorchOperator(size_t index);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_COMPILER_H */
