// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling and resampling.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
using WindowTest = ReferenceTest;

TEST_F(WindowTest, PoolsInAnyLayout) {
  const char *words =
      " kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] : ";
  // Two channels: 1..4 and 10..40.
  EXPECT_THAT(
      valuesOf((Twine("%r = gaudi.tpc.pool <max> %0 layout \"NCHW\"") + words +
                "tensor<1x2x2x2xf32> -> tensor<1x2x1x1xf32>")
                   .str(),
               {tensor("tensor<1x2x2x2xf32>", {1, 2, 3, 4, 10, 20, 30, 40})},
               "tensor<1x2x1x1xf32>"),
      same({4, 40}));
  EXPECT_THAT(
      valuesOf((Twine("%r = gaudi.tpc.pool <avg> %0 layout \"NHWC\"") + words +
                "tensor<1x2x2x2xf32> -> tensor<1x1x1x2xf32>")
                   .str(),
               {tensor("tensor<1x2x2x2xf32>", {1, 10, 2, 20, 3, 30, 4, 40})},
               "tensor<1x1x1x2xf32>"),
      same({2.5, 25}));
}

class Pool1DTest : public ReferenceTest {
protected:
  /// Windows of 3 over 4 elements with a border of 1.
  std::vector<double> pool(StringRef kind, StringRef words, ArrayRef<double> x,
                           StringRef element = "f32") {
    const std::string tensorType = ("tensor<1x1x4x" + element + ">").str();
    return valuesOf(("%r = gaudi.tpc.pool <" + kind +
                     "> %0 layout \"NCW\" kernel [3] strides [1] dilations [1] "
                     "pad [1], [1] " +
                     words + " : " + tensorType + " -> " + tensorType)
                        .str(),
                    {tensor(tensorType, x)}, tensorType);
  }
};

TEST_F(Pool1DTest, PaddingCountsForNothing) {
  EXPECT_THAT(pool("max", "", {-4, -3, -2, -1}), same({-3, -2, -1, -1}));
  EXPECT_THAT(pool("min", "", {4, 3, 2, 1}), same({3, 2, 1, 1}));
  EXPECT_THAT(pool("sum", "", {1, 2, 3, 4}), same({3, 6, 9, 7}));
  EXPECT_THAT(pool("avg", "", {2, 4, 6, 8}), same({3, 4, 6, 7}));
  EXPECT_THAT(pool("avg", "count_include_pad", {3, 6, 9, 12}),
              same({3, 6, 9, 7}));
  EXPECT_THAT(pool("max", "", {-100, -128, -3, -128}, "i8"),
              same({-100, -3, -3, -3}));
  EXPECT_THAT(pool("sum", "", {100, 100, 100, 0}, "i8"),
              same({-56, 44, -56, 100}));
}

TEST_F(Pool1DTest, NanWinsUnlessIgnored) {
  EXPECT_THAT(pool("max", "", {1, NaN, 3, 4}), same({NaN, NaN, NaN, 4}));
  EXPECT_THAT(pool("max", "ignore_nan", {1, NaN, 3, 4}), same({1, 3, 4, 4}));
  EXPECT_THAT(pool("min", "ignore_nan", {1, NaN, 3, 4}), same({1, 1, 3, 3}));
}

TEST_F(WindowTest, StridesDilationsAndDepth) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.pool <sum> %0 layout \"NWC\" kernel [2] "
                       "strides [2] dilations [3] pad [1], [0]"
                       " : tensor<1x6x1xf32> -> tensor<1x2x1xf32>",
                       {tensor("tensor<1x6x1xf32>", {1, 2, 3, 4, 5, 6})},
                       "tensor<1x2x1xf32>"),
              same({3, 2 + 5})); // windows {-1, 2} and {1, 4}
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.pool <max> %0 layout \"NDHWC\" kernel [2, 1, 2] "
               "strides [1, 1, 1] "
               "dilations [1, 1, 1] pad [0, 0, 0], [0, 0, 0] : "
               "tensor<1x2x2x2x1xi32> -> tensor<1x1x2x1x1xi32>",
               {tensor("tensor<1x2x2x2x1xi32>", {1, 2, 3, 4, 9, 6, 7, 8})},
               "tensor<1x1x2x1x1xi32>"),
      same({9, 8}));
}

TEST_F(WindowTest, ResizeNearest) {
  // 1x2 to 1x4 with scale 2: positions 0, 0.5, 1, 1.5; ties go up.
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.resize <nearest> %0 scale [1, 1, 2, 1] offset [0, 0]"
          " : tensor<1x1x2x1xf32> -> tensor<1x1x4x1xf32>",
          {tensor("tensor<1x1x2x1xf32>", {5, 7})}, "tensor<1x1x4x1xf32>"),
      same({5, 7, 7, 7}));
  // A negative offset: positions -1/4, 1/4, 3/4, 5/4.
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.resize <nearest> %0 scale [1, 1, 4, 2] offset [0, -1]"
          " : tensor<1x1x2x1xi8> -> tensor<1x1x4x1xi8>",
          {tensor("tensor<1x1x2x1xi8>", {5, 7})}, "tensor<1x1x4x1xi8>"),
      same({5, 5, 7, 7}));
}

TEST_F(WindowTest, ResizeBilinear) {
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.resize <bilinear> %0 scale [2, 1, 2, 1] offset [0, 0]"
          " : tensor<1x2x2x1xf32> -> tensor<1x3x3x1xf32>",
          {tensor("tensor<1x2x2x1xf32>", {0, 4, 8, 20})},
          "tensor<1x3x3x1xf32>"),
      same({0, 2, 4, 4, 8, 12, 8, 14, 20}));
  // Integers keep the factor y_n * x_n = 4.
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.resize <bilinear> %0 scale [2, 1, 2, 1] offset [0, 0]"
          " : tensor<1x2x2x1xi8> -> tensor<1x3x3x1xi32>",
          {tensor("tensor<1x2x2x1xi8>", {0, 4, 8, 20})}, "tensor<1x3x3x1xi32>"),
      same({0, 8, 16, 16, 32, 48, 32, 56, 80}));
}
} // namespace
