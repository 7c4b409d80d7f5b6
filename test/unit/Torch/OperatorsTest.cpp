// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of ops, and types of results as PyTorch 2.13 gives them for meta
// tensors.
#include "Gaudi/Torch/Operators.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

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

/// A call that PyTorch refuses, and part of our words for it.
struct Refusal {
  std::string_view op;
  std::vector<Argument> arguments;
  std::string_view why;
};

void expectRefusals(const std::vector<Refusal> &refusals) {
  for (const Refusal &refusal : refusals)
    EXPECT_THAT(resultsOf(refusal.op, refusal.arguments),
                testing::HasSubstr(std::string(refusal.why)))
        << refusal.op;
}

const TensorType x = tensor({2, 3, 4}), vector = tensor({3}),
                 scalar = tensor({});
const TensorType flags = tensor({2, 3, 4}, ScalarType::Bool);
const TensorType numbers = tensor({2, 3, 4}, ScalarType::Int64);
constexpr int64_t two = 2, minusOne = -1, zero = 0, seven = 7;

TEST(Operators, RefuseElements) {
  expectRefusals({
      {"aten.relu", {x, x}, "expected 1 arguments but got 2"},
      {"aten.neg", {flags}, "it is not defined for bool"},
      {"aten.abs", {flags}, "it is not defined for bool"},
      {"aten.bitwise_not",
       {x},
       "it is defined for integers and bool, not for f32"},
      {"aten.bitwise_and.Tensor",
       {x, x},
       "it is defined for integers and bool, not for f32"},
      {"aten.sub.Tensor",
       {flags, flags},
       "a difference is not defined for bool; use ^ or logical_xor"},
      {"aten.where.self",
       {x, x, x},
       "the condition must be of bool or ui8, not of f32"},
      {"aten.masked_fill.Scalar",
       {x, x, 1.0},
       "the mask must be of bool, not of f32"},
      {"aten.masked_fill.Tensor",
       {x, flags, vector},
       "the value must be a scalar, not of shape [3]"},
      {"aten.clamp", {x}, "at least one of min and max must be given"},
      {"aten._to_copy",
       {x, int64_t(99)},
       "there is no element type with the number 99"},
  });
}

TEST(Operators, RefuseReductions) {
  expectRefusals({
      {"aten.mean", {numbers}, "a mean is defined for floats, not for si64"},
      {"aten.var.correction",
       {numbers},
       "a variance is defined for floats, not for si64"},
      {"aten._softmax",
       {numbers, zero, false},
       "a softmax is defined for floats, not for si64"},
      {"aten.softmax.int",
       {numbers, zero},
       "a softmax is defined for floats, not for si64"},
      {"aten._softmax_backward_data",
       {x, vector, zero, int64_t(6)},
       "gradient and output have shapes [2,3,4] and [3]"},
      {"aten.max", {tensor({0})}, "dimension 0 has no elements to choose from"},
      {"aten.amax", {x, ints({0, -3})}, "dimension 0 is named twice"},
  });
}

TEST(Operators, RefuseViews) {
  expectRefusals({
      {"aten.view",
       {x, ints({-1, -1})},
       "shape [-1,-1] has several sizes of -1"},
      {"aten.view", {x, ints({-2, 3})}, "shape [-2,3] has the size -2"},
      {"aten.view",
       {x, ints({5, 5})},
       "24 elements of shape [2,3,4] have no shape [5,5]"},
      {"aten.permute",
       {x, ints({0, 1})},
       "2 dimensions are permuted of a tensor of 3"},
      {"aten.t", {x}, "expected at most 2 dimensions, not 3"},
      {"aten.expand",
       {x, ints({4})},
       "shape [4] has fewer dimensions than [2,3,4]"},
      {"aten.expand", {vector, ints({4})}, "shape [3] does not expand to [4]"},
      {"aten.slice.Tensor", {scalar}, "a scalar has no dimensions"},
      {"aten.slice.Tensor",
       {x, zero, Argument(), Argument(), zero},
       "the step of a slice must be 1 or more, not 0"},
      {"aten.narrow",
       {x, zero, two, two},
       "2 elements from 2 are not inside dimension 0 of size 2"},
      {"aten.select.int",
       {x, zero, seven},
       "index 7 is outside of dimension 0 of size 2"},
      {"aten.cat", {Tensors{}}, "there is nothing to concatenate"},
      {"aten.cat", {Tensors{scalar}}, "scalars cannot be concatenated"},
      {"aten.cat",
       {Tensors{x, tensor({2, 5, 4})}},
       "shapes [2,3,4] and [2,5,4] differ beyond dimension 0"},
      {"aten.stack", {Tensors{}}, "there is nothing to stack"},
      {"aten.stack", {Tensors{x, vector}}, "shapes [2,3,4] and [3] differ"},
      {"aten.split.Tensor", {x, minusOne}, "parts of -1 elements"},
      {"aten.split_with_sizes",
       {x, ints({5})},
       "a part of 5 elements of dimension 0 of size 2"},
      {"aten.split_with_sizes",
       {x, ints({1})},
       "the parts [1] do not add up to dimension 0 of size 2"},
      {"aten.chunk", {x, zero}, "0 parts; expected 1 to 65536"},
      {"aten.flatten.using_ints", {x, two, zero}, "dimension 2 comes after 0"},
      {"aten.repeat", {x, ints({2})}, "1 repetitions of 3 dimensions"},
      {"aten.repeat", {vector, ints({-1})}, "-1 repetitions"},
      {"aten.repeat",
       {vector, ints({int64_t(1) << 62})},
       "the result has too many elements"},
      {"aten.constant_pad_nd", {x, ints({1})}, "1 pads of 3 dimensions"},
      {"aten.constant_pad_nd",
       {vector, ints({-4, 0})},
       "pads [-4,0] give dimension 0 a size below 0 or above all"},
      {"aten.tril", {vector}, "expected 2 dimensions or more, not 1"},
  });
}

