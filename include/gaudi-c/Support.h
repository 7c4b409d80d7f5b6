// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What all headers of the C interface share: strings, errors, element types.
 *
 * Rules of the interface:
 * - Nothing throws, exits or prints. A function that can fail returns a
 *   GaudiError *: null for success, else an error that the caller destroys.
 *   After a failure, what would have been returned through pointers is
 *   untouched unless the function says otherwise.
 * - Objects are opaque; `gaudi<Type>Destroy` frees one and takes null.
 * - Strings that come out are GaudiStringRef, not terminated; they live as long
 *   as the object that they were asked of, unless a comment says otherwise.
 *   Strings that go in are terminated UTF-8.
 * - Arrays are row-major. Sizes count elements, strides too, unless the name
 *   says bytes.
 * - Different objects may be used by different threads at once. One object is
 *   used by one thread at a time, except where a comment allows more.
 *
 * Structures that callers fill begin with `size`, set by the initializer
 * function or macro beside them: later versions may append fields.
 */
#ifndef GAUDI_C_SUPPORT_H
#define GAUDI_C_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GAUDI_C_EXPORTED __attribute__((visibility("default")))
#else
#define GAUDI_C_EXPORTED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The interface these headers describe. A library of the same major version and
 * the same or a later minor version serves a program built with them. What each
 * minor version added:
 * 1: GaudiCompileOptions.maxExpandedOps, GaudiLoadOptions.maxKernelWeight
 * 2: gaudiRecipePlanMemory, gaudiRecipeReplayTrace, gaudiFindMaxBatch,
 *    gaudiExplainRecompile
 * 3: gaudiRecipeMemoryText
 * 4: gaudiTorchOperator
 * 5: Device.h, Monitoring.h, RecipeCache.h, gaudiFinishBackground,
 *    gaudiRecipeVariant and what belongs to it
 * 6: Autocast.h, GaudiCompileOptions.autocast, gaudiComparePrecision,
 *    gaudiSweepBatch
 * 7: gaudiBisect, Replay.h, GaudiCompileOptions.dumpGraphs */
#define GAUDI_C_VERSION_MAJOR 1
#define GAUDI_C_VERSION_MINOR 7

/* Of the library that is linked: "gaudi-mlir 0.1.0", and its interface. */
GAUDI_C_EXPORTED const char *gaudiVersionText(void);
GAUDI_C_EXPORTED uint32_t gaudiVersionMajor(void);
GAUDI_C_EXPORTED uint32_t gaudiVersionMinor(void);

typedef struct GaudiStringRef {
  const char *data;
  size_t length;
} GaudiStringRef;

/* --- errors --------------------------------------------------------------- */

typedef struct GaudiError GaudiError;

typedef enum GaudiErrorCode {
  GaudiErrorInvalidArgument = 1, /* what the caller gave: a null pointer, a
                                    wrong shape, an unknown option */
  GaudiErrorInvalidModel = 2,    /* the model cannot be parsed or compiled */
  GaudiErrorInvalidRecipe = 3,   /* the recipe is damaged or refused */
  GaudiErrorOutOfMemory = 4,     /* of the device or of the host */
  GaudiErrorIo = 5,              /* a file cannot be read or written */
  GaudiErrorLaunch = 6,          /* a launch failed: an index out of bounds */
  /* A library that is needed is not installed, or the threads of an executable
   * are in the process that called fork(). */
  GaudiErrorUnavailable = 7,
  GaudiErrorInternal = 8
} GaudiErrorCode;

GAUDI_C_EXPORTED GaudiErrorCode gaudiErrorCode(const GaudiError *error);
/* One sentence: what was found, what was expected, and the next step. */
GAUDI_C_EXPORTED GaudiStringRef gaudiErrorMessage(const GaudiError *error);
/* "file:line:column" of the model, or empty. */
GAUDI_C_EXPORTED GaudiStringRef gaudiErrorLocation(const GaudiError *error);
/* All diagnostics as text for people, with source lines and notes; ends with a
 * newline, or is empty. */
GAUDI_C_EXPORTED GaudiStringRef gaudiErrorDetails(const GaudiError *error);
GAUDI_C_EXPORTED void gaudiErrorDestroy(GaudiError *error);

/* --- tensors -------------------------------------------------------------- */

/* The numbers are those of the recipe format. i1 takes one byte, 0 or 1. */
typedef enum GaudiElementType {
  GaudiF32 = 0,
  GaudiBF16 = 1,
  GaudiF16 = 2,
  GaudiF8E4M3FN = 3,
  GaudiF8E5M2 = 4,
  GaudiI8 = 5,
  GaudiU8 = 6,
  GaudiI16 = 7,
  GaudiU16 = 8,
  GaudiI32 = 9,
  GaudiU32 = 10,
  GaudiI64 = 11,
  GaudiI1 = 12
} GaudiElementType;

/* Bytes per element, 0 for a number that is not an element type. */
GAUDI_C_EXPORTED size_t gaudiElementTypeSize(GaudiElementType type);
/* "f32", "bf16", "u8", ... as recipes write them; "" for no element type. */
GAUDI_C_EXPORTED const char *gaudiElementTypeName(GaudiElementType type);

/* Host memory with the elements of a tensor. */
typedef struct GaudiBuffer {
  void *data; /* not written where it is an input */
  GaudiElementType type;
  uint32_t rank;
  const int64_t *shape;
  /* In elements, may be 0 or negative; null: dense row-major. */
  const int64_t *strides;
} GaudiBuffer;

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_SUPPORT_H */
