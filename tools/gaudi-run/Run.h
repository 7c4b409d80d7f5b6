// Carries out what the options ask for.
#ifndef GAUDI_RUN_RUN_H
#define GAUDI_RUN_RUN_H

#include "Options.h"

namespace gaudi::run {

/// The exit code, or the failure to print. Results go to standard output.
Outcome<Exit> run(const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_RUN_H
