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

class Summary {
public:
  Summary(const std::vector<Task> &tasks, const Parts &parts,
          const Playback &played, Timeline &line)
      : tasks(tasks), parts(parts), played(played), line(line) {}

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
      line.pieces.push_back({parts.parts[p].task, parts.parts[p].slice,
                             span.start, span.released, span.firstEngine,
                             span.engines});
    }
    std::sort(line.pieces.begin(), line.pieces.end(),
              [](const Piece &a, const Piece &b) {
                return std::tie(a.start, a.task, a.slice) <
                       std::tie(b.start, b.task, b.slice);
              });
    for (const Task &task : tasks)
      ++line.queues[size_t(task.queue)].tasks;
  }

  size_t queueOf(uint32_t part) const {
    return size_t(tasks[parts.parts[part].task].queue);
  }

  /// The union of the pieces of each queue, and why there are gaps. Parts of a
  /// queue begin in order, so that the next part after a gap made it.
  void addBusyTimes() {
    for (uint32_t p = 0; p < parts.size(); ++p) {
      const PartSpan &span = played.spans[p];
      const size_t q = queueOf(p);
      std::vector<Interval> &intervals = busy[q];
      const Picoseconds before =
          intervals.empty() ? line.launch : intervals.back().end;
      if (span.start > before) {
        size_t cause = q;
        if (span.wait == Wait::Dependency)
          cause = queueOf(uint32_t(span.waitedFor));
        line.queues[q].idleFor[cause] += span.start - before;
      }
      if (intervals.empty() || span.start > before)
        intervals.push_back({span.start, span.released});
      else
        intervals.back().end = std::max(before, span.released);
    }
    for (size_t q = 0; q < queueCount; ++q) {
      for (const Interval &interval : busy[q])
        line.queues[q].busy += interval.end - interval.start;
      const Picoseconds last =
          busy[q].empty() ? line.launch : busy[q].back().end;
      line.queues[q].idleFor[queueCount] = line.end - last;
    }
  }

  /// Sweeps over all begins and ends of work.
  void addExposedTimes() {
    struct Edge {
      Picoseconds time;
      size_t queue;
      bool begins;
    };
    std::vector<Edge> edges;
    for (size_t q = 0; q < queueCount; ++q)
      for (const Interval &interval : busy[q]) {
        edges.push_back({interval.start, q, true});
        edges.push_back({interval.end, q, false});
      }
    // Edges at one time bound spans of length 0, in whatever order.
    std::sort(edges.begin(), edges.end(),
              [](const Edge &a, const Edge &b) { return a.time < b.time; });
    std::array<int, queueCount> works{};
    Picoseconds before = 0;
    for (const Edge &edge : edges) {
      size_t only = queueCount, count = 0;
      for (size_t q = 0; q < queueCount; ++q)
        if (works[q]) {
          only = q;
          ++count;
        }
      if (count == 1)
        line.queues[only].exposed += edge.time - before;
      works[edge.queue] += edge.begins ? 1 : -1;
      before = edge.time;
    }
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
      assert(played.spans[size_t(part)].waitedFor < part);
      part = played.spans[size_t(part)].waitedFor;
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
  Summary(tasks, parts, played, line).run();
  return line;
}

} // namespace gaudi::timing
