// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op costs before emission what its commands cost in the recipe: passes and
// predictions ask one model about one work.
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace gaudi;
using gaudi::timing::Cost;
using gaudi::timing::Memory;
using gaudi::timing::Work;

namespace {
/// The cost with all operands in HBM: which stay on chip is known only when all
/// commands are.
Cost costInHbm(Work work, const gaudi::device::DeviceSpec &spec) {
  struct {
    void operator()(gaudi::timing::MatrixWork &w) {
      w.a.memory = w.b.memory = w.c.memory = Memory::Hbm;
    }
    void operator()(gaudi::timing::TransferWork &w) {
      w.source.memory = w.target.memory = Memory::Hbm;
    }
    void operator()(gaudi::timing::FillWork &w) {
      w.target.memory = Memory::Hbm;
    }
    void operator()(gaudi::timing::KernelWork &w) { all(w.operands); }
    void operator()(gaudi::timing::LibraryWork &w) { all(w.operands); }
    void operator()(gaudi::timing::AttentionWork &w) { all(w.operands); }
    void all(std::vector<gaudi::timing::Operand> &operands) {
      for (gaudi::timing::Operand &operand : operands)
        operand.memory = Memory::Hbm;
    }
  } toHbm;
  std::visit(toHbm, work);
  return gaudi::timing::costOf(work, spec);
}

class WorkTest : public testing::TestWithParam<const char *> {
protected:
  WorkTest() {
    registerGaudiDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void compare(OwningOpRef<ModuleOp> module) {
    ASSERT_TRUE(module);
    CompileOptions options;
    options.device = GetParam();
    PassManager manager(&context);
    ASSERT_TRUE(succeeded(buildCompilePipeline(
        manager, options, [](const Twine &) { return failure(); })));
    ASSERT_TRUE(succeeded(manager.run(*module)));
    const DeviceTime time(*deviceOf(*module));
    std::vector<std::pair<Operation *, Work>> asked;
    for (auto function : module->getOps<func::FuncOp>())
      for (Operation &op : function.getBody().getOps())
        for (Work &work : time.workOf(&op))
          asked.push_back({&op, std::move(work)});

    EmittedRecipe emitted;
    ASSERT_TRUE(succeeded(emitRecipe(*module, emitted)));
    auto bytes = gaudi::recipe::writeRecipe(emitted.recipe, emitted.constants);
    ASSERT_TRUE(bytes) << bytes.error().message;
    auto file =
        gaudi::recipe::RecipeFile::fromBuffer({bytes->data(), bytes->size()});
    ASSERT_TRUE(file) << file.error().message;
    auto predicted = gaudi::prediction::predict(*file, 0);
    ASSERT_TRUE(predicted) << predicted.error().message;
    ASSERT_EQ(asked.size(), predicted->commands.size());
    for (size_t i = 0; i < asked.size(); ++i) {
      const auto &[op, work] = asked[i];
      const Work &given = predicted->commands[i].work;
      ASSERT_EQ(work.index(), given.index()) << predicted->commands[i].name;
      const Cost mine = costInHbm(work, time.spec),
                 theirs = costInHbm(given, time.spec);
      EXPECT_EQ(mine.total(), theirs.total()) << predicted->commands[i].name;
      EXPECT_EQ(mine.compute, theirs.compute) << predicted->commands[i].name;
      EXPECT_EQ(mine.hbmRead, theirs.hbmRead) << predicted->commands[i].name;
      EXPECT_EQ(mine.hbmWritten, theirs.hbmWritten);
      EXPECT_EQ(mine.bound, theirs.bound) << predicted->commands[i].name;
      EXPECT_GT(mine.total(), 0) << predicted->commands[i].name;
    }
  }

  void compareText(const char *text) {
    compare(parseSourceString<ModuleOp>(text, &context));
  }

  DialectRegistry registry;
  MLIRContext context;
};

TEST_P(WorkTest, MatrixOps) {
  compareText(R"(
func.func @main(%a: tensor<3x40x8xf32>, %b: tensor<1x16x8xf32>,
    %x: tensor<2x9x9x4xf32>, %w: tensor<3x3x4x8xf32>, %dy: tensor<2x4x4x8xf32>)
    -> (tensor<3x40x16xf32>, tensor<2x4x4x8xf32>, tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32>) {
  %0 = gaudi.mme.gemm %a, %b transpose_b : tensor<3x40x8xf32>, tensor<1x16x8xf32> -> tensor<3x40x16xf32>
  %1 = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32> -> tensor<2x4x4x8xf32>
  %2 = gaudi.mme.conv_input_grad %dy, %w layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x4x4x8xf32>, tensor<3x3x4x8xf32> -> tensor<2x9x9x4xf32>
  %3 = gaudi.mme.conv_weight_grad %x, %dy layout "NHWC", "NHWC", "HWIO" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x9x9x4xf32>, tensor<2x4x4x8xf32> -> tensor<3x3x4x8xf32>
  return %0, %1, %2, %3 : tensor<3x40x16xf32>, tensor<2x4x4x8xf32>, tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32>
})");
}

TEST_P(WorkTest, Attention) {
  compareText(R"(
func.func @main(%q: tensor<2x70x8x64xbf16>, %k: tensor<2x2x64x96xbf16>, %v: tensor<2x2x96x32xbf16>,
    %mask: tensor<2x1x70x96xi1>, %lengths: tensor<2xi32>, %seed: tensor<1xi32>,
    %x: tensor<4x40x16xf32>, %p: tensor<4x40x40xf32>)
    -> (tensor<2x8x70x32xbf16>, tensor<2x8x70x32xbf16>, tensor<2x8x70x96xbf16>, tensor<2x8x70x96xi8>,
        tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>, tensor<4x40x16xf32>) {
  %o, %m, %linv, %drawn = gaudi.sdpa %q, %k, %v mask %mask lengths %lengths seed %seed scale 0.125 causal
      dropout 0.1 softmax_mode <fast> saves <statistics> {query_layout = "NLHD", key_layout = "NHDL", slice = array<i64: 64, 96>}
      : (tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>, tensor<2x1x70x96xi1>, tensor<2xi32>, tensor<1xi32>)
      -> (tensor<2x8x70x32xbf16>, tensor<2x8x70x1xbf16>, tensor<2x8x70x1xbf16>, tensor<1xi32>)
  %o2, %saved, %kept = gaudi.sdpa %q, %k, %v seed %seed scale 0.125 window 20 dropout 0.1 saves <probabilities>
      {query_layout = "NLHD", key_layout = "NHDL"}
      : (tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>, tensor<1xi32>)
      -> (tensor<2x8x70x32xbf16>, tensor<2x8x70x96xbf16>, tensor<2x8x70x96xi8>)
  %dq, %dk, %dv = gaudi.sdpa_grad %o2, %q, %k, %v output %o mask %mask lengths %lengths seed %seed m %m linv %linv scale 0.125 causal
      dropout 0.1 softmax_mode <fast> {query_layout = "NLHD", key_layout = "NHDL"}
      : (tensor<2x8x70x32xbf16>, tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>, tensor<2x8x70x32xbf16>,
         tensor<2x1x70x96xi1>, tensor<2xi32>, tensor<1xi32>, tensor<2x8x70x1xbf16>, tensor<2x8x70x1xbf16>)
      -> (tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>)
  %dx, %dy, %dz = gaudi.sdpa_grad %x, %x, %x, %x probabilities %p scale 0.25
      : (tensor<4x40x16xf32>, tensor<4x40x16xf32>, tensor<4x40x16xf32>, tensor<4x40x16xf32>, tensor<4x40x40xf32>)
      -> (tensor<4x40x16xf32>, tensor<4x40x16xf32>, tensor<4x40x16xf32>)
  return %o, %o2, %saved, %kept, %dq, %dk, %dv, %dx : tensor<2x8x70x32xbf16>, tensor<2x8x70x32xbf16>, tensor<2x8x70x96xbf16>, tensor<2x8x70x96xi8>,
      tensor<2x70x8x64xbf16>, tensor<2x2x64x96xbf16>, tensor<2x2x96x32xbf16>, tensor<4x40x16xf32>
})");
}

TEST_P(WorkTest, Movements) {
  compareText(R"(
func.func @main(%a: tensor<4x6x8xf32>, %b: tensor<4x2x8xf32>)
    -> (tensor<8x4x6xf32>, tensor<4x8x8xf32>, tensor<5x4x6x8xf32>, tensor<4x6x8xf32>,
        tensor<2x2xbf16>, tensor<6x4x8xf32>, tensor<2x3x8xf32>) {
  %t = gaudi.transpose %a permutation [2, 0, 1] : tensor<4x6x8xf32> -> tensor<8x4x6xf32>
  %c = gaudi.concat %a, %b axis 1 : tensor<4x6x8xf32>, tensor<4x2x8xf32> -> tensor<4x8x8xf32>
  %r = gaudi.broadcast %a dims [1, 2, 3] : tensor<4x6x8xf32> -> tensor<5x4x6x8xf32>
  %i = gaudi.insert_slice %b into %a offsets [0, 1, 0] strides [1, 3, 1] : tensor<4x2x8xf32> into tensor<4x6x8xf32>
  %f = gaudi.fill 2.0 : bf16 : tensor<2x2xbf16>
  %u = gaudi.transpose %a permutation [1, 0, 2] : tensor<4x6x8xf32> -> tensor<6x4x8xf32>
  %s = gaudi.slice %a offsets [1, 0, 0] strides [2, 2, 1] : tensor<4x6x8xf32> -> tensor<2x3x8xf32>
  return %t, %c, %r, %i, %f, %u, %s : tensor<8x4x6xf32>, tensor<4x8x8xf32>, tensor<5x4x6x8xf32>,
      tensor<4x6x8xf32>, tensor<2x2xbf16>, tensor<6x4x8xf32>, tensor<2x3x8xf32>
})");
}

// One model of each front end, with reductions, gathers, narrow types and
// library kernels among them.
TEST_P(WorkTest, Models) {
  for (const char *name :
       {"tosa-resnet18-buddy/lifted.mlir", "linalg-bert-buddy/lifted.mlir",
        "linalg-mobilenetv3-imex/lifted.mlir"}) {
    SCOPED_TRACE(name);
    compare(parseSourceFile<ModuleOp>(std::string(GAUDI_MODELS "/") + name,
                                      &context));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, WorkTest,
                         testing::Values("gaudi", "gaudi2", "gaudi3"),
                         [](const auto &given) { return given.param; });
} // namespace
