// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether sums hold a NaN, in vectors of any host.
#ifndef GAUDI_LIB_RUNTIME_MME_TILES_NANSEARCH_H
#define GAUDI_LIB_RUNTIME_MME_TILES_NANSEARCH_H

#include <cassert>
#include <cmath>
#include <cstdint>

namespace gaudi::runtime {

/// Whether one of `count` values of `rows` rows is NaN. Values after those are
/// not read: a row may end where the memory does.
inline bool holdNan(const float *values, int64_t rows, int64_t rowStride,
                    int64_t count) {
  assert(rows > 0 && count > 0 && "nothing to search");
  // One comparison for two values. The bits found stay in registers while all
  // rows pass, so these are joined once for the block.
  constexpr int64_t half = 8, group = 2 * half;
  uint32_t found[half] = {};
  const auto search = [&](int64_t first) {
    for (int64_t r = 0; r < rows; ++r) {
      const float *row = values + r * rowStride + first;
      for (int64_t i = 0; i < half; ++i)
        found[i] |= std::isunordered(row[i], row[half + i]) ? ~0u : 0u;
    }
  };
  bool any = false;
  if (count < group) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < count; ++i)
        any |= std::isnan(values[r * rowStride + i]);
    return any;
  }
  for (int64_t first = 0; first + group <= count; first += group)
    search(first);
  // The last values together with some that were seen.
  if (count % group)
    search(count - group);
  for (uint32_t bits : found)
    any |= bits != 0;
  return any;
}

} // namespace gaudi::runtime

#endif
