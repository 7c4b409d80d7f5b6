// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --report prints.
#ifndef GAUDI_RUN_REPORT_H
#define GAUDI_RUN_REPORT_H

#include "Gaudi/Analysis/Compare.h"
#include "Gaudi/Analysis/Finite.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Prediction/Remark.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Support/Spread.h"
#include "Options.h"

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// "12.3 ms (median of 10; min 12.1 ms, max 13.0 ms, MAD 102 us)".
std::string text(const Spread &spread);

/// The share of the file for each purpose, in bytes.
struct FileShares {
  uint64_t metadata = 0, constants = 0;
};

/// A tensor that the device has in another order than its caller.
struct PermutedTensor {
  std::string kind; ///< "input" or "output"
  std::string name;
  recipe::TensorType type; ///< the caller's
  std::vector<uint8_t> order;
  double milliseconds = 0; ///< to copy it in or out, outside the launch
};

/// Launches that one variant was chosen for.
struct VariantHits {
  std::string sizes; ///< "batch 8, seq 64"
  uint64_t launches = 0;
  double real = 0, padded = 0; ///< products of sizes, over all launches
  int64_t picoseconds = -1;    ///< predicted, of a launch; -1: unknown
};

/// A variant that launches had compiled because no other takes them.
struct CompiledVariant {
  std::string reason;      ///< "seq 30 exceeds the largest bucket 8; ..."
  std::string bucket;      ///< "seq=32"
  double milliseconds = 0; ///< of the host
  std::string text() const;
};

/// What the emulated device did. All times are those of the host but for the
/// prediction, which has those of the card.
struct DeviceReport {
  std::string target, producer;
  std::vector<std::string> entries;   ///< of the recipe, without parts
  std::optional<uint64_t> iterations; ///< of the last launch, if it has loops
  uint64_t recipeBytes = 0;
  FileShares shares;
  unsigned threads = 0;
  double loadMilliseconds = 0;
  std::vector<double> launches;
  std::vector<double> cpuTimes; ///< of all threads in each of them
  size_t profiles = 0;          ///< launches with a time for each command
  /// Medians over those launches; commandMilliseconds is empty if there are
  /// none.
  std::array<double, runtime::engineCount> engineMilliseconds{};
  std::vector<double> commandMilliseconds;
  uint64_t stateBytes = 0;     ///< of the persistent ones
  uint64_t capacity = 0;       ///< of the card, in bytes
  runtime::MemoryStats memory; ///< its capacity is what the host emulates
  bool isLimited = false;      ///< that is --device-memory
  runtime::KernelStats kernels;
  runtime::PanelStats panels;
  runtime::HostKernels hostKernels;
  std::vector<runtime::CommandInfo> commands;
  std::vector<PermutedTensor> permuted;
  std::string sizes;                         ///< of the launches; empty: static
  std::optional<CompiledVariant> recompiled; ///< for them
  std::vector<VariantHits> variants;         ///< of the entry
  prediction::Prediction prediction;
  /// Of each of `commands`, its number in the prediction.
  std::vector<uint32_t> predicted;
};

/// The predicted time of a command on the card.
timing::Picoseconds predictedTime(const DeviceReport &device, size_t command);

/// The values of the output of --loss, step by step.
struct LossCurve {
  std::string output;
  std::vector<double> values;
};

/// The share of one engine.
struct EngineSum {
  uint64_t commands = 0;
  uint64_t within = 0; ///< of them, in the tiles of a matrix command
  uint64_t flops = 0, bytes = 0;
};
EngineSum sumOf(const DeviceReport &device, unsigned engine);

struct Report {
  std::string file;
  std::string entry;
  std::optional<double> readMilliseconds; ///< file and compiler library
  std::optional<double> parseMilliseconds;
  std::optional<double> compileMilliseconds; ///< parsed model to recipe
  std::optional<double> referenceMilliseconds;
  std::optional<DeviceReport> device; ///< none under --reference
  std::vector<analysis::Comparison> comparisons;
  std::optional<analysis::FiniteCheck> finite;
  std::optional<LossCurve> loss;
  RemarkLevel remarkLevel = RemarkLevel::None;
  std::vector<prediction::Remark> remarks; ///< of the passes, if asked for
};

void printText(std::ostream &out, const Report &report);
/// One JSON object; `outputs` appear with their first `elements` elements.
void printJson(const Report &report,
               const std::vector<recipe::HostTensor> &outputs,
               uint32_t elements);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPORT_H