TEST(Operators, RefuseCreationAndIndices) {
  const TensorType index = tensor({2}, ScalarType::Int64);
  expectRefusals({
      {"aten.zeros", {ints({-1})}, "shape [-1] has the size -1"},
      {"aten.empty_strided",
       {ints({2}), ints({})},
       "0 strides for 1 dimensions"},
      {"aten.arange.start_step",
       {zero, two, zero},
       "there is no range from 0 to 2 by 0"},
      {"aten.arange.start_step",
       {zero, two, minusOne},
       "a range from 0 to 2 needs a step of the other sign than -1"},
      {"aten.embedding",
       {tensor({4, 3}), vector},
       "indices must be of si64 or si32, not of f32"},
      {"aten.embedding",
       {vector, index},
       "the table must have 2 dimensions, not 1"},
      {"aten.index_select",
       {x, zero, numbers},
       "the index must have 1 dimension, not 3"},
      {"aten.gather",
       {x, zero, index},
       "an index of 1 dimensions for a tensor of 3"},
      {"aten.gather",
       {x, zero, tensor({2, 9, 4}, ScalarType::Int64)},
       "the index of shape [2,9,4] is larger than [2,3,4] beyond dimension 0"},
      {"aten.index.Tensor",
       {vector, Tensors{index, index}},
       "2 indices for 1 dimensions"},
      {"aten.index.Tensor",
       {flags, Tensors{flags}},
       "the size of the result depends on the values of a mask"},
  });
}

TEST(Operators, RefuseWhatOverflows) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  expectRefusals({
      {"aten.zeros",
       {ints({int64_t(1) << 32, int64_t(1) << 32})},
       "a tensor of shape [4294967296,4294967296] has more than 1099511627776 "
       "elements"},
      {"aten.expand",
       {tensor({1}), ints({huge, huge})},
       "has more than 1099511627776 elements"},
      {"aten.arange.start_step",
       {zero, huge, 1e-300},
       "there is no range from 0 to"},
      {"aten.arange.start_step", {0.0, 1e17, 1e-3}, "has too many elements"},
      {"aten.split.Tensor",
       {tensor({1 << 20}), int64_t(1)},
       "1048576 elements make more than 65536 parts of 1"},
      {"aten.chunk", {tensor({0}), huge}, "parts; expected 1 to 65536"},
      {"aten.avg_pool2d",
       {tensor({1, 4, 9, 9}), ints({huge})},
       "a window of 9223372036854775807"},
  });
  EXPECT_EQ(
      resultsOf("aten.slice.Tensor",
                {x, zero, std::numeric_limits<int64_t>::min(), huge, huge}),
      "[1,3,4] f32");
}

