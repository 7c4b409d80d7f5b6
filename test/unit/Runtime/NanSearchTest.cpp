// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for NaN in blocks of sums.
#include "Mme/Tiles/NanSearch.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gaudi::runtime {
namespace {

TEST(NanSearch, FindsEachNanOfABlockAndNothingElse) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (int64_t rows : {1, 2, 7})
    for (int64_t count = 1; count <= 50; ++count)
      for (int64_t gap : {0, 3}) {
        const int64_t stride = count + gap;
        // Between the rows is NaN, which is no sum. The memory ends with the
        // last sum.
        std::vector<float> sums(size_t((rows - 1) * stride + count), nan);
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t i = 0; i < count; ++i)
            sums[size_t(r * stride + i)] = i % 2 ? infinity : -infinity;
        EXPECT_FALSE(holdNan(sums.data(), rows, stride, count))
            << rows << " x " << count;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t i = 0; i < count; ++i) {
            float &value = sums[size_t(r * stride + i)];
            const float before = value;
            value = i % 3 ? nan : -nan;
            EXPECT_TRUE(holdNan(sums.data(), rows, stride, count))
                << rows << " x " << count << " at " << r << ", " << i;
            value = before;
          }
      }
}

} // namespace
} // namespace gaudi::runtime
