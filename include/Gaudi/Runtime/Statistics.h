// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded recipe holds and what a launch did, in numbers.
//
// All times are host times: how long the emulation took on this host's
// processor. They say nothing about the time on the device.
#ifndef GAUDI_RUNTIME_STATISTICS_H
#define GAUDI_RUNTIME_STATISTICS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// Number of engines in recipe::Engine: MME, TPC, DMA, NIC, Host.
constexpr unsigned engineCount = 5;

/// "MME", "TPC", "DMA", "NIC", "host".
const char *engineName(unsigned engine);

/// Device memory in bytes. Planned: the sizes of the recipe's sections.
/// Measured: what the launches so far reached, that is persistent and const
/// sections plus, per workspace section, the end of the last byte touched.
struct MemoryStats {
  uint64_t persistent = 0;
  uint64_t constants = 0;
  uint64_t workspace = 0;
  uint64_t capacity = 0;     // size of the device memory
  uint64_t measuredPeak = 0; // 0 before the first launch
  uint64_t bound = 0; // of `persistent`: inputs where the caller has them
  /// Commands that launches ran under LoadOptions::checkMemory.
  uint64_t checkedCommands = 0;
  // Memory of the emulation, not of the device.
  uint64_t hostScratch = 0; // packed constants, conversions, sorted lines
  uint64_t hostMapped = 0;  // packed constants mapped from cache files
  uint64_t hostShared = 0;  // packed constants of another recipe of the process

  uint64_t plannedPeak() const { return persistent + constants + workspace; }
};

/// Where the code of the TPC kernels of a recipe came from.
struct KernelStats {
  unsigned kernels = 0;   // different ones
  unsigned fromCache = 0; // cache hits
  unsigned shared = 0;    // of other recipes (LoadOptions::sharesKernels)
  unsigned compiled = 0;  // cache misses
  double lookupMilliseconds = 0;
  double compileMilliseconds = 0; // including opening the code generator
  std::string cacheDirectory;     // empty: no cache
  std::string cacheNote;          // the cache's first problem; may be empty
};

/// Where the packed constants of matrix commands came from.
struct PanelStats {
  unsigned constants = 0; // different ones
  unsigned mapped = 0;    // from the cache
  unsigned shared = 0;    // those of another recipe of this process
  unsigned packed = 0;    // from the recipe
  uint64_t mappedBytes = 0, sharedBytes = 0, packedBytes = 0;
  double milliseconds = 0;
  std::string cacheDirectory; // empty: no cache
  std::string cacheNote;      // the cache's first problem; may be empty
  bool hasRecord = false;     // a validation record of this file is kept
};

/// Which kernels of the matrix engine this host gets, by its processor.
struct HostKernels {
  std::string family; // of processors; empty: the recipe has no matrix commands
  std::string reason;
  struct Kernel {
    std::string operands; // "bf16"
    std::string name;     // empty: no micro kernel
  };
  std::vector<Kernel> kernels;
  std::vector<std::string> notes; // kernels of the family that are not used
};

/// Host times of one launch.
struct RunStats {
  double milliseconds = 0;
  /// Of the loops of the entry's program, all together.
  uint64_t iterations = 0;
  /// Zero unless the launch was timed (Executable::setTiming).
  std::array<double, engineCount> engineMilliseconds{};
  /// Empty unless the launch was timed.
  std::vector<double> commandMilliseconds;
};

/// The median over launches of one entry of each number: of `milliseconds` over
/// all launches, of engines and commands over those that were timed. Medians
/// are taken one by one, so those of the engines need not add up to the whole.
RunStats medianOf(const std::vector<RunStats> &launches);

/// One command, for reports.
struct CommandInfo {
  std::string name;
  std::string location;
  unsigned engine = 0;
  uint64_t flops = 0;
  uint64_t bytes = 0;
  /// How it runs on the host, for example "tile:avx2:6x16:f32, packed once" or
  /// "jit:lanes16".
  std::string implementation;
  /// The matrix command that this one is fused into; it then has no time of its
  /// own.
  std::optional<uint32_t> within;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_STATISTICS_H
