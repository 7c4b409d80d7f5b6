// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From played parts to the timeline of tasks.
#include "Gaudi/Timing/Timeline.h"
#include "Playback.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace gaudi::timing {
namespace {

/// Times of a queue at which it begins or ends to work.
struct Interval {
  Picoseconds start = 0, end = 0;
};

/// Engines of a queue work for a part.
struct Occupation {
  Picoseconds start = 0, released = 0;
  size_t cause = 0; // of a gap before it: a queue
};

class Summary {
public:
  Summary(const std::vector<Task> &tasks, const Parts &parts,
          const Playback &played, const device::DeviceSpec &spec,
          Timeline &line)
      : tasks(tasks), parts(parts), played(played), spec(spec), line(line) {}

  void run() {
    addSpans();
    addPieces();
    addBusyTimes();
    addExposedTimes();
    addCriticalPath();
  }

private:
  /// A span is that of all slices; what it waited for is the first one's.
  void addSpans() {
    line.spans.resize(tasks.size());
    std::vector<Picoseconds> running(tasks.size());
    for (uint32_t p = 0; p < parts.size(); ++p) {
      const Part &part = parts.parts[p];
      const PartSpan &from = played.spans[p];
      Span &span = line.spans[part.task];
      if (part.slice == 0) {
        span.start = from.start;
        span.wait = from.wait;
        if (from.waitedFor >= 0)
          span.waitedFor = int32_t(parts.parts[size_t(from.waitedFor)].task);
        span.slices = part.slices;
        span.firstEngine = from.firstEngine;
        span.engines = from.engines;
      }
      span.end = std::max(span.end, from.end);
      span.released = std::max(span.released, from.released);
      span.waited = sumOf(span.waited, from.idle);
      running[part.task] = sumOf(running[part.task], from.running);
      line.end = std::max(line.end, from.end);
    }
    for (uint32_t t = 0; t < tasks.size(); ++t)
      line.spans[t].bound = boundOf(tasks[t].cost, running[t]);
  }

  /// The bound of a task that ran alone is its model's. One that bandwidth held
  /// up for more than 1 % is bound by what it moved most of.
  static Bound boundOf(const Cost &cost, Picoseconds running) {
    const Picoseconds alone = std::max({cost.compute, cost.read, cost.write});
    if (running - alone <= alone / 100 || cost.bound == Bound::Dma)
      return cost.bound;
    return cost.hbmRead + cost.sramRead >= cost.hbmWritten + cost.sramWritten
               ? Bound::Read
               : Bound::Write;
  }

  void addPieces() {
    for (uint32_t p = 0; p < parts.size(); ++p) {
      const PartSpan &span = played.spans[p];
      Piece piece;
      piece.task = parts.parts[p].task;
      piece.slice = parts.parts[p].slice;
      piece.queue = tasks[piece.task].queue;
      piece.start = span.start;
      piece.end = span.released;
      piece.firstEngine = span.firstEngine;
      piece.engines = span.engines;
      line.pieces.push_back(piece);
      if (isChain(p)) {
        piece.queue = Queue::Tpc;
        piece.firstEngine = 0;
        piece.engines = enginesOf(Queue::Tpc, spec);
        line.pieces.push_back(piece);
      }
    }
    std::sort(line.pieces.begin(), line.pieces.end(),
              [](const Piece &a, const Piece &b) {
                return std::tie(a.start, a.task, a.slice, a.queue) <
                       std::tie(b.start, b.task, b.slice, b.queue);
              });
    for (const Task &task : tasks) {
      ++line.queues[size_t(task.queue)].tasks;
      if (task.cost.isChain())
        ++line.queues[size_t(Queue::Tpc)].tasks;
    }
  }

  size_t queueOf(uint32_t part) const {
    return size_t(tasks[parts.parts[part].task].queue);
  }
  bool isChain(uint32_t part) const {
    return tasks[parts.parts[part].task].cost.isChain();
  }

