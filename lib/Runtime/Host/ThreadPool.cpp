// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker threads of one Executable: a loop is published through one atomic
// word and entered by a compare-and-swap; no lock is taken.
//
// The caller (`run`), per loop:
//
//   write the loop (function, context, grain, shares)    no worker is inside
//   gate := generation | open                            release: publishes it
//   started := generation; wake sleepers                 Dekker handshake
//   take chunks
//   gate := gate without open                            nobody enters any more
//   wait until gate counts nobody inside                 acquire: sees results
//
// A worker (`work`):
//
//            generation changed             gate is open, CAS inside + 1
//   SPIN ------------------------> AWAKE ------------------------------> INSIDE
//    | ^                             |                                     |
//    | | woken                       | closed already                      |
//    v |                             v                   inside - 1        |
//   SLEEP (futex on `started`)      SPIN <---------------------------------+
//
// Why it is right:
// - Publication. The plain members of a loop are written while the gate is
//   closed and counts nobody. They are read only by threads whose CAS on the
//   gate acquired the release store that opened it.
// - No worker takes part in a loop twice, or in one that is over: entering
//   needs the open bit, and a generation that it has not entered yet.
// - No lost wake-up, in both directions, by a Dekker handshake (seq_cst): each
//   side stores before it loads. The caller stores `started`, then loads
//   `sleeping`; the worker increments `sleeping`, then loads `started`. At
//   least one of them sees the other's store. The same holds for the last
//   worker to leave (`gate`, `callerSleeps`) and the caller that waits for it.
// - Generations wrap at 2^32. A worker would have to stay between two loads for
//   2^32 loops to mistake one for another.
#include "Gaudi/Runtime/ThreadPool.h"

