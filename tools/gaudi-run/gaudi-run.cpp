// gaudi-run: runs a recipe or a model on the emulated device.
#include "Options.h"
#include "Run.h"
#include "Signals.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <poll.h>
#include <unistd.h>

using namespace gaudi::run;

static void printError(const std::string &message) {
  std::cerr << "gaudi-run: error: " + message + "\n";
}

/// True if standard output is a pipe or socket whose reader has closed it. The
/// errno of the write that failed may be lost by now.
static bool readerIsGone() {
  pollfd output = {STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// Prints the failure and flushes standard output: success only counts if the
/// results arrived there.
static Exit conclude(const Ending &ending) {
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

static Exit runAll(int argc, char **argv) {
  auto parsed = parseOptions(argc, argv);
  if (!parsed)
    return conclude({Exit::BadInput, parsed.error().message});
  if (!*parsed) // --help, --version
    return conclude({});
  return run(**parsed, conclude);
}

int main(int argc, char **argv) {
  installSignalHandlers();
  Exit code;
  try {
    code = runAll(argc, argv);
  } catch (const std::bad_alloc &) {
    code = conclude({Exit::RunError, "not enough host memory"});
  } catch (const std::exception &error) {
    code = conclude({Exit::RunError, error.what()});
  }
  return static_cast<int>(code);
}
