// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and medians for reports.
#include "Gaudi/Runtime/Statistics.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

const char *engineName(unsigned engine) {
  static const char *const names[engineCount] = {"MME", "TPC", "DMA", "NIC",
                                                 "host"};
  return engine < engineCount ? names[engine] : "?";
}

/// 0 for no values; the mean of the two middle ones of an even number.
static double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + int64_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

RunStats medianOf(const std::vector<RunStats> &launches) {
  std::vector<const RunStats *> timed;
  std::vector<double> values;
  for (const RunStats &launch : launches) {
    values.push_back(launch.milliseconds);
    if (!launch.commandMilliseconds.empty())
      timed.push_back(&launch);
  }
  // Launches that were not timed by command have no such numbers.
  auto overTimed = [&](auto number) {
    values.clear();
    for (const RunStats *launch : timed)
      values.push_back(number(*launch));
    return medianOf(values);
  };
  RunStats median;
  median.milliseconds = medianOf(values);
  if (timed.empty())
    return median;
  for (unsigned engine = 0; engine < engineCount; ++engine)
    median.engineMilliseconds[engine] = overTimed([&](const RunStats &launch) {
      return launch.engineMilliseconds[engine];
    });
  median.commandMilliseconds.resize(timed[0]->commandMilliseconds.size());
  for (size_t c = 0; c < median.commandMilliseconds.size(); ++c)
    median.commandMilliseconds[c] = overTimed([&](const RunStats &launch) {
      assert(launch.commandMilliseconds.size() ==
                 median.commandMilliseconds.size() &&
             "launches of one entry");
      return launch.commandMilliseconds[c];
    });
  return median;
}

} // namespace gaudi::runtime
