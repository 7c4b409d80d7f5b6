// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions by constants give the bits of the processor's division.
#include "Jit/ConstantDivision.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace gaudi::runtime;

namespace {

float quotient(const Reciprocal &reciprocal, float x) {
  return std::fma(x, reciprocal.high, x * reciprocal.low);
}

/// All mantissas of x.
void checkAll(float divisor) {
  const auto reciprocal = reciprocalOf(divisor);
  ASSERT_TRUE(reciprocal) << divisor;
  for (float x = 1; x < 2; x = std::nextafter(x, 2.0F))
    ASSERT_EQ(quotient(*reciprocal, x), x / divisor) << x << " / " << divisor;
}

TEST(ConstantDivision, EveryMantissa) {
  for (float divisor : {0.04549253F, -0.1F, 3.0F, 127.0F, 255.0F,
                        std::nextafter(1.0F, 2.0F), std::nextafter(2.0F, 1.0F)})
    checkAll(divisor);
}

TEST(ConstantDivision, FewDivisorsHaveNoParts) {
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 200000; ++i) {
    const float divisor =
        std::ldexp(float((1 << 23) + random() % (1 << 23)), -24);
    refused += !reciprocalOf(divisor);
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 200000 / 20);
}

TEST(ConstantDivision, ZerosKeepTheirSign) {
  for (float divisor : {0.3F, -0.3F}) {
    const auto reciprocal = reciprocalOf(divisor);
    ASSERT_TRUE(reciprocal);
    for (float x : {0.0F, -0.0F})
      EXPECT_EQ(std::signbit(quotient(*reciprocal, x)),
                std::signbit(x / divisor));
  }
}

TEST(ConstantDivision, Ranges) {
  const auto reciprocal = reciprocalOf(0.3F);
  ASSERT_TRUE(reciprocal);
  EXPECT_TRUE(dividesExactly(*reciprocal, 0x1p-60, 0x1p60));
  EXPECT_FALSE(dividesExactly(*reciprocal, 0x1p-149, 1));
  EXPECT_FALSE(dividesExactly(*reciprocal, 1, 0x1p127));
  for (float divisor : {0.0F, -0.0F, 0x1p-140F, 0x1.8p100F, 4.0F,
                        std::numeric_limits<float>::infinity(),
                        std::numeric_limits<float>::quiet_NaN()})
    EXPECT_FALSE(reciprocalOf(divisor)) << divisor;
}

} // namespace
