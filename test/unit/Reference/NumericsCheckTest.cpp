// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The per-pass check: a pass that keeps the values passes, any other is named.
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Dialect/Signature.h"
#include "ReferenceTest.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

/// A pass made of a callback on each function.
template <typename Anchor>
class CallbackPass
    : public PassWrapper<CallbackPass<Anchor>, OperationPass<Anchor>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallbackPass)
  CallbackPass(std::string name, std::function<void(func::FuncOp)> change)
      : name(std::move(name)), change(std::move(change)) {}
  StringRef getArgument() const override { return name; }
  void runOnOperation() override {
    this->getOperation()->walk(
        [&](func::FuncOp function) { change(function); });
  }

private:
  std::string name;
  std::function<void(func::FuncOp)> change;
};

template <typename Anchor = ModuleOp>
std::unique_ptr<Pass> makePass(std::string name,
                               std::function<void(func::FuncOp)> change) {
  return std::make_unique<CallbackPass<Anchor>>(std::move(name),
                                                std::move(change));
}

class NumericsCheckTest : public ReferenceTest {
protected:
  bool run(ModuleOp module, std::vector<std::unique_ptr<Pass>> passes,
           bool check = true) {
    PassManager manager(&context);
    CheckedPipeline pipeline(
        manager, check ? std::optional(NumericsCheckOptions{}) : std::nullopt);
    for (std::unique_ptr<Pass> &pass : passes)
      pipeline.add(std::move(pass));
    return succeeded(manager.run(module));
  }
  template <typename... Passes>
  static std::vector<std::unique_ptr<Pass>> list(Passes... passes) {
    std::vector<std::unique_ptr<Pass>> result;
    (result.push_back(std::move(passes)), ...);
    return result;
  }

  /// Replaces the constant of a function.
  static std::function<void(func::FuncOp)> setConstant(float value) {
    return [=](func::FuncOp function) {
      function.walk([&](ConstantOp constant) {
        constant.setValueAttr(
            DenseElementsAttr::get(constant.getType(), value));
      });
    };
  }

  OwningOpRef<ModuleOp> sum() {
    return parse(R"(
      func.func @sum(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
        %c = gaudi.constant dense<1.0> : tensor<2x3xf32>
        %0 = gaudi.tpc.add %x, %c : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
        return %x, %0 : tensor<2x3xf32>, tensor<2x3xf32>
      })");
  }
};

TEST_F(NumericsCheckTest, KeepsQuietWhenTheValuesStay) {
  auto module = sum();
  EXPECT_TRUE(run(*module, list(makePass("nothing", [](func::FuncOp) {}),
                                makePass("tiny", setConstant(1 + 0x1p-23f)))));
  EXPECT_THAT(messages, IsEmpty());
}

TEST_F(NumericsCheckTest, NamesThePassAndTheElement) {
  auto module = sum();
  EXPECT_FALSE(run(*module, list(makePass("nothing", [](func::FuncOp) {}),
                                 makePass("breaks-it", setConstant(3)))));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(
      messages[0],
      ::testing::StartsWith(
          "pass 'breaks-it' changed result 1 of '@sum': worst element ["));
  EXPECT_THAT(messages[0],
              ::testing::EndsWith("6 elements out of tolerance, on inputs of "
                                  "regime 'seeded'"));
  EXPECT_THAT(
      messages[0],
      ::testing::HasSubstr("[1, 2]: expected 0.360638261 but got 2.36063814 "));
}

TEST_F(NumericsCheckTest, ReportsBranchesThatNoSampleTakes) {
  auto module = parse(R"(
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %c = gaudi.constant dense<-2.0> : tensor<8xf32>
      %0 = gaudi.tpc.abs %x : tensor<8xf32>
      %1 = gaudi.tpc.max %0, %c : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
      return %1 : tensor<8xf32>
    })");
  PassManager manager(&context);
  CheckedPipeline pipeline(manager, NumericsCheckOptions{});
  pipeline.add(makePass("nothing", [](func::FuncOp) {}));
  pipeline.finish();
  EXPECT_TRUE(succeeded(manager.run(*module)));
  EXPECT_THAT(messages, ::testing::Contains(::testing::MatchesRegex(
                            "1 of 4 branches of '@f' are taken by none of "
                            "[0-9]+ samples")));
}

TEST_F(NumericsCheckTest, FindsAClampThatSeededInputsNeverReach) {
  auto module = parse(R"(
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = gaudi.tpc.clamp %x min -100.0 : f32 max 100.0 : f32 : tensor<8xf32>
      return %0 : tensor<8xf32>
    })");
  EXPECT_FALSE(run(*module, list(makePass("drops", [](func::FuncOp function) {
    function.walk([](Operation *op) {
      if (op->getName().getStringRef() == "gaudi.tpc.clamp") {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
    });
  }))));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0], ::testing::HasSubstr("on inputs of regime '"));
}

TEST_F(NumericsCheckTest, DoesNothingUnlessAsked) {
  auto module = sum();
  EXPECT_TRUE(run(*module, list(makePass("breaks-it", setConstant(3))), false));
  EXPECT_THAT(messages, IsEmpty());
}

TEST_F(NumericsCheckTest, RefusesAChangedSignature) {
  auto module = sum();
  EXPECT_FALSE(
      run(*module, list(makePass("drops-a-result", [](func::FuncOp function) {
        auto result =
            cast<func::ReturnOp>(function.getBody().front().getTerminator());
        result->eraseOperand(1);
        function.setType(FunctionType::get(function.getContext(),
                                           function.getArgumentTypes(),
                                           result.getOperandTypes()));
      }))));
  EXPECT_THAT(messages,
              ElementsAre("pass 'drops-a-result' changed the type of '@sum' "
                          "from '(tensor<2x3xf32>) -> "
                          "(tensor<2x3xf32>, tensor<2x3xf32>)' to "
                          "'(tensor<2x3xf32>) -> tensor<2x3xf32>', so "
                          "its values cannot be compared"));
}

