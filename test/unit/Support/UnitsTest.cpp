// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in messages: three digits, and never four by rounding.
#include "Gaudi/Support/Units.h"

#include <gtest/gtest.h>

using namespace gaudi;

namespace {

TEST(Units, CountsNouns) {
  EXPECT_EQ(countOf(0, "element"), "0 elements");
  EXPECT_EQ(countOf(1, "element"), "1 element");
  EXPECT_EQ(countOf(2, "element"), "2 elements");
  EXPECT_EQ(countOf(1, "launch", "launches"), "1 launch");
  EXPECT_EQ(countOf(3, "launch", "launches"), "3 launches");
}

TEST(Units, RoundsToThreeDigits) {
  EXPECT_EQ(threeDigits(0), "0.00");
  EXPECT_EQ(threeDigits(9.994), "9.99");
  EXPECT_EQ(threeDigits(9.996), "10.0");
  EXPECT_EQ(threeDigits(99.94), "99.9");
  EXPECT_EQ(threeDigits(99.96), "100");
}

TEST(Units, NamesBytes) {
  EXPECT_EQ(humanBytes(0), "0 B");
  EXPECT_EQ(humanBytes(17), "17 B");
  EXPECT_EQ(humanBytes(1023), "1023 B");
  EXPECT_EQ(humanBytes(1536), "1.50 KiB");
  EXPECT_EQ(humanBytes(10239), "10.0 KiB");
  EXPECT_EQ(humanBytes(uint64_t(96) << 30), "96.0 GiB");
  EXPECT_EQ(humanBytes(uint64_t(128) << 30), "128 GiB");
  EXPECT_EQ(humanBytes(UINT64_MAX), "16384 PiB");
}

TEST(Units, NamesTimes) {
  EXPECT_EQ(timeText(0.0000004), "0 ns");
  EXPECT_EQ(timeText(0.000412), "412 ns");
  EXPECT_EQ(timeText(0.412), "412 us");
  EXPECT_EQ(timeText(0.9996), "1.00 ms");
  EXPECT_EQ(timeText(12.34), "12.3 ms");
  EXPECT_EQ(timeText(999.6), "1.00 s");
}

TEST(Units, NamesQuantities) {
  EXPECT_EQ(quantityText(0), "0 ");
  EXPECT_EQ(quantityText(999), "999 ");
  EXPECT_EQ(quantityText(4194304), "4.19 M");
  EXPECT_EQ(quantityText(999600), "1.00 M");
}

} // namespace
