// The worker threads of one Executable.
#include "Gaudi/Runtime/ThreadPool.h"

#include <chrono>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace gaudi::runtime {
namespace {

constexpr uint64_t openBit = uint64_t(1) << 31;
constexpr uint64_t insideMask = openBit - 1;
/// How long a worker looks for the next loop before it sleeps, and the caller
/// for the end of one, which is certain to come.
constexpr std::chrono::microseconds workerPatience(60), callerPatience(500);
constexpr unsigned pausesPerLook = 32;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Returns at once unless `word` is still `value`.
void sleepOn(std::atomic<uint32_t> &word, uint32_t value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(std::atomic<uint32_t> &word, int threads) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// Waits for `ready` for a short while; true if it came. On a crowded host the
/// thread that is waited for may need this CPU.
template <typename Ready>
bool spinUntil(Ready ready, std::chrono::microseconds patience, bool crowded) {
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (unsigned i = 0; i < pausesPerLook; ++i) {
      if (ready())
        return true;
      pause();
    }
    if (crowded)
      std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

} // namespace

ThreadPool::ThreadPool(unsigned threads)
    : crowded(threads > std::thread::hardware_concurrency()), shares(threads) {
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
  stopping.store(true);
  started.fetch_add(1);
  wake(started, int(workers.size()));
  for (std::thread &worker : workers)
    worker.join();
}

/// Its own share first, then what is left of the shares after it.
void ThreadPool::takeChunks(unsigned worker) {
  for (size_t i = 0; i < shares.size(); ++i) {
    Share &share = shares[(worker + i) % shares.size()];
    // An add on every empty share would be a race for its line.
    while (share.next.load(std::memory_order_relaxed) < share.end) {
      const int64_t begin =
          share.next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= share.end)
        break;
      function(context, begin, std::min(begin + grain, share.end), worker);
    }
  }
}

void ThreadPool::run(int64_t newCount, int64_t newGrain, Function newFunction,
                     void *newContext) {
  function = newFunction;
  context = newContext;
  grain = newGrain;
  const int64_t chunks = (newCount - 1) / grain + 1;
  const int64_t threads = int64_t(shares.size());
  for (int64_t i = 0; i < threads; ++i) {
    Share &share = shares[size_t(i)];
    share.next.store(chunks * i / threads * grain, std::memory_order_relaxed);
    share.end = std::min(chunks * (i + 1) / threads * grain, newCount);
  }
  const uint32_t number = started.load(std::memory_order_relaxed) + 1;
  gate.store(uint64_t(number) << 32 | openBit, std::memory_order_release);
  // Either a worker that falls asleep now sees the new number, or it is seen
  // here as sleeping: both sides write first and read then.
  started.store(number, std::memory_order_seq_cst);
  const int64_t asleep = sleeping.load(std::memory_order_seq_cst);
  const int64_t awake = int64_t(workers.size()) - asleep;
  const int64_t wanted = (newCount + newGrain - 1) / newGrain - 1;
  if (asleep && wanted > awake)
    wake(started, int(std::min(wanted - awake, asleep)));
  takeChunks(0);

  // Nobody enters any more; who is inside finishes its chunk.
  auto empty = [this] {
    return (gate.load(std::memory_order_seq_cst) & insideMask) == 0;
  };
  drained.store(0, std::memory_order_relaxed);
  gate.fetch_and(~openBit, std::memory_order_acq_rel);
  while (!spinUntil(empty, callerPatience, crowded)) {
    callerSleeps.store(true, std::memory_order_seq_cst);
    if (!empty())
      sleepOn(drained, 0);
    callerSleeps.store(false, std::memory_order_relaxed);
    drained.store(0, std::memory_order_relaxed);
  }
}

/// Takes part in a loop that is not over, each loop once.
bool ThreadPool::enter(uint32_t &seen) {
  uint64_t state = gate.load(std::memory_order_acquire);
  while ((state & openBit) && uint32_t(state >> 32) != seen)
    if (gate.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel,
                                   std::memory_order_acquire)) {
      seen = uint32_t(state >> 32);
      return true;
    }
  return false;
}

void ThreadPool::leave() {
  const uint64_t before = gate.fetch_sub(1, std::memory_order_seq_cst);
  if ((before & (insideMask | openBit)) == 1 &&
      callerSleeps.load(std::memory_order_seq_cst)) {
    drained.store(1, std::memory_order_release);
    wake(drained, 1);
  }
}

/// Returns when the number of loops is another.
void ThreadPool::awaitLoop(uint32_t seen) {
  auto changed = [&] {
    return started.load(std::memory_order_acquire) != seen;
  };
  while (!spinUntil(changed, workerPatience, crowded)) {
    sleeping.fetch_add(1, std::memory_order_seq_cst);
    if (started.load(std::memory_order_seq_cst) == seen)
      sleepOn(started, seen);
    sleeping.fetch_sub(1, std::memory_order_relaxed);
  }
}

void ThreadPool::work(unsigned worker) {
  uint32_t seen = 0;    // `started` when last looked at
  uint32_t entered = 0; // the last loop taken part in
  for (;;) {
    awaitLoop(seen);
    seen = started.load(std::memory_order_acquire);
    // Set before `started` changes for the last time.
    if (stopping.load(std::memory_order_relaxed))
      return;
    if (enter(entered)) {
      takeChunks(worker);
      leave();
    }
  }
}

} // namespace gaudi::runtime
