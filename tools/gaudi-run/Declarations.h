// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of gaudi-run as the command line and --help have them.
#ifndef GAUDI_RUN_DECLARATIONS_H
#define GAUDI_RUN_DECLARATIONS_H

#include "Options.h"

#include <cstdint>
#include <string>

// CLI11's own namespace. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
} // namespace CLI

namespace gaudi::run {

/// Options that CLI11 stores as text or numbers and parseOptions turns into
/// Options.
struct RawOptions {
  std::string device, devices, deviceMemory, memoryBudget, report, cache,
      panelCache, sizes, bucketCurve, remarks, bisect, colors, dumpGraphs;
  uint32_t seed = 0;
  double atol = 0, rtol = 0;
  std::string replaySlowerThan;
};

/// Declares all options; parsing fills `options` and `raw`.
void declare(CLI::App &app, Options &options, RawOptions &raw);

} // namespace gaudi::run

#endif // GAUDI_RUN_DECLARATIONS_H