/// Stores the argument, whose dimensions are equal, in `order` and reads it as
/// before. `given` is the attribute for callers.
static std::function<void(func::FuncOp)>
storeArgument(SmallVector<int64_t> order, SmallVector<int64_t> given) {
  return [=](func::FuncOp function) {
    OpBuilder builder(function.getBody());
    BlockArgument argument = function.getArgument(0);
    auto back =
        TransposeOp::create(builder, function.getLoc(), argument.getType(),
                            argument, invertPermutationVector(order));
    argument.replaceAllUsesExcept(back, back);
    function.setArgAttr(0, permutationAttrName,
                        builder.getDenseI64ArrayAttr(given));
  };
}

TEST_F(NumericsCheckTest, ComparesInTheOrderOfCallers) {
  const char *const text = R"(
    func.func @f(%x: tensor<3x3x3xf32>) -> tensor<3x3x3xf32> {
      %0 = gaudi.tpc.exp %x : tensor<3x3x3xf32>
      return %0 : tensor<3x3x3xf32>
    })";
  auto module = parse(text);
  EXPECT_TRUE(
      run(*module, list(makePass("stores", storeArgument({1, 2, 0}, {1, 2, 0})),
                        makePass("nothing", [](func::FuncOp) {}))));
  EXPECT_THAT(messages, IsEmpty());
  module = parse(text);
  EXPECT_FALSE(run(
      *module, list(makePass("stores", storeArgument({1, 2, 0}, {2, 0, 1})))));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0],
              ::testing::StartsWith("pass 'stores' changed result 0 of '@f'"));
}

TEST_F(NumericsCheckTest, ResultsAreComparedInTheOrderOfCallers) {
  auto module = parse(R"(
    func.func @f(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
      return %x : tensor<2x3x4xf32>
    })");
  auto store = [](func::FuncOp function) {
    auto exit =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    OpBuilder builder(exit);
    const SmallVector<int64_t> order = {2, 0, 1};
    auto type = RankedTensorType::get({4, 2, 3}, builder.getF32Type());
    exit->setOperand(0, TransposeOp::create(builder, exit.getLoc(), type,
                                            exit->getOperand(0), order));
    function.setType(
        builder.getFunctionType(function.getArgumentTypes(), {type}));
    function.setResultAttr(0, permutationAttrName,
                           builder.getDenseI64ArrayAttr(order));
  };
  EXPECT_TRUE(run(*module, list(makePass("stores", store),
                                makePass("nothing", [](func::FuncOp) {}))));
  EXPECT_THAT(messages, IsEmpty());
}

TEST_F(NumericsCheckTest, SkipsOtherDialectsWithOneRemark) {
  auto module = parse(R"(
    func.func private @external(tensor<2xf32>)
    func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.addf %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  EXPECT_TRUE(run(*module, list(makePass("one", [](func::FuncOp) {}),
                                makePass("two", [](func::FuncOp) {}))));
  EXPECT_THAT(messages,
              ElementsAre("values of '@other' are not checked: "
                          "the import was not complete ('arith.addf' was "
                          "left), and gaudi-run --check compares it"));
}

TEST_F(NumericsCheckTest, SkipsFunctionsWhoseInputsLeadAstray) {
  auto module = parse(R"(
    func.func @pick(%x: tensor<2xf32>, %i: tensor<9xi32>) -> tensor<9xf32> {
      %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<2xf32>, tensor<9xi32> -> tensor<9xf32>
      return %0 : tensor<9xf32>
    })");
  EXPECT_TRUE(run(*module, list(makePass("one", [](func::FuncOp) {}))));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(
      messages[0],
      ::testing::StartsWith(
          "values of '@pick' are not checked: its seeded inputs cannot be "
          "evaluated: expected indices in [0, 2) but got "));
}

TEST_F(NumericsCheckTest, NamesAPassAfterWhichNothingCanBeEvaluated) {
  auto module = parse(R"(
    func.func @pick(%x: tensor<16xf32>) -> tensor<1xf32> {
      %i = gaudi.constant dense<3> : tensor<1xi32>
      %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<16xf32>, tensor<1xi32> -> tensor<1xf32>
      return %0 : tensor<1xf32>
    })");
  EXPECT_FALSE(
      run(*module, list(makePass("leads-astray", [](func::FuncOp function) {
        function.walk([&](ConstantOp constant) {
          constant.setValueAttr(
              DenseElementsAttr::get(constant.getType(), int32_t(16)));
        });
      }))));
  EXPECT_THAT(
      messages,
      ElementsAre("pass 'leads-astray' left '@pick' in a form that cannot be "
                  "evaluated: expected "
                  "indices in [0, 16) but got 16 in element 0 of the indices"));
}

TEST_F(NumericsCheckTest, StopsAtAFunctionThatLeavesTheDialect) {
  auto module = sum();
  EXPECT_TRUE(run(*module, list(makePass("lowers-away",
                                         [](func::FuncOp function) {
                                           function.walk([&](AddOp add) {
                                             OpBuilder builder(add);
                                             add.replaceAllUsesWith(
                                                 arith::AddFOp::create(
                                                     builder, add.getLoc(),
                                                     add.getLhs(), add.getRhs())
                                                     .getResult());
                                             add.erase();
                                           });
                                         }),
                                makePass("after", [](func::FuncOp) {}))));
  EXPECT_THAT(messages,
              ElementsAre("values of '@sum' are not checked: "
                          "the import was not complete ('arith.addf' was "
                          "left), and gaudi-run --check compares it"));
}
} // namespace
