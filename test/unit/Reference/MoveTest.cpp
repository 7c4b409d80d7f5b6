// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movements, views and borders.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
class MoveTest : public ReferenceTest {
protected:
  const ReferenceTensor x = tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6});
};

TEST_F(MoveTest, Movements) {
  EXPECT_THAT(valuesOf("%r = gaudi.transpose %0 permutation [1, 0] : "
                       "tensor<2x3xf32> -> tensor<3x2xf32>",
                       {x}, "tensor<3x2xf32>"),
              same({1, 4, 2, 5, 3, 6}));
  EXPECT_THAT(valuesOf("%r = gaudi.transpose %0 permutation [2, 0, 1] : "
                       "tensor<1x2x3xi8> -> tensor<3x1x2xi8>",
                       {tensor("tensor<1x2x3xi8>", {1, 2, 3, 4, 5, 6})},
                       "tensor<3x1x2xi8>"),
              same({1, 4, 2, 5, 3, 6}));
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.broadcast %0 dims [1] : tensor<2xf32> -> tensor<3x2xf32>",
          {tensor("tensor<2xf32>", {1, 2})}, "tensor<3x2xf32>"),
      same({1, 2, 1, 2, 1, 2}));
  EXPECT_THAT(valuesOf("%r = gaudi.broadcast %0 dims [0, 1] : tensor<2x1xf32> "
                       "-> tensor<2x2xf32>",
                       {tensor("tensor<2x1xf32>", {1, 2})}, "tensor<2x2xf32>"),
              same({1, 1, 2, 2}));
  EXPECT_THAT(
      valuesOf("%r = gaudi.copy %0 : tensor<2x3xf32>", {x}, "tensor<2x3xf32>"),
      same({1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(valuesOf("%r = gaudi.fill 2.5 : f32 : tensor<2xf32>", {},
                       "tensor<2xf32>"),
              same({2.5, 2.5}));
  EXPECT_THAT(valuesOf("%r = gaudi.fill 200 : ui8 : tensor<2xui8>", {},
                       "tensor<2xui8>"),
              same({200, 200}));
  EXPECT_THAT(valuesOf("%r = gaudi.concat %0, %1 axis 1 : tensor<2x3xf32>, "
                       "tensor<2x1xf32> -> tensor<2x4xf32>",
                       {x, tensor("tensor<2x1xf32>", {8, 9})},
                       "tensor<2x4xf32>"),
              same({1, 2, 3, 8, 4, 5, 6, 9}));
  EXPECT_THAT(valuesOf("%r = gaudi.insert_slice %0 into %1 offsets [1, 0] "
                       "strides [1, 2] : tensor<1x2xf32> into tensor<2x3xf32>",
                       {tensor("tensor<1x2xf32>", {8, 9}), x},
                       "tensor<2x3xf32>"),
              same({1, 2, 3, 8, 5, 9}));
}

TEST_F(MoveTest, Views) {
  EXPECT_THAT(
      valuesOf("%r = gaudi.reshape %0 : tensor<2x3xf32> -> tensor<3x2x1xf32>",
               {x}, "tensor<3x2x1xf32>"),
      same({1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(valuesOf("%r = gaudi.slice %0 offsets [1, 0] strides [1, 2] : "
                       "tensor<2x3xf32> -> tensor<1x2xf32>",
                       {x}, "tensor<1x2xf32>"),
              same({4, 6}));
  EXPECT_THAT(valuesOf("%r = gaudi.bitcast %0 : tensor<2xf32> -> tensor<2xi32>",
                       {tensor("tensor<2xf32>", {1, -0.0})}, "tensor<2xi32>"),
              same({0x3f800000, -0x1p31}));
  EXPECT_THAT(
      valuesOf("%r = gaudi.bitcast %0 : tensor<1xi16> -> tensor<1xbf16>",
               {tensor("tensor<1xi16>", {0x4000})}, "tensor<1xbf16>"),
      same({2}));
  auto parts = evaluateOp("%r:2 = gaudi.split %0 axis 1 : tensor<2x3xf32> -> "
                          "tensor<2x1xf32>, tensor<2x2xf32>",
                          {x}, {"tensor<2x1xf32>", "tensor<2x2xf32>"});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_THAT(numbers(parts[0]), same({1, 4}));
  EXPECT_THAT(numbers(parts[1]), same({2, 3, 5, 6}));
}

TEST_F(MoveTest, Borders) {
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.pad <constant> %0 low [0, 1] high [1, 0] value "
               "-1.0 : f32 : tensor<2x3xf32> -> tensor<3x4xf32>",
               {x}, "tensor<3x4xf32>"),
      same({-1, 1, 2, 3, -1, 4, 5, 6, -1, -1, -1, -1}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.pad <edge> %0 low [1, 0] high [0, 2] : "
                       "tensor<2x3xf32> -> tensor<3x5xf32>",
                       {x}, "tensor<3x5xf32>"),
              same({1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6}));
}

TEST_F(MoveTest, ReverseAndIota) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.reverse %0 dims [1] : tensor<2x3xf32>",
                       {x}, "tensor<2x3xf32>"),
              same({3, 2, 1, 6, 5, 4}));
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.reverse %0 dims [0, 1] : tensor<2x3xf32>", {x},
               "tensor<2x3xf32>"),
      same({6, 5, 4, 3, 2, 1}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.iota dim 0 : tensor<3x2xi32>", {},
                       "tensor<3x2xi32>"),
              same({0, 0, 1, 1, 2, 2}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.iota dim 0 : tensor<258xbf16>", {},
                       "tensor<258xbf16>")[257],
              256);
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.iota dim 0 : tensor<130xi8>", {},
                       "tensor<130xi8>")[128],
              -128);
}
} // namespace
