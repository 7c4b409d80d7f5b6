// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, running sums, sorting and selection against hand-made values.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
class ReductionTest : public ReferenceTest {
protected:
  std::vector<double> reduce(StringRef kind, StringRef from, ArrayRef<double> x,
                             StringRef dims, StringRef to) {
    return valuesOf(("%r = gaudi.tpc.reduce <" + kind + "> %0 dims " + dims +
                     " : " + from + " -> " + to)
                        .str(),
                    {tensor(from, x)}, to);
  }
};

TEST_F(ReductionTest, Kinds) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(reduce("sum", "tensor<2x3xf32>", x, "[1]", "tensor<2xf32>"),
              same({6, 15}));
  EXPECT_THAT(reduce("sum", "tensor<2x3xf32>", x, "[0]", "tensor<3xf32>"),
              same({5, 7, 9}));
  EXPECT_THAT(reduce("sum", "tensor<2x3xf32>", x, "[0, 1]", "tensor<f32>"),
              same({21}));
  EXPECT_THAT(
      reduce("mean", "tensor<2x3xf32>", x, "[1] keep_dims", "tensor<2x1xf32>"),
      same({2, 5}));
  EXPECT_THAT(reduce("prod", "tensor<2x3xi32>", x, "[1]", "tensor<2xi32>"),
              same({6, 120}));
  EXPECT_THAT(reduce("max", "tensor<2x3xi8>", x, "[0]", "tensor<3xi8>"),
              same({4, 5, 6}));
  EXPECT_THAT(reduce("min", "tensor<2x3xui8>", x, "[1]", "tensor<2xui8>"),
              same({1, 4}));
  EXPECT_THAT(reduce("sum", "tensor<2xi8>", {100, 100}, "[0]", "tensor<i8>"),
              same({-56}));
  EXPECT_THAT(reduce("max", "tensor<3xf32>", {1, NaN, 3}, "[0]", "tensor<f32>"),
              same({NaN}));
  EXPECT_THAT(reduce("max", "tensor<2xf32>", {-infinity, -infinity}, "[0]",
                     "tensor<f32>"),
              same({-infinity}));
  EXPECT_THAT(reduce("max", "tensor<2xi8>", {-128, -5}, "[0]", "tensor<i8>"),
              same({-5}));
  EXPECT_THAT(
      reduce("all", "tensor<2x2xi1>", {1, 1, 1, 0}, "[1]", "tensor<2xi1>"),
      same({1, 0}));
  EXPECT_THAT(
      reduce("any", "tensor<2x2xi1>", {0, 0, 1, 0}, "[1]", "tensor<2xi1>"),
      same({0, 1}));
}

TEST_F(ReductionTest, SumsRoundOnce) {
  // Summed in bf16 the ones would vanish beside 256.
  std::vector<double> x(257, 1);
  x[0] = 256;
  EXPECT_THAT(reduce("sum", "tensor<257xbf16>", x, "[0]", "tensor<bf16>"),
              same({512}));
}

TEST_F(ReductionTest, ArgReduce) {
  auto arg = [&](StringRef words, ArrayRef<double> x) {
    return valuesOf(("%r = gaudi.tpc.arg_reduce %0 axis 1 " + words +
                     " : tensor<2x4xf32> -> tensor<2xi32>")
                        .str(),
                    {tensor("tensor<2x4xf32>", x)}, "tensor<2xi32>");
  };
  EXPECT_THAT(arg("is_max", {1, 7, 7, 2, -1, -3, -1, -2}), same({1, 0}));
  EXPECT_THAT(arg("", {1, 7, 7, 1, -1, -3, -1, -3}), same({0, 1}));
  EXPECT_THAT(arg("is_max", {1, NaN, 7, NaN, infinity, 1, 1, NaN}),
              same({1, 3}));
  EXPECT_THAT(arg("is_max ignore_nan", {NaN, 1, 7, NaN, NaN, NaN, NaN, NaN}),
              same({2, 0}));
  EXPECT_THAT(
      arg("ignore_nan", {NaN, infinity, 7, NaN, NaN, -infinity, NaN, NaN}),
      same({2, 1}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.arg_reduce %0 axis 0 is_max keep_dims : "
                       "tensor<3x2xui8> -> tensor<1x2xi64>",
                       {tensor("tensor<3x2xui8>", {200, 1, 100, 2, 255, 0})},
                       "tensor<1x2xi64>"),
              same({2, 1}));
}

