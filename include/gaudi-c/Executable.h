// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Recipes on the emulated device: load once, launch often. Needs no compiler.
 *
 *   GaudiExecutable *executable;
 *   error = gaudiExecutableLoad(recipe, NULL, &executable);
 *   error = gaudiExecutableRun(executable, 0, inputs, 2, outputs, 1, NULL);
 *
 * Inputs are copied from the caller's memory, whatever its strides, straight to
 * the device memory, outputs straight back: once each. What is bound at load
 * (GaudiBinding) is used where it is, without a copy. */
#ifndef GAUDI_C_EXECUTABLE_H
#define GAUDI_C_EXECUTABLE_H

#include "gaudi-c/Recipe.h"
#include "gaudi-c/Support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A loaded recipe. Several threads may call gaudiExecutableRun of one at once:
 * each launch has memory of its own for inputs, outputs and workspace. Entries
 * with states run one after the other, because they share the states. In a
 * process that fork() made, calls with an executable of the parent fail with
 * Unavailable, and destroying it frees nothing. */
typedef struct GaudiExecutable GaudiExecutable;

/* Host memory that is an input of all launches of the entry: commands read
 * `data` in place. What it holds when a launch begins is what the launch reads.
 * It must be dense, aligned to gaudiBindingAlignment() bytes, and live until
 * the executable is destroyed. For parameters that stay where they are. */
typedef struct GaudiBinding {
  size_t entry;
  size_t input;
  const void *data;
  size_t bytes;
} GaudiBinding;

GAUDI_C_EXPORTED size_t gaudiBindingAlignment(void);

/* Kernels that are launched often are compiled again in the background. This
 * ends it for good, after the kernel that is compiled now. Call it before
 * exit(): that destroys static objects of the code generator in an order which
 * the library does not choose, maybe while a kernel is compiled. */
GAUDI_C_EXPORTED void gaudiFinishBackground(void);

typedef struct GaudiLoadOptions {
  size_t size;           /* of this structure, set by gaudiLoadOptionsInit */
  uint64_t deviceMemory; /* bytes; 0: that of the card, at most the host's */
  /* Per launch; 0: the host's CPUs, divided by maxLaunches. */
  uint32_t threads;
  /* Launches that may run at once; each takes device memory of its own when it
   * is first needed, and fails with OutOfMemory if the device has none left.
   * 0: 1. More callers wait for each other. */
  uint32_t maxLaunches;
  /* Folder for compiled kernels; null: the user's (docs/cache.md), "": none. */
  const char *cacheDirectory;
  uint64_t maxIterations; /* of the loops of one launch; 0: 1,000,000 */
  const GaudiBinding *bindings;
  size_t numBindings;
  /* Most weight of the kernels that are compiled (docs/recipe-format.md); 0:
   * 524,288. Since version 1.1. */
  uint64_t maxKernelWeight;
} GaudiLoadOptions;

/* Part of the program, so that it writes only the fields the program knows. */
static inline void gaudiLoadOptionsInit(GaudiLoadOptions *options) {
  memset(options, 0, sizeof(*options));
  options->size = sizeof(*options);
}

/* `options`: null for the defaults. Errors: InvalidArgument, OutOfMemory (names
 * the largest live buffers), InvalidRecipe, Unavailable. */
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableLoad(const GaudiRecipe *recipe, const GaudiLoadOptions *options,
                    GaudiExecutable **executable);
GAUDI_C_EXPORTED void gaudiExecutableDestroy(GaudiExecutable *executable);

/* What one launch did. Times are of the host. */
typedef struct GaudiRunStats {
  size_t size;               /* of this structure; set by the caller */
  double launchMicroseconds; /* the commands alone */
  double copyMicroseconds;   /* inputs in and outputs out */
  uint64_t iterations;       /* of the loops of the entry */
  /* The variant that ran, and the predicted time on the card in picoseconds; -1
   * if the entry has no variants, or the recipe no prediction. */
  int64_t variant;
  int64_t predictedPicoseconds;
} GaudiRunStats;

/* One launch of the entry. `inputs` has one buffer per input, `outputs` one per
 * output; the data of a bound input is not looked at and may be null. An input
 * that is a state keeps its value where the data is null. An output whose data
 * is null is not copied out. Shapes and types must be those of the entry (no
 * conversion). Outputs must not overlap inputs or each other. `stats` may be
 * null. Errors: InvalidArgument (names the input, expected and given shape),
 * Launch, OutOfMemory. */
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableRun(GaudiExecutable *executable, size_t entry,
                   const GaudiBuffer *inputs, size_t numInputs,
                   const GaudiBuffer *outputs, size_t numOutputs,
                   GaudiRunStats *stats);

/* The shape that output `index` has for inputs of these shapes (data is not
 * read). `shape` has room for the output's rank. */
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableOutputShape(GaudiExecutable *executable, size_t entry,
                           const GaudiBuffer *inputs, size_t numInputs,
                           size_t index, int64_t *shape);

/* States by their number in the recipe. They wait for launches that run. */
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableSetState(GaudiExecutable *executable, size_t index,
                        const GaudiBuffer *value);
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableGetState(GaudiExecutable *executable, size_t index,
                        const GaudiBuffer *value);
/* Gives the states that have an initial value that value. */
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableResetStates(GaudiExecutable *executable);

/* Since it was loaded. */
typedef struct GaudiExecutableStats {
  size_t size; /* of this structure; set by the caller */
  uint64_t launches;
  uint64_t contexts;  /* launches that ever ran at once, at most */
  uint64_t peakBytes; /* measured device memory of one launch */
  uint64_t kernels, kernelsFromCache, kernelsCompiled;
  uint64_t boundInputs; /* used in place */
} GaudiExecutableStats;
GAUDI_C_EXPORTED GaudiError *
gaudiExecutableStats(const GaudiExecutable *executable,
                     GaudiExecutableStats *stats);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_EXECUTABLE_H */
