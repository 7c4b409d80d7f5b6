// The worker threads of one Executable.
//
// parallelFor splits a range into chunks that the workers and the caller take
// one after the other. Which thread takes a chunk is not fixed, so a result
// must not depend on it; the chunk borders are the caller's choice.
#ifndef GAUDI_RUNTIME_THREADPOOL_H
#define GAUDI_RUNTIME_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace gaudi::runtime {

class ThreadPool {
public:
  /// `threads` includes the caller; at least 1. Throws std::system_error when
  /// the host cannot start them.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return unsigned(workers.size()) + 1; }

  /// Calls `body(begin, end, worker)` for consecutive ranges of at most
  /// `grain` that cover [0, count). worker is in [0, size()).
  template <typename Body>
  void parallelFor(int64_t count, int64_t grain, Body &&body) {
    run(
        count, grain,
        [](void *context, int64_t begin, int64_t end, unsigned worker) {
          (*static_cast<std::remove_reference_t<Body> *>(context))(begin, end,
                                                                   worker);
        },
        &body);
  }

private:
  using Function = void (*)(void *, int64_t, int64_t, unsigned);
  void run(int64_t count, int64_t grain, Function function, void *context);
  void work(unsigned worker);
  void stop();
  void takeChunks(unsigned worker);

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  uint64_t generation = 0;
  unsigned active = 0;
  bool stopping = false;

  // The current job.
  Function function = nullptr;
  void *context = nullptr;
  int64_t count = 0, grain = 1;
  std::atomic<int64_t> next{0};
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_THREADPOOL_H
