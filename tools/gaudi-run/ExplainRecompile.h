// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --explain-recompile: why a recipe does not serve another model.
#ifndef GAUDI_RUN_EXPLAINRECOMPILE_H
#define GAUDI_RUN_EXPLAINRECOMPILE_H

#include "Exit.h"
#include "Options.h"
#include "Progress.h"

namespace gaudi::run {

/// Prints the one reason and what would have avoided it, or that none is
/// needed. `failureCode` is set to that of a failure.
Result<Exit> explainRecompile(const Options &options, Progress &progress,
                              Exit &failureCode);

} // namespace gaudi::run

#endif // GAUDI_RUN_EXPLAINRECOMPILE_H
