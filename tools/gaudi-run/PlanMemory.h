// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --plan-memory and --find-max-batch: what a launch needs, without running it.
#ifndef GAUDI_RUN_PLANMEMORY_H
#define GAUDI_RUN_PLANMEMORY_H

#include "Exit.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Options.h"
#include "Progress.h"

#include <string>

namespace gaudi::run {

/// Prints what fills the memory, and what would help if it does not fit. The
/// exit code is that of `ending`.
Ending planMemory(const Options &options, Progress &progress);

/// Prints the largest leading dimension that fits.
Ending findMaxBatch(const Options &options, Progress &progress);

/// Fails if the recipe needs more device memory than there is: both numbers,
/// what fills the memory, and what would help. Of a model, that is a smaller
/// batch, too, which is planned here. `name`: of the entry; may be empty.
Status explainMemory(const recipe::RecipeFile &file, const std::string &name,
                     const Options &options, Progress &progress);

} // namespace gaudi::run

#endif // GAUDI_RUN_PLANMEMORY_H
