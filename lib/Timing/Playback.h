// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tasks, played on the engines event by event.
#ifndef GAUDI_LIB_TIMING_PLAYBACK_H
#define GAUDI_LIB_TIMING_PLAYBACK_H

#include "Parts.h"

#include <vector>

namespace gaudi::timing {

/// When a part ran and what kept it from running earlier.
struct PartSpan {
  /// As in Span.
  Picoseconds start = 0, released = 0, end = 0;
  Picoseconds running = 0; // from the first operation to the last
  Picoseconds idle = 0;    // of its engines before it
  Wait wait = Wait::Nothing;
  int32_t waitedFor = -1; // a part
  uint32_t firstEngine = 0, engines = 1;
};

struct Playback {
  std::vector<PartSpan> spans; // of each part
  std::vector<BandwidthSample> bandwidth;
};

/// Plays parts from `launch` on. Time goes from event to event: a part begins,
/// has its first bytes, or is done. Between events each running part proceeds
/// at one speed, which its share of the bandwidth sets.
Playback playParts(const std::vector<Task> &tasks, const Parts &parts,
                   const device::DeviceSpec &spec, Picoseconds launch);

/// The sum; times end at 2^62.
Picoseconds sumOf(Picoseconds a, Picoseconds b);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_PLAYBACK_H
