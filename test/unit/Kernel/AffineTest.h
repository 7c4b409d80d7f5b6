// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of affine forms share: random forms and all points of a space.
#ifndef GAUDI_TEST_UNIT_KERNEL_AFFINETEST_H
#define GAUDI_TEST_UNIT_KERNEL_AFFINETEST_H

#include "Gaudi/Kernel/Affine.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace gaudi::kernel::test {

using Dims = std::vector<int64_t>;
using Forms = std::vector<Affine>;

inline constexpr int64_t least = std::numeric_limits<int64_t>::min();
inline constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

class AffineTest : public testing::Test {
protected:
  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  Dims space(unsigned dims, int64_t most = 4) {
    Dims extents;
    for (unsigned d = 0; d < dims; ++d)
      extents.push_back(number(1, most));
    return extents;
  }
  Affine form(unsigned dims, int64_t most = 9) {
    Affine result(number(-most, most));
    for (unsigned d = 0; d < dims; ++d)
      if (number(0, 3) != 0)
        result.add(d, number(-most, most));
    return result;
  }

  std::mt19937_64 random{20261122};
};

/// Calls f(index) for every point of the space, the last dimension fastest.
template <typename F> void forEachPoint(const Dims &extents, F f) {
  Dims index(extents.size(), 0);
  for (;;) {
    f(index);
    size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

} // namespace gaudi::kernel::test

#endif // GAUDI_TEST_UNIT_KERNEL_AFFINETEST_H
