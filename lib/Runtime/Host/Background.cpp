// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job thread of the process. It ends with the process.
#include "Background.h"
#include "Gaudi/Runtime/Background.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace gaudi::runtime {

/// Never destroyed: jobs may use it while the process ends.
static JobThread &background() {
  static JobThread &the = *new JobThread(JobThread::Priority::Low);
  static const int atEnd = std::atexit([] { background().stop(); });
  (void)atEnd;
  return the;
}

void runInBackground(std::function<void()> job) {
  try {
    (void)background().add(std::move(job));
  } catch (const std::bad_alloc &) {
  }
}

void finishBackground() { background().stop(); }

void awaitBackground() { background().await(); }

void finishBackgroundFirst() {
  (void)std::atexit([] { background().stop(); });
}

} // namespace gaudi::runtime
