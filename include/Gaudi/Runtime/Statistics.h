// What a loaded recipe holds and what a launch did, in numbers.
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

/// Device memory in bytes. `planned` is what the sections of the recipe ask
/// for; `measured` is what the launches so far reached: persistent and const
/// sections plus, per workspace section, the end of the last byte touched.
struct MemoryStats {
  uint64_t persistent = 0;
  uint64_t constants = 0;
  uint64_t workspace = 0;
  uint64_t capacity = 0;     // size of the device memory
  uint64_t measuredPeak = 0; // 0 before the first launch
  uint64_t hostScratch = 0;  // emulation only: packed weights, conversions
  uint64_t hostMapped = 0; // packed weights in cache files, not in hostScratch
  uint64_t hostShared = 0; // those of another recipe of this process

  uint64_t plannedPeak() const { return persistent + constants + workspace; }
};

/// Where the code of the TPC kernels of a recipe came from.
struct KernelStats {
  unsigned kernels = 0; // different ones
  unsigned fromCache = 0;
  unsigned compiled = 0; // because the cache did not have them
  double lookupMilliseconds = 0;
  double compileMilliseconds = 0; // opening the code generator included
  std::string cacheDirectory;     // empty: no cache
  std::string cacheNote;          // why it could not be used; may be empty
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
  std::string cacheNote;      // why it could not be used; may be empty
  bool notes = false;         // about this file can be kept beside them
};

/// One launch.
struct RunStats {
  double milliseconds = 0;
  /// Filled when LoadOptions::timing is set.
  std::array<double, engineCount> engineMilliseconds{};
  std::vector<double> commandMilliseconds;
};

/// One command, for reports.
struct CommandInfo {
  std::string name;
  std::string location;
  unsigned engine = 0;
  uint64_t flops = 0;
  uint64_t bytes = 0;
  /// How it runs on the host, for example "onednn:brgemm:avx512_core_bf16" or
  /// "jit:lanes16"; tells apart slow fallbacks ("onednn:ref:any").
  std::string implementation;
  /// The matrix command on whose tiles this one runs, if it has no time of its
  /// own.
  std::optional<uint32_t> within;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_STATISTICS_H