  /// When each queue works, and why it begins when it does.
  std::array<std::vector<Occupation>, queueCount> occupations() const {
    std::array<std::vector<Occupation>, queueCount> result;
    for (uint32_t p = 0; p < parts.size(); ++p) {
      const PartSpan &span = played.spans[p];
      const size_t queue = queueOf(p);
      const size_t cause = span.wait == Wait::Dependency
                               ? queueOf(uint32_t(span.waitedFor))
                               : queue;
      result[queue].push_back({span.start, span.released, cause});
      if (isChain(p))
        result[size_t(Queue::Tpc)].push_back(result[queue].back());
    }
    // Parts of a queue begin in order, but for chains among those of the TPCs.
    auto &kernels = result[size_t(Queue::Tpc)];
    std::sort(kernels.begin(), kernels.end(),
              [](const Occupation &a, const Occupation &b) {
                return std::tie(a.start, a.released, a.cause) <
                       std::tie(b.start, b.released, b.cause);
              });
    return result;
  }

  /// The union of what occupies each queue, and why there are gaps: the one
  /// after a gap made it.
  void addBusyTimes() {
    const auto all = occupations();
    for (size_t q = 0; q < queueCount; ++q) {
      std::vector<Interval> &intervals = busy[q];
      for (const Occupation &one : all[q]) {
        const Picoseconds before =
            intervals.empty() ? line.launch : intervals.back().end;
        if (one.start > before)
          line.queues[q].idleFor[one.cause] += one.start - before;
        if (intervals.empty() || one.start > before)
          intervals.push_back({one.start, one.released});
        else
          intervals.back().end = std::max(before, one.released);
      }
      for (const Interval &interval : intervals)
        line.queues[q].busy += interval.end - interval.start;
      const Picoseconds last =
          intervals.empty() ? line.launch : intervals.back().end;
      line.queues[q].idleFor[queueCount] = line.end - last;
    }
    for (uint32_t p = 0; p < parts.size(); ++p)
      if (isChain(p))
        addChainWaits(p);
  }

  /// Within a chain each of its engines waits for the other one.
  void addChainWaits(uint32_t part) {
    const Cost &cost = tasks[parts.parts[part].task].cost;
    const Picoseconds kept = keptBy(part);
    const auto wait = [&](Queue queue, Queue other, Picoseconds works) {
      const Picoseconds idle = std::max<Picoseconds>(kept - works, 0);
      line.queues[size_t(queue)].busy -= idle;
      line.queues[size_t(queue)].idleFor[size_t(other)] += idle;
    };
    wait(Queue::Mme, Queue::Tpc, cost.mmeBusy);
    wait(Queue::Tpc, Queue::Mme, cost.tpcBusy);
  }

  /// How long a part keeps its engines.
  Picoseconds keptBy(uint32_t part) const {
    return played.spans[part].released - played.spans[part].start;
  }

  /// Sweeps over all begins and ends of work.
  void addExposedTimes() {
    struct Edge {
      Picoseconds time;
      size_t queue;
      bool begins;
    };
    constexpr size_t chain = queueCount; // a queue of its own
    std::vector<Edge> edges;
    const auto add = [&](size_t queue, Picoseconds start, Picoseconds end) {
      edges.push_back({start, queue, true});
      edges.push_back({end, queue, false});
    };
    for (size_t q = 0; q < queueCount; ++q)
      for (const Interval &interval : busy[q])
        add(q, interval.start, interval.end);
    for (uint32_t p = 0; p < parts.size(); ++p)
      if (isChain(p))
        add(chain, played.spans[p].start, played.spans[p].released);
    // Edges at one time bound spans of length 0, in whatever order.
    std::sort(edges.begin(), edges.end(),
              [](const Edge &a, const Edge &b) { return a.time < b.time; });
    std::array<int, queueCount + 1> works{};
    Picoseconds before = 0, chainsAlone = 0;
    for (const Edge &edge : edges) {
      size_t only = queueCount, count = 0;
      for (size_t q = 0; q < queueCount; ++q)
        if (works[q]) {
          only = q;
          ++count;
        }
      if (count == 1)
        line.queues[only].exposed += edge.time - before;
      if (count == 2 && works[chain])
        chainsAlone += edge.time - before;
      works[edge.queue] += edge.begins ? 1 : -1;
      before = edge.time;
    }
    addExposedInChains(chainsAlone);
  }

