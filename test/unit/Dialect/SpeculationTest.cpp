// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops may run where the program would not have run them.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace gaudi;

namespace {
/// A function with this body. Arguments: %x 4x8xf32, %i 4x2xi64, %u 4x2xf32.
class Program {
public:
  explicit Program(StringRef body) {
    context.loadDialect<GaudiDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(
        ("func.func @f(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>, "
         "%u: tensor<4x2xf32>) {\n" +
         body + "\nreturn }")
            .str(),
        &context);
    EXPECT_TRUE(module) << body.str();
  }

  /// The op before the return.
  Operation *last() {
    auto function = *module->getOps<func::FuncOp>().begin();
    return function.getBody().front().getTerminator()->getPrevNode();
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

bool isLastSpeculatable(StringRef body) {
  Program program(body);
  EXPECT_TRUE(isMemoryEffectFree(program.last()));
  return isSpeculatable(program.last());
}

/// Whether the kernel of the last op is speculatable.
bool isKernelSpeculatable(StringRef body) {
  Program program(body);
  OpBuilder builder(program.last());
  auto kernel =
      cast<KernelBodyOpInterface>(program.last()).buildKernel(builder);
  EXPECT_TRUE(succeeded(kernel) && isMemoryEffectFree(*kernel));
  return isSpeculatable(*kernel);
}

constexpr StringLiteral gather =
    "%r = gaudi.tpc.gather_elements %x, %k axis 1 : tensor<4x8xf32>, "
    "tensor<4x2xi64> -> tensor<4x2xf32>";

bool isGatherSpeculatable(StringRef indices) {
  return isLastSpeculatable((indices + "\n" + gather).str());
}

TEST(SpeculationTest, IndicesOfArgumentsMayStopTheLaunch) {
  EXPECT_FALSE(isLastSpeculatable(
      "%r = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, "
      "tensor<4x2xi64> -> tensor<4x2xf32>"));
  EXPECT_FALSE(isLastSpeculatable(
      "%r = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<4x8xf32>, "
      "tensor<4x2xi64> -> tensor<4x2x8xf32>"));
  EXPECT_FALSE(isLastSpeculatable(
      "%r = gaudi.tpc.scatter_elements %x, %i, %u axis 1 : tensor<4x8xf32>, "
      "tensor<4x2xi64>, tensor<4x2xf32> -> tensor<4x8xf32>"));
  EXPECT_FALSE(isLastSpeculatable(
      "%d = gaudi.reshape %x : tensor<4x8xf32> -> tensor<4x8x1xf32>\n"
      "%v = gaudi.reshape %u : tensor<4x2xf32> -> tensor<4x2x1xf32>\n"
      "%r = gaudi.tpc.scatter %d, %i, %v : tensor<4x8x1xf32>, tensor<4x2xi64>, "
      "tensor<4x2x1xf32> -> tensor<4x8x1xf32>"));
}

TEST(SpeculationTest, ConstantIndicesAreComparedWithTheSize) {
  EXPECT_TRUE(isGatherSpeculatable(
      "%k = gaudi.constant dense<[[0, 7], [1, 2], [3, 4], [5, 6]]> : "
      "tensor<4x2xi64>"));
  EXPECT_FALSE(isGatherSpeculatable(
      "%k = gaudi.constant dense<[[0, 8], [1, 2], [3, 4], [5, 6]]> : "
      "tensor<4x2xi64>"));
  EXPECT_FALSE(
      isGatherSpeculatable("%k = gaudi.constant dense<-1> : tensor<4x2xi64>"));
  EXPECT_TRUE(isGatherSpeculatable(
      "%c = gaudi.constant dense<7> : tensor<4x1xi64>\n"
      "%k = gaudi.broadcast %c dims [0, 1] : tensor<4x1xi64> -> "
      "tensor<4x2xi64>"));
}

TEST(SpeculationTest, BoundsOfClampAndIotaAreKnown) {
  EXPECT_TRUE(isGatherSpeculatable("%k = gaudi.tpc.clamp %i min 0 : i64 max 7 "
                                   ": i64 : tensor<4x2xi64>"));
  EXPECT_FALSE(isGatherSpeculatable("%k = gaudi.tpc.clamp %i min 0 : i64 max 8 "
                                    ": i64 : tensor<4x2xi64>"));
  EXPECT_FALSE(isGatherSpeculatable("%k = gaudi.tpc.clamp %i min -1 : i64 max "
                                    "7 : i64 : tensor<4x2xi64>"));
  EXPECT_TRUE(
      isGatherSpeculatable("%k = gaudi.tpc.iota dim 0 : tensor<4x2xi64>"));
}

TEST(SpeculationTest, KernelsWithCheckedLoadsMayStopTheLaunch) {
  EXPECT_FALSE(isKernelSpeculatable(
      "%r = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, "
      "tensor<4x2xi64> -> tensor<4x2xf32>"));
  EXPECT_TRUE(isKernelSpeculatable("%r = gaudi.tpc.exp %x : tensor<4x8xf32>"));
}

TEST(SpeculationTest, OtherOpsAlwaysRun) {
  EXPECT_TRUE(isLastSpeculatable("%r = gaudi.tpc.exp %x : tensor<4x8xf32>"));
  EXPECT_TRUE(isLastSpeculatable("%r = gaudi.reshape %x : tensor<4x8xf32> -> "
                                 "tensor<32xf32>"));
}
} // namespace
