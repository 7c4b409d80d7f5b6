// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines and errors of the small tools.
#include "CommandLine.h"
#include "Spelling.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <fmt/format.h>
#include <iostream>
#include <new>

using namespace gaudi;

void gaudi::printError(const Tool &tool, const std::string &message) {
  std::cerr << tool.name + (": error: " + message + "\n");
}

static int runAll(const Tool &tool, int argc, char **argv) {
  CLI::App app(tool.purpose, tool.name);
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", std::string(tool.name) + " " GAUDI_VERSION,
                       "print the version");
  tool.declare(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    app.exit(request);
    return 0;
  } catch (const CLI::ExtrasError &) {
    printError(tool, unexpectedArgument(app, "one FILE is read at a time"));
    return exitBadInput;
  } catch (const CLI::ParseError &error) {
    printError(tool, fmt::format("{} ({} --help lists the options)",
                                 error.what(), tool.name));
    return exitBadInput;
  }
  const Result<int> code = tool.run();
  // A reader that has gone away is no error.
  errno = 0;
  if (code && (std::cout.flush() || errno == EPIPE))
    return *code;
  printError(tool,
             code ? "cannot write to standard output" : code.error().message);
  return exitBadInput;
}

int gaudi::runTool(const Tool &tool, int argc, char **argv) {
  try {
    return runAll(tool, argc, argv);
  } catch (const std::bad_alloc &) {
    printError(tool, "not enough host memory");
  } catch (const std::exception &error) {
    printError(tool, error.what());
  }
  return exitBadInput;
}