  /// Of chains beside which no other engine works: while one of their engines
  /// works and the other does not. What is true of all chains is taken to be
  /// true of these.
  void addExposedInChains(Picoseconds alone) {
    double kept = 0, onlyMme = 0, onlyTpc = 0;
    for (uint32_t p = 0; p < parts.size(); ++p) {
      if (!isChain(p))
        continue;
      const Cost &cost = tasks[parts.parts[p].task].cost;
      const Picoseconds time = keptBy(p);
      kept += double(time);
      onlyMme +=
          double(std::clamp<Picoseconds>(time - cost.tpcBusy, 0, cost.mmeBusy));
      onlyTpc +=
          double(std::clamp<Picoseconds>(time - cost.mmeBusy, 0, cost.tpcBusy));
    }
    if (kept <= 0)
      return;
    const auto share = [&](double part) {
      return Picoseconds(double(alone) * (part / kept));
    };
    line.queues[size_t(Queue::Mme)].exposed += share(onlyMme);
    line.queues[size_t(Queue::Tpc)].exposed += share(onlyTpc);
  }

  /// From the part that ended last back through what each one waited for.
  void addCriticalPath() {
    int32_t part = -1;
    for (uint32_t p = 0; p < parts.size(); ++p)
      if (part < 0 || played.spans[p].end > played.spans[size_t(part)].end)
        part = int32_t(p);
    while (part >= 0) {
      const uint32_t task = parts.parts[size_t(part)].task;
      if (!line.spans[task].isCritical)
        line.criticalPath.push_back(task);
      line.spans[task].isCritical = true;
      const int32_t before = played.spans[size_t(part)].waitedFor;
      assert((before < 0 || played.spans[size_t(before)].start <=
                                played.spans[size_t(part)].start) &&
             "causes come first");
      part = before;
    }
    std::sort(line.criticalPath.begin(), line.criticalPath.end(),
              [&](uint32_t a, uint32_t b) {
                const Picoseconds x = line.spans[a].start,
                                  y = line.spans[b].start;
                return x != y ? x < y : a < b;
              });
  }

  const std::vector<Task> &tasks;
  const Parts &parts;
  const Playback &played;
  const device::DeviceSpec &spec;
  Timeline &line;
  std::array<std::vector<Interval>, queueCount> busy;
};

/// Of a graph, before its first command.
Picoseconds launchTime(const device::DeviceSpec &spec) {
  return Picoseconds(std::llround(spec.launchSeconds * 1e12));
}

} // namespace

std::string_view nameOf(Queue queue) {
  constexpr std::array<std::string_view, queueCount> names = {
      "MME", "TPC", "DMA", "NIC", "host"};
  return names[size_t(queue)];
}

std::string_view nameOf(Wait wait) {
  constexpr std::array<std::string_view, 4> names = {"nothing", "dependency",
                                                     "engine", "dispatch"};
  return names[size_t(wait)];
}

uint32_t enginesOf(Queue queue, const device::DeviceSpec &spec) {
  switch (queue) {
  case Queue::Tpc:
    return spec.tpc.engines;
  case Queue::Dma:
    return std::max(spec.dma.compilerEngines, 1u);
  default:
    return 1; // one group: MMEs work on one product together
  }
}

Timeline play(const std::vector<Task> &tasks, const device::DeviceSpec &spec,
              const PlayOptions &options) {
  Timeline line;
  line.launch = launchTime(spec);
  line.end = line.launch;
  const Parts parts = cutIntoParts(tasks, options.pipelined);
  Playback played = playParts(tasks, parts, spec, line.launch);
  line.bandwidth = std::move(played.bandwidth);
  Summary(tasks, parts, played, spec, line).run();
  return line;
}

} // namespace gaudi::timing
