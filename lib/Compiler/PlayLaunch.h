// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays a launch of a function that has not been compiled to the end.
#ifndef GAUDI_LIB_COMPILER_PLAYLAUNCH_H
#define GAUDI_LIB_COMPILER_PLAYLAUNCH_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Transforms/PlayedLaunch.h"
#include <map>

namespace gaudi {

/// Runs phase memory and emission, and plays the recipe as `gaudi-run
/// --predict` does. Errors are for the real run of the phase to report.
LaunchPlayer launchPlayer();

/// How many threads may share work.
size_t threadsOf(MLIRContext *context);

/// Gives each variant of the recipe the time that `gaudi-run --predict` prints
/// for it. Several threads share the variants. Returns the seconds that each
/// variant took, by the name of its entry.
std::map<std::string, double> predictVariants(MLIRContext *context,
                                              recipe::RecipeT &recipe);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_PLAYLAUNCH_H
