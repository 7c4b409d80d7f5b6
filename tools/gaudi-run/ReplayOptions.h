// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which invocations can be replay files.
#ifndef GAUDI_RUN_REPLAYOPTIONS_H
#define GAUDI_RUN_REPLAYOPTIONS_H

#include "Gaudi/Analysis/ReplayOptions.h"
#include "Options.h"

#include <optional>
#include <string>

namespace gaudi::run {

using analysis::ReplayableOption;
using analysis::replayableOptions;

/// The folder of $GAUDI_REPLAY_DIR; none if it is not set.
std::optional<std::string> replayFolder();

/// Whether the mode can be recorded.
bool isReplayable(const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPLAYOPTIONS_H
