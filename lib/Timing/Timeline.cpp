// Plays tasks in order.
#include "Gaudi/Timing/Timeline.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {

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
              const PlayOptions &) {
  Timeline line;
  line.spans.reserve(tasks.size());
  std::array<Picoseconds, queueCount> free{};
  for (const Task &task : tasks) {
    Span span;
    span.start = free[size_t(task.queue)];
    for (const Dependency &dependency : task.dependencies) {
      assert(dependency.task < line.spans.size() && "names an earlier task");
      span.start = std::max(span.start, line.spans[dependency.task].end);
    }
    span.end = span.released = span.start + task.cost.total();
    span.bound = task.cost.bound;
    span.engines = enginesOf(task.queue, spec);
    free[size_t(task.queue)] = span.end;
    QueueTime &queue = line.queues[size_t(task.queue)];
    ++queue.tasks;
    queue.busy += span.end - span.start;
    line.end = std::max(line.end, span.end);
    line.pieces.push_back({uint32_t(line.spans.size()), 0, span.start, span.end,
                           0, span.engines});
    line.spans.push_back(span);
  }
  return line;
}

} // namespace gaudi::timing