#include <cassert>
#include <chrono>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gaudi::runtime {
namespace {

/// The gate word: generation << 32 | open << 31 | workers inside.
constexpr uint64_t openBit = uint64_t(1) << 31;
constexpr uint64_t insideMask = openBit - 1;
/// How long a worker spins for the next loop before it sleeps, and the caller
/// for the end of a loop, which is certain to come.
constexpr std::chrono::microseconds workerSpin(60), callerSpin(500);
/// Tests of the condition between two reads of the clock.
constexpr unsigned testsPerClock = 32;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Returns at once unless `word` is still `value`; may wake spuriously.
void sleepOn(std::atomic<uint32_t> &word, uint32_t value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(std::atomic<uint32_t> &word, int threads) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// Spins until `ready` holds; false after `limit`. With more threads than CPUs
/// the thread that is waited for may need this CPU, so it yields.
template <typename Ready>
bool spinUntil(Ready ready, std::chrono::microseconds limit, bool crowded) {
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (unsigned i = 0; i < testsPerClock; ++i) {
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
    : workers(threads - 1),
      crowded(threads > std::thread::hardware_concurrency()), shares(threads) {
  assert(threads > 0 && "the caller is one of them");
  // Threads start with the first loop, since most small recipes have none: to
  // start and to join one waits for the host's scheduler. A number that the
  // host may not give is tried at once.
  if (crowded && threads > 1)
    run(1, 1, [](void *, int64_t, int64_t, unsigned) {}, nullptr);
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  stopping.store(true);
  started.fetch_add(1);
  wake(started, int(workers.size()));
  for (std::thread &worker : workers)
    if (worker.joinable())
      worker.join();
}

/// Its own share first, then what is left of the shares after it. The first
/// exception of a body ends the loop: nobody takes another chunk.
void ThreadPool::takeChunks(unsigned worker) {
  try {
    for (size_t i = 0; i < shares.size(); ++i) {
      Share &share = shares[(worker + i) % shares.size()];
      // Load before add: an add on every empty share would make its cache line
      // bounce between threads.
      while (share.next.load(std::memory_order_relaxed) < share.end &&
             !failed.load(std::memory_order_relaxed)) {
        const int64_t begin =
            share.next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= share.end)
          break;
        function(context, begin, std::min(begin + grain, share.end), worker);
      }
    }
  } catch (...) {
    // exchange: one thread alone writes `failure`. The caller reads it after
    // the gate counted this thread out.
    if (!failed.exchange(true, std::memory_order_relaxed))
      failure = std::current_exception();
  }
}

void ThreadPool::run(int64_t newCount, int64_t newGrain, Function newFunction,
                     void *newContext) {
  assert((gate.load(std::memory_order_relaxed) & (openBit | insideMask)) == 0 &&
         "loops do not nest");
  try {
    for (unsigned worker = 1; !workers.back().joinable(); ++worker)
      if (!workers[worker - 1].joinable())
        workers[worker - 1] = std::thread([this, worker] { work(worker); });
  } catch (...) {
    // No thread or no memory for it. In the constructor that is an error, and
    // those that started end here; later the others take all chunks.
    if (crowded) {
      stop();
      throw;
    }
  }
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
  const uint32_t generation = started.load(std::memory_order_relaxed) + 1;
  gate.store(uint64_t(generation) << 32 | openBit, std::memory_order_release);
  // Dekker handshake with awaitLoop: store `started`, then load `sleeping`.
  started.store(generation, std::memory_order_seq_cst);
  const int64_t asleep = sleeping.load(std::memory_order_seq_cst);
  const int64_t awake = int64_t(workers.size()) - asleep;
  const int64_t wanted = chunks - 1; // the caller takes one
  if (asleep && wanted > awake)
    wake(started, int(std::min(wanted - awake, asleep)));
  takeChunks(0);

  // Nobody enters any more; workers inside finish their chunks.
  auto empty = [this] {
    return (gate.load(std::memory_order_seq_cst) & insideMask) == 0;
  };
  drained.store(0, std::memory_order_relaxed);
  gate.fetch_and(~openBit, std::memory_order_acq_rel);
  while (!spinUntil(empty, callerSpin, crowded)) {
    // Dekker handshake with leave: store `callerSleeps`, then load the gate.
    callerSleeps.store(true, std::memory_order_seq_cst);
    if (!empty())
      sleepOn(drained, 0);
    callerSleeps.store(false, std::memory_order_relaxed);
    drained.store(0, std::memory_order_relaxed);
  }
  if (failed.load(std::memory_order_relaxed)) {
    failed.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(failure, nullptr));
  }
}

/// Enters the current loop if it is open and not the one of generation
/// `entered`, which it then becomes.
bool ThreadPool::enter(uint32_t &entered) {
  uint64_t state = gate.load(std::memory_order_acquire);
  while ((state & openBit) && uint32_t(state >> 32) != entered)
    if (gate.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel,
                                   std::memory_order_acquire)) {
      entered = uint32_t(state >> 32);
      return true;
    }
  return false;
}

void ThreadPool::leave() {
  // Dekker handshake with run: store the gate, then load `callerSleeps`.
  const uint64_t before = gate.fetch_sub(1, std::memory_order_seq_cst);
  assert((before & insideMask) > 0 && "this worker was inside");
  if ((before & (insideMask | openBit)) == 1 &&
      callerSleeps.load(std::memory_order_seq_cst)) {
    drained.store(1, std::memory_order_release);
    wake(drained, 1);
  }
}

/// Returns when the generation is not `seen` any more.
void ThreadPool::awaitLoop(uint32_t seen) {
  auto changed = [&] {
    return started.load(std::memory_order_acquire) != seen;
  };
  while (!spinUntil(changed, workerSpin, crowded)) {
    // Dekker handshake with run: store `sleeping`, then load `started`.
    sleeping.fetch_add(1, std::memory_order_seq_cst);
    if (started.load(std::memory_order_seq_cst) == seen)
      sleepOn(started, seen);
    sleeping.fetch_sub(1, std::memory_order_relaxed);
  }
}

void ThreadPool::work(unsigned worker) {
  uint32_t seen = 0;    // the generation last seen in `started`
  uint32_t entered = 0; // the generation last entered
  for (;;) {
    awaitLoop(seen);
    seen = started.load(std::memory_order_acquire);
    // stop() sets it before it changes `started` for the last time.
    if (stopping.load(std::memory_order_relaxed))
      return;
    if (enter(entered)) {
      takeChunks(worker);
      leave();
    }
  }
}

} // namespace gaudi::runtime
