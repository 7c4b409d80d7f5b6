// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An evaluation in the types of a plan gives what the function of the pass
// gives, and a layer that is bad on purpose causes most of the error.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "Gaudi/Transforms/ErrorCauses.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace gaudi;

namespace {
/// Layers of a product and a tanh, of which one may be bad.
class Network {
public:
  enum class Bad { None, HugeWeights, Cancellation, LongSum, LargeScores };

  Network(int layers, Bad kind, int bad) {
    std::string arguments = fmt::format("%x0: {}", activation);
    for (int layer = 0; layer < layers; ++layer) {
      arguments += fmt::format(", %w{}: {}", layer, weight);
      const bool isBad = layer == bad;
      step(layer, isBad ? kind : Bad::None);
    }
    text =
        fmt::format("func.func @main({}) -> {} {{\n{}  return %x{} : {}\n}}\n",
                    arguments, activation, body, layers, activation);
    badLayer = bad;
  }

  std::string text;
  int badLayer;

private:
  static inline const std::string activation = "tensor<16x32xf32>",
                                  weight = "tensor<32x32xf32>";

  /// Writes an op and gives its name.
  std::string op(int layer, const std::string &op, const std::string &types) {
    const std::string name = fmt::format("%v{}", count++);
    body += fmt::format("  {} = {} : {} loc(\"layer{}\")\n", name, op, types,
                        layer);
    return name;
  }

  std::string splat(int layer, double value) {
    return op(layer, fmt::format("gaudi.constant dense<{:e}>", value),
              "tensor<1x1xf32>");
  }

  std::string binary(int layer, const char *name, const std::string &a,
                     const std::string &b, const std::string &other) {
    return op(layer, fmt::format("gaudi.tpc.{} {}, {}", name, a, b),
              fmt::format("{}, {} -> {}", activation, other, activation));
  }

  std::string reduced(int layer, const char *kind, const std::string &value) {
    return op(
        layer,
        fmt::format("gaudi.tpc.reduce <{}> {} dims [1] keep_dims", kind, value),
        fmt::format("{} -> tensor<16x1xf32>", activation));
  }

  void step(int layer, Bad kind) {
    const std::string one = "tensor<1x1xf32>", column = "tensor<16x1xf32>";
    std::string weights = fmt::format("%w{}", layer);
    if (kind == Bad::HugeWeights)
      weights =
          op(layer,
             fmt::format("gaudi.tpc.add {}, {}", weights, splat(layer, 300)),
             fmt::format("{}, {} -> {}", weight, one, weight));
    std::string y =
        op(layer, fmt::format("gaudi.mme.gemm %x{}, {}", layer, weights),
           fmt::format("{}, {} -> {}", activation, weight, activation));
    if (kind == Bad::HugeWeights)
      y = binary(layer, "sub", y, reduced(layer, "mean", y), column);
    if (kind == Bad::Cancellation) {
      const std::string large = splat(layer, 1000);
      y = binary(layer, "sub", binary(layer, "add", y, large, one), large, one);
    }
    if (kind == Bad::LongSum) {
      const std::string term = binary(layer, "mul", y, splat(layer, 0.01), one);
      for (int i = 0; i < 100; ++i)
        y = i == 0 ? term : binary(layer, "add", y, term, activation);
    }
    if (kind == Bad::LargeScores) {
      const std::string scores =
          binary(layer, "mul", y, splat(layer, 100), one);
      const std::string shifted =
          binary(layer, "sub", scores, reduced(layer, "max", scores), column);
      const std::string weighed =
          op(layer, "gaudi.tpc.exp " + shifted, activation);
      y = binary(layer, "div", weighed, reduced(layer, "sum", weighed), column);
    }
    const std::string next = op(layer, "gaudi.tpc.tanh " + y, activation);
    // The last op of a layer has the name that the next one reads.
    const size_t at = body.rfind("  " + next + " = ");
    body.replace(at + 2, next.size(), fmt::format("%x{}", layer + 1));
  }

