// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops against values worked out by hand.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
class ElementwiseTest : public ReferenceTest {
protected:
  /// op(x) for one tensor type.
  std::vector<double> unary(StringRef op, StringRef type, ArrayRef<double> x) {
    return valuesOf(("%r = gaudi.tpc." + op + " %0 : " + type).str(),
                    {tensor(type, x)}, type);
  }
  std::vector<double> binary(StringRef op, StringRef type, ArrayRef<double> a,
                             ArrayRef<double> b) {
    return valuesOf(("%r = gaudi.tpc." + op + " %0, %1 : " + type + ", " +
                     type + " -> " + type)
                        .str(),
                    {tensor(type, a), tensor(type, b)}, type);
  }
};

TEST_F(ElementwiseTest, SignsAndRounding) {
  EXPECT_THAT(unary("abs", "tensor<3xf32>", {-1.5, -0.0, NaN}),
              same({1.5, 0, NaN}));
  EXPECT_THAT(unary("abs", "tensor<2xi8>", {-5, -128}), same({5, -128}));
  EXPECT_THAT(unary("neg", "tensor<2xi8>", {5, -128}), same({-5, -128}));
  EXPECT_THAT(unary("neg", "tensor<2xui8>", {5, 0}), same({251, 0}));
  EXPECT_THAT(unary("sign", "tensor<4xf32>", {-3, -0.0, 8, NaN}),
              same({-1, -0.0, 1, NaN}));
  EXPECT_THAT(unary("sign", "tensor<3xi32>", {-3, 0, 8}), same({-1, 0, 1}));
  EXPECT_THAT(unary("round", "tensor<4xf32>", {0.5, 1.5, 2.5, -2.5}),
              same({1, 2, 3, -3}));
  EXPECT_THAT(unary("round_even", "tensor<4xf32>", {0.5, 1.5, 2.5, -2.5}),
              same({0, 2, 2, -2}));
  EXPECT_THAT(unary("ceil", "tensor<2xf32>", {1.2, -1.2}), same({2, -1}));
  EXPECT_THAT(unary("floor", "tensor<2xf32>", {1.2, -1.2}), same({1, -2}));
  EXPECT_THAT(unary("trunc", "tensor<2xf32>", {1.7, -1.7}), same({1, -1}));
}

TEST_F(ElementwiseTest, FunctionsRoundToTheirType) {
  const double e = 2.718281828459045;
  EXPECT_THAT(unary("exp", "tensor<2xf32>", {0, 1}),
              same({1, double(float(e))}));
  EXPECT_THAT(unary("exp", "tensor<1xbf16>", {1}), same({2.71875}));
  EXPECT_THAT(unary("exp2", "tensor<2xf32>", {3, -2}), same({8, 0.25}));
  EXPECT_THAT(unary("expm1", "tensor<1xf32>", {0x1p-30}), same({0x1p-30}));
  EXPECT_THAT(unary("log", "tensor<3xf32>", {1, 0, -1}),
              same({0, -infinity, NaN}));
  EXPECT_THAT(unary("log2", "tensor<1xf32>", {8}), same({3}));
  EXPECT_THAT(unary("log10", "tensor<1xf32>", {1000}), same({3}));
  EXPECT_THAT(unary("log1p", "tensor<1xf32>", {0x1p-30}), same({0x1p-30}));
  EXPECT_THAT(unary("sqrt", "tensor<3xf32>", {9, -0.0, -1}),
              same({3, -0.0, NaN}));
  EXPECT_THAT(unary("rsqrt", "tensor<3xf32>", {4, 0, -0.0}),
              same({0.5, infinity, -infinity}));
  EXPECT_THAT(unary("cbrt", "tensor<1xf32>", {-27}), same({-3}));
  EXPECT_THAT(unary("reciprocal", "tensor<2xf32>", {4, -0.0}),
              same({0.25, -infinity}));
  EXPECT_THAT(unary("sigmoid", "tensor<3xf32>", {0, infinity, -infinity}),
              same({0.5, 1, 0}));
  EXPECT_THAT(unary("tanh", "tensor<2xf32>", {0, infinity}), same({0, 1}));
  EXPECT_THAT(unary("erf", "tensor<2xf32>", {0, infinity}), same({0, 1}));
  EXPECT_THAT(unary("erfc", "tensor<2xf32>", {0, infinity}), same({1, 0}));
  EXPECT_THAT(unary("sin", "tensor<2xf32>", {0, infinity}), same({0, NaN}));
  EXPECT_THAT(unary("cos", "tensor<1xf32>", {0}), same({1}));
  EXPECT_THAT(unary("tan", "tensor<1xf32>", {0}), same({0}));
  EXPECT_THAT(unary("asin", "tensor<2xf32>", {1, 2}),
              same({double(float(M_PI / 2)), NaN}));
  EXPECT_THAT(unary("acos", "tensor<1xf32>", {1}), same({0}));
  EXPECT_THAT(unary("atan", "tensor<1xf32>", {infinity}),
              same({double(float(M_PI / 2))}));
  EXPECT_THAT(unary("sinh", "tensor<1xf32>", {0}), same({0}));
  EXPECT_THAT(unary("cosh", "tensor<1xf32>", {0}), same({1}));
  EXPECT_THAT(unary("asinh", "tensor<1xf32>", {0}), same({0}));
  EXPECT_THAT(unary("acosh", "tensor<2xf32>", {1, 0}), same({0, NaN}));
  EXPECT_THAT(unary("atanh", "tensor<2xf32>", {0, 1}), same({0, infinity}));
}

