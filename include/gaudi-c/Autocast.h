// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The lists of autocast: which of PyTorch's ops are computed in the lower type,
 * in f32, or in the widest type of their operands (docs/precision.md). The
 * bridge and the pass gaudi-autocast share them. Since version 1.6. */
#ifndef GAUDI_C_AUTOCAST_H
#define GAUDI_C_AUTOCAST_H

#include "gaudi-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An op in several lists has the first one. */
typedef enum GaudiAutocastRule {
  GaudiAutocastLower = 0,
  GaudiAutocastFloat = 1,
  GaudiAutocastWidest = 2
} GaudiAutocastRule;

/* Calls `add` with each name of a list, as Python has it ("conv2d"): of the
 * defaults, or of a text file with one on each line. `file` may be null or
 * empty. Errors: Io if the file cannot be read; then `add` is not called. */
GAUDI_C_EXPORTED GaudiError *
gaudiAutocastNames(GaudiAutocastRule rule, const char *file,
                   void (*add)(void *context, GaudiStringRef name),
                   void *context);

/* Not 0 for ops of which only the first operand is cast, by their names with or
 * without a namespace: "aten::layer_norm". */
GAUDI_C_EXPORTED int32_t gaudiAutocastsFirstOnly(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_AUTOCAST_H */
