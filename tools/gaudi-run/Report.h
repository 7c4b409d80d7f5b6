// What --report prints.
#ifndef GAUDI_RUN_REPORT_H
#define GAUDI_RUN_REPORT_H

#include "Buffers.h"
#include "Compare.h"
#include "Gaudi/Runtime/Statistics.h"
#include "HostTensor.h"

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// Times of several launches, in milliseconds.
struct Spread {
  size_t count = 0;
  double median = 0, smallest = 0, largest = 0;
  double deviation = 0; ///< median absolute deviation from the median
};
Spread spreadOf(std::vector<double> milliseconds);
/// "12.3", "1.234", "0.002150".
std::string milliseconds(double value);
/// "12.3 ms (median of 10; min 12.1, max 13.0, MAD 0.1)".
std::string text(const Spread &spread);

/// What the emulated device did; absent when only the reference was evaluated.
struct DeviceReport {
  std::string target, producer;
  uint64_t recipeBytes = 0;
  FileShares shares;
  unsigned threads = 0;
  double loadMilliseconds = 0;
  std::vector<double> launches;
  std::array<double, runtime::engineCount>
      engineMilliseconds{}; ///< of the last launch
  runtime::MemoryStats memory;
  runtime::KernelStats kernels;
  runtime::PanelStats panels;
  std::vector<runtime::CommandInfo> commands;
  std::vector<double> commandMilliseconds; ///< of the last launch; may be empty
  std::vector<Buffer> largestBuffers;
};

struct Report {
  std::string file;
  std::string entry;
  std::optional<double> readMilliseconds; ///< file and compiler library
  std::optional<double> parseMilliseconds;
  std::optional<double> compileMilliseconds; ///< parsed model to recipe
  std::optional<double> referenceMilliseconds;
  std::optional<DeviceReport> device;
  std::vector<Comparison> comparisons;
};

void printText(std::ostream &out, const Report &report);
/// One JSON object; `outputs` appear with their first `elements` elements.
void printJson(std::ostream &out, const Report &report,
               const std::vector<HostTensor> &outputs, uint32_t elements);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPORT_H