TEST(Operators, RefuseProducts) {
  const TensorType matrix = tensor({2, 3}), image = tensor({1, 4, 9, 9}),
                   filter = tensor({8, 4, 3, 3});
  auto convolution = [&](const TensorType &weight, Ints strides, Ints pads,
                         int64_t groups = 1) {
    return std::vector<Argument>{image,     weight, Argument(), strides, pads,
                                 ints({1}), false,  ints({0}),  groups};
  };
  expectRefusals({
      {"aten.mm",
       {matrix, tensor({3, 4}, ScalarType::BFloat16)},
       "the operands have types f32 and bf16"},
      {"aten.mm",
       {matrix, matrix},
       "shapes [2,3] and [2,3] cannot be multiplied: 3 columns, 2 rows"},
      {"aten.bmm",
       {tensor({2, 3, 4}), tensor({5, 4, 3})},
       "shapes [2,3,4] and [5,4,3] have different batches"},
      {"aten.addmm",
       {vector, matrix, tensor({3, 4})},
       "shapes [3] and [2,4] do not broadcast"},
      {"aten.addmm",
       {tensor({5, 1, 4}), matrix, tensor({3, 4})},
       "shape [5,1,4] does not expand to [2,4]"},
      {"aten.matmul", {scalar, matrix}, "a scalar has no matrix product"},
      {"aten.matmul",
       {matrix, tensor({4})},
       "shapes [2,3] and [4] cannot be multiplied: 3 columns, 4 rows"},
      {"aten.linear",
       {scalar, matrix},
       "shapes [] and [2,3] have no linear map"},
      {"aten.linear",
       {tensor({4}), matrix},
       "shapes [4] and [2,3] cannot be multiplied: 4 and 3 columns"},
      {"aten.convolution", convolution(matrix, ints({1}), ints({0})),
       "the weight must have 3 to 5 dimensions, not 2"},
      {"aten.convolution", convolution(filter, ints({1}), ints({0}), 3),
       "an input of 4 channels does not fit a weight of shape [8,4,3,3] in 3 "
       "groups"},
      {"aten.convolution", convolution(filter, ints({1, 1, 1}), ints({0})),
       "3 strides, pads or dilations for 2 dimensions"},
      {"aten.convolution", convolution(filter, ints({0}), ints({0})),
       "strides and dilations must be 1 or more, pads 0 or more, and none "
       "above 1048576"},
      {"aten.convolution",
       convolution(tensor({8, 4, 10, 3}), ints({1}), ints({0})),
       "dimension 0 of the input, 9 with pads of 0, is smaller than the window "
       "of 10"},
      {"aten.scaled_dot_product_attention",
       {vector, vector, vector},
       "query, key and value of shapes [3], [3] and [3]"},
      {"aten.scaled_dot_product_attention",
       {x, x, tensor({2, 9, 4})},
       "query, key and value of shapes [2,3,4], [2,3,4] and [2,9,4]"},
  });
}

TEST(Operators, RefuseWindowsAndNorms) {
  const TensorType image = tensor({1, 4, 9, 9});
  expectRefusals({
      {"aten.avg_pool2d",
       {vector, ints({2})},
       "expected 3 or 4 dimensions, not 1"},
      {"aten.avg_pool2d",
       {image, ints({2, 2, 2})},
       "3 window sizes, strides, pads or dilations for 2 dimensions"},
      {"aten.avg_pool2d",
       {image, ints({2}), ints({0})},
       "a window of 2 with stride 0, pad 0 and dilation 1"},
      {"aten.avg_pool2d",
       {image, ints({12})},
       "dimension 2 of size 9, with pads of 0, is smaller than the window of "
       "12"},
      {"aten.adaptive_avg_pool2d",
       {vector, ints({2, 2})},
       "2 sizes for a tensor of 1 dimensions"},
      {"aten.layer_norm",
       {vector, ints({})},
       "0 dimensions are normalized of 1"},
      {"aten.layer_norm", {vector, ints({4})}, "shape [3] does not end in [4]"},
      {"aten.layer_norm",
       {vector, ints({3}), x},
       "the weight or bias has shape [2,3,4]; expected [3]"},
      {"aten._native_batch_norm_legit_no_training",
       {vector, Argument(), Argument(), vector, vector, 0.1, 1e-5},
       "expected 2 dimensions or more, not 1"},
      {"aten._native_batch_norm_legit_no_training",
       {image, Argument(), Argument(), vector, vector, 0.1, 1e-5},
       "a statistic, weight or bias has shape [3]; expected [4]"},
  });
}

TEST(Operators, OrderAndWrite) {
  EXPECT_EQ(resultsOf("aten.sort", {x}), "[2,3,4] f32, [2,3,4] si64");
  EXPECT_EQ(resultsOf("aten.topk", {x, int64_t(2)}),
            "[2,3,2] f32, [2,3,2] si64");
  EXPECT_EQ(resultsOf("aten.searchsorted.Tensor",
                      {vector, x, Argument(true), Argument(false), Argument(),
                       Argument()}),
            "[2,3,4] si32");
  EXPECT_EQ(
      resultsOf("aten.diagonal", {x, int64_t(-1), int64_t(1), int64_t(2)}),
      "[2,2] f32");
  EXPECT_EQ(resultsOf("aten.unfold",
                      {tensor({7, 2}), int64_t(0), int64_t(3), int64_t(2)}),
            "[3,2,3] f32");
  EXPECT_EQ(resultsOf("aten.as_strided", {x, ints({2, 2}), ints({12, 1})}),
            "[2,2] f32");
  EXPECT_EQ(resultsOf("aten.slice_scatter", {x, tensor({2, 1, 4}), int64_t(1),
                                             int64_t(0), int64_t(2)}),
            "[2,3,4] f32");
  EXPECT_EQ(resultsOf("aten.max_pool3d_with_indices",
                      {tensor({1, 2, 4, 4, 4}), ints({2})}),
            "[1,2,2,2,2] f32, [1,2,2,2,2] si64");
  EXPECT_EQ(resultsOf("aten.upsample_bilinear2d",
                      {tensor({1, 2, 3, 3}), ints({5, 7}), false}),
            "[1,2,5,7] f32");
  const TensorType image = tensor({1, 2, 5, 5}), kernel = tensor({4, 2, 3, 3});
  EXPECT_EQ(resultsOf("aten.convolution_backward",
                      {tensor({1, 4, 3, 3}), image, kernel, ints({4}),
                       ints({1}), ints({0}), ints({1}), false, ints({0}),
                       int64_t(1), ints({1, 0, 1})}),
            "[1,2,5,5] f32, [0] f32, [4] f32");
}

