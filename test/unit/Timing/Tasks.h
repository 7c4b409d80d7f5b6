// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks and a device with round numbers, for timelines computed by hand.
#ifndef GAUDI_TEST_TIMING_TASKS_H
#define GAUDI_TEST_TIMING_TASKS_H

#include "Gaudi/Timing/Timeline.h"

#include <initializer_list>

namespace gaudi::timing {

/// 4 TPCs, HBM of 1000 bytes per microsecond, a launch of nothing.
inline device::DeviceSpec roundDevice() {
  device::DeviceSpec spec = device::DeviceSpec::all()[1];
  spec.launchSeconds.value = 0;
  spec.memory.streamBandwidth.value = 1e9;
  spec.memory.sramBandwidth = 0;
  spec.tpc.engines = 4;
  return spec;
}

constexpr Picoseconds us = 1000000;

/// Runs for some microseconds and waits for tasks.
inline Task task(Queue queue, int64_t microseconds,
                 std::initializer_list<uint32_t> dependencies = {}) {
  Task task;
  task.queue = queue;
  task.cost.compute = microseconds * us;
  task.cost.bound = Bound::Array;
  task.cost.enginesUsed = 1000;
  for (uint32_t dependency : dependencies)
    task.dependencies.push_back({dependency, false});
  return task;
}

/// The same, reading bytes meanwhile.
inline Task reader(Queue queue, int64_t microseconds, uint64_t bytes,
                   std::initializer_list<uint32_t> dependencies = {}) {
  Task result = task(queue, microseconds, dependencies);
  result.cost.hbmRead = bytes;
  return result;
}

} // namespace gaudi::timing

#endif // GAUDI_TEST_TIMING_TASKS_H