  std::string body;
  int count = 0;
};

class AutocastTest : public testing::Test {
protected:
  AutocastTest() {
    DialectRegistry registry;
    registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    function = *module->getOps<func::FuncOp>().begin();
    arguments = seededInputs(function.getArgumentTypes(), 7);
    // Weights that keep the size of what they multiply.
    for (ReferenceTensor &tensor :
         MutableArrayRef<ReferenceTensor>(arguments).drop_front())
      for (double &value : tensor.mutableFloats())
        value = roundTo(Float32Type::get(&context), value * 0.3);
    units = autocastUnits(function);
  }

  std::vector<AutocastTypes> typesIn(const char *setting) {
    auto parsed = parseAutocast(setting);
    EXPECT_TRUE(bool(parsed));
    return autocastTypes(function, units, *parsed, "gaudi2");
  }

  /// The bits of results after the pass, and by the plan.
  void expectAsPlanned(const char *dtype) {
    auto planned = evaluateInTypes(function, arguments, units, typesIn(dtype));
    ASSERT_TRUE(succeeded(planned));
    PassManager manager(&context);
    AutocastOptions options;
    options.dtype = dtype;
    manager.addPass(createAutocast(options));
    ASSERT_TRUE(succeeded(manager.run(*module)));
    auto computed = evaluateFunction(function, arguments);
    ASSERT_TRUE(succeeded(computed));
    for (auto [one, other] : llvm::zip_equal(*planned, *computed))
      EXPECT_EQ(one.floats(), other.floats());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  SmallVector<ReferenceTensor> arguments;
  std::vector<AutocastUnit> units;
};

TEST_F(AutocastTest, APlanRoundsAsThePassDoes) {
  for (const char *dtype :
       {"bf16", "f16", "f32", "fp8", "fp8:format=e4m3:margin=2"})
    for (Network::Bad kind :
         {Network::Bad::None, Network::Bad::HugeWeights,
          Network::Bad::Cancellation, Network::Bad::LargeScores}) {
      parse(Network(3, kind, 1).text);
      expectAsPlanned(dtype);
    }
}

TEST_F(AutocastTest, EightBitsOfConstantsMovesAndStepsAreAsPlanned) {
  for (const char *body :
       {// A weight that the compiler knows.
        "func.func @main(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {\n"
        "  %w = gaudi.constant dense<[[1.0, -4.1], [0.3, 2.2]]> : "
        "tensor<2x2xf32>\n"
        "  %0 = gaudi.mme.gemm %x, %w : tensor<3x2xf32>, tensor<2x2xf32> -> "
        "tensor<3x2xf32>\n"
        "  return %0 : tensor<3x2xf32>\n}\n",
        // A linear layer of PyTorch, which moves its weight and adds a bias.
        "func.func @main(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>, %b: "
        "tensor<1x4xf32>) -> tensor<3x4xf32> {\n"
        "  %0 = gaudi.transpose %w permutation [1, 0] {gaudi.source_op = "
        "[\"aten.linear\", 1, -1, false]} : tensor<4x2xf32> -> "
        "tensor<2x4xf32>\n"
        "  %1 = gaudi.mme.gemm %x, %0 {gaudi.source_op = "
        "[\"aten.linear\", 1, -1, false]} : tensor<3x2xf32>, "
        "tensor<2x4xf32> -> tensor<3x4xf32>\n"
        "  %2 = gaudi.tpc.add %1, %b {gaudi.source_op = "
        "[\"aten.linear\", 1, -1, false]} : tensor<3x4xf32>, "
        "tensor<1x4xf32> -> tensor<3x4xf32>\n"
        "  return %2 : tensor<3x4xf32>\n}\n",
        // A step, whose input is cast to both types.
        "func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> "
        "{gaudi.state = 0 : i64}) -> (tensor<8x8xf32>, tensor<f32>) {\n"
        "  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> "
        "tensor<4x8xf32>\n"
        "  %1 = gaudi.tpc.reduce <mean> %0 dims [0, 1] : tensor<4x8xf32> -> "
        "tensor<f32>\n"
        "  %2 = gaudi.mme.gemm %x, %0 transpose_a : tensor<4x8xf32>, "
        "tensor<4x8xf32> -> tensor<8x8xf32>\n"
        "  %3 = gaudi.tpc.sub %w, %2 : tensor<8x8xf32>, tensor<8x8xf32> -> "
        "tensor<8x8xf32>\n"
        "  return %3, %1 : tensor<8x8xf32>, tensor<f32>\n}\n"}) {
    SCOPED_TRACE(body);
    parse(body);
    expectAsPlanned("fp8");
  }
}

TEST_F(AutocastTest, AScaleIsAPowerOfTwo) {
  AutocastScaling scaling;
  scaling.largest = 240;
  EXPECT_EQ(scaling.scaleFor(240), 1);
  EXPECT_EQ(scaling.scaleFor(241), 0.5);
  EXPECT_EQ(scaling.scaleFor(0.9), 256);
  scaling.margin = 2;
  EXPECT_EQ(scaling.scaleFor(0.9), 64);
  EXPECT_EQ(scaling.scaleFor(1e-45), std::ldexp(1, 126));
  EXPECT_EQ(scaling.scaleFor(0), std::ldexp(1, 126)) << "zeros stay zeros";
  EXPECT_EQ(scaling.scaleFor(INFINITY), 1);
  EXPECT_EQ(scaling.scaleFor(NAN), 1);
}

TEST_F(AutocastTest, ABadLayerCausesMostOfTheError) {
  for (Network::Bad kind :
       {Network::Bad::HugeWeights, Network::Bad::Cancellation,
        Network::Bad::LongSum, Network::Bad::LargeScores})
    for (int bad : {0, 2, 5}) {
      SCOPED_TRACE(fmt::format("kind {}, layer {}", int(kind), bad));
      parse(Network(6, kind, bad).text);
      auto found = findErrorCauses(function, arguments, units, typesIn("f32"),
                                   typesIn("bf16"), 1e12);
      ASSERT_TRUE(succeeded(found));
      EXPECT_GT(found->error, 0);
      std::map<std::string, double> shares;
      double total = 0;
      for (auto [unit, cause] : llvm::zip_equal(units, found->causes)) {
        shares[locationText(unit.ops.back()->getLoc())] += cause.share;
        total += cause.share;
      }
      EXPECT_NEAR(total, 1, 1e-9);
      const auto first = std::max_element(
          shares.begin(), shares.end(),
          [](const auto &a, const auto &b) { return a.second < b.second; });
      EXPECT_EQ(first->first, fmt::format("layer{}", bad)) << first->second;
    }
}

TEST_F(AutocastTest, AllUnitsSwitchedBackLeaveNoError) {
  parse(Network(3, Network::Bad::None, 0).text);
  auto found = findErrorCauses(function, arguments, units, typesIn("bf16"),
                               typesIn("bf16"), 1e12);
  ASSERT_TRUE(succeeded(found));
  EXPECT_EQ(found->error, 0);
  for (const ErrorCause &cause : found->causes)
    EXPECT_EQ(cause.share, 0);
}

TEST_F(AutocastTest, AnOpWithoutAModelIsAnError) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = math.exp %x : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n");
  EXPECT_TRUE(failed(findErrorCauses(function, arguments, units, typesIn("f32"),
                                     typesIn("bf16"), 1)));
  EXPECT_EQ(message, "'math.exp' cannot be evaluated: its error is not known");
}

TEST_F(AutocastTest, LittleWorkSwitchesUnitsTogether) {
  parse(Network(6, Network::Bad::Cancellation, 2).text);
  auto found = findErrorCauses(function, arguments, units, typesIn("f32"),
                               typesIn("bf16"), 1);
  ASSERT_TRUE(succeeded(found));
  std::map<uint32_t, int> sizes;
  double total = 0;
  for (const ErrorCause &cause : found->causes) {
    ++sizes[cause.group];
    total += cause.share;
  }
  EXPECT_NEAR(total, 1, 1e-9) << "a group has its share once";
  EXPECT_LT(sizes.size(), found->causes.size());
  EXPECT_EQ(found->evaluations, 2u) << "one of each setting";
}
} // namespace
