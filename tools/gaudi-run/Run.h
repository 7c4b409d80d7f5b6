// Carries out what the options ask for.
#ifndef GAUDI_RUN_RUN_H
#define GAUDI_RUN_RUN_H

#include "Options.h"

#include <functional>

namespace gaudi::run {

/// Results go to standard output. `conclude` gets the exit code or the failure
/// to print, and what it returns is returned. That is before the device ends,
/// which may write packed constants to the cache.
Exit run(const Options &options,
         const std::function<Exit(const Outcome<Exit> &)> &conclude);

} // namespace gaudi::run

#endif // GAUDI_RUN_RUN_H
