// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines, and what the small tools have in common from main to the exit
// code. CLI11 takes long to compile: only files that declare options include
// it.
#ifndef GAUDI_TOOLS_COMMON_COMMANDLINE_H
#define GAUDI_TOOLS_COMMON_COMMANDLINE_H

#include "Gaudi/Support/Error.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// CLI11's own namespace. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
} // namespace CLI

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

/// The options of a tool by their long names, and which of them were given.
class GivenOptions {
public:
  explicit GivenOptions(const CLI::App &app);

  /// `name` must be one of the options.
  bool has(std::string_view name) const;

  /// The values of an option, one for each time that it was given.
  std::vector<std::string> values(std::string_view name) const;

private:
  std::map<std::string, std::vector<std::string>, std::less<>> options;
};

/// Reads a command line into what `declare` gives to CLI11. No options if
/// --help or --version asked for text, which is printed. Errors: wrong usage,
/// in one line; `files` says what is wrong with a second file.
Result<std::optional<GivenOptions>>
readCommandLine(const char *name, const char *purpose,
                const std::function<void(CLI::App &)> &declare,
                const char *files, int argc, char **argv);

/// Prints "NAME: error: MESSAGE" on standard error.
void printError(const Tool &tool, const std::string &message);

/// Reads the command line, runs the tool, and prints why it failed: one line.
/// Success only counts if standard output arrived. Throws nothing.
int runTool(const Tool &tool, int argc, char **argv);

} // namespace gaudi

#endif // GAUDI_TOOLS_COMMON_COMMANDLINE_H