TEST_F(ElementwiseTest, Bits) {
  EXPECT_THAT(unary("not", "tensor<2xi8>", {0, 5}), same({-1, -6}));
  EXPECT_THAT(unary("not", "tensor<2xui8>", {0, 5}), same({255, 250}));
  EXPECT_THAT(unary("not", "tensor<2xi1>", {0, 1}), same({1, 0}));
  EXPECT_THAT(unary("clz", "tensor<3xi16>", {0, 1, -1}), same({16, 15, 0}));
  EXPECT_THAT(binary("and", "tensor<2xi8>", {12, -1}, {10, 7}), same({8, 7}));
  EXPECT_THAT(binary("or", "tensor<2xi1>", {0, 1}, {0, 0}), same({0, 1}));
  EXPECT_THAT(binary("xor", "tensor<1xi32>", {12}, {10}), same({6}));
  EXPECT_THAT(binary("shl", "tensor<3xi8>", {1, 1, 3}, {7, 8, -1}),
              same({-128, 0, 0}));
  EXPECT_THAT(binary("shr", "tensor<3xi8>", {-128, -128, 64}, {1, 9, 100}),
              same({-64, -1, 0}));
  EXPECT_THAT(
      binary("shr_logical", "tensor<3xi8>", {-128, -128, 64}, {1, 8, 3}),
      same({64, 0, 8}));
}

TEST_F(ElementwiseTest, IntegerArithmeticWraps) {
  EXPECT_THAT(binary("add", "tensor<1xi8>", {127}, {1}), same({-128}));
  EXPECT_THAT(binary("sub", "tensor<1xui8>", {0}, {1}), same({255}));
  EXPECT_THAT(binary("mul", "tensor<1xi16>", {300}, {300}), same({24464}));
  EXPECT_THAT(binary("div", "tensor<4xi8>", {-7, 7, -128, 5}, {2, -2, -1, 0}),
              same({-3, -3, -128, -1}));
  EXPECT_THAT(binary("div", "tensor<2xui8>", {200, 5}, {3, 0}),
              same({66, 255}));
  EXPECT_THAT(binary("rem", "tensor<4xi8>", {-7, 7, -128, 5}, {2, -2, -1, 0}),
              same({-1, 1, 0, 5}));
  EXPECT_THAT(binary("rem", "tensor<2xui8>", {200, 5}, {7, 0}), same({4, 5}));
  EXPECT_THAT(binary("max", "tensor<1xui8>", {200}, {100}), same({200}));
  EXPECT_THAT(binary("min", "tensor<1xi8>", {-1}, {100}), same({-1}));
}

