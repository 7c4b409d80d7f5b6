// Plays a launch of a function that has not been compiled to the end.
#ifndef GAUDI_LIB_COMPILER_PLAYLAUNCH_H
#define GAUDI_LIB_COMPILER_PLAYLAUNCH_H

#include "Gaudi/Transforms/PlayedLaunch.h"

namespace mlir::gaudi {

/// Runs phase memory and emission, and plays the recipe as `gaudi-run
/// --predict` does. Errors are for the real run of the phase to report.
LaunchPlayer launchPlayer();

} // namespace mlir::gaudi

#endif // GAUDI_LIB_COMPILER_PLAYLAUNCH_H
