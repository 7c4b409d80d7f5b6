// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out what the options ask for.
#ifndef GAUDI_RUN_RUN_H
#define GAUDI_RUN_RUN_H

#include "Options.h"
#include "Recorder.h"

#include <functional>

namespace gaudi::run {

/// Results go to standard output. `conclude` gets the exit code and the failure
/// to print, and its result is returned. It is called before the device is
/// destroyed, which may write packed constants to the cache. `recorder` records
/// what is launched.
Exit run(const Options &options, Recorder &recorder,
         const std::function<Exit(const Ending &)> &conclude);

} // namespace gaudi::run

#endif // GAUDI_RUN_RUN_H
