// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work of all cards of this process on threads of the host.
//
// Work is issued to queues, one per stream. A queue runs its work in order; a
// piece of work may also wait for positions of other queues, all of which were
// issued before it, so that nothing waits for itself. Of what is ready, that
// runs first which the card would begin first.
//
// There are two lanes: one for launches, which have a pool of threads
// (LaunchResources), and one for copies, so that a copy goes on beside a
// launch. A thread that waits for a queue runs the queue's next work itself
// where the lane is free, which saves two switches of threads.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_EXECUTOR_H
#define GAUDI_LIB_RUNTIME_DEVICE_EXECUTOR_H

#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Support/Error.h"
#include "Gaudi/Timing/Cost.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace gaudi::runtime {

enum class Lane : uint8_t { Compute, Copy };
constexpr unsigned laneCount = 2;

/// Something that a stream does.
class Work {
public:
  virtual ~Work() = default;
  /// Called without a lock, by one thread at a time per lane; of a graph, once
  /// per replay.
  virtual Status run() = 0;
  /// Captured work that draws: the state for its next run.
  virtual void draw(const Device::RandomState &state) {}
  /// Captured work: memory that was used at [from, from + bytes) when it was
  /// captured is at `to` in the next runs, and the workspace at `workspace`.
  struct Moved {
    uint8_t *from;
    uint64_t bytes;
    uint8_t *to;
    friend bool operator==(const Moved &a, const Moved &b) {
      return a.from == b.from && a.bytes == b.bytes && a.to == b.to;
    }
  };
  virtual void rebind(const std::vector<Moved> &moved, uint8_t *workspace) {}
};

class WorkQueue;

/// When work ended on this host: nanoseconds of the steady clock; 0: it has
/// not.
using HostEnd = std::shared_ptr<std::atomic<int64_t>>;
int64_t hostNanoseconds();

/// All work of a queue up to number `sequence`, which counts from 1.
struct Position {
  std::shared_ptr<WorkQueue> queue;
  uint64_t sequence = 0;
  /// What waits for it is left out if it has failed. Not so for work that waits
  /// because it uses the same memory, of which the caller knows nothing.
  bool passesFailure = true;
};

/// The work of one stream. After work has failed, the work behind it and what
/// waits for it is left out, until somebody has waited and got the error. Who
/// waits for work that was left out gets it later, too.
class WorkQueue {
public:
  /// Of what was issued so far; 0: nothing.
  uint64_t issued() const { return lastIssued.load(std::memory_order_relaxed); }
  uint64_t finished() const { return done.load(std::memory_order_acquire); }
  bool isDone(uint64_t sequence) const {
    return done.load(std::memory_order_acquire) >= sequence;
  }
  /// Whether later work may have to know of it: it has not run, or has failed.
  bool matters(uint64_t sequence) const {
    return !isDone(sequence) || hasFailed.load(std::memory_order_acquire);
  }

private:
  friend class Executor;
  struct Item {
    std::unique_ptr<Work> work;
    Lane lane = Lane::Compute;
    timing::Picoseconds start = 0; // on the card, for the order
    std::vector<Position> waits;
    std::vector<HostEnd> ends; // to be told
  };
  std::deque<Item> items; // the first one is number done + 1
  std::atomic<uint64_t> lastIssued{0}, done{0};
  bool isRunning = false; // the first item
  int priority = 0;
  uint64_t number = 0; // decides between equals
  struct Failure {
    Error error;
    uint64_t first = 0; // that failed or was left out
    uint64_t last = 0;  // once somebody has got the error
  };
  /// Of that number or one before it; null: none.
  const Failure *failureOf(uint64_t sequence) const;
  std::optional<Failure> failure; // nobody has got it
  std::deque<Failure> told;       // the last ones
  std::atomic<bool> hasFailed{false};
};

class Executor {
public:
  Executor() = default;
  /// Ends the lanes' threads once they have run what they run. Work that is
  /// left does not run, except in threads that wait for it.
  void stop();
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  /// Work of a queue of higher priority comes first. Its numbers follow `last`.
  std::shared_ptr<WorkQueue> makeQueue(int priority, uint64_t last = 0);
  /// Everything of it has been waited for.
  void removeQueue(const std::shared_ptr<WorkQueue> &queue);

  /// Gives its number in the queue. Errors: no thread for the lane.
  Result<uint64_t> issue(WorkQueue &queue, Lane lane, timing::Picoseconds start,
                         std::vector<Position> waits,
                         std::unique_ptr<Work> work);
  /// Until the work is done, whatever came of it.
  void await(WorkQueue &queue, uint64_t sequence);
  /// The same; the error of work of this queue that has failed, once. `own`: or
  /// of this work, if it has failed or was left out.
  Status wait(WorkQueue &queue, uint64_t sequence, bool own = false);

  /// Notes when the work ends, or now if it has.
  void noteEnd(WorkQueue &queue, uint64_t sequence, const HostEnd &end);

  /// True on a thread that runs work now.
  static bool isRunningWork();

private:
  struct LaneState {
    bool isBusy = false, isAsleep = false;
    std::condition_variable wake;
    std::thread thread;
    /// Counts what became ready, for the thread that spins.
    std::atomic<uint32_t> changes{0};
  };

  bool isReady(const WorkQueue::Item &item) const;
  WorkQueue *choose(Lane lane) const;
  bool runNext(Lane lane, std::unique_lock<std::mutex> &guard,
               const WorkQueue *only);
  void serve(Lane lane);
  Status start(Lane lane);
  void announce();

  void awaitLocked(WorkQueue &queue, uint64_t sequence,
                   std::unique_lock<std::mutex> &guard);

  std::array<LaneState, laneCount> lanes;

  std::mutex lock; // of everything below, and of the queues
  std::condition_variable ended;
  unsigned waiters = 0;
  std::vector<std::shared_ptr<WorkQueue>> queues;
  uint64_t made = 0;
  bool stopping = false;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_EXECUTOR_H
