// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named ops against the kernels that the compiler builds for them: two
// independent readings of each op's text.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Ops with the types of their operands; the kernel built for the op and the
/// op's own model must agree.
struct NamedOp {
  const char *op;
  std::vector<const char *> inputs;
  const char *result;
};
class NamedOpTest : public ReferenceTest,
                    public ::testing::WithParamInterface<NamedOp> {};

TEST_P(NamedOpTest, AgreesWithItsKernel) {
  const NamedOp &param = GetParam();
  SmallVector<ReferenceTensor> inputs;
  std::string text = "func.func @f(";
  for (auto [i, name] : llvm::enumerate(param.inputs)) {
    inputs.push_back(seededInput(type(name), i, 1));
    text += (i ? ", %" : "%") + std::to_string(i) + ": " + name;
  }
  text += std::string(") -> ") + param.result + " {\n%r = " + param.op +
          "\nreturn %r : " + param.result + "\n}";
  auto module = parse(text);
  ASSERT_TRUE(module);
  auto function = *module->getOps<func::FuncOp>().begin();
  auto expected = evaluateFunction(function, inputs);
  ASSERT_TRUE(succeeded(expected));

  Operation *op = &function.getBody().front().front();
  OpBuilder builder(op);
  auto kernel = cast<KernelBodyOpInterface>(op).buildKernel(builder);
  ASSERT_TRUE(succeeded(kernel)) << ::testing::PrintToString(messages);
  op->replaceAllUsesWith((*kernel)->getResults());
  op->erase();
  auto actual = evaluateFunction(function, inputs);
  ASSERT_TRUE(succeeded(actual)) << ::testing::PrintToString(messages);
  const ComparisonReport report =
      compareTensors((*actual)[0], (*expected)[0], NumericsScope::Op);
  EXPECT_TRUE(report.passed) << text << "\n" << report.describe();
}

#define POINTWISE(op, element)                                                 \
  NamedOp{"gaudi.tpc." op " %0 : tensor<5x7x" element ">",                     \
          {"tensor<5x7x" element ">"},                                         \
          "tensor<5x7x" element ">"}
#define PAIRWISE(op, element)                                                  \
  NamedOp{"gaudi.tpc." op " %0, %1 : tensor<5x7x" element                      \
          ">, tensor<1x7x" element "> -> tensor<5x7x" element ">",             \
          {"tensor<5x7x" element ">", "tensor<1x7x" element ">"},              \
          "tensor<5x7x" element ">"}

