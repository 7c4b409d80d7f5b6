// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians of measurements.
#include "Gaudi/Support/Spread.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gaudi {

static double medianOf(std::vector<double> values) {
  assert(!values.empty() && "no value has no median");
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

Spread spreadOf(std::vector<double> values) {
  Spread spread;
  spread.count = values.size();
  if (values.empty())
    return spread;
  spread.median = medianOf(values);
  spread.smallest = *std::min_element(values.begin(), values.end());
  spread.largest = *std::max_element(values.begin(), values.end());
  for (double &value : values)
    value = std::fabs(value - spread.median);
  spread.deviation = medianOf(std::move(values));
  return spread;
}

} // namespace gaudi
