// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of ops, and types of results as PyTorch 2.13 gives them for meta
// tensors.
#include "Gaudi/Torch/Operators.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::torch;

namespace {

Ints ints(std::initializer_list<int64_t> list) {
  Ints result;
  result.resize(list.size());
  std::copy(list.begin(), list.end(), result.data());
  return result;
}

TensorType tensor(std::initializer_list<int64_t> sizes,
                  ScalarType dtype = ScalarType::Float32) {
  return {ints(sizes), dtype};
}

/// The types of the results, or the error.
std::string resultsOf(std::string_view name, std::vector<Argument> arguments) {
  const Operator *op = findOperator(name);
  if (!op)
    return "unknown";
  // Parameters that are left out have their defaults.
  for (size_t i = arguments.size(); i < op->schema.parameters.size(); ++i)
    if (op->schema.parameters[i].value)
      arguments.push_back(*op->schema.parameters[i].value);
  auto results = inferResults(*op, arguments);
  if (!results)
    return results.error().message;
  std::string all;
  for (const TensorType &type : *results)
    all += (all.empty() ? "" : ", ") + text(type);
  return all;
}

TEST(Operators, AreFoundByOverload) {
  EXPECT_TRUE(findOperator("aten.add.Tensor"));
  EXPECT_EQ(findOperator("aten.relu.default"), findOperator("aten.relu"));
  EXPECT_FALSE(findOperator("aten.add"));
  EXPECT_FALSE(findOperator(".default"));
}

TEST(Operators, EveryRowHasASchema) {
  EXPECT_GT(operators().size(), 200u);
  for (const Operator &op : operators()) {
    EXPECT_EQ(findOperator(op.schema.name), &op) << op.schema.name;
    EXPECT_TRUE(op.schema.numResults > 0) << op.schema.name;
  }
}

TEST(Operators, PromoteByCategory) {
  const TensorType vector = tensor({4}, ScalarType::BFloat16);
  EXPECT_EQ(resultsOf("aten.add.Tensor", {vector, tensor({})}), "[4] bf16");
  EXPECT_EQ(resultsOf("aten.add.Tensor", {tensor({2, 1}), tensor({3})}),
            "[2,3] f32");
  const TensorType count = tensor({4}, ScalarType::Int32);
  EXPECT_EQ(resultsOf("aten.mul.Scalar", {count, 0.5}), "[4] f32");
  EXPECT_EQ(resultsOf("aten.mul.Scalar", {count, int64_t(5)}), "[4] si32");
  EXPECT_EQ(resultsOf("aten.div.Tensor", {count, count}), "[4] f32");
  EXPECT_EQ(
      resultsOf("aten.div.Tensor_mode", {count, count, std::string("floor")}),
      "[4] si32");
  const TensorType flags = tensor({4}, ScalarType::Bool);
  EXPECT_EQ(resultsOf("aten.add.Tensor", {flags, flags}), "[4] i1");
  EXPECT_THAT(resultsOf("aten.sub.Tensor", {flags, flags}),
              testing::HasSubstr("not defined for bool"));
  EXPECT_EQ(resultsOf("aten.where.self", {flags, tensor({2, 1}), count}),
            "[2,4] f32");
}

TEST(Operators, ReduceDimensions) {
  const TensorType x = tensor({2, 3, 4}, ScalarType::Int8);
  EXPECT_EQ(resultsOf("aten.sum.dim_IntList", {x, ints({-1}), true}),
            "[2,3,1] si64");
  EXPECT_EQ(resultsOf("aten.sum.dim_IntList", {x, Argument(), false}),
            "[] si64");
  EXPECT_EQ(resultsOf("aten.amax", {x, ints({0, 2})}), "[3] si8");
  EXPECT_EQ(resultsOf("aten.max.dim", {x, int64_t(1)}),
            "[2,4] si8, [2,4] si64");
  EXPECT_THAT(resultsOf("aten.mean", {x}), testing::HasSubstr("floats"));
  EXPECT_THAT(resultsOf("aten.amax", {tensor({2, 0}), ints({1})}),
              testing::HasSubstr("no elements"));
  EXPECT_THAT(resultsOf("aten.amax", {x, ints({1, -2})}),
              testing::HasSubstr("named twice"));
}

TEST(Operators, ViewAndMove) {
  const TensorType x = tensor({2, 3, 4});
  EXPECT_EQ(resultsOf("aten.view", {x, ints({-1, 6})}), "[4,6] f32");
  EXPECT_THAT(resultsOf("aten.view", {x, ints({-1, 7})}),
              testing::HasSubstr("have no shape"));
  EXPECT_EQ(resultsOf("aten.permute", {x, ints({2, 0, 1})}), "[4,2,3] f32");
  EXPECT_EQ(resultsOf("aten.slice.Tensor",
                      {x, int64_t(1), int64_t(-2), int64_t(9), int64_t(2)}),
            "[2,1,4] f32");
  EXPECT_EQ(resultsOf("aten.expand", {tensor({3, 1}), ints({2, -1, 5})}),
            "[2,3,5] f32");
  EXPECT_EQ(resultsOf("aten.cat",
                      {Tensors{tensor({0}), x, tensor({2, 1, 4})}, int64_t(1)}),
            "[2,4,4] f32");
  EXPECT_EQ(resultsOf("aten.chunk", {x, int64_t(3), int64_t(-1)}),
            "[2,3,2] f32, [2,3,2] f32");
  EXPECT_EQ(resultsOf("aten.constant_pad_nd", {x, ints({1, -2})}),
            "[2,3,3] f32");
  EXPECT_EQ(
      resultsOf("aten.index.Tensor",
                {x, Tensors{tensor({5, 1}, ScalarType::Int64), std::nullopt,
                            tensor({6}, ScalarType::Int64)}}),
      "[5,6,3] f32");
  EXPECT_EQ(
      resultsOf("aten.arange.start_step", {int64_t(0), int64_t(7), int64_t(2)}),
      "[4] si64");
}

TEST(Operators, Multiply) {
  EXPECT_EQ(resultsOf("aten.matmul", {tensor({5, 1, 2, 3}), tensor({4, 3, 6})}),
            "[5,4,2,6] f32");
  EXPECT_EQ(resultsOf("aten.matmul", {tensor({3}), tensor({3})}), "[] f32");
  EXPECT_EQ(resultsOf("aten.linear",
                      {tensor({2, 7, 3}), tensor({4, 3}), tensor({4})}),
            "[2,7,4] f32");
  EXPECT_EQ(
      resultsOf("aten.convolution", {tensor({1, 4, 9, 9}), tensor({8, 2, 3, 3}),
                                     Argument(), ints({2}), ints({1}),
                                     ints({1}), false, ints({0}), int64_t(2)}),
      "[1,8,5,5] f32");
  EXPECT_EQ(
      resultsOf("aten.convolution",
                {tensor({1, 4, 5, 5}), tensor({4, 2, 3, 3}), Argument(),
                 ints({2}), ints({1}), ints({1}), true, ints({1}), int64_t(2)}),
      "[1,4,10,10] f32");
  EXPECT_EQ(resultsOf("aten.max_pool2d",
                      {tensor({1, 3, 7, 7}), ints({3, 3}), ints({2, 2}),
                       ints({0, 0}), ints({1, 1}), true}),
            "[1,3,3,3] f32");
}

} // namespace