TEST(Operators, RefuseOrdering) {
  const Argument none, no = false;
  expectRefusals({
      {"aten.topk", {x, int64_t(9)}, "9 elements of dimension 2 of size 4"},
      {"aten.searchsorted.Tensor",
       {tensor({}), x},
       "the sorted sequence must have a dimension"},
      {"aten.searchsorted.Tensor",
       {vector, x, no, no, none, x},
       "the sorter has shape [2,3,4]; expected [3]"},
      {"aten.searchsorted.Tensor",
       {vector, x, no, no, std::string("up"), none},
       "the side is 'up'; expected left or right"},
      {"aten.searchsorted.Tensor",
       {vector, x, no, true, std::string("left"), none},
       "the side is left, but right is true"},
      {"aten.searchsorted.Scalar",
       {x, 1.0},
       "a number is searched in a sequence of shape [2,3,4]; expected one "
       "dimension"},
      {"aten.searchsorted.Tensor",
       {x, vector},
       "shapes [2,3,4] and [3] differ beyond the last dimension"},
      {"aten.bucketize.Tensor",
       {vector, x},
       "the boundaries must have 1 dimension, not 3"},
  });
}

TEST(Operators, RefuseWrites) {
  const TensorType at = tensor({3}, ScalarType::Int64);
  const TensorType mask = tensor({2, 2}, ScalarType::Bool);
  const int64_t zero = 0, two = 2;
  expectRefusals({
      {"aten.scatter.src",
       {vector, zero, vector, vector},
       "the index has type f32; expected si32 or si64"},
      {"aten.scatter.src",
       {vector, zero, at, at},
       "the operands have types f32 and si64"},
      {"aten.scatter.src",
       {x, zero, at, x},
       "tensors of 3, 1 and 3 dimensions; expected as many each"},
      {"aten.scatter.src",
       {vector, zero, at, tensor({2})},
       "an index of shape [3] is larger than the operand or the source in "
       "dimension 0"},
      {"aten.index_put",
       {vector, Tensors{at}, at},
       "the operands have types f32 and si64"},
      {"aten.index_put",
       {vector, Tensors{std::nullopt, at}, vector},
       "2 dimensions are indexed of a tensor of 1"},
      {"aten.index_put",
       {x, Tensors{mask, at}, vector},
       "a mask among other indices"},
      {"aten.index_put",
       {x, Tensors{mask}, vector},
       "a mask of shape [2,2] does not fit shape [2,3,4] from dimension 0 on"},
      {"aten.index_put",
       {tensor({2, 2, 4}), Tensors{mask}, vector},
       "values of shape [3] do not fit a mask of shape [2,2] of a tensor of "
       "shape [2,2,4]"},
      {"aten.index_put",
       {x, Tensors{at}, tensor({9})},
       "shapes [9] and [3,3,4] do not broadcast: sizes 9 and 4 in dimension "
       "2"},
      {"aten.index_put",
       {vector, Tensors{at}, tensor({2, 3})},
       "shape [2,3] does not expand to [3]"},
      {"aten.select_scatter",
       {x, vector, zero, zero},
       "the source has shape [3]; expected [3,4]"},
      {"aten.slice_scatter",
       {vector, tensor({2, 3}), zero},
       "shape [2,3] does not expand to [3]"},
      {"aten.diagonal", {vector}, "expected 2 dimensions or more, not 1"},
      {"aten.diagonal",
       {x, zero, two, int64_t(-1)},
       "dimension 2 is named twice"},
      {"aten.unfold",
       {vector, zero, int64_t(4), two},
       "windows of 4 elements, 2 apart, of dimension 0 of size 3"},
      {"aten.as_strided", {x, ints({2}), ints({})}, "1 sizes and 0 strides"},
      {"aten.as_strided",
       {x, ints({2}), ints({-1})},
       "a size, a stride or the offset is below 0 or above 281474976710656"},
      {"aten.as_strided",
       {x, ints({2, 5}), ints({12, 3})},
       "sizes [2,5] and strides [12,3] leave the 24 elements"},
  });
}

