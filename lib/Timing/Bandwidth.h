// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bandwidth of memory, shared by what runs at once.
#ifndef GAUDI_LIB_TIMING_BANDWIDTH_H
#define GAUDI_LIB_TIMING_BANDWIDTH_H

#include "Gaudi/Timing/Timeline.h"

#include <vector>

namespace gaudi::timing {

/// A part that runs: how much of it is left and how fast it proceeds. At full
/// speed it moves its bytes evenly, at `demand`.
class Stream {
public:
  /// When it ends at its speed.
  Picoseconds end(Picoseconds now) const;
  /// Bytes per second at its speed.
  double readRate() const { return reads * share(); }
  double writeRate() const { return writes * share(); }

private:
  friend class Shares;
  static constexpr uint64_t fullSpeed = uint64_t(1) << 32;
  double share() const { return double(speed) / double(fullSpeed); }

  Picoseconds left = 0, updated = 0; // at full speed; at that time
  uint64_t speed = fullSpeed;        // a fraction in units of 2^-32
  uint64_t hbm = 0, sram = 0;        // demands in bytes per second
  double reads = 0, writes = 0;      // of HBM at full speed
};

/// Divides the bandwidths of HBM and SRAM among streams, max-min fairly: no
/// stream gets more than it asks for, what one leaves the others share equally.
/// Integers only, so that results are the same on every host.
class Shares {
public:
  explicit Shares(const device::DeviceSpec &spec)
      : hbmBandwidth(uint64_t(spec.memory.streamBandwidth.value)),
        sramBandwidth(spec.memory.sramBandwidth) {}

  /// A part of a task that would run for `duration` alone.
  Stream streamOf(const Cost &cost, Picoseconds duration,
                  Picoseconds now) const;

  /// Sets the speeds from `now` on.
  void assign(const std::vector<Stream *> &streams, Picoseconds now);

private:
  /// The most that a stream gets if the demands exceed the bandwidth.
  static uint64_t level(std::vector<uint64_t> &demands, uint64_t bandwidth);

  uint64_t hbmBandwidth, sramBandwidth; // 0: as much as is asked for
  std::vector<uint64_t> demands;        // of level(), kept for its memory
};

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_BANDWIDTH_H
