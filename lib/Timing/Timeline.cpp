// Plays tasks in order.
#include "Gaudi/Timing/Timeline.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {

Timeline play(const std::vector<Task> &tasks, const device::DeviceSpec &,
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
    span.end = span.start + task.cost.total();
    span.bound = task.cost.bound;
    free[size_t(task.queue)] = span.end;
    QueueTime &queue = line.queues[size_t(task.queue)];
    ++queue.tasks;
    queue.busy += span.end - span.start;
    line.end = std::max(line.end, span.end);
    line.spans.push_back(span);
  }
  return line;
}

} // namespace gaudi::timing
