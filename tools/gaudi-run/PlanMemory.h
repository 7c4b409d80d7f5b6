// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --plan-memory, --find-max-batch and --batch-sweep: what launches need,
// without running them.
#ifndef GAUDI_RUN_PLANMEMORY_H
#define GAUDI_RUN_PLANMEMORY_H

#include "Exit.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Options.h"
#include "Progress.h"

#include <string>

namespace gaudi::run {

/// Prints what fills the memory, and what would help if it does not fit, which
/// is an error. `failureCode` is set to that of a failure.
Result<Exit> planMemory(const Options &options, Progress &progress,
                        Exit &failureCode);

/// Prints the largest leading dimension that fits, or what each of a sweep
/// takes.
Result<Exit> planOtherBatches(const Options &options, Progress &progress,
                              Exit &failureCode);

/// Fails if the recipe needs more device memory than there is: both numbers,
/// what fills the memory, and what would help. Of a model, that is a smaller
/// batch, too, which is planned here. `name`: of the entry; may be empty.
Status explainMemory(const recipe::RecipeFile &file, const std::string &name,
                     const Options &options, Progress &progress);

} // namespace gaudi::run

#endif // GAUDI_RUN_PLANMEMORY_H
