// Replays a trace of shapes without running anything.
#ifndef GAUDI_RUN_REPLAY_H
#define GAUDI_RUN_REPLAY_H

#include "Options.h"

#include "Gaudi/Recipe/Reader.h"

namespace gaudi::run {

/// Prints which variant each launch of the trace of --shapes-from would take:
/// hits, padding and predicted device time per variant, and the launches that
/// no variant takes. `entry` has variants.
Status replayShapes(const recipe::RecipeFile &file, uint32_t entry,
                    const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPLAY_H