TEST_F(ElementwiseTest, FloatArithmetic) {
  EXPECT_THAT(binary("add", "tensor<1xf32>", {1}, {0x1p-24}), same({1}));
  EXPECT_THAT(binary("sub", "tensor<1xbf16>", {1}, {0.5}), same({0.5}));
  EXPECT_THAT(binary("mul", "tensor<1xf16>", {300}, {300}), same({infinity}));
  EXPECT_THAT(binary("div", "tensor<2xf32>", {1, 0}, {0, 0}),
              same({infinity, NaN}));
  EXPECT_THAT(binary("rem", "tensor<3xf32>", {-7, 7, 1}, {3, -3, 0}),
              same({-1, 1, NaN}));
  EXPECT_THAT(binary("max", "tensor<3xf32>", {1, NaN, -0.0}, {2, 1, 0}),
              same({2, NaN, 0}));
  EXPECT_THAT(binary("min", "tensor<3xf32>", {1, NaN, 0}, {2, 1, -0.0}),
              same({1, NaN, -0.0}));
  EXPECT_THAT(binary("maxnum", "tensor<2xf32>", {NaN, NaN}, {2, NaN}),
              same({2, NaN}));
  EXPECT_THAT(binary("minnum", "tensor<2xf32>", {3, NaN}, {NaN, 4}),
              same({3, 4}));
  EXPECT_THAT(binary("pow", "tensor<3xf32>", {2, NaN, -2}, {10, 0, 0.5}),
              same({1024, 1, NaN}));
  EXPECT_THAT(binary("atan2", "tensor<1xf32>", {1}, {0}),
              same({double(float(M_PI / 2))}));
}

TEST_F(ElementwiseTest, DimensionsOfSizeOneRepeat) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.add %0, %1 : tensor<2x1xf32>, "
                       "tensor<1x3xf32> -> tensor<2x3xf32>",
                       {tensor("tensor<2x1xf32>", {10, 20}),
                        tensor("tensor<1x3xf32>", {1, 2, 3})},
                       "tensor<2x3xf32>"),
              same({11, 12, 13, 21, 22, 23}));
}

TEST_F(ElementwiseTest, Compare) {
  const ReferenceTensor a = tensor("tensor<4xf32>", {1, 2, 3, NaN});
  const ReferenceTensor b = tensor("tensor<4xf32>", {2, 2, 2, 2});
  auto compare = [&](StringRef predicate) {
    return valuesOf(("%r = gaudi.tpc.compare <" + predicate +
                     "> %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>")
                        .str(),
                    {a, b}, "tensor<4xi1>");
  };
  EXPECT_THAT(compare("eq"), same({0, 1, 0, 0}));
  EXPECT_THAT(compare("ne"), same({1, 0, 1, 1}));
  EXPECT_THAT(compare("lt"), same({1, 0, 0, 0}));
  EXPECT_THAT(compare("le"), same({1, 1, 0, 0}));
  EXPECT_THAT(compare("gt"), same({0, 0, 1, 0}));
  EXPECT_THAT(compare("ge"), same({0, 1, 1, 0}));
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.compare <gt> %0, %1 : tensor<1xui8>, "
               "tensor<1xui8> -> tensor<1xi1>",
               {tensor("tensor<1xui8>", {200}), tensor("tensor<1xui8>", {100})},
               "tensor<1xi1>"),
      same({1}));
}

TEST_F(ElementwiseTest, Select) {
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.select %0, %1, %2 : tensor<3xi1>, "
                       "tensor<3xf32>, tensor<1xf32> -> tensor<3xf32>",
                       {tensor("tensor<3xi1>", {1, 0, 1}),
                        tensor("tensor<3xf32>", {1, NaN, 3}),
                        tensor("tensor<1xf32>", {9})},
                       "tensor<3xf32>"),
              same({1, 9, 3}));
}

