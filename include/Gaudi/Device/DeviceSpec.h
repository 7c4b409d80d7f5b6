// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every hardware number of the emulated devices: one table, nothing elsewhere.
//
// The numbers are those the Synapse graph compiler uses (its hardware
// abstraction layer `hal_reader` per device, the MME's "brain" geometry tables
// and the published device specifications). Bytes are bytes, MiB/GiB binary,
// bandwidths bytes per second, clocks Hz. Gaudi 3 numbers are of the full
// chip (two dies). Code that needs to know a device asks this class; it never
// compares names.
#ifndef GAUDI_DEVICE_DEVICESPEC_H
#define GAUDI_DEVICE_DEVICESPEC_H

#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi::device {

using DType = kernel::ElementType;

/// A set of element types.
class DTypeSet {
public:
  constexpr DTypeSet() = default;
  template <typename... Types> static constexpr DTypeSet of(Types... types) {
    DTypeSet set;
    set.bits = (0u | ... | (1u << unsigned(types)));
    return set;
  }
  constexpr bool contains(DType type) const {
    return bits >> unsigned(type) & 1;
  }
  constexpr DTypeSet operator|(DTypeSet other) const {
    DTypeSet set;
    set.bits = bits | other.bits;
    return set;
  }

private:
  uint32_t bits = 0;
};

/// How sure a constant of the time model is.
enum class Certainty : uint8_t {
  Measured,  // fitted to times of the real chip, or read from its traces
  Published, // stated by the vendor's software or data sheet
  Estimated  // carried over from another generation, or reasoned
};

/// "measured", "published", "estimated".
std::string_view nameOf(Certainty certainty);

/// A constant of the time model: what no data sheet of the engine's arithmetic
/// gives. Its unit stands at the member that holds it.
struct Constant {
  double value = 0;
  Certainty certainty = Certainty::Estimated;
  std::string_view source; // where the value is from, for a person

  constexpr operator double() const { return value; }
};

/// The engine that does a movement op on a device.
enum class MoveEngine : uint8_t { MME, TPC, DMA };

/// An output tile of the whole chip's MMEs, in elements: `width` runs along
/// the result's fastest dimension (FCD), `height` along the others.
struct MmeGeometry {
  std::string_view name; // "4xw", "2xw", "2xh", "4xh"
  uint32_t width;
  uint32_t height;
};

/// How the matrix engines are built.
enum class MmeArray : uint8_t {
  Tiles,       // Gaudi: four square arrays, smaller for f32
  PortedCores, // Gaudi 2: two cores per engine, ten ports on eight buffers
  WholeEngines // Gaudi 3: an engine is one core
};

/// What silicon adds to the matrix engine's cycle model. docs/device-time.md
/// says what each means and how it was fitted.
struct MmeSilicon {
  /// Time of the array relative to the cycle model's (1: as counted).
  Constant slowdown;
  /// Clock of the cycle model over the one that the engine keeps while it
  /// multiplies: power and temperature.
  Constant throttle;
  /// Bytes per second: operands from HBM, results to it.
  Constant readBandwidth, writeBandwidth;
  /// Seconds that handing a slice of an operand to the array costs.
  Constant handover;
  /// Bytes of SRAM in which operands wait; two successive products share it.
  Constant operandMemory;
  /// Seconds until the queue has set up a product, while the one before works.
  Constant dispatch;
};

/// Matrix engine. The cycle model counts one element of the common dimension
/// per cycle for every output of the tile, times `cyclesPerElement`.
struct MmeSpec {
  MmeArray array;
  uint32_t engines; // masters that take commands
  uint32_t coresPerEngine;
  uint64_t clockHz;   // the clock the cycle model divides by
  uint32_t minCycles; // least cycles of a tile ("rollup")
  uint32_t geometryCount;
  std::array<MmeGeometry, 4> geometries; // bf16
  uint32_t fp32GeometryDivisor;          // tile edge of f32 = bf16 edge / this
  uint32_t macsPerCycleBF16;
  uint32_t accumulators;
  uint32_t streamBufferLines; // of 128 bytes
  uint32_t maxReuseSteps;
  uint64_t portBandwidth; // bytes/s of one port
  uint32_t maxRank;
  uint32_t maxSpatialDims;
  DTypeSet types;

