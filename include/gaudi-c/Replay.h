// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Replay files: a launch in one file, which `gaudi-run FILE.zip` runs again and
 * compares (docs/replay.md). Since version 1.7. */
#ifndef GAUDI_C_REPLAY_H
#define GAUDI_C_REPLAY_H

#include "gaudi-c/Recipe.h"
#include "gaudi-c/Support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A launch of an entry, and what came of it. */
typedef struct GaudiLaunchRecord {
  size_t size; /* of this structure, set by gaudiLaunchRecordInit */
  /* One per input of the entry, in host memory, and one per output; no outputs:
   * the launch gave none. */
  const GaudiBuffer *inputs;
  size_t numInputs;
  const GaudiBuffer *outputs;
  size_t numOutputs;
  /* Whether the file has the values of inputs; else only hashes of them, and a
   * replay takes seeded ones. */
  uint64_t withInputs;
  /* Options of gaudi-run for the replay, in pairs of a name without dashes and
   * a value ("check-finite", ""); those that replay files may have. */
  const char *const *options;
  size_t numOptions; /* pairs */
  /* What the recipe was compiled from, for people; null: nothing. */
  const char *source;
  /* The exit code that gaudi-run would have: 0 success, 1 a check failed, 4 the
   * launch failed; and why. Null: nothing failed. */
  uint64_t code;
  const char *message;
  const char *reason; /* why the file is written; null: "asked for" */
} GaudiLaunchRecord;

static inline void gaudiLaunchRecordInit(GaudiLaunchRecord *record) {
  memset(record, 0, sizeof(*record));
  record->size = sizeof(*record);
}

/* Writes the file, whole or not at all. `entry` is an index of the recipe.
 * Errors: InvalidArgument (a number of buffers or a shape that the entry does
 * not have, an option that replay files cannot have), Io. */
GAUDI_C_EXPORTED GaudiError *gaudiReplaySave(const GaudiRecipe *recipe,
                                             size_t entry,
                                             const GaudiLaunchRecord *record,
                                             const char *path);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_REPLAY_H */
