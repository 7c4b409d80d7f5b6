// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run prints at its end.
#ifndef GAUDI_RUN_RESULTS_H
#define GAUDI_RUN_RESULTS_H

#include "Options.h"
#include "Report.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

struct Results {
  const Options &options;
  const Report &report;
  const std::vector<recipe::HostTensor> &outputs;
  /// Of each output; those with a file are not printed.
  const std::vector<std::optional<std::string>> &outputFiles;
  const std::string &numerics; ///< what --check-numerics compared, or ""
};

/// Outputs, report and checks that passed on standard output; warnings and
/// checks that failed on standard error.
void printResults(const Results &results, Exit code);

} // namespace gaudi::run

#endif // GAUDI_RUN_RESULTS_H
