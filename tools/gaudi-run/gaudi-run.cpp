// gaudi-run: runs a recipe or a model on the emulated device.
#include "Options.h"
#include "Run.h"
#include "Signals.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <new>

using namespace gaudi::run;

static Exit report(const Failure &failure) {
  std::cout.flush();
  std::cerr << "gaudi-run: error: " << failure.message << "\n";
  return failure.code;
}

static Exit runAll(int argc, char **argv) {
  auto parsed = parseOptions(argc, argv);
  if (!parsed)
    return report(parsed.error());
  if (const Exit *done = std::get_if<Exit>(&*parsed))
    return *done;
  auto code = run(std::get<Options>(*parsed));
  return code ? *code : report(code.error());
}

int main(int argc, char **argv) {
  installSignalHandlers();
  Exit code;
  try {
    code = runAll(argc, argv);
  } catch (const std::bad_alloc &) {
    code = report({Exit::RunError, "not enough host memory"});
  } catch (const std::exception &error) {
    code = report({Exit::RunError, error.what()});
  }
  // What was printed counts only if it arrived.
  errno = 0;
  if (!std::cout.flush()) {
    Failure lost{Exit::BadInput, "cannot write to standard output"};
    if (errno)
      lost.message += std::string(": ") + strerror(errno);
    const Exit problem = report(lost);
    code = code == Exit::Ok ? problem : code;
  }
  return static_cast<int>(code);
}
