// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that keep all values pass verification; whatever value one changes is
// found, whichever result it is.
#include "Gaudi/Transforms/VerifyFusion.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Reference/Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace gaudi;

namespace {
class VerifyFusionTest : public testing::Test {
protected:
  VerifyFusionTest() {
    DialectRegistry registry;
    registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The error after `change`; empty: verified.
  std::string verify(StringRef text,
                     function_ref<void(func::FuncOp, OpBuilder &)> change) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module)) << message;
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    GraphSnapshot snapshot(*module);
    OpBuilder builder(&context);
    change(function, builder);
    const bool failed = mlir::failed(snapshot.verify("the-pass"));
    EXPECT_EQ(failed, !message.empty());
    function.walk([](Operation *op) {
      EXPECT_TRUE(op->getDiscardableAttrs().empty()) << "numbers must be gone";
    });
    return message;
  }

  /// Replaces each op `Op` by its first operand, through a new op.
  template <typename Op>
  static void forward(func::FuncOp function, OpBuilder &builder) {
    function.walk([&](Op op) {
      builder.setInsertionPoint(op);
      Value copy =
          CopyOp::create(builder, op.getLoc(), op.getType(), op->getOperand(0));
      op.getResult().replaceAllUsesWith(copy);
      op.erase();
    });
  }

  MLIRContext context;
};

/// Two results: the first is what a check of outputs would look at.
constexpr StringLiteral twoResults = R"(
  func.func @main(%x: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %0 = gaudi.mme.gemm %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
    %1 = gaudi.mme.gemm %g, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
    %2 = gaudi.tpc.clamp %1 min -1000.0 : f32 max 1000.0 : f32 : tensor<4x4xf32>
    return %0, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  })";

TEST_F(VerifyFusionTest, FindsAClampThatIsGoneFromTheSecondResult) {
  EXPECT_THAT(verify(twoResults, forward<ClampOp>),
              testing::HasSubstr("verify-fusion: pass 'the-pass' put other "
                                 "numbers in place of 'gaudi.tpc.clamp': worst "
                                 "element ["));
}

TEST_F(VerifyFusionTest, AcceptsEqualForms) {
  EXPECT_EQ(verify(twoResults,
                   [](func::FuncOp function, OpBuilder &builder) {
                     function.walk([&](ClampOp op) {
                       builder.setInsertionPoint(op);
                       op.getResult().replaceAllUsesWith(
                           builder.clone(*op)->getResult(0));
                       op.erase();
                     });
                   }),
            "");
  EXPECT_EQ(verify(twoResults, [](func::FuncOp, OpBuilder &) {}), "");
}

TEST_F(VerifyFusionTest, ComparesWhatIsReadInTheMiddle) {
  // The product that stays reads another value than before.
  EXPECT_THAT(verify(R"(
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = gaudi.tpc.floor %x : tensor<4x4xf32>
    %1 = gaudi.mme.gemm %0, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  })",
                     forward<FloorOp>),
              testing::HasSubstr("in place of 'gaudi.tpc.floor'"));
}

TEST_F(VerifyFusionTest, AttributesThatChangeInPlaceAreCompared) {
  EXPECT_THAT(verify(twoResults,
                     [](func::FuncOp function, OpBuilder &builder) {
                       function.walk([&](ClampOp op) {
                         op.setMaxAttr(builder.getF32FloatAttr(2000));
                       });
                     }),
              testing::HasSubstr("regime '"));
}

TEST_F(VerifyFusionTest, ValuesThatDependOnEachOtherKeepTheirRelation) {
  // x - floor(x) is the remainder that %r names: equal only if both are read
  // from the same x.
  EXPECT_EQ(verify(R"(
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %f = gaudi.tpc.floor %x : tensor<4xf32>
    %r = gaudi.tpc.sub %x, %f : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %a = gaudi.tpc.abs %r : tensor<4xf32>
    return %f, %r, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  })",
                   forward<AbsOp>),
            "");
}
} // namespace
