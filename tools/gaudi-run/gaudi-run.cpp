// gaudi-run: runs a recipe or a model on the emulated device.
#include "Options.h"
#include "Run.h"
#include "Signals.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>

using namespace gaudi::run;

/// Prints the failure and sees to it that what was printed before arrives: it
/// counts only then.
static Exit conclude(const Outcome<Exit> &outcome) {
  errno = 0;
  const bool arrived = bool(std::cout.flush());
  // An earlier write may have failed and left its bytes where they are.
  if (!arrived && errno == 0)
    (void)std::fflush(stdout);
  const int problem = errno;
  Exit code = outcome ? *outcome : outcome.error().code;
  if (!outcome)
    std::cerr << "gaudi-run: error: " << outcome.error().message << "\n";
  if (arrived)
    return code;
  std::cerr << "gaudi-run: error: cannot write to standard output";
  if (problem)
    std::cerr << ": " << strerror(problem);
  std::cerr << "\n";
  return code == Exit::Ok ? Exit::BadInput : code;
}

static Exit runAll(int argc, char **argv) {
  auto parsed = parseOptions(argc, argv);
  if (!parsed)
    return conclude(again(parsed.error()));
  if (const Exit *done = std::get_if<Exit>(&*parsed))
    return conclude(*done);
  return run(std::get<Options>(*parsed), conclude);
}

int main(int argc, char **argv) {
  installSignalHandlers();
  Exit code;
  try {
    code = runAll(argc, argv);
  } catch (const std::bad_alloc &) {
    code = conclude(fail(Exit::RunError, "not enough host memory"));
  } catch (const std::exception &error) {
    code = conclude(fail(Exit::RunError, error.what()));
  }
  return static_cast<int>(code);
}
