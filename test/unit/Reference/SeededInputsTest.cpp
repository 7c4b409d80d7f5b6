// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formula of the seeded inputs against values computed elsewhere.
#include "Gaudi/Support/SeededInputs.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
using SeededInputsTest = ReferenceTest;

TEST_F(SeededInputsTest, Bits) {
  EXPECT_EQ(gaudi::seededBits(1, 0, 0), 2358071405u);
  EXPECT_EQ(gaudi::seededBits(7, 9, 0xffffffffu),
            736303253u); // the index wraps
  EXPECT_EQ(gaudi::seededBits(4294967295u, 2, 5), 1996084189u);
}

TEST_F(SeededInputsTest, TheFirstArgumentIsCentred) {
  EXPECT_THAT(numbers(seededInput(type("tensor<4xf32>"), 0, 1)),
              same({0x1.91aap-4, 0x1.4992fp-2, -0x1.a6b4p-8, -0x1.ef921p-2}));
}

TEST_F(SeededInputsTest, VectorsLieAroundOne) {
  const std::vector<double> expected = {0x1.c66bb8p-1, 0x1.fdd50ap-1,
                                        0x1.263ffep-1, 0x1.4a33ecp+0};
  EXPECT_THAT(numbers(seededInput(type("tensor<4xf32>"), 1, 1)),
              same(expected));
  EXPECT_THAT(numbers(seededInput(type("tensor<1x4x1xf32>"), 1, 1)),
              same(expected));
  EXPECT_THAT(numbers(seededInput(type("tensor<f32>"), 1, 1)),
              same({expected[0]}));
}

TEST_F(SeededInputsTest, OthersKeepTheVariance) {
  const std::vector<double> values =
      numbers(seededInput(type("tensor<2x3x5xf32>"), 2, 1));
  EXPECT_THAT(
      std::vector<double>(values.begin(), values.begin() + 4),
      same({0x1.1396f8p-2, -0x1.3c09bcp-1, -0x1.d7f3ep-5, -0x1.2094dap-2}));
}

TEST_F(SeededInputsTest, IntegersAndBooleans) {
  EXPECT_THAT(numbers(seededInput(type("tensor<8xi32>"), 3, 1)),
              same({1, 6, 12, 5, 5, 4, 13, 4}));
  EXPECT_THAT(numbers(seededInput(type("tensor<2x4xui8>"), 3, 1)),
              same({1, 6, 12, 5, 5, 4, 13, 4}));
  EXPECT_THAT(numbers(seededInput(type("tensor<8xi1>"), 3, 1)),
              same({1, 0, 0, 1, 1, 0, 1, 0}));
}

TEST_F(SeededInputsTest, NarrowFloatsAreTheRoundedOnes) {
  for (StringRef name : {"bf16", "f16", "f8E4M3FN", "f8E5M2"}) {
    const ReferenceTensor narrow =
        seededInput(type(("tensor<4x25x" + name + ">").str()), 2, 9);
    const ReferenceTensor wide = seededInput(type("tensor<4x25xf32>"), 2, 9);
    for (int64_t i = 0; i < 100; ++i)
      EXPECT_EQ(narrow.floats()[i],
                roundTo(narrow.getElementType(), wide.floats()[i]));
  }
}

TEST_F(SeededInputsTest, ArgumentsAreNumbered) {
  auto inputs = seededInputs({type("tensor<4xf32>"), type("tensor<4xf32>")}, 1);
  EXPECT_THAT(numbers(inputs[0]),
              same(numbers(seededInput(type("tensor<4xf32>"), 0, 1))));
  EXPECT_THAT(numbers(inputs[1]),
              same(numbers(seededInput(type("tensor<4xf32>"), 1, 1))));
}
} // namespace
