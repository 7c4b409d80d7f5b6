// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The progress line.
#include "Progress.h"
#include "Console.h"
#include "Gaudi/Support/Units.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace gaudi::run {

Progress::Progress() {
  const char *terminal = std::getenv("TERM");
  if (verbosity() != Verbosity::Normal || !::isatty(STDERR_FILENO) ||
      !terminal || std::strcmp(terminal, "dumb") == 0)
    return;
  thread = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!stopping) {
      wake.wait_for(lock, std::chrono::milliseconds(500));
      if (!stopping && !text.empty() &&
          Clock::now() - started > std::chrono::seconds(2))
        show();
    }
  });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    wipe();
  }
  wake.notify_all();
  if (thread.joinable())
    thread.join();
}

void Progress::step(std::string newText) {
  std::lock_guard<std::mutex> lock(mutex);
  wipe();
  const auto now = Clock::now();
  if (!text.empty())
    printStep(fmt::format(
        "{}: {}", text,
        timeText(
            std::chrono::duration<double, std::milli>(now - started).count())));
  text = std::move(newText);
  started = now;
  done = total = 0;
}

void Progress::advance(uint64_t newDone, uint64_t newTotal) {
  std::lock_guard<std::mutex> lock(mutex);
  done = newDone;
  total = newTotal;
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  wipe();
}

void Progress::show() {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started)
          .count();
  const std::string share =
      total ? fmt::format(": {} of {}", done, total) : std::string();
  std::fputs(fmt::format("\r\033[K{}{} ({} s)", text, share, seconds).c_str(),
             stderr);
  std::fflush(stderr);
  shown = true;
}

void Progress::wipe() {
  if (!shown)
    return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown = false;
}

} // namespace gaudi::run
