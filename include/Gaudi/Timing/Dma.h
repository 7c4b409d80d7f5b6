// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The DMA engines: bytes, bandwidths, descriptors.
#ifndef GAUDI_TIMING_DMA_H
#define GAUDI_TIMING_DMA_H

#include "Gaudi/Timing/Cost.h"

namespace gaudi::timing {

/// What a movement asks of the DMA engines.
struct DmaTraffic {
  double in = 0, out = 0; // bytes through their ports, whole lines
  double hbm = 0, sram = 0;
};
/// Lines per row where rows are apart or change order; a source that is
/// broadcast counts as often as it is written. No source: a fill.
DmaTraffic dmaTraffic(const Operand *source, const Operand &target,
                      const device::DeviceSpec &spec);

/// The graph compiler's model: the slowest of memories and ports, all engines
/// at full bandwidth, without overhead.
Picoseconds dmaTime(const DmaTraffic &traffic, const device::DeviceSpec &spec);

/// The ports' share of it by waves: every engine takes a descriptor at a time,
/// the last wave lasts as long as one descriptor on one engine.
struct DmaWaves {
  uint64_t descriptors = 0, waves = 0;
  double descriptorBytes = 0;
  Picoseconds time = 0;
};
DmaWaves dmaWaves(const DmaTraffic &traffic, const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_TIMING_DMA_H
