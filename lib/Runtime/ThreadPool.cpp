// The worker threads of one Executable.
#include "Gaudi/Runtime/ThreadPool.h"

#include <algorithm>
#include <system_error>

namespace gaudi::runtime {

ThreadPool::ThreadPool(unsigned threads) {
  try {
    for (unsigned worker = 1; worker < threads; ++worker)
      workers.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error &) {
    // The destructor does not run: the threads there are must end here.
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::takeChunks(unsigned worker) {
  for (;;) {
    const int64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
    if (begin >= count)
      return;
    function(context, begin, std::min(begin + grain, count), worker);
  }
}

void ThreadPool::run(int64_t newCount, int64_t newGrain, Function newFunction,
                     void *newContext) {
  newGrain = std::max<int64_t>(newGrain, 1);
  if (newCount <= newGrain || workers.empty()) {
    for (int64_t begin = 0; begin < newCount; begin += newGrain)
      newFunction(newContext, begin, std::min(begin + newGrain, newCount), 0);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    function = newFunction;
    context = newContext;
    count = newCount;
    grain = newGrain;
    next.store(0, std::memory_order_relaxed);
    active = unsigned(workers.size());
    ++generation;
  }
  wake.notify_all();
  takeChunks(0);
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [this] { return active == 0; });
}

void ThreadPool::work(unsigned worker) {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return stopping || generation != seen; });
      if (stopping)
        return;
      seen = generation;
    }
    takeChunks(worker);
    std::lock_guard<std::mutex> lock(mutex);
    if (--active == 0)
      done.notify_one();
  }
}

} // namespace gaudi::runtime
