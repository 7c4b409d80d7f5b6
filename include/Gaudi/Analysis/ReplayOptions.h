// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which options of gaudi-run and which variables a replay file can have.
#ifndef GAUDI_ANALYSIS_REPLAYOPTIONS_H
#define GAUDI_ANALYSIS_REPLAYOPTIONS_H

#include "Gaudi/Analysis/ReplayFile.h"
#include "Gaudi/Support/Error.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::analysis {

/// An option that a replay has; all others are of files, of messages, or of
/// launches that are not one (ReplayOptions.def).
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
/// Null: no replay may have it.
const ReplayableOption *replayableOption(std::string_view name);

/// Whether a value of MayBeFile names a file.
bool isFileOfCosts(std::string_view value);
/// Whether KEY=VALUE in a value of Lists names a file.
bool isListOfOps(std::string_view key);

/// Errors: an option that no replay may have; a file where none is taken; a
/// text where a file would be read, which could be any file of who replays it.
Status checkReplayOption(const ReplayOption &option);

/// The variables of the environment that decide what a launch computes, and
/// those of them that are set.
const std::vector<const char *> &replayedVariables();
std::map<std::string, std::string> replayedEnvironment();

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_REPLAYOPTIONS_H
