// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC: instructions, the division of work over engines, memory traffic.
//
// docs/device-time.md ("TPC kernels") explains the model with an example.
#ifndef GAUDI_TIMING_TPC_H
#define GAUDI_TIMING_TPC_H

#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Timing/Cost.h"

#include <array>
#include <cstdint>

namespace gaudi::timing {

/// Instructions on one vector. The instruction word has four slots; each
/// starts one instruction per cycle. Loads are those of coefficient tables.
struct SlotCount {
  uint8_t vector = 0, load = 0;
};
SlotCount slotsOf(kernel::Opcode opcode);
/// 1 / x, as divisions compute it.
inline constexpr SlotCount reciprocalSlots = {17, 2};
/// x ^ exponent with a constant exponent.
SlotCount powerSlots(float exponent);

/// An index space divided into equal boxes, one per engine.
struct WorkSplit {
  Dims box; // points of the largest box, per dimension
  uint32_t engines = 1;
};

/// Divides a grid of points as the device does: each order of its dimensions is
/// tried, the given one first, with greatest common divisors and with rounded
/// boxes; the first with the best score wins.
WorkSplit splitIndexSpace(const Dims &grid, uint32_t engines);

/// Sizes of the parts when the dcores share a dimension that is computed in
/// pieces of `granularity`; empty if it cannot be divided so.
Dims splitOverDcores(int64_t size, int64_t granularity, uint32_t dcores);

/// What one access moves for the busiest engine.
struct AccessPlan {
  uint64_t loads = 0;     // instructions of the load (or store) slot
  uint64_t portBytes = 0; // through the engine's memory port
  uint64_t hbmBytes = 0;  // of all engines, refetches and the grain included
  uint64_t refetches = 1; // how often the tensor's data is read
};

/// How a kernel runs on the device.
struct TpcPlan {
  int vectorDim = -1; // of the kernel; -1: every vector holds one element
  /// A recurrence passes that dimension element by element.
  bool hasChain = false;
  WorkSplit split;
  Dims box;            // of the busiest engine, in points of the kernel
  uint64_t points = 0; // of the whole kernel
  /// Instructions of the busiest engine.
  double vector = 0, special = 0, load = 0, store = 0, scalar = 0;
  double idle = 0;   // cycles that wait for results: short loops, chains
  double cycles = 0; // of the busiest engine
  double readPort = 0, writePort = 0; // bytes of the busiest engine
  double laneOps = 0;                 // operations on elements, all engines
  std::vector<AccessPlan> accesses;
};
TpcPlan planOf(const KernelWork &work, const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_TIMING_TPC_H
