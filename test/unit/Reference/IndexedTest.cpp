// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;

namespace {
using IndexedTest = ReferenceTest;

TEST_F(IndexedTest, GatherRows) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.gather %0, %1 axis 0 batch_dims 0 : "
                       "tensor<3x2xf32>, tensor<2x2xi32> -> tensor<2x2x2xf32>",
                       {tensor("tensor<3x2xf32>", {1, 2, 3, 4, 5, 6}),
                        tensor("tensor<2x2xi32>", {2, 0, 1, 1})},
                       "tensor<2x2x2xf32>"),
              same({5, 6, 1, 2, 3, 4, 3, 4}));
}

TEST_F(IndexedTest, GatherColumnsOfBatches) {
  // batch 2, o 2, axis 3: each batch has its own indices.
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.gather %0, %1 axis 2 batch_dims 1 : "
          "tensor<2x2x3xi32>, tensor<2x1xi64> -> tensor<2x2x1xi32>",
          {tensor("tensor<2x2x3xi32>", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
           tensor("tensor<2x1xi64>", {2, 0})},
          "tensor<2x2x1xi32>"),
      same({2, 5, 6, 9}));
}

TEST_F(IndexedTest, GatherElements) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.gather_elements %0, %1 axis 1 : "
                       "tensor<2x3xf32>, tensor<2x2xi64> -> tensor<2x2xf32>",
                       {tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6}),
                        tensor("tensor<2x2xi64>", {2, 0, 1, 1})},
                       "tensor<2x2xf32>"),
              same({3, 1, 5, 5}));
  // Indices may cover fewer rows than data.
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.gather_elements %0, %1 axis 0 : "
                       "tensor<2x3xf32>, tensor<1x2xi64> -> tensor<1x2xf32>",
                       {tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6}),
                        tensor("tensor<1x2xi64>", {1, 0})},
                       "tensor<1x2xf32>"),
              same({4, 2}));
}

TEST_F(IndexedTest, ScatterLastWriteWins) {
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.scatter %0, %1, %2 : tensor<1x3x2xf32>, "
               "tensor<1x2xi32>, tensor<1x2x2xf32> -> tensor<1x3x2xf32>",
               {tensor("tensor<1x3x2xf32>", {0, 0, 1, 1, 2, 2}),
                tensor("tensor<1x2xi32>", {2, 2}),
                tensor("tensor<1x2x2xf32>", {7, 7, 8, 9})},
               "tensor<1x3x2xf32>"),
      same({0, 0, 1, 1, 8, 9}));
}

TEST_F(IndexedTest, ScatterElements) {
  const ReferenceTensor data = tensor("tensor<2x3xbf16>", {256, 0, 0, 0, 0, 0});
  const ReferenceTensor indices = tensor("tensor<2x2xi64>", {0, 0, 1, 2});
  const ReferenceTensor updates = tensor("tensor<2x2xbf16>", {1, 1, 5, 6});
  const char *types = " : tensor<2x3xbf16>, tensor<2x2xi64>, tensor<2x2xbf16> "
                      "-> tensor<2x3xbf16>";
  EXPECT_THAT(
      valuesOf(
          (Twine("%r = gaudi.tpc.scatter_elements %0, %1, %2 axis 1") + types)
              .str(),
          {data, indices, updates}, "tensor<2x3xbf16>"),
      same({1, 0, 0, 0, 5, 6}));
  // 256 + 1 rounds to 256 in bf16 at each addition.
  EXPECT_THAT(
      valuesOf(
          (Twine(
               "%r = gaudi.tpc.scatter_elements %0, %1, %2 axis 1 accumulate") +
           types)
              .str(),
          {data, indices, updates}, "tensor<2x3xbf16>"),
      same({256, 0, 0, 0, 5, 6}));
}

TEST_F(IndexedTest, NamesAnIndexOutside) {
  const ReferenceTensor data = tensor("tensor<3xf32>", {1, 2, 3});
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.gather %0, %1 axis 0 batch_dims 0 : "
                       "tensor<3xf32>, tensor<2xi32> -> tensor<2xf32>",
                       {data, tensor("tensor<2xi32>", {0, 3})},
                       "tensor<2xf32>"),
              same({}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.gather_elements %0, %1 axis 0 : "
                       "tensor<3xf32>, tensor<2xi32> -> tensor<2xf32>",
                       {data, tensor("tensor<2xi32>", {-1, 0})},
                       "tensor<2xf32>"),
              same({}));
  EXPECT_THAT(
      messages,
      ElementsAre(
          "expected indices in [0, 3) but got 3 in element 1 of the indices",
          "expected indices in [0, 3) but got -1 in element 0 of the indices"));
}
} // namespace
