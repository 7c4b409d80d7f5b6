// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays parts on the engines.
#include "Playback.h"
#include "Bandwidth.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {
namespace {

constexpr Picoseconds never = INT64_MAX;

/// The part that an engine works on, or did last.
struct Engine {
  bool isBusy = false;
  int32_t part = -1;
  Picoseconds released = 0;
};

/// The engines of a kind and the parts that they will take, in order.
struct QueueState {
  std::vector<uint32_t> parts;
  size_t head = 0;
  std::vector<Engine> engines;
  uint32_t nextEngine = 0;      // where the next part begins
  Picoseconds dispatchFrom = 0; // the part before the head began
  /// The head has been dispatched and has its operands; `never` while a part
  /// that it waits for is not done.
  Picoseconds readyAt = never;

  bool isEmpty() const { return head == parts.size(); }
};

/// A part on its engines.
struct Active {
  uint32_t part = 0;
  bool isFilling = true;
  Picoseconds until = 0; // end of the fill or, at the present speed, of the run
  Picoseconds runs = 0;  // since
  Stream stream;
};

class Player {
public:
  Player(const std::vector<Task> &tasks, const Parts &parts,
         const device::DeviceSpec &spec, Picoseconds launch)
      : tasks(tasks), parts(parts), launch(launch), now(launch), shares(spec) {
    result.spans.resize(parts.size());
    waiting = parts.waiting;
    readyAt.assign(parts.size(), launch);
    lastProducer.assign(parts.size(), -1);
    for (unsigned q = 0; q < queueCount; ++q) {
      queues[q].engines.resize(enginesOf(Queue(q), spec));
      queues[q].dispatchFrom = launch;
      for (Engine &engine : queues[q].engines)
        engine.released = launch;
    }
    for (uint32_t p = 0; p < parts.size(); ++p)
      queueOf(p).parts.push_back(p);
  }

  Playback run() {
    for (QueueState &queue : queues)
      prepareHead(queue);
    for (Picoseconds next = now; next != never; next = nextEvent()) {
      now = next;
      advance();
      for (QueueState &queue : queues)
        while (queue.readyAt <= now && tryBegin(queue)) {
        }
      if (changed)
        share();
      changed = false;
    }
    for ([[maybe_unused]] const QueueState &queue : queues)
      assert(queue.isEmpty() && "every part was played");
    return std::move(result);
  }

private:
  const Task &taskOf(uint32_t part) const {
    return tasks[parts.parts[part].task];
  }
  QueueState &queueOf(uint32_t part) {
    return queues[size_t(taskOf(part).queue)];
  }

  bool isChain(uint32_t part) const { return taskOf(part).cost.isChain(); }
  /// The queue whose engines a part keeps beside those of its own; or null.
  QueueState *secondQueueOf(uint32_t part) {
    return isChain(part) ? &queues[size_t(Queue::Tpc)] : nullptr;
  }

  Picoseconds nextEvent() const {
    Picoseconds next = never;
    for (const Active &part : active)
      next = std::min(next, part.until);
    for (const QueueState &queue : queues)
      if (queue.readyAt > now)
        next = std::min(next, queue.readyAt);
    return next;
  }

  /// The head of the queue can be dispatched while the part before it works.
  void prepareHead(QueueState &queue) {
    queue.readyAt = never;
    if (queue.isEmpty() || waiting[queue.parts[queue.head]] != 0)
      return;
    const uint32_t part = queue.parts[queue.head];
    queue.readyAt = std::max(
        sumOf(queue.dispatchFrom, taskOf(part).cost.launch), readyAt[part]);
  }

  /// Fills that end now become runs, runs that end now release their engines.
  void advance() {
    for (size_t i = 0; i < active.size();) {
      Active &part = active[i];
      if (part.until > now) {
        ++i;
      } else if (part.isFilling) {
        startRun(part);
        changed = true;
        if (part.until > now)
          ++i;
      } else {
        finish(part);
        // Order is that of beginning, so that results depend on nothing else.
        active.erase(active.begin() + ptrdiff_t(i));
        changed = true;
      }
    }
  }

  void startRun(Active &active) {
    const Part &part = parts.parts[active.part];
    const Cost &cost = tasks[part.task].cost;
    active.isFilling = false;
    active.runs = now;
    const Picoseconds whole = std::max({cost.compute, cost.read, cost.write});
    active.stream =
        shares.streamOf(cost, shareOf(whole, part.slice, part.slices), now);
    active.until = active.stream.end(now);
  }

  void finish(const Active &active) {
    const uint32_t part = active.part;
    PartSpan &span = result.spans[part];
    QueueState &queue = queueOf(part);
    span.released = now;
    span.running = now - active.runs;
    span.end = sumOf(now, taskOf(part).cost.drain);
    for (uint32_t i = 0; i < span.engines; ++i) {
      const size_t engine = (span.firstEngine + i) % queue.engines.size();
      release(queue.engines[engine], part);
    }
    if (QueueState *second = secondQueueOf(part))
      for (Engine &engine : second->engines)
        release(engine, part);
    for (uint32_t d = parts.first[part]; d < parts.first[part + 1]; ++d) {
      const uint32_t dependent = parts.dependents[d];
      assert(waiting[dependent] > 0 && "each edge counts once");
      if (span.end > readyAt[dependent] || lastProducer[dependent] < 0) {
        readyAt[dependent] = std::max(readyAt[dependent], span.end);
        lastProducer[dependent] = int32_t(part);
      }
      QueueState &other = queueOf(dependent);
      if (--waiting[dependent] == 0 && !other.isEmpty() &&
          other.parts[other.head] == dependent)
        prepareHead(other);
    }
  }

