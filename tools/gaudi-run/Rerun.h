// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the launch of a replay file again and says what is other than it was.
#ifndef GAUDI_RUN_RERUN_H
#define GAUDI_RUN_RERUN_H

#include "Exit.h"
#include "Options.h"

#include <functional>
#include <string>

namespace gaudi::run {

/// Whether the file begins as replay files do.
bool isReplayFile(const std::string &path);

/// `argv` names the replay file and options that take the place of those in it.
/// The exit code is 0 if the launch ended as recorded, also if that is a
/// failure, and Mismatch if something differs.
Exit rerun(const Options &options, int argc, char **argv,
           const std::function<Exit(const Ending &)> &conclude);

} // namespace gaudi::run

#endif // GAUDI_RUN_RERUN_H
