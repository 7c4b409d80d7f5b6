// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands with their dependencies, played on the engines of a device.
#ifndef GAUDI_TIMING_TIMELINE_H
#define GAUDI_TIMING_TIMELINE_H

#include "Gaudi/Timing/Cost.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gaudi::timing {

/// The groups of engines that take commands in order. Numbered as in recipes.
enum class Queue : uint8_t { Mme, Tpc, Dma, Nic, Host };
constexpr unsigned queueCount = 5;

/// "MME", "TPC", "DMA", "NIC", "host".
std::string_view nameOf(Queue queue);

/// Slices of a pipelined intermediate that SRAM holds at a time.
constexpr uint32_t pipelineDepth = 3;

/// A command waits for another one that comes before it in program order.
struct Dependency {
  uint32_t task = 0;
  /// Slice i of this task needs only slice i of the other one: the two are
  /// pipelined through SRAM if only tasks of the pipeline stand between them.
  bool sliced = false;
};

/// A command, as the engines see it. One whose cost is that of a chain is in
/// the queue of the MME and keeps all TPCs, too.
struct Task {
  Queue queue = Queue::Tpc;
  Cost cost;
  std::vector<Dependency> dependencies;
  /// Slices into which the compiler may cut it; 1: it may not.
  uint32_t maxSlices = 1;
};

/// What a task waited for before it began.
enum class Wait : uint8_t {
  Nothing,
  Dependency, // a task whose result it reads or whose operand it overwrites
  Engine,     // engines that a task before it keeps busy
  Dispatch    // its own launch, or the tasks before it in the queue
};
/// "nothing", "dependency", "engine", "dispatch".
std::string_view nameOf(Wait wait);

struct Span {
  /// Its engines begin; its last byte has arrived, and dependents may begin.
  Picoseconds start = 0, end = 0;
  /// Its engines are free for the next task: before `end` by the drain.
  Picoseconds released = 0;
  Bound bound = Bound::Launch; // with the bandwidth it really got
  /// Why it did not begin earlier, and the task that ended last before it could
  /// (-1: none). For Dependency that task, for Engine the one before it there.
  Wait wait = Wait::Nothing;
  int32_t waitedFor = -1;
  Picoseconds waited = 0; // engine idle for it
  uint32_t slices = 1;
  uint32_t firstEngine = 0, engines = 1; // of its queue's
  bool isCritical = false;               // on the chain that decides the end
};

/// A time in which engines of a queue work for one task without a break, for
/// drawing: pieces of one engine do not overlap, while the spans of tasks that
/// are pipelined may. A chain has one on each of its kinds of engines.
struct Piece {
  uint32_t task = 0, slice = 0;
  Queue queue = Queue::Tpc;
  Picoseconds start = 0, end = 0;        // begins; engines are free
  uint32_t firstEngine = 0, engines = 1; // of its queue's, modulo their number
};

/// Bytes per second that moved in [time, time of the next sample).
struct BandwidthSample {
  Picoseconds time = 0;
  double hbmRead = 0, hbmWritten = 0;
};

struct QueueTime {
  uint32_t tasks = 0;
  /// At least one of its engines works; of a chain the time that it does.
  Picoseconds busy = 0;
  /// Busy while no other queue is.
  Picoseconds exposed = 0;
  /// Idle between the begin and the end of the timeline, by what the next task
  /// of the queue waited for: a task of queue i. The last is: no task is left.
  std::array<Picoseconds, queueCount + 1> idleFor{};
};

struct Timeline {
  Picoseconds launch = 0;    // of the graph, before the first command
  Picoseconds end = 0;       // includes it
  std::vector<Span> spans;   // one per task
  std::vector<Piece> pieces; // of each task and slice, by start
  std::array<QueueTime, queueCount> queues{};
  std::vector<uint32_t> criticalPath; // tasks, in time order
  std::vector<BandwidthSample> bandwidth;
};

struct PlayOptions {
  bool pipelined = true; // MME and TPC in slices through SRAM
};

/// Engines of a queue that the device has: a task uses some of them.
uint32_t enginesOf(Queue queue, const device::DeviceSpec &spec);

/// Plays the tasks in program order: a queue takes its tasks in that order, a
/// dependency names an earlier task. Deterministic; n log n in tasks and
/// dependencies.
Timeline play(const std::vector<Task> &tasks, const device::DeviceSpec &spec,
              const PlayOptions &options = {});

} // namespace gaudi::timing

#endif // GAUDI_TIMING_TIMELINE_H