const TensorType matrix = tensor({3, 3}), wide = tensor({2, 3}),
                 complexMatrix = tensor({3, 3}, ScalarType::Complex64);
const TensorType integers = tensor({3}, ScalarType::Int64);

TEST(Operators, RefuseScansAndHistograms) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expectRefusals({
      {"aten.cummax", {x, seven}, "dimension 7 is out of range"},
      {"aten.logcumsumexp",
       {numbers, zero},
       "it is defined for floats, not for si64"},
      {"aten.histc", {numbers}, "it is defined for floats, not for si64"},
      {"aten.histc", {x, zero}, "bins is 0; expected 1 or more"},
      {"aten.histc",
       {x, seven, 2.0, 1.0},
       "min is 2 and max 1; expected finite numbers, the smaller one first"},
      {"aten.histc",
       {x, seven, 0.0, infinity},
       "min is 0 and max inf; expected finite numbers"},
      {"aten.histc",
       {x, seven, std::numeric_limits<double>::quiet_NaN(), 1.0},
       "; expected finite numbers"},
      {"aten.frexp.Tensor",
       {numbers},
       "it is defined for floats, not for si64"},
      {"aten.nextafter",
       {numbers, numbers},
       "it is defined for floats, not for si64"},
      {"aten.gcd", {x, x}, "it is defined for integers, not for f32"},
      {"aten.gcd", {flags, flags}, "it is defined for integers, not for i1"},
      {"aten.nonzero_static", {x, minusOne}, "size is -1; expected 0 or more"},
      {"aten.linspace",
       {0.0, 1.0, minusOne},
       "steps is -1; expected 0 to 4194304"},
      {"aten.tril_indices",
       {two, minusOne},
       "row is 2, col -1 and offset 0; expected 0 to 4194304"},
      {"aten.triu_indices",
       {two, two, std::numeric_limits<int64_t>::min()},
       "and offset -9223372036854775808; expected 0 to 4194304, and an offset "
       "of that size at most"},
      {"aten.triu_indices",
       {int64_t(1) << 12, int64_t(1) << 12},
       "a triangle has more than 4194304 positions"},
  });
}

TEST(Operators, RefuseRandomNumbers) {
  const TensorType word = tensor({}, ScalarType::Int64);
  auto random = [](TensorType seed, TensorType offset, Argument dtype) {
    return std::vector<Argument>{ints({4}),  seed,       offset,
                                 Argument(), Argument(), dtype};
  };
  expectRefusals({
      {"rngprims.philox_rand", random(integers, word, Argument()),
       "seed and offset must be scalars of si64, not [3] si64"},
      {"rngprims.philox_rand", random(word, scalar, Argument()),
       "seed and offset must be scalars of si64, not [] f32"},
      {"rngprims.philox_rand", random(word, word, seven),
       "random numbers of f64 are not supported"},
      {"rngprims.philox_rand",
       {ints({-4}), word, word, Argument(), Argument(), Argument()},
       "shape [-4] has the size -4"},
      {"gaudi.philox_bits",
       {word, scalar, int64_t(0), ints({4})},
       "seed and offset must be scalars of si64, not [] f32"},
      {"gaudi.philox_bits",
       {word, word, int64_t(-1), ints({4})},
       "start must not be negative, but is -1"},
  });
}

TEST(Operators, RefuseMatrices) {
  const TensorType half = tensor({3, 3}, ScalarType::BFloat16);
  const TensorType pivots = tensor({3}, ScalarType::Int32);
  expectRefusals({
      {"aten.linalg_lu",
       {vector},
       "expected matrices, not a tensor of shape [3]"},
      {"aten.linalg_lu", {numbers}, "it is defined for floats, not for si64"},
      {"aten.cholesky",
       {wide},
       "expected square matrices, not a tensor of shape [2,3]"},
      {"aten.cholesky_solve",
       {matrix, half},
       "the matrices are of bf16, the right sides of f32"},
      {"aten.triangular_solve",
       {wide, matrix},
       "right sides of shape [2,3] do not fit matrices of shape [3,3]"},
      {"aten.linalg_solve_triangular",
       {matrix, tensor({3, 2}), true, false},
       "right sides of shape [3,2] do not fit matrices of shape [3,3]"},
      {"aten.linalg_solve_triangular",
       {tensor({4, 3, 3}), tensor({5, 3, 2}), true},
       "shapes [4] and [5] do not broadcast"},
      {"aten.lu_unpack",
       {matrix, integers},
       "pivots of type [3] si64 do not fit factors of shape [3,3]"},
      {"aten.linalg_lu_solve",
       {matrix, tensor({2}, ScalarType::Int32), matrix},
       "pivots of type [2] si32 do not fit factors of shape [3,3]"},
      {"aten._linalg_solve_ex",
       {matrix, vector, false},
       "a vector is a right side of left=True only"},
      {"aten._linalg_solve_ex",
       {matrix, tensor({4})},
       "right sides of shape [4,1] do not fit matrices of shape [3,3]"},
      {"aten.linalg_householder_product",
       {wide, tensor({2})},
       "factors of shape [2] do not fit vectors of shape [2,3]"},
      {"aten.linalg_householder_product",
       {matrix, tensor({4})},
       "factors of shape [4] do not fit vectors of shape [3,3]"},
      {"aten.linalg_householder_product",
       {matrix, scalar},
       "factors of shape [] do not fit vectors of shape [3,3]"},
      {"aten.addbmm",
       {matrix, x, x},
       "shapes [2,3,4] and [2,3,4] cannot be multiplied: 4 columns, 3 rows"},
      {"aten.addbmm",
       {tensor({5, 3, 3}), x, tensor({2, 4, 3})},
       "shape [5,3,3] does not expand to [3,3]"},
      {"aten.addbmm",
       {half, x, tensor({2, 4, 3})},
       "the operands have types bf16 and f32"},
      {"aten.addmv",
       {vector, matrix, tensor({4})},
       "shapes [3,3] and [4] cannot be multiplied: 3 columns, 4 rows"},
      {"aten.addmv",
       {tensor({3, 3}), matrix, vector},
       "shape [3,3] does not expand to [3]"},
      {"aten.addmv",
       {vector, half, vector},
       "the operands have types bf16 and f32"},
  });
  EXPECT_EQ(resultsOf("aten.lu_unpack", {matrix, pivots}),
            "[3,3] f32, [3,3] f32, [3,3] f32");
}

