// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The published vectors of Philox4x32-10, and what dropout makes of its words.
#include "Gaudi/Support/Philox.h"
#include <gtest/gtest.h>

namespace gaudi {
namespace {

// The known-answer tests of the authors' Random123 library.
TEST(Philox, hasThePublishedWords) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, 0, 0),
            (PhiloxWords{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                       0xffffffff, 0xffffffff),
            (PhiloxWords{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       0xa4093822, 0x299f31d0),
            (PhiloxWords{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, dropoutKeepsTheShareItSays) {
  for (const float p : {0.0f, 0.1f, 0.5f, 0.9f}) {
    int kept = 0;
    for (uint64_t i = 0; i < 100000; ++i)
      kept += isKept(42, i, p);
    // Five standard deviations of a binomial distribution.
    EXPECT_NEAR(kept, 100000 * (1 - p), 5 * 160) << p;
  }
}

TEST(Philox, elementsBeyond32BitsHaveTheirOwnWords) {
  EXPECT_NE(dropoutWords(1, uint64_t(1) << 32), dropoutWords(1, 0));
  EXPECT_NE(dropoutWords(1, 5), dropoutWords(2, 5));
}

} // namespace
} // namespace gaudi
