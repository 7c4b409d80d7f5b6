// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which options, variables and modes a replay file can have.
#ifndef GAUDI_RUN_REPLAYOPTIONS_H
#define GAUDI_RUN_REPLAYOPTIONS_H

#include "Options.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// An option that a replay has; all others are of files, of messages, or of
/// launches that are not one.
struct ReplayableOption {
  const char *name;
  enum Kind {
    Flag,
    Value,
    File,      ///< the value names a file
    MayBeFile, ///< or it is one of a few words
    Lists,     ///< "bf16:lower=FILE:fp32=FILE"
    Output     ///< a file that is written
  } kind;
};
const std::vector<ReplayableOption> &replayableOptions();

/// The variables of the environment that decide what a launch computes.
const std::vector<const char *> &replayedVariables();

/// The folder of $GAUDI_REPLAY_DIR; none if it is not set.
std::optional<std::string> replayFolder();

/// Whether the mode can be recorded.
bool isReplayable(const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPLAYOPTIONS_H
