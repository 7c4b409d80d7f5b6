// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where NaN or an infinity begins.
#include "Gaudi/Reference/NonFinite.h"
#include "ReferenceTest.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

namespace {
class NonFiniteTest : public ReferenceTest {
protected:
  std::optional<NonFiniteBirth> find(StringRef text,
                                     ArrayRef<ReferenceTensor> inputs) {
    module = parse(text);
    auto found = findNonFinite(*module->getOps<func::FuncOp>().begin(), inputs);
    EXPECT_TRUE(succeeded(found));
    return succeeded(found) ? *found : std::nullopt;
  }
  static StringRef nameOf(Operation *op) {
    return op ? op->getName().getStringRef() : "none";
  }
  ReferenceTensor x(ArrayRef<double> values) {
    return tensor("tensor<2x2xf32>", values);
  }
  OwningOpRef<ModuleOp> module;
};

constexpr StringLiteral quotient = R"(
  func.func @main(%x: tensor<2x2xf32>, %y: tensor<1x2xf32>) -> tensor<2x2xf32> {
    %0 = gaudi.tpc.div %x, %y : tensor<2x2xf32>, tensor<1x2xf32> -> tensor<2x2xf32>
    %1 = gaudi.tpc.sub %0, %0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  })";

TEST_F(NonFiniteTest, nothingToFind) {
  EXPECT_FALSE(
      find(quotient, {x({1, 2, 3, 4}), tensor("tensor<1x2xf32>", {1, 2})}));
}

TEST_F(NonFiniteTest, anInfinityThatBecomesNaN) {
  const auto found =
      find(quotient, {x({1, 2, 3, -4}), tensor("tensor<1x2xf32>", {1, 0})});
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.div");
  EXPECT_EQ(nameOf(found->turned), "gaudi.tpc.sub");
  EXPECT_EQ(found->element, 1);
  EXPECT_EQ(found->value, INFINITY);
  ASSERT_EQ(found->operands.size(), 2u);
  EXPECT_EQ(found->operands[0].there, 2.0);
  EXPECT_EQ(found->operands[1].there, 0.0);
  EXPECT_EQ(found->operands[0].least, -4);
  EXPECT_EQ(found->operands[0].largest, 3);
}

TEST_F(NonFiniteTest, aNaNOfFiniteNumbers) {
  const auto found =
      find(quotient, {x({1, 0, 3, 4}), tensor("tensor<1x2xf32>", {1, 0})});
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.div");
  EXPECT_EQ(found->element, 1);
  EXPECT_TRUE(std::isnan(found->value));
  EXPECT_FALSE(found->turned);
}

TEST_F(NonFiniteTest, masksAreNoOrigin) {
  const auto found = find(R"(
    func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %m = gaudi.constant dense<0xFF800000> : tensor<1x1xf32>
      %0 = gaudi.tpc.add %x, %m : tensor<2x2xf32>, tensor<1x1xf32> -> tensor<2x2xf32>
      %1 = gaudi.tpc.sub %0, %0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
      return %1 : tensor<2x2xf32>
    })",
                          x({1, 2, 3, 4}));
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.sub");
  EXPECT_TRUE(std::isnan(found->value));
  EXPECT_EQ(found->operands[0].least, -INFINITY);
}

TEST_F(NonFiniteTest, argumentsAndConstants) {
  constexpr StringLiteral text = R"(
    func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<1xf32>) {
      %m = gaudi.constant dense<0x7F800000> : tensor<1xf32>
      %0 = gaudi.tpc.abs %x : tensor<2x2xf32>
      return %0, %m : tensor<2x2xf32>, tensor<1xf32>
    })";
  auto found = find(text, x({1, 2, NAN, 4}));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->op);
  EXPECT_EQ(found->number, 0u);
  EXPECT_EQ(found->element, 2);
  found = find(text, x({1, 2, 3, 4}));
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.constant");
  EXPECT_EQ(found->value, INFINITY);
}

constexpr StringLiteral choice = R"(
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %a = gaudi.tpc.log %x : tensor<4xf32>
    %z = gaudi.constant dense<0.0> : tensor<4xf32>
    %c = gaudi.tpc.compare <gt> %x, %z : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
    %b = gaudi.tpc.rsqrt %y : tensor<4xf32>
    %s = gaudi.tpc.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    return %s : tensor<4xf32>
  })";

TEST_F(NonFiniteTest, whatIsNotSelectedIsNoOrigin) {
  const auto four = [&](ArrayRef<double> values) {
    return tensor("tensor<4xf32>", values);
  };
  auto found = find(choice, {four({-1, 1, 1, 1}), four({-4, 2, 3, 4})});
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.rsqrt");
  EXPECT_EQ(found->element, 0);
  EXPECT_EQ(found->operands[0].there, -4.0);
  EXPECT_FALSE(find(choice, {four({-1, 1, 1, 1}), four({4, -2, 3, 4})}));
}

TEST_F(NonFiniteTest, elementsAreFollowed) {
  // Row 1 has NaN of rsqrt; that of log is in row 0, which is cut off.
  const auto found = find(R"(
    func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>, %w: tensor<2x3xf32>) -> tensor<1x3xf32> {
      %a = gaudi.tpc.log %x : tensor<2x2xf32>
      %b = gaudi.tpc.rsqrt %y : tensor<2x2xf32>
      %k = gaudi.concat %a, %b axis 0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
      %p = gaudi.mme.gemm %k, %w : tensor<4x2xf32>, tensor<2x3xf32> -> tensor<4x3xf32>
      %s = gaudi.slice %p offsets [3, 0] strides [1, 1] : tensor<4x3xf32> -> tensor<1x3xf32>
      return %s : tensor<1x3xf32>
    })",
                          {x({-1, 2, 3, 4}), x({-5, 2, 3, -6}),
                           tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.rsqrt");
  EXPECT_EQ(found->element, 3);
  EXPECT_EQ(found->operands[0].there, -6.0);
}

TEST_F(NonFiniteTest, anInfinityOfSeveral) {
  const auto found = find(R"(
    func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %a = gaudi.tpc.exp %x : tensor<2x2xf32>
      %b = gaudi.tpc.exp %y : tensor<2x2xf32>
      %m = gaudi.tpc.min %a, %b : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
      return %m : tensor<2x2xf32>
    })",
                          {x({1000, 1, 1, 1001}), x({0, 1000, 1, 1002})});
  ASSERT_TRUE(found);
  EXPECT_EQ(nameOf(found->op), "gaudi.tpc.exp");
  EXPECT_EQ(found->element, 3);
  EXPECT_EQ(found->operands[0].there, 1001.0);
  EXPECT_EQ(found->value, INFINITY);
}

TEST_F(NonFiniteTest, whatNoOutputReadsIsNotFound) {
  EXPECT_FALSE(find(R"(
    func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = gaudi.tpc.log %x : tensor<2x2xf32>
      %1 = gaudi.tpc.exp %0 : tensor<2x2xf32>
      return %1 : tensor<2x2xf32>
    })",
                    x({0, 2, 3, 4})));
}
} // namespace
