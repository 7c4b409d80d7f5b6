// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-run: runs a recipe or a model on the emulated device.
#include "Console.h"
#include "Gaudi/Support/Spelling.h"
#include "JsonOutput.h"
#include "Options.h"
#include "Recorder.h"
#include "Rerun.h"
#include "Run.h"
#include "Signals.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <new>
#include <poll.h>
#include <unistd.h>
#include <vector>

using namespace gaudi::run;

/// True if standard output is a pipe or socket whose reader has closed it. The
/// errno of the write that failed may be lost by now.
static bool readerIsGone() {
  pollfd output = {STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// Prints the failure and flushes standard output: success only counts if the
/// results arrived there.
static Exit conclude(const Ending &ending, bool isJson) {
  if (isJson && !ending.error.empty())
    printJsonError(ending);
  errno = 0;
  const bool arrived = bool(std::cout.flush());
  // After a failed write the stream skips its flush; the bytes may still be in
  // the buffer of the C library.
  if (!arrived && errno == 0)
    (void)std::fflush(stdout);
  // If that has dropped them, one more byte asks the system again.
  if (!arrived && errno == 0)
    (void)!::write(STDOUT_FILENO, "\n", 1);
  const int problem = errno;
  if (!ending.error.empty())
    printError(ending.error);
  // A reader that has seen enough (head, a pager) closes the pipe.
  if (arrived || problem == EPIPE || readerIsGone())
    return ending.code;
  printError(problem ? fmt::format("cannot write to standard output: {}",
                                   strerror(problem))
                     : "cannot write to standard output");
  return ending.code == Exit::Ok ? Exit::BadInput : ending.code;
}

/// Warns of variables of the environment whose names are probably misspelt;
/// values are checked by those who read them.
static void checkEnvironment(bool givesDevice) {
  const std::vector<std::string> known = {
      "GAUDI_CACHE_DIR", "GAUDI_INTEGERS",  "GAUDI_JIT_CPU",
      "GAUDI_JIT_TIER",  "GAUDI_MME",       "GAUDI_MOVE_TENSORS",
      "GAUDI_NUMERICS",  "GAUDI_REPLAY_DIR"};
  for (char **variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    const std::string name(text.substr(0, text.find('=')));
    if (name.compare(0, 6, "GAUDI_") != 0 ||
        std::count(known.begin(), known.end(), name))
      continue;
    if (name == "GAUDI_DEVICE") {
      if (!givesDevice)
        printWarning("GAUDI_DEVICE is for PyTorch's device hpu; the device of "
                     "gaudi-run is --device=NAME");
      continue;
    }
    if (const std::string meant = gaudi::nearestName(name, known);
        !meant.empty())
      printWarning(fmt::format("the environment variable {} has no meaning; "
                               "did you mean {}?",
                               name, meant));
  }
}

static Exit runAll(int argc, char **argv,
                   const std::function<Exit(const Ending &)> &conclude) {
  auto parsed = parseOptions(argc, argv);
  if (!parsed)
    return conclude({Exit::BadInput, parsed.error().message});
  if (!*parsed) // --help, --version
    return conclude({});
  const Options &options = **parsed;
  checkEnvironment(options.device.has_value());
  if (isReplayFile(options.file))
    return rerun(options, argc, argv, conclude);
  if (gaudi::Status status = checkTolerances(options); !status)
    return conclude({Exit::BadInput, status.error().message});
  Recorder recorder(options, /*isReplay=*/false);
  return run(options, recorder, conclude);
}

int main(int argc, char **argv) {
  installSignalHandlers();
  const bool isJson = asksForJson(argc, argv);
  const auto conclude = [&](const Ending &ending) {
    return ::conclude(ending, isJson);
  };
  Exit code;
  try {
    code = runAll(argc, argv, conclude);
  } catch (const std::bad_alloc &) {
    code = conclude({Exit::RunError, "not enough host memory"});
  } catch (const std::exception &error) {
    code = conclude({Exit::RunError, error.what()});
  }
  return static_cast<int>(code);
}