TEST_F(ElementwiseTest, Clamp) {
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.clamp %0 min 0.0 : f32 max 6.0 : f32 : tensor<4xf32>",
          {tensor("tensor<4xf32>", {-1, 3, 9, NaN})}, "tensor<4xf32>"),
      same({0, 3, 6, NaN}));
  EXPECT_THAT(valuesOf("%r = gaudi.tpc.clamp %0 min 1.0 : f32 max 6.0 : f32 "
                       "ignore_nan : tensor<1xf32>",
                       {tensor("tensor<1xf32>", {NaN})}, "tensor<1xf32>"),
              same({1}));
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.tpc.clamp %0 min 10 : ui8 max 200 : ui8 : tensor<3xui8>",
          {tensor("tensor<3xui8>", {5, 100, 250})}, "tensor<3xui8>"),
      same({10, 100, 200}));
}

TEST_F(ElementwiseTest, Cast) {
  auto cast = [&](StringRef from, ArrayRef<double> x, StringRef to,
                  StringRef rounding = "") {
    return valuesOf(
        ("%r = gaudi.tpc.cast %0 " + rounding + " : " + from + " -> " + to)
            .str(),
        {tensor(from, x)}, to);
  };
  EXPECT_THAT(cast("tensor<3xf32>", {1.7, -1.7, NaN}, "tensor<3xi8>"),
              same({1, -1, 0}));
  EXPECT_THAT(cast("tensor<3xf32>", {1000, -1000, infinity}, "tensor<3xi8>"),
              same({127, -128, 127}));
  EXPECT_THAT(cast("tensor<3xf32>", {1000, -1000, 2.5}, "tensor<3xui8>",
                   "rounding <nearest_even>"),
              same({255, 0, 2}));
  EXPECT_THAT(cast("tensor<2xf32>", {3e38, -3e38}, "tensor<2xi64>"),
              same({0x1p63, -0x1p63}));
  EXPECT_THAT(
      cast("tensor<2xf32>", {1 + 0x1p-8, 1 + 3 * 0x1p-8}, "tensor<2xbf16>"),
      same({1, 1 + 0x1p-6}));
  EXPECT_THAT(cast("tensor<2xi32>", {16777217, -16777219}, "tensor<2xf32>"),
              same({16777216, -16777220}));
  EXPECT_THAT(cast("tensor<2xi8>", {-1, 127}, "tensor<2xi32>"),
              same({-1, 127}));
  EXPECT_THAT(cast("tensor<1xui8>", {255}, "tensor<1xi32>"), same({255}));
  EXPECT_THAT(cast("tensor<1xi32>", {300}, "tensor<1xi8>"), same({44}));
  EXPECT_THAT(cast("tensor<3xf32>", {0, 0.1, NaN}, "tensor<3xi1>"),
              same({0, 1, 1}));
  EXPECT_THAT(cast("tensor<2xi32>", {256, 0}, "tensor<2xi1>"), same({1, 0}));
  EXPECT_THAT(cast("tensor<2xi1>", {1, 0}, "tensor<2xf32>"), same({1, 0}));
  EXPECT_THAT(cast("tensor<2xi1>", {1, 0}, "tensor<2xi8>"), same({1, 0}));
}

TEST_F(ElementwiseTest, LargeIntegersRoundOnce) {
  // 2^54 + 2^30 + 1: to double first it would be the tie 2^54 + 2^30.
  ReferenceTensor x(type("tensor<2xi64>"));
  x.mutableInts()[0] = (int64_t(1) << 54) + (int64_t(1) << 30) + 1;
  x.mutableInts()[1] = INT64_MAX;
  EXPECT_THAT(
      valuesOf("%r = gaudi.tpc.cast %0 : tensor<2xi64> -> tensor<2xf32>", {x},
               "tensor<2xf32>"),
      same({0x1p54 + 0x1p31, 0x1p63}));
}
} // namespace