TEST(Operators, GiveRealNumbersOfComplexOnes) {
  const TensorType z = tensor({2, 3}, ScalarType::Complex64);
  EXPECT_EQ(resultsOf("aten.abs", {z}), "[2,3] f32");
  EXPECT_EQ(resultsOf("aten.angle", {z}), "[2,3] f32");
  EXPECT_EQ(resultsOf("aten.var.correction", {z}), "[] f32");
  EXPECT_EQ(resultsOf("aten.var_mean.correction", {z}),
            "[] f32, [] complex<f32>");
}

TEST(Operators, KeepWidthsBesideComplexScalars) {
  const TensorType z = tensor({}, ScalarType::Complex64);
  EXPECT_EQ(resultsOf("aten.mul.Tensor", {tensor({3}, ScalarType::Float16), z}),
            "[3] complex<f16>");
  EXPECT_EQ(
      resultsOf("aten.mul.Tensor", {tensor({3}, ScalarType::BFloat16), z}),
      "[3] complex<f32>");
}

TEST(Operators, RefuseComplexNumbers) {
  const TensorType bytes = tensor({2}, ScalarType::BFloat16);
  expectRefusals({
      {"aten.view_as_real",
       {x},
       "it is defined for complex numbers, not for f32"},
      {"aten.view_as_complex",
       {vector},
       "expected pairs of f16, f32 or f64, not a tensor of type [3] f32"},
      {"aten.view_as_complex",
       {bytes},
       "expected pairs of f16, f32 or f64, not a tensor of type [2] bf16"},
      {"aten.complex",
       {vector, bytes},
       "its parts must both be of f16, f32 or f64, not of f32 and bf16"},
      {"aten.polar",
       {integers, integers},
       "its parts must both be of f16, f32 or f64, not of si64 and si64"},
      {"aten._fft_r2c",
       {integers, ints({0}), zero, true},
       "it is defined for floats, not for si64"},
      {"aten._fft_r2c",
       {vector, ints({}), zero, true},
       "it transforms along no dimension"},
      {"aten._fft_r2c",
       {tensor({2, 0}), ints({1}), zero, true},
       "a transform has a number or more, not 0"},
      {"aten._fft_c2c",
       {complexMatrix, ints({}), zero, true},
       "it transforms along no dimension"},
      {"aten._fft_c2c",
       {complexMatrix, ints({2}), zero, true},
       "dimension 2 is out of range"},
      {"aten._fft_c2c",
       {complexMatrix, ints({0, -2}), zero, true},
       "dimension 0 is named twice"},
      {"aten._fft_c2c",
       {matrix, ints({0}), zero, true},
       "it is defined for complex numbers, not for f32"},
      {"aten._fft_c2r",
       {matrix, ints({0}), zero, two},
       "it is defined for complex numbers, not for f32"},
      {"aten._fft_c2r",
       {complexMatrix, ints({1}), zero, zero},
       "a transform has a number or more, not 0"},
      {"aten._fft_c2r",
       {complexMatrix, ints({-1}), zero, seven},
       "it is given 3 numbers along dimension 1; expected 4"},
  });
}