TEST_F(ReductionTest, CumulativeSum) {
  auto sum = [&](StringRef words, ArrayRef<double> x) {
    return valuesOf(("%r = gaudi.tpc.cumulative_sum %0 axis 1 " + words +
                     " : tensor<2x3xf32>")
                        .str(),
                    {tensor("tensor<2x3xf32>", x)}, "tensor<2x3xf32>");
  };
  EXPECT_THAT(sum("", {1, 2, 3, 4, 5, 6}), same({1, 3, 6, 4, 9, 15}));
  EXPECT_THAT(sum("exclusive", {1, 2, 3, 4, 5, 6}), same({0, 1, 3, 0, 4, 9}));
  EXPECT_THAT(sum("reverse", {1, 2, 3, 4, 5, 6}), same({6, 5, 3, 15, 11, 6}));
  EXPECT_THAT(sum("exclusive reverse", {1, 2, 3, 4, 5, 6}),
              same({5, 3, 0, 11, 6, 0}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.cumulative_sum %0 axis 0 : tensor<3xi8>",
                       {tensor("tensor<3xi8>", {100, 100, 1})}, "tensor<3xi8>"),
              same({100, -56, -55}));
}

TEST_F(ReductionTest, SortIsStableAndPutsNanLast) {
  auto sort = [&](StringRef words) {
    return evaluateOp(("%r:2 = gaudi.tpc.sort %0 axis 0 " + words +
                       " : tensor<5xf32> -> tensor<5xf32>, tensor<5xi64>")
                          .str(),
                      {tensor("tensor<5xf32>", {2, NaN, 1, 2, -infinity})},
                      {"tensor<5xf32>", "tensor<5xi64>"});
  };
  auto ascending = sort("");
  ASSERT_EQ(ascending.size(), 2u);
  EXPECT_THAT(numbers(ascending[0]), same({-infinity, 1, 2, 2, NaN}));
  EXPECT_THAT(numbers(ascending[1]), same({4, 2, 0, 3, 1}));
  auto descending = sort("descending");
  ASSERT_EQ(descending.size(), 2u);
  EXPECT_THAT(numbers(descending[0]), same({NaN, 2, 2, 1, -infinity}));
  EXPECT_THAT(numbers(descending[1]), same({1, 0, 3, 2, 4}));
}

TEST_F(ReductionTest, TopK) {
  auto top = evaluateOp("%r:2 = gaudi.tpc.top_k %0 axis 0 : tensor<4x2xi32> -> "
                        "tensor<2x2xi32>, tensor<2x2xi32>",
                        {tensor("tensor<4x2xi32>", {5, 1, 9, 1, 9, 0, 2, 7})},
                        {"tensor<2x2xi32>", "tensor<2x2xi32>"});
  ASSERT_EQ(top.size(), 2u);
  EXPECT_THAT(numbers(top[0]), same({9, 7, 9, 1}));
  EXPECT_THAT(numbers(top[1]), same({1, 3, 2, 0}));
  auto bottom = evaluateOp("%r:2 = gaudi.tpc.top_k %0 axis 0 smallest : "
                           "tensor<3xf32> -> tensor<2xf32>, tensor<2xi64>",
                           {tensor("tensor<3xf32>", {NaN, 3, 1})},
                           {"tensor<2xf32>", "tensor<2xi64>"});
  ASSERT_EQ(bottom.size(), 2u);
  EXPECT_THAT(numbers(bottom[0]), same({1, 3}));
  EXPECT_THAT(numbers(bottom[1]), same({2, 1}));
}
} // namespace