INSTANTIATE_TEST_SUITE_P(
    Elementwise, NamedOpTest,
    ::testing::Values(
        POINTWISE("abs", "f32"), POINTWISE("abs", "i8"),
        POINTWISE("neg", "bf16"), POINTWISE("neg", "ui8"),
        POINTWISE("sign", "f32"), POINTWISE("sign", "i32"),
        POINTWISE("ceil", "f16"), POINTWISE("floor", "f32"),
        POINTWISE("round", "f32"), POINTWISE("round_even", "f32"),
        POINTWISE("trunc", "f32"), POINTWISE("exp", "bf16"),
        POINTWISE("exp2", "f32"), POINTWISE("expm1", "f32"),
        POINTWISE("log", "f32"), POINTWISE("log2", "f32"),
        POINTWISE("log10", "f32"), POINTWISE("log1p", "f32"),
        POINTWISE("sqrt", "f32"), POINTWISE("rsqrt", "f32"),
        POINTWISE("cbrt", "f32"), POINTWISE("reciprocal", "f32"),
        POINTWISE("sigmoid", "f8E4M3FN"), POINTWISE("tanh", "f8E5M2"),
        POINTWISE("erf", "f32"), POINTWISE("erfc", "f32"),
        POINTWISE("sin", "f32"), POINTWISE("cos", "f32"),
        POINTWISE("tan", "f32"), POINTWISE("asin", "f32"),
        POINTWISE("acos", "f32"), POINTWISE("atan", "f32"),
        POINTWISE("sinh", "f32"), POINTWISE("cosh", "f32"),
        POINTWISE("asinh", "f32"), POINTWISE("acosh", "f32"),
        POINTWISE("atanh", "f32"), POINTWISE("not", "i32"),
        POINTWISE("not", "i1"), POINTWISE("clz", "i16"), PAIRWISE("add", "f32"),
        PAIRWISE("add", "ui8"), PAIRWISE("sub", "i8"), PAIRWISE("mul", "bf16"),
        PAIRWISE("div", "f32"), PAIRWISE("div", "i32"), PAIRWISE("div", "ui16"),
        PAIRWISE("rem", "f32"), PAIRWISE("rem", "i64"), PAIRWISE("max", "f32"),
        PAIRWISE("min", "ui32"), PAIRWISE("maxnum", "f32"),
        PAIRWISE("minnum", "f32"), PAIRWISE("pow", "f32"),
        PAIRWISE("atan2", "f32"), PAIRWISE("and", "i8"), PAIRWISE("or", "i1"),
        PAIRWISE("xor", "i32"), PAIRWISE("shl", "i8"), PAIRWISE("shr", "i8"),
        PAIRWISE("shr_logical", "i8"),
        NamedOp{"gaudi.tpc.compare <le> %0, %1 : tensor<5x7xi8>, "
                "tensor<5x1xi8> -> tensor<5x7xi1>",
                {"tensor<5x7xi8>", "tensor<5x1xi8>"},
                "tensor<5x7xi1>"},
        NamedOp{"gaudi.tpc.compare <gt> %0, %1 : tensor<5x7xi1>, "
                "tensor<5x7xi1> -> tensor<5x7xi1>",
                {"tensor<5x7xi1>", "tensor<5x7xi1>"},
                "tensor<5x7xi1>"},
        NamedOp{"gaudi.tpc.select %0, %1, %2 : tensor<5x7xi1>, "
                "tensor<5x7xui8>, tensor<1x7xui8> -> tensor<5x7xui8>",
                {"tensor<5x7xi1>", "tensor<5x7xui8>", "tensor<1x7xui8>"},
                "tensor<5x7xui8>"},
        NamedOp{"gaudi.tpc.clamp %0 min -0.5 : f32 max 0.25 : f32 : "
                "tensor<5x7xbf16>",
                {"tensor<5x7xbf16>"},
                "tensor<5x7xbf16>"},
        NamedOp{"gaudi.tpc.clamp %0 min 3 : ui8 max 9 : ui8 : tensor<5x7xui8>",
                {"tensor<5x7xui8>"},
                "tensor<5x7xui8>"},
        NamedOp{"gaudi.tpc.cast %0 : tensor<5x7xf32> -> tensor<5x7xi8>",
                {"tensor<5x7xf32>"},
                "tensor<5x7xi8>"},
        NamedOp{"gaudi.tpc.cast %0 rounding <nearest_even> : tensor<5x7xf32> "
                "-> tensor<5x7xui8>",
                {"tensor<5x7xf32>"},
                "tensor<5x7xui8>"},
        NamedOp{"gaudi.tpc.cast %0 : tensor<5x7xi64> -> tensor<5x7xf16>",
                {"tensor<5x7xi64>"},
                "tensor<5x7xf16>"},
        NamedOp{"gaudi.tpc.cast %0 : tensor<5x7xi1> -> tensor<5x7xf32>",
                {"tensor<5x7xi1>"},
                "tensor<5x7xf32>"},
        NamedOp{"gaudi.tpc.cast %0 : tensor<5x7xui8> -> tensor<5x7xi32>",
                {"tensor<5x7xui8>"},
                "tensor<5x7xi32>"},
        NamedOp{"gaudi.tpc.cast %0 : tensor<5x7xf32> -> tensor<5x7xi1>",
                {"tensor<5x7xf32>"},
                "tensor<5x7xi1>"}));