TEST(Operators, RefuseGradientsAndResampling) {
  const TensorType image = tensor({1, 2, 5, 5}), kernel = tensor({4, 2, 3, 3});
  auto gradient = [&](TensorType of, Ints mask) {
    return std::vector<Argument>{of,        image,      kernel,    ints({4}),
                                 ints({1}), ints({0}),  ints({1}), false,
                                 ints({0}), int64_t(1), mask};
  };
  expectRefusals({
      {"aten.convolution_backward", gradient(image, ints({1, 1, 1})),
       "the gradient is [1,2,5,5] f32; expected [1,4,3,3] f32"},
      {"aten.convolution_backward", gradient(tensor({1, 4, 3, 3}), ints({1})),
       "1 marks of the results; expected 3"},
      {"aten.avg_pool2d_backward",
       {image, image, ints({2}), ints({}), ints({0}), false, true, Argument()},
       "the gradient is [1,2,5,5] f32; expected [1,2,2,2] f32"},
      {"aten._adaptive_avg_pool2d_backward",
       {vector, image},
       "a gradient [3] f32 of an operand [1,2,5,5] f32"},
      {"aten.max_pool2d_with_indices_backward",
       {tensor({1, 2, 2, 2}), image, ints({2}), ints({}), ints({0}), ints({1}),
        false, tensor({1, 2, 2, 3}, ScalarType::Int64)},
       "the positions are [1,2,2,3] si64; expected [1,2,2,2] si64"},
      {"aten.adaptive_max_pool2d_backward",
       {image, image, image},
       "the positions are [1,2,5,5] f32; expected [1,2,5,5] si64"},
      {"aten.adaptive_avg_pool2d",
       {tensor({1, 2, 0, 5}), ints({2, 2})},
       "shape [1,2,0,5] has no elements to pool"},
      {"aten.adaptive_avg_pool2d",
       {image, ints({2, -2})},
       "shape [2,-2] has the size -2"},
      {"aten.upsample_bilinear2d",
       {vector, ints({2, 2}), false},
       "2 sizes for a tensor of 1 dimensions"},
      {"aten.upsample_bilinear2d",
       {image, ints({2, 0}), false},
       "shape [2,0] has the size 0"},
      {"aten.upsample_bilinear2d",
       {tensor({1, 2, 0, 5}), ints({2, 2}), false},
       "shape [1,2,0,5] has the size 0"},
      {"aten.upsample_bilinear2d_backward",
       {image, ints({5, 4}), ints({1, 2, 3, 3}), false},
       "a gradient of shape [1,2,5,5] of sizes [5,4], resampled from shape "
       "[1,2,3,3]"},
  });
}

/// gaudi.sdpa of these, which keeps `saves` for its gradient.
std::vector<Argument> attention(TensorType query, TensorType key,
                                TensorType value, double dropout, bool isFast,
                                int64_t saves) {
  return {query, key,   value, Argument(), Argument(), Argument(), Argument(),
          0.5,   false, false, -1e9,       dropout,    isFast,     saves};
}

TEST(Operators, GiveTypesOfFusedOps) {
  const TensorType q = tensor({2, 4, 5, 8}, ScalarType::BFloat16),
                   k = tensor({2, 2, 7, 8}, ScalarType::BFloat16),
                   v = tensor({2, 2, 7, 3}, ScalarType::BFloat16);
  EXPECT_EQ(resultsOf("gaudi.sdpa", attention(q, k, v, 0, false, 0)),
            "[2,4,5,3] bf16");
  EXPECT_EQ(resultsOf("gaudi.sdpa", attention(q, k, v, 0, false, 1)),
            "[2,4,5,3] bf16, [2,4,5,1] bf16, [2,4,5,1] f32");
  EXPECT_EQ(resultsOf("gaudi.sdpa", attention(q, k, v, 0, true, 1)),
            "[2,4,5,3] bf16, [2,4,5,1] bf16, [2,4,5,1] bf16");
  EXPECT_EQ(resultsOf("gaudi.sdpa", attention(q, k, v, 0.5, false, 2)),
            "[2,4,5,3] bf16, [2,4,5,7] bf16, [2,4,5,7] si8");
  const Tensors list = {vector, matrix};
  EXPECT_EQ(resultsOf("gaudi.fused_ema", {list, list, scalar}),
            "[3] f32, [3,3] f32");
  EXPECT_EQ(resultsOf("gaudi.fused_sgd", {list, list, Tensors(), scalar,
                                          Argument(), 0., 0., 0., false}),
            "[3] f32, [3,3] f32");
  EXPECT_EQ(
      resultsOf("gaudi.fused_adagrad", {list, list, list, scalar, 1e-10, 0.}),
      "[3] f32, [3,3] f32, [3] f32, [3,3] f32");
  EXPECT_EQ(resultsOf("gaudi.fused_clip_norm", {list, scalar, 1e-6}),
            "[3] f32, [3,3] f32, [] f32, [] f32");
}

