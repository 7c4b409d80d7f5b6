// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a command takes on a device, and why.
#ifndef GAUDI_TIMING_COST_H
#define GAUDI_TIMING_COST_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Timing/Work.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi::timing {

/// Device time. An integer, so that results are the same on every host; 2^63
/// picoseconds are 106 days.
using Picoseconds = int64_t;

/// What the duration of a command comes from: the largest of its parts.
enum class Bound : uint8_t {
  Array,   // multiply-adds of the matrix engine
  RollUp,  // least cycles of an output tile: the common dimension is short
  Port,    // steps whose operands need more input ports than there are
  Read,    // bytes read from memory
  Write,   // bytes written to memory
  Vector,  // vector instructions of the TPC
  Special, // special functions (exp, log, division, ...)
  Load,    // load slot of the TPC
  Store,   // store slot of the TPC
  Scalar,  // scalar slot of the TPC: addresses, loops
  Latency, // pipelines that fill and drain; chains of a short loop
  Launch,  // starting the command
  Dma      // bandwidth of the DMA engines
};

/// "array", "roll-up", "port-bound step", "read bandwidth", ...
std::string_view nameOf(Bound bound);

/// A duration in its parts. While the command runs, its engine computes, reads
/// and writes at once: alone on the device it takes
///   launch + fill + max(compute, read, write) + drain.
struct Cost {
  Picoseconds launch = 0;  // until the engine begins
  Picoseconds fill = 0;    // first bytes, before it can compute; hidden if the
                           // command before it keeps the engine busy
  Picoseconds compute = 0; // if memory kept up
  Picoseconds read = 0;    // at the bandwidth of an idle memory
  Picoseconds write = 0;
  Picoseconds drain = 0; // last bytes, after it has computed
  /// Bytes that pass the memory's ports: refetches and the grain included.
  uint64_t hbmRead = 0, hbmWritten = 0, sramRead = 0, sramWritten = 0;
  Bound bound = Bound::Launch;
  uint32_t enginesUsed = 1; // of the engines of its kind
  /// A chain (Attention.h) keeps the matrix engine and all TPCs; how long each
  /// of them works in `compute`. 0: the command has one engine.
  Picoseconds mmeBusy = 0, tpcBusy = 0;
  /// Multiply-adds and operations done in `compute`, as a share of what the
  /// engines could do in that time; 0 for movements.
  double utilization = 0;

  Picoseconds total() const;
  bool isChain() const { return tpcBusy > 0; }
};

/// The cost on the device. Every work has one: sizes may be any, also 0.
Cost costOf(const Work &work, const device::DeviceSpec &spec);

/// The same as sentences for a person: the numbers it came from and the bound,
/// for example "4 x 2 tiles of 512 x 256 (2xw) x 1024 cycles; array 5.0 us".
std::string explain(const Work &work, const device::DeviceSpec &spec);

/// Picoseconds of `bytes` at `bandwidth` bytes per second, rounded up. Large
/// bytes do not overflow.
Picoseconds transferTime(uint64_t bytes, double bandwidth);
/// Picoseconds of cycles at a clock, rounded up.
Picoseconds cycleTime(double cycles, uint64_t clockHz);

/// "12.3 us", "1.20 ms", "830 ns".
std::string timeText(Picoseconds time);

} // namespace gaudi::timing

#endif // GAUDI_TIMING_COST_H
