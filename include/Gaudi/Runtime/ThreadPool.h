// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker threads of one Executable.
//
// parallelFor splits a range into chunks. Each thread has a share of contiguous
// chunks, the same in every loop of that many, so that it finds in its caches
// what it left there; a thread that has finished its share steals from others.
// So which thread takes a chunk is not fixed, and a result must not depend on
// it; chunk boundaries are the caller's choice.
//
// Starting a loop takes no lock. Workers that finished one spin for up to 60 us
// before they sleep, so loops that follow each other start at once; the caller
// waits only for workers that took part.
#ifndef GAUDI_RUNTIME_THREADPOOL_H
#define GAUDI_RUNTIME_THREADPOOL_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <type_traits>
#include <vector>

namespace gaudi::runtime {

class ThreadPool {
public:
  /// `threads` includes the caller; at least 1. They start with the first loop,
  /// as far as the host can; more than it has CPUs start here, and
  /// std::system_error is thrown if it cannot.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return unsigned(workers.size()) + 1; }

  /// Calls `body(begin, end, worker)` for consecutive ranges of at most
  /// `grain` that cover [0, count). worker is in [0, size()); each runs one
  /// range at a time. One thread at a time may call this, and no body may:
  /// loops do not nest. If bodies throw, one of the exceptions is thrown here
  /// once all workers have left; the rest of the range may not have run.
  template <typename Body>
  void parallelFor(int64_t count, int64_t grain, Body &&body) {
    grain = std::max<int64_t>(grain, 1);
    if (count <= grain || workers.empty()) {
      for (int64_t begin = 0; begin < count; begin += grain)
        body(begin, std::min(begin + grain, count), 0u);
      return;
    }
    run(
        count, grain,
        [](void *context, int64_t begin, int64_t end, unsigned worker) {
          (*static_cast<std::remove_reference_t<Body> *>(context))(begin, end,
                                                                   worker);
        },
        const_cast<void *>(static_cast<const void *>(&body)));
  }

private:
  using Function = void (*)(void *, int64_t, int64_t, unsigned);
  void run(int64_t count, int64_t grain, Function function, void *context);
  void work(unsigned worker);
  void stop();
  void takeChunks(unsigned worker);
  void awaitLoop(uint32_t seen);
  bool enter(uint32_t &entered);
  void leave();

  std::vector<std::thread> workers;
  bool crowded = false; // more threads than the host has CPUs

  // The current loop; written only while the gate is closed and nobody inside.
  Function function = nullptr;
  void *context = nullptr;
  int64_t grain = 1;
  /// The chunks of one thread; those from item `next` on are not taken yet.
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  std::vector<Share> shares;
  /// The first exception of a body; written by the thread that set `failed`.
  std::exception_ptr failure;
  std::atomic<bool> failed{false};

  /// Generation << 32 | whether workers may enter << 31 | workers inside.
  alignas(64) std::atomic<uint64_t> gate{0};
  /// The generation: counts loops, and the end. Workers sleep on it.
  alignas(64) std::atomic<uint32_t> started{0};
  std::atomic<uint32_t> sleeping{0}; // workers, or about to
  std::atomic<bool> stopping{false};
  /// Set when the last worker leaves. The caller sleeps on it.
  alignas(64) std::atomic<uint32_t> drained{0};
  std::atomic<bool> callerSleeps{false};
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_THREADPOOL_H