  void release(Engine &engine, [[maybe_unused]] uint32_t part) {
    assert(engine.isBusy && engine.part == int32_t(part) && "it was taken");
    engine.isBusy = false;
    engine.released = now;
  }

  /// Chains and kernels take the TPCs in program order where both could: the
  /// one that comes later waits.
  bool isOvertaking(const QueueState &queue) const {
    const QueueState &mme = queues[size_t(Queue::Mme)],
                     &tpc = queues[size_t(Queue::Tpc)];
    if (mme.readyAt > now || tpc.readyAt > now || mme.engines.front().isBusy ||
        !isChain(mme.parts[mme.head]))
      return false;
    const bool chainIsFirst = mme.parts[mme.head] < tpc.parts[tpc.head];
    return chainIsFirst ? &queue == &tpc : &queue == &mme;
  }

  /// The head begins if the engines that it will work on are free.
  bool tryBegin(QueueState &queue) {
    if (isOvertaking(queue))
      return false;
    const uint32_t part = queue.parts[queue.head];
    const Cost &cost = taskOf(part).cost;
    const auto count = uint32_t(queue.engines.size());
    PartSpan &span = result.spans[part];
    span.engines = std::clamp(cost.enginesUsed, 1u, count);
    span.firstEngine = queue.nextEngine;
    Engine latest;
    for (uint32_t i = 0; i < span.engines; ++i) {
      const Engine &engine = queue.engines[(span.firstEngine + i) % count];
      if (engine.isBusy)
        return false;
      if (i == 0 || engine.released > latest.released)
        latest = engine;
    }
    QueueState *second = secondQueueOf(part);
    if (second)
      for (const Engine &engine : second->engines) {
        if (engine.isBusy)
          return false;
        if (engine.released > latest.released)
          latest = engine;
      }
    for (uint32_t i = 0; i < span.engines; ++i) {
      Engine &engine = queue.engines[(span.firstEngine + i) % count];
      engine.isBusy = true;
      engine.part = int32_t(part);
    }
    if (second)
      for (Engine &engine : second->engines) {
        engine.isBusy = true;
        engine.part = int32_t(part);
      }
    // Successive small kernels land on different engines.
    queue.nextEngine = (span.firstEngine + span.engines) % count;
    span.start = now;
    span.idle = now - latest.released;
    setWait(queue, part, latest);
    // Bytes that were fetched while the engines were busy are there.
    Active begun;
    begun.part = part;
    begun.until = std::max(now, sumOf(queue.readyAt, cost.fill));
    active.push_back(begun);
    queue.dispatchFrom = now;
    ++queue.head;
    prepareHead(queue);
    if (begun.until == now) {
      startRun(active.back());
      changed = true;
    }
    return true;
  }

  void setWait(const QueueState &queue, uint32_t part, const Engine &latest) {
    PartSpan &span = result.spans[part];
    const Picoseconds dispatched =
        sumOf(queue.dispatchFrom, taskOf(part).cost.launch);
    if (latest.part >= 0 && latest.released >= queue.readyAt) {
      span.wait = Wait::Engine;
      span.waitedFor = latest.part;
    } else if (lastProducer[part] >= 0 && readyAt[part] >= dispatched) {
      span.wait = Wait::Dependency;
      span.waitedFor = lastProducer[part];
    } else if (queue.head > 0 || dispatched > launch) {
      span.wait = Wait::Dispatch;
      if (queue.head > 0)
        span.waitedFor = int32_t(queue.parts[queue.head - 1]);
    }
  }

  void share() {
    streams.clear();
    for (Active &part : active)
      if (!part.isFilling)
        streams.push_back(&part.stream);
    shares.assign(streams, now);
    for (Active &part : active)
      if (!part.isFilling)
        part.until = part.stream.end(now);
    BandwidthSample sample;
    sample.time = now;
    for (const Stream *stream : streams) {
      sample.hbmRead += stream->readRate();
      sample.hbmWritten += stream->writeRate();
    }
    std::vector<BandwidthSample> &samples = result.bandwidth;
    if (!samples.empty() && samples.back().time == now)
      samples.pop_back();
    if (samples.empty() || samples.back().hbmRead != sample.hbmRead ||
        samples.back().hbmWritten != sample.hbmWritten)
      samples.push_back(sample);
  }

  const std::vector<Task> &tasks;
  const Parts &parts;
  Picoseconds launch, now;
  Shares shares;
  std::array<QueueState, queueCount> queues;
  std::vector<uint32_t> waiting;     // unfinished parts before each part
  std::vector<Picoseconds> readyAt;  // the last one so far ended
  std::vector<int32_t> lastProducer; // that one
  std::vector<Active> active;        // in the order in which they began
  bool changed = false;              // the set of running parts did
  std::vector<Stream *> streams;
  Playback result;
};

} // namespace

Picoseconds sumOf(Picoseconds a, Picoseconds b) {
  constexpr Picoseconds most = Picoseconds(1) << 62;
  Picoseconds sum;
  return __builtin_add_overflow(a, b, &sum) ? most : std::min(sum, most);
}

Playback playParts(const std::vector<Task> &tasks, const Parts &parts,
                   const device::DeviceSpec &spec, Picoseconds launch) {
  return Player(tasks, parts, spec, launch).run();
}

} // namespace gaudi::timing
