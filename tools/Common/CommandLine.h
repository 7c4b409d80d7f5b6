// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the small tools have in common from main to the exit code.
#ifndef GAUDI_TOOLS_COMMON_COMMANDLINE_H
#define GAUDI_TOOLS_COMMON_COMMANDLINE_H

#include "Gaudi/Support/Error.h"

#include <CLI/App.hpp>
#include <functional>
#include <string>

namespace gaudi {

/// The exit code for wrong usage, and for a file that cannot be read or
/// written.
constexpr int exitBadInput = 2;

struct Tool {
  const char *name;
  const char *purpose; ///< the first line of --help
  std::function<void(CLI::App &)> declare;
  /// The work, after the options were read; the exit code.
  std::function<Result<int>()> run;
};

/// Prints "NAME: error: MESSAGE" on standard error.
void printError(const Tool &tool, const std::string &message);

/// Reads the command line, runs the tool, and prints why it failed: one line.
/// Success only counts if standard output arrived. Throws nothing.
int runTool(const Tool &tool, int argc, char **argv);

} // namespace gaudi

#endif // GAUDI_TOOLS_COMMON_COMMANDLINE_H