INSTANTIATE_TEST_SUITE_P(
    Others, NamedOpTest,
    ::testing::Values(
        NamedOp{"gaudi.tpc.reduce <sum> %0 dims [0, 2] : tensor<3x4x5xbf16> -> "
                "tensor<4xbf16>",
                {"tensor<3x4x5xbf16>"},
                "tensor<4xbf16>"},
        NamedOp{"gaudi.tpc.reduce <mean> %0 dims [1] keep_dims : "
                "tensor<3x4x5xf32> -> tensor<3x1x5xf32>",
                {"tensor<3x4x5xf32>"},
                "tensor<3x1x5xf32>"},
        NamedOp{"gaudi.tpc.reduce <prod> %0 dims [1] : tensor<3x4xi32> -> "
                "tensor<3xi32>",
                {"tensor<3x4xi32>"},
                "tensor<3xi32>"},
        NamedOp{"gaudi.tpc.reduce <max> %0 dims [1] : tensor<3x4xui8> -> "
                "tensor<3xui8>",
                {"tensor<3x4xui8>"},
                "tensor<3xui8>"},
        NamedOp{"gaudi.tpc.reduce <min> %0 dims [0] : tensor<3x4xf32> -> "
                "tensor<4xf32>",
                {"tensor<3x4xf32>"},
                "tensor<4xf32>"},
        NamedOp{"gaudi.tpc.reduce <all> %0 dims [1] : tensor<9x2xi1> -> "
                "tensor<9xi1>",
                {"tensor<9x2xi1>"},
                "tensor<9xi1>"},
        NamedOp{"gaudi.tpc.reduce <any> %0 dims [1] : tensor<9x2xi1> -> "
                "tensor<9xi1>",
                {"tensor<9x2xi1>"},
                "tensor<9xi1>"},
        NamedOp{"gaudi.tpc.arg_reduce %0 axis 1 is_max : tensor<3x9x5xf32> -> "
                "tensor<3x5xi32>",
                {"tensor<3x9x5xf32>"},
                "tensor<3x5xi32>"},
        NamedOp{"gaudi.tpc.arg_reduce %0 axis 0 keep_dims : tensor<9x5xui8> -> "
                "tensor<1x5xi64>",
                {"tensor<9x5xui8>"},
                "tensor<1x5xi64>"},
        NamedOp{"gaudi.tpc.pool <max> %0 layout \"NHWC\" kernel [3, 3] strides "
                "[2, 2] dilations [1, 1] pad [1, 1], [1, 1] : "
                "tensor<1x8x8x4xf32> -> tensor<1x4x4x4xf32>",
                {"tensor<1x8x8x4xf32>"},
                "tensor<1x4x4x4xf32>"},
        NamedOp{"gaudi.tpc.pool <avg> %0 layout \"NCHW\" kernel [3, 2] strides "
                "[1, 2] dilations [1, 1] pad [1, 0], [1, 0] : "
                "tensor<2x3x6x6xbf16> -> tensor<2x3x6x3xbf16>",
                {"tensor<2x3x6x6xbf16>"},
                "tensor<2x3x6x3xbf16>"},
        NamedOp{"gaudi.tpc.pool <avg> %0 layout \"NHWC\" kernel [3, 2] strides "
                "[2, 2] dilations [2, 3] pad [3, 0], [2, 3] : "
                "tensor<2x9x11x5xf32> -> tensor<2x5x5x5xf32>",
                {"tensor<2x9x11x5xf32>"},
                "tensor<2x5x5x5xf32>"},
        NamedOp{"gaudi.tpc.pool <avg> %0 layout \"NWC\" kernel [3] strides [1] "
                "dilations [2] pad [2], [2] count_include_pad : "
                "tensor<1x9x2xf32> -> tensor<1x9x2xf32>",
                {"tensor<1x9x2xf32>"},
                "tensor<1x9x2xf32>"},
        NamedOp{"gaudi.tpc.gather %0, %1 axis 1 batch_dims 1 : "
                "tensor<2x16x3xf32>, tensor<2x5xi32> -> tensor<2x5x3xf32>",
                {"tensor<2x16x3xf32>", "tensor<2x5xi32>"},
                "tensor<2x5x3xf32>"},
        NamedOp{"gaudi.tpc.gather_elements %0, %1 axis 1 : tensor<4x16xi8>, "
                "tensor<3x5xi64> -> tensor<3x5xi8>",
                {"tensor<4x16xi8>", "tensor<3x5xi64>"},
                "tensor<3x5xi8>"},
        NamedOp{"gaudi.tpc.pad <constant> %0 low [1, 0] high [0, 2] value 2.5 "
                ": f32 : tensor<3x4xf32> -> tensor<4x6xf32>",
                {"tensor<3x4xf32>"},
                "tensor<4x6xf32>"},
        NamedOp{"gaudi.tpc.pad <edge> %0 low [1, 3] high [0, 2] : "
                "tensor<3x4xui8> -> tensor<4x9xui8>",
                {"tensor<3x4xui8>"},
                "tensor<4x9xui8>"},
        NamedOp{"gaudi.tpc.reverse %0 dims [0, 2] : tensor<3x4x5xi1>",
                {"tensor<3x4x5xi1>"},
                "tensor<3x4x5xi1>"},
        NamedOp{"gaudi.tpc.iota dim 1 : tensor<3x300xbf16>",
                {},
                "tensor<3x300xbf16>"},
        NamedOp{
            "gaudi.tpc.iota dim 0 : tensor<200x2xi8>", {}, "tensor<200x2xi8>"},
        NamedOp{"gaudi.tpc.resize <bilinear> %0 scale [4, 2, 6, 4] offset [-1, "
                "1] : tensor<1x4x4x3xf32> -> tensor<1x7x5x3xf32>",
                {"tensor<1x4x4x3xf32>"},
                "tensor<1x7x5x3xf32>"},
        NamedOp{"gaudi.tpc.resize <nearest> %0 scale [4, 2, 6, 4] offset [-1, "
                "1] : tensor<1x4x4x3xbf16> -> tensor<1x7x5x3xbf16>",
                {"tensor<1x4x4x3xbf16>"},
                "tensor<1x7x5x3xbf16>"},
        NamedOp{"gaudi.tpc.resize <bilinear> %0 scale [4, 2, 6, 4] offset [-1, "
                "1] : tensor<1x4x4x3xi8> -> tensor<1x7x5x3xi32>",
                {"tensor<1x4x4x3xi8>"},
                "tensor<1x7x5x3xi32>"}));
} // namespace
