// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches of executables use in turn: threads, and memory of the
// emulation that holds nothing between launches.
//
// A device has one of these per lane of launches. All executables that are
// loaded with it share its threads, and its memory is as large as the most that
// one of them needs, instead of the sum.
#ifndef GAUDI_RUNTIME_LAUNCHRESOURCES_H
#define GAUDI_RUNTIME_LAUNCHRESOURCES_H

#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Runtime/ThreadPool.h"
#include "Gaudi/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace gaudi::runtime {

/// One launch at a time. Executables that share it may be loaded and destroyed
/// by other threads meanwhile.
class LaunchResources {
public:
  /// `threads` includes the one that launches; 0: one per host CPU. The error:
  /// the host cannot start more threads than it has CPUs.
  static Result<std::shared_ptr<LaunchResources>> create(unsigned threads);

  ThreadPool &pool() { return threads; }
  /// Where each worker's scratch memory is. The array stays where it is.
  uint8_t *const *scratch() const { return perWorker.data(); }
  /// First byte of what all workers of a command share.
  uint8_t *staging() const { return shared.data(); }

  /// Grows to so many bytes per worker, and of staging memory. Both may move
  /// then. The error: the host cannot map them.
  Status reserve(uint64_t scratchBytes, uint64_t stagingBytes) {
    if (scratchBytes <= scratchSize && stagingBytes <= shared.size())
      return {};
    return grow(scratchBytes, stagingBytes);
  }
  /// Address space that is reserved now; only pages that launches have touched
  /// are memory.
  uint64_t bytes() const { return own.size() + shared.size(); }

  /// A launch: false if another one runs.
  bool enter() { return !busy.exchange(true, std::memory_order_acquire); }
  void leave() { busy.store(false, std::memory_order_release); }

private:
  explicit LaunchResources(unsigned count)
      : threads(count), perWorker(count, nullptr) {}
  Status grow(uint64_t scratchBytes, uint64_t stagingBytes);

  ThreadPool threads;
  Arena own = Arena::none(), shared = Arena::none();
  std::vector<uint8_t *> perWorker;
  uint64_t scratchSize = 0; // of one worker
  std::atomic<bool> busy{false};
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_LAUNCHRESOURCES_H
