// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal handlers of gaudi-run.
#include "Signals.h"
#include "Gaudi/Support/OutputFile.h"

#include <csignal>
#include <unistd.h>

namespace gaudi::run {

static void stop(int signal) {
  removeTemporaryFiles();
  // Wipes a progress line; harmless where there is none.
  if (::isatty(STDERR_FILENO)) {
    const char wipe[] = "\r\033[K";
    (void)!::write(STDERR_FILENO, wipe, sizeof(wipe) - 1);
  }
  ::_exit(128 + signal);
}

void installSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = stop;
  sigfillset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // nohup and shells that start background jobs ignore some of them.
    struct sigaction before;
    if (::sigaction(signal, nullptr, &before) == 0 &&
        before.sa_handler == SIG_IGN)
      continue;
    ::sigaction(signal, &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  for (int signal : {SIGPIPE, SIGXFSZ})
    ::sigaction(signal, &action, nullptr);
}

} // namespace gaudi::run