  /// Cycles per element of the common dimension relative to bf16, from the
  /// minimal common dimension per step (Gaudi 3: f16 4x, f32 8x; Gaudi 2: f32
  /// 4x, f8 runs two elements per cycle, returned as 0.5). Gaudi computes f32
  /// with the smaller tile instead, so 1.
  double cyclesPerElement(DType type) const;
  /// Outputs that all arrays sum at once.
  uint32_t outputsAtOnce(DType type) const;
  /// Multiply-adds per second of operands of a type, at the model's clock.
  double macsPerSecond(DType type) const;

  double f8Cycles, f16Cycles, f32Cycles;

  MmeSilicon silicon;
};

/// What the time of a TPC kernel depends on beside the number of instructions.
struct TpcSilicon {
  /// Bytes of an engine's vector memory, and what the tables of special
  /// functions leave of it.
  Constant localMemory, localMemoryBesideTables;
  /// Bytes per cycle between an engine and global memory, read and written
  /// each.
  Constant portBytes;
  /// Cycles until a result can be used.
  Constant latency;
  /// Seconds of a kernel that computes next to nothing: until the scalar pipe
  /// has set up its loops, until the vector pipe is through with the first
  /// data, and until the message of completion has arrived.
  Constant start, firstData, completion;
};

struct TpcSpec {
  uint32_t engines;
  uint32_t vectorBytes;
  uint64_t clockHz;
  uint64_t instructionCacheBytes;
  uint32_t maxIndexSpaceRank;
  uint32_t maxTensorsPerKernel;
  uint32_t maxScalarParams;
  bool splitsByDcore; // an index space is first divided over the dcores

  TpcSilicon silicon;
};

struct DmaSpec {
  uint32_t engines;         // on the chip
  uint32_t compilerEngines; // given to the graph compiler; 0: it uses none
  uint64_t bandwidth;       // bytes/s of the compiler's engines; 0: none
  Constant overhead;        // seconds per command; memset takes half
  Constant descriptor;      // bytes that one engine moves at a time
};

struct MemorySpec {
  uint64_t cacheLineBytes;
  uint64_t addressAlignment;
  uint64_t sramBytes; // Gaudi 3: capacity of the cache
  bool sramIsCache;
  uint64_t sramBandwidth;
  /// HBM of the card. Gaudi 3's compiler sees 256 TB of virtual addresses;
  /// here it is the 128 GiB that the card has.
  uint64_t dramBytes;
  uint64_t dramBandwidth;
  /// Bytes per second that vector and DMA engines read and write together: in
  /// streams, and in lines of a random order (gathers, scatters).
  Constant streamBandwidth, gatherBandwidth;
};

/// The link to the host's memory.
struct HostLinkSpec {
  Constant up, down;    // bytes/s to the card and from it, each alone
  Constant copyLatency; // seconds per copy
};

struct DeviceSpec {
  std::string_view name;
  uint32_t generation; // 1, 2, 3: for printing
  uint32_t dcores;
  uint64_t compilerClockHz; // the graph compiler's general clock
  Constant launchSeconds;   // of a graph, before its first command
  MemorySpec memory;
  MmeSpec mme;
  TpcSpec tpc;
  DmaSpec dma;
  HostLinkSpec hostLink;
  MoveEngine transposeEngine;
  MoveEngine broadcastEngine;
  MoveEngine memcpyEngine;
  MoveEngine memsetEngine;
  DTypeSet transposeTypes; // on the transpose engine; others run on the TPC
  DTypeSet tensorTypes;
  uint32_t maxRank; // of a tensor
  uint32_t nicEngines;
  uint32_t rotators;

  /// Multiply-adds of bf16 per second on all MMEs, times 2.
  double peakFlopsBF16() const;

  /// "gaudi", "gaudi2" or "gaudi3"; the error lists the valid names.
  static Result<const DeviceSpec *> lookup(std::string_view name);
  static const std::array<DeviceSpec, 3> &all();
};

} // namespace gaudi::device

#endif // GAUDI_DEVICE_DEVICESPEC_H
