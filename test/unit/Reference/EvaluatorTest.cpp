// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole functions: order, constants, errors, coverage of the dialect.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {
class EvaluatorTest : public ReferenceTest {
protected:
  func::FuncOp function(OwningOpRef<ModuleOp> &module) {
    return *module->getOps<func::FuncOp>().begin();
  }
};

TEST_F(EvaluatorTest, EveryOpOfTheGraphHasAModel) {
  std::vector<std::string> without;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "gaudi" &&
        !name.getStringRef().starts_with("gaudi.kernel.") &&
        !name.hasInterface<ReferenceEvalOpInterface>())
      without.push_back(name.getStringRef().str());
  EXPECT_THAT(without, IsEmpty());
}

TEST_F(EvaluatorTest, RunsInOrderAndObserves) {
  auto module = parse(R"(
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %c = gaudi.constant dense<[10.0, 20.0]> : tensor<2xf32>
      %0 = gaudi.tpc.add %x, %c : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      %1 = gaudi.tpc.mul %0, %c : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      %dead = gaudi.tpc.exp %1 : tensor<2xf32>
      return %1, %x : tensor<2xf32>, tensor<2xf32>
    })");
  std::vector<std::string> seen;
  auto results =
      evaluateFunction(function(module), {tensor("tensor<2xf32>", {1, 2})},
                       [&](Operation *op, ArrayRef<ReferenceTensor> values) {
                         EXPECT_EQ(values.size(), op->getNumResults());
                         seen.push_back(op->getName().getStringRef().str());
                       });
  ASSERT_TRUE(succeeded(results));
  EXPECT_THAT(numbers((*results)[0]), same({110, 440}));
  EXPECT_THAT(numbers((*results)[1]), same({1, 2}));
  EXPECT_THAT(seen, ElementsAre("gaudi.constant", "gaudi.tpc.add",
                                "gaudi.tpc.mul", "gaudi.tpc.exp"));
}

TEST_F(EvaluatorTest, ReturnsArgumentsAndConstants) {
  auto module = parse(R"(
    func.func @f(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
      %c = gaudi.constant dense<3.0> : tensor<1xf32>
      return %x, %x, %c : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
    })");
  auto results =
      evaluateFunction(function(module), {tensor("tensor<1xf32>", {1})});
  ASSERT_TRUE(succeeded(results));
  EXPECT_THAT(numbers((*results)[1]), same({1}));
  EXPECT_THAT(numbers((*results)[2]), same({3}));
}

TEST_F(EvaluatorTest, NamesAnOpOfAnotherDialect) {
  auto module = parse(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.addf %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  EXPECT_TRUE(failed(
      evaluateFunction(function(module), {tensor("tensor<2xf32>", {1, 2})})));
  EXPECT_THAT(
      messages,
      ElementsAre("'arith.addf' cannot be evaluated by the reference "
                  "evaluator: expected "
                  "ops of the gaudi dialect; convert the function first"));
  EXPECT_EQ(findNotEvaluable(function(module))->getName().getStringRef(),
            "arith.addf");
}

TEST_F(EvaluatorTest, RefusesUnfitInputs) {
  auto module = parse("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { "
                      "return %x : tensor<2xf32> }");
  EXPECT_EQ(findNotEvaluable(function(module)), nullptr);
  EXPECT_TRUE(failed(evaluateFunction(function(module), {})));
  EXPECT_TRUE(failed(
      evaluateFunction(function(module), {tensor("tensor<2xbf16>", {1, 2})})));
  EXPECT_THAT(
      messages,
      ElementsAre(
          "expected 1 inputs but got 0",
          "expected input 0 of type 'tensor<2xf32>' but got 'tensor<2xbf16>'"));
}

TEST_F(EvaluatorTest, RefusesOtherBodies) {
  auto external = parse("func.func private @g(tensor<2xf32>) -> tensor<2xf32>");
  EXPECT_EQ(findNotEvaluable(function(external)),
            function(external).getOperation());
  EXPECT_TRUE(failed(
      evaluateFunction(function(external), {tensor("tensor<2xf32>", {1, 2})})));
  EXPECT_THAT(
      messages,
      ElementsAre("expected a function body of one block but got 0 blocks"));
}

TEST_F(EvaluatorTest, RefusesDynamicShapes) {
  auto module = parse(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<?xf32> {
      %0 = gaudi.reshape %x : tensor<2xf32> -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })");
  ASSERT_TRUE(module);
  EXPECT_NE(findNotEvaluable(function(module)), nullptr);
  EXPECT_TRUE(failed(
      evaluateFunction(function(module), {tensor("tensor<2xf32>", {1, 2})})));
  EXPECT_THAT(messages, ElementsAre("expected static tensors of device "
                                    "elements but got 'tensor<?xf32>'"));
}
} // namespace
