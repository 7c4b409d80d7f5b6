// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of records as text, and their sums.
#ifndef GAUDI_LIB_SUPPORT_COUNTTEXTS_H
#define GAUDI_LIB_SUPPORT_COUNTTEXTS_H

#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <limits>

namespace gaudi {

/// Adds, or takes the number nearest to the sum: recipes may give any number.
template <typename T> void addSaturated(T &sum, T value) {
  sum = checkedAdd(sum, value)
            .value_or(value < 0 ? std::numeric_limits<T>::min()
                                : std::numeric_limits<T>::max());
}

inline std::string bytesText(int64_t bytes) {
  return humanBytes(uint64_t(std::max<int64_t>(bytes, 0)));
}

inline std::string picosecondsText(int64_t time) {
  return timeText(double(time) / 1e9);
}

} // namespace gaudi

#endif // GAUDI_LIB_SUPPORT_COUNTTEXTS_H
