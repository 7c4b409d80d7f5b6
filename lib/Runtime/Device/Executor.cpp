// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses and runs work.
//
// One lock guards all queues: it is held for tens of nanoseconds, while work
// takes microseconds. It is never held while work runs or is destroyed, nor
// while a caller's function does.
#include "Executor.h"

#include "../ErrorPhrases.h"
#include "Gaudi/Support/Error.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <system_error>
#include <utility>

namespace gaudi::runtime {
namespace {

thread_local bool runsWork = false;
thread_local bool isLaneThread = false;

/// How long the thread of a lane looks for more work before it sleeps: to wake
/// one takes the thread that issues some microseconds.
constexpr std::chrono::microseconds spinTime(50);

/// Sets it for a scope.
class RunsWork {
public:
  RunsWork() : before(std::exchange(runsWork, true)) {}
  ~RunsWork() { runsWork = before; }

private:
  bool before;
};

} // namespace

bool Executor::isRunningWork() { return runsWork; }

int64_t hostNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Executor::~Executor() { stop(); }

void Executor::stop() {
  {
    const std::lock_guard<std::mutex> guard(lock);
    stopping = true;
    for (LaneState &lane : lanes) {
      ++lane.changes;
      lane.wake.notify_all();
    }
  }
  for (LaneState &lane : lanes)
    // A function that a stream calls may end the process.
    if (lane.thread.joinable() &&
        lane.thread.get_id() != std::this_thread::get_id())
      lane.thread.join();
}

std::shared_ptr<WorkQueue> Executor::makeQueue(int priority, uint64_t last) {
  auto queue = std::make_shared<WorkQueue>();
  queue->priority = priority;
  queue->lastIssued = queue->done = last;
  const std::lock_guard<std::mutex> guard(lock);
  queue->number = made++;
  queues.push_back(queue);
  return queue;
}

void Executor::removeQueue(const std::shared_ptr<WorkQueue> &queue) {
  const std::lock_guard<std::mutex> guard(lock);
  assert(queue->items.empty() && "all work has been waited for");
  queues.erase(std::find(queues.begin(), queues.end(), queue));
}

// --- choice -----------------------------------------------------------------

bool Executor::isReady(const WorkQueue::Item &item) const {
  return std::all_of(item.waits.begin(), item.waits.end(),
                     [](const Position &position) {
                       return position.queue->isDone(position.sequence);
                     });
}

/// The first item of a queue that is ready and comes first on the card; null:
/// there is none.
WorkQueue *Executor::choose(Lane lane) const {
  WorkQueue *best = nullptr;
  const auto isBefore = [](const WorkQueue &a, const WorkQueue &b) {
    return std::tuple(-a.priority, a.items.front().start, a.number) <
           std::tuple(-b.priority, b.items.front().start, b.number);
  };
  for (const std::shared_ptr<WorkQueue> &queue : queues)
    if (!queue->isRunning && !queue->items.empty() &&
        queue->items.front().lane == lane && isReady(queue->items.front()) &&
        (!best || isBefore(*queue, *best)))
      best = queue.get();
  return best;
}

// --- run --------------------------------------------------------------------

/// Runs one item, of `only` if it is not null; false if none is ready or the
/// lane is taken. Unlocks `guard` meanwhile.
bool Executor::runNext(Lane lane, std::unique_lock<std::mutex> &guard,
                       const WorkQueue *only) {
  LaneState &state = lanes[unsigned(lane)];
  if (state.isBusy)
    return false;
  WorkQueue *const queue = choose(lane);
  if (!queue || (only && queue != only))
    return false;
  state.isBusy = queue->isRunning = true;
  // It stays where it is until it is done: only its owner takes it off.
  std::vector<Position> waits = std::move(queue->items.front().waits);
  std::unique_ptr<Work> work = std::move(queue->items.front().work);
  const uint64_t sequence = queue->done.load(std::memory_order_relaxed) + 1;
  for (const Position &position : waits)
    if (!queue->failure && position.passesFailure)
      if (const WorkQueue::Failure *failure =
              position.queue->failureOf(position.sequence)) {
        queue->failure = {failure->error, sequence, 0};
        queue->hasFailed.store(true, std::memory_order_release);
      }
  const bool isLeftOut = queue->failure.has_value();
  guard.unlock();

  Status status;
  if (!isLeftOut) {
    const RunsWork scope;
    try {
      status = work->run();
    } catch (const std::exception &problem) {
      status = fail("no host memory to run it: {}", problem.what());
    }
  }
  guard.lock();
  if (!status) {
    queue->failure = {std::move(status).error(), sequence, 0};
    queue->hasFailed.store(true, std::memory_order_release);
  }
  for (const HostEnd &end : queue->items.front().ends)
    end->store(hostNanoseconds(), std::memory_order_relaxed);
  queue->items.pop_front();
  queue->done.store(sequence, std::memory_order_release);
  state.isBusy = queue->isRunning = false;
  announce();
  // What it holds may be large, and may be the last reference to a stream,
  // which waits for its work: this one has ended.
  guard.unlock();
  work.reset();
  waits.clear();
  guard.lock();
  return true;
}

const WorkQueue::Failure *WorkQueue::failureOf(uint64_t sequence) const {
  if (failure && failure->first <= sequence)
    return &*failure;
  for (const Failure &each : told)
    if (each.first <= sequence && sequence <= each.last)
      return &each;
  return nullptr;
}

/// Something has changed that may make work ready, or end a wait.
void Executor::announce() {
  for (LaneState &lane : lanes) {
    lane.changes.fetch_add(1, std::memory_order_release);
    if (lane.isAsleep)
      lane.wake.notify_one();
  }
  if (waiters)
    ended.notify_all();
}

void Executor::serve(Lane lane) {
  LaneState &state = lanes[unsigned(lane)];
  isLaneThread = true;
  std::unique_lock<std::mutex> guard(lock);
  while (!stopping) {
    if (runNext(lane, guard, nullptr))
      continue;
    const uint32_t seen = state.changes.load(std::memory_order_relaxed);
    guard.unlock();
    const auto end = std::chrono::steady_clock::now() + spinTime;
    while (state.changes.load(std::memory_order_acquire) == seen &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    guard.lock();
    if (state.changes.load(std::memory_order_relaxed) != seen || stopping)
      continue;
    state.isAsleep = true;
    state.wake.wait(guard, [&] {
      return stopping || state.changes.load(std::memory_order_relaxed) != seen;
    });
    state.isAsleep = false;
  }
}

/// Starts the thread of the lane with its first work.
Status Executor::start(Lane lane) {
  LaneState &state = lanes[unsigned(lane)];
  if (state.thread.joinable())
    return {};
  try {
    state.thread = std::thread([this, lane] { serve(lane); });
  } catch (const std::system_error &problem) {
    return fail("the host gives no thread to run work of the card: {}",
                problem.what());
  }
  return {};
}

// --- callers ----------------------------------------------------------------

Result<uint64_t> Executor::issue(WorkQueue &queue, Lane lane,
                                 timing::Picoseconds start,
                                 std::vector<Position> waits,
                                 std::unique_ptr<Work> work) {
  const std::lock_guard<std::mutex> guard(lock);
  GAUDI_TRY(this->start(lane));
  queue.items.push_back({std::move(work), lane, start, std::move(waits), {}});
  const uint64_t sequence =
      queue.lastIssued.load(std::memory_order_relaxed) + 1;
  queue.lastIssued.store(sequence, std::memory_order_relaxed);
  LaneState &state = lanes[unsigned(lane)];
  state.changes.fetch_add(1, std::memory_order_release);
  if (state.isAsleep)
    state.wake.notify_one();
  return sequence;
}

void Executor::noteEnd(WorkQueue &queue, uint64_t sequence,
                       const HostEnd &end) {
  const std::lock_guard<std::mutex> guard(lock);
  const uint64_t done = queue.done.load(std::memory_order_relaxed);
  if (sequence <= done)
    end->store(hostNanoseconds(), std::memory_order_relaxed);
  else
    queue.items[sequence - done - 1].ends.push_back(end);
}

void Executor::awaitLocked(WorkQueue &queue, uint64_t sequence,
                           std::unique_lock<std::mutex> &guard) {
  while (!queue.isDone(sequence)) {
    // Not the work of other queues, which may take longer than the wait, unless
    // nobody else does it.
    const WorkQueue *const only = stopping || isLaneThread ? nullptr : &queue;
    if (runNext(Lane::Compute, guard, only) || runNext(Lane::Copy, guard, only))
      continue;
    ++waiters;
    ended.wait(guard);
    --waiters;
  }
}

void Executor::await(WorkQueue &queue, uint64_t sequence) {
  if (queue.isDone(sequence))
    return;
  std::unique_lock<std::mutex> guard(lock);
  awaitLocked(queue, sequence, guard);
}

Status Executor::wait(WorkQueue &queue, uint64_t sequence, bool own) {
  std::unique_lock<std::mutex> guard(lock);
  awaitLocked(queue, sequence, guard);
  if (queue.failure && queue.failure->first <= sequence) {
    queue.failure->last = queue.done.load(std::memory_order_relaxed);
    queue.told.push_back(*std::exchange(queue.failure, std::nullopt));
    queue.hasFailed.store(false, std::memory_order_release);
    constexpr size_t kept = 8;
    if (queue.told.size() > kept)
      queue.told.pop_front();
    return fail("{}{}", workFailed, queue.told.back().error.message);
  }
  if (own)
    if (const WorkQueue::Failure *failure = queue.failureOf(sequence))
      return fail("{}{}", workFailed, failure->error.message);
  return {};
}

} // namespace gaudi::runtime
