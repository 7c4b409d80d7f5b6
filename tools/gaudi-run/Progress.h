// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a person at a terminal what takes long.
#ifndef GAUDI_RUN_PROGRESS_H
#define GAUDI_RUN_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace gaudi::run {

/// While it lives, a step that takes more than two seconds is shown on one
/// line of standard error, refreshed twice a second and wiped at the end.
/// Silent when standard error is no terminal and
/// with --quiet; with --verbose each step is a line when it ends.
class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Starts a step: "compiling 'model.mlir'". An empty text ends the last one.
  void step(std::string text);
  /// How far the step is.
  void advance(uint64_t done, uint64_t total);
  /// Wipes the line so that something else can be printed there.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  void show();
  void wipe();

  std::mutex mutex;
  std::condition_variable wake;
  std::string text;
  Clock::time_point started;
  uint64_t done = 0, total = 0;
  bool shown = false, stopping = false;
  std::thread thread; // only at a terminal
};

} // namespace gaudi::run

#endif // GAUDI_RUN_PROGRESS_H