/// gaudi.fp8_sdpa of these with one scale at place `at`, and both magnitudes.
std::vector<Argument> scaled(const TensorType &x, int64_t saves, unsigned at,
                             const TensorType &scale) {
  std::vector<Argument> arguments = attention(x, x, x, 0, false, saves);
  arguments.resize(20);
  arguments[at] = scale;
  arguments.insert(arguments.end(), {true, true});
  return arguments;
}

TEST(Operators, AttentionOfEightBits) {
  const TensorType x = tensor({3, 4, 8}, ScalarType::Float8E5M2);
  EXPECT_EQ(resultsOf("gaudi.fp8_sdpa", scaled(x, 1, 14, scalar)),
            "[3,4,8] bf16, [3,4,1] bf16, [3,4,1] bf16, [] f32, [] f32");
  EXPECT_EQ(resultsOf("gaudi.fp8_sdpa", scaled(x, 2, 18, scalar)),
            "[3,4,8] f8E5M2, [3,4,4] f8E5M2, [] f32, [] f32");
}

TEST(Operators, RoundToEightBits) {
  const TensorType x = tensor({3, 4}),
                   words = tensor({3, 4}, ScalarType::Int32);
  EXPECT_EQ(resultsOf("gaudi.round_to", {x, words, int64_t(24), 240., true}),
            "[3,4] f8E4M3FN");
  expectRefusals({
      {"gaudi.round_to",
       {x, Argument(), int64_t(15), 240., false},
       "it rounds floats to 8 bits, not f32 to bf16"},
      {"gaudi.round_to",
       {x, x, int64_t(24), 240., false},
       "words are [3,4] f32; expected [3,4] si32"},
  });
}

TEST(Operators, RefuseFusedOps) {
  const Tensors list = {vector, matrix};
  const TensorType x = tensor({3, 4, 8});
  auto masked = [&](Argument mask, Argument lengths = Argument()) {
    std::vector<Argument> arguments = attention(x, x, x, 0, false, 0);
    arguments[3] = mask;
    arguments[4] = lengths;
    return arguments;
  };
  auto average = [](Tensors averages, Tensors values) {
    return std::vector<Argument>{averages, values, scalar};
  };
  expectRefusals({
      {"gaudi.sdpa", attention(matrix, matrix, matrix, 0, false, 0),
       "query, key and value of shapes [3,3], [3,3] and [3,3]; expected 3 or 4 "
       "dimensions, none of them empty"},
      {"gaudi.sdpa",
       attention(tensor({1, 2, 3}), tensor({1, 2, 3}),
                 tensor({1, 2, 3}, ScalarType::Float16), 0, false, 0),
       "query, key and value have types f32, f32 and f16; expected one of "
       "floats"},
      {"gaudi.sdpa",
       attention(tensor({1, 2, 3}), tensor({1, 2, 3}), tensor({1, 2, 3}), 0,
                 false, 3),
       "saves is 3; expected 0 (nothing), 1 (statistics) or 2 "
       "(probabilities)"},
      {"gaudi.sdpa", masked(tensor({3, 1, 4, 4})),
       "a mask of shape [3,1,4,4] does not broadcast to scores of shape "
       "[3,4,4]"},
      {"gaudi.sdpa", masked(tensor({3, 4, 5})),
       "shapes [3,4,5] and [3,4,4] do not broadcast"},
      {"gaudi.sdpa", masked(Argument(), tensor({2}, ScalarType::Int32)),
       "lengths of shape [2]; expected [3], one for each of the batch"},
      {"gaudi.fp8_sdpa", scaled(x, 0, 14, scalar),
       "query has type f32; expected one of 8 bits, which has scales"},
      {"gaudi.fp8_sdpa",
       scaled(tensor({3, 4, 8}, ScalarType::Float8E4M3FN), 0, 19, vector),
       "a scale is [3] f32; expected one f32"},
      {"gaudi.sdpa_grad",
       {x, x, x, x, Argument(), Argument(), Argument(), tensor({3, 1, 4, 4}),
        Argument(), Argument(), Argument(), Argument(), 0.5, false, false, -1e9,
        0.5, false},
       "a mask of shape [3,1,4,4] does not broadcast to scores of shape "
       "[3,4,4]"},
      {"gaudi.fused_ema", average({}, {}), "the lists of tensors are empty"},
      {"gaudi.fused_ema", average(list, {vector}), "lists of 2 and 1 tensors"},
      {"gaudi.fused_ema", average({integers}, {vector}),
       "tensor 0 of a list has type si64; expected floats"},
      {"gaudi.fused_ema", average({vector}, {matrix}),
       "tensors 0 of two lists have shapes [3] and [3,3]"},
      {"gaudi.fused_ema", average({tensor({0})}, {tensor({0})}),
       "tensor 0 of a list is empty"},
      {"gaudi.fused_clip_norm",
       {list, vector, 1e-6},
       "max_norm is [3] f32; expected one f32"},
  });
}

} // namespace
