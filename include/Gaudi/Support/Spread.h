// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The middle of several measurements, and how far they are apart.
#ifndef GAUDI_SUPPORT_SPREAD_H
#define GAUDI_SUPPORT_SPREAD_H

#include <cstddef>
#include <vector>

namespace gaudi {

struct Spread {
  size_t count = 0; ///< 0: all others are 0
  double median = 0, smallest = 0, largest = 0;
  double deviation = 0; ///< median absolute deviation from the median
};
Spread spreadOf(std::vector<double> values);

} // namespace gaudi

#endif // GAUDI_SUPPORT_SPREAD_H
