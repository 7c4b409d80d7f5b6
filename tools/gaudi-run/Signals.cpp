// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal handlers of gaudi-run.
#include "Signals.h"
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"

#include <array>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace gaudi::run {

static void stop(int signal) {
  removeTemporaryFiles();
  // Wipes a progress line; harmless where there is none.
  if (::isatty(STDERR_FILENO)) {
    const char wipe[] = "\r\033[K";
    (void)!::write(STDERR_FILENO, wipe, sizeof(wipe) - 1);
  }
  const std::string_view text =
      signal == SIGINT
          ? "gaudi-run: interrupted; nothing is left half written\n"
          : "gaudi-run: ended by a signal; nothing is left half "
            "written\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
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

/// What a crash says: prepared, because a handler may only call write.
static char crashText[1024];
static std::atomic<size_t> crashLength{0};

static void crash(int signal) {
  if (const size_t length = crashLength)
    (void)!::write(STDERR_FILENO, crashText, length);
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  ::raise(signal);
}

void nameReplayOfCrashes(const std::string &path) {
  crashLength = 0;
  if (path.empty())
    return;
  const std::string text = fmt::format(
      "\ngaudi-run: error: a crash; the launch is in {0}: gaudi-run "
      "{0} runs it again\n",
      inQuotes(path));
  crashLength = text.copy(crashText, sizeof(crashText));
  static bool isInstalled = false;
  if (std::exchange(isInstalled, true))
    return;
  // A stack that has overflown has no room for a handler.
  static std::array<char, 1 << 14> stack;
  stack_t alternate = {};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    // Those of sanitizers say more.
    struct sigaction before;
    if (::sigaction(signal, nullptr, &before) == 0 &&
        before.sa_handler == SIG_DFL)
      ::sigaction(signal, &action, nullptr);
  }
}

} // namespace gaudi::run
