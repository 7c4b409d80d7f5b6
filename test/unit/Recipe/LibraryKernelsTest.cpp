// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures of the library kernels: what each takes and what it refuses.
#include "Gaudi/Recipe/LibraryKernels.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;

namespace {

const ElementType f32 = ElementType::F32, i32 = ElementType::I32,
                  i64 = ElementType::I64, i1 = ElementType::I1;

std::string check(const char *name, const LibraryCall &call) {
  const LibraryKernel *kernel = findLibraryKernel(name);
  if (!kernel)
    return "no such kernel";
  Status status = kernel->check(call);
  return status ? "ok" : status.error().message;
}

TEST(LibraryKernels, RegistryIsSortedAndDescribed) {
  const std::vector<LibraryKernel> &kernels = libraryKernels();
  for (size_t i = 0; i < kernels.size(); ++i) {
    EXPECT_FALSE(kernels[i].description.empty());
    EXPECT_EQ(findLibraryKernel(kernels[i].name), &kernels[i]);
    if (i)
      EXPECT_LT(kernels[i - 1].name, kernels[i].name);
  }
  EXPECT_EQ(findLibraryKernel("sor"), nullptr);
}

TEST(LibraryKernels, CumulativeSum) {
  LibraryCall good{{{f32, {2, 3}}}, {{f32, {2, 3}}}, {1, 0, 1}, {}};
  EXPECT_EQ(check("cumulative_sum", good), "ok");
  LibraryCall call = good;
  call.ints = {2, 0, 0};
  EXPECT_EQ(check("cumulative_sum", call),
            "axis 2 is outside the rank of f32[2,3]");
  call.ints = {0, 2, 0};
  EXPECT_EQ(check("cumulative_sum", call), "exclusive is 2, expected 0 or 1");
  call.ints = {0, 0, -1};
  EXPECT_EQ(check("cumulative_sum", call), "reverse is -1, expected 0 or 1");
  call.ints = {0, 0};
  EXPECT_EQ(check("cumulative_sum", call), "expected 3 ints but got 2");
  call = good;
  call.outputs[0].sizes = {3, 2};
  EXPECT_EQ(check("cumulative_sum", call),
            "output is f32[3,2], expected f32[2,3]");
  call = good;
  call.inputs.clear();
  EXPECT_EQ(check("cumulative_sum", call), "expected 1 inputs but got 0");
  call = good;
  call.outputs.clear();
  EXPECT_EQ(check("cumulative_sum", call), "expected 1 outputs but got 0");
  call = good;
  call.floats = {1.0};
  EXPECT_EQ(check("cumulative_sum", call), "expected 0 floats but got 1");
  call = good;
  call.inputs[0].type = call.outputs[0].type = i1;
  EXPECT_EQ(check("cumulative_sum", call), "input is i1, expected a number");
  call = good;
  call.inputs[0].sizes = {int64_t(1) << 41};
  EXPECT_EQ(check("cumulative_sum", call),
            "operand f32[2199023255552] has more than 2^40 elements");
}

TEST(LibraryKernels, Sort) {
  LibraryCall good{{{f32, {4}}}, {{f32, {4}}, {i32, {4}}}, {0, 1, 1}, {}};
  EXPECT_EQ(check("sort", good), "ok");
  LibraryCall call = good;
  call.ints[2] = 0;
  EXPECT_EQ(check("sort", call), "stable is 0, expected 1");
  call = good;
  call.ints[1] = 3;
  EXPECT_EQ(check("sort", call), "descending is 3, expected 0 or 1");
  call = good;
  call.outputs[1].type = f32;
  EXPECT_EQ(check("sort", call), "indices are f32[4], expected i32 or i64");
  call = good;
  call.outputs[1].sizes = {5};
  EXPECT_EQ(check("sort", call), "output 1 is i32[5], expected i32[4]");
  call = good;
  call.outputs[0].sizes = {5};
  EXPECT_EQ(check("sort", call), "output 0 is f32[5], expected f32[4]");
}

TEST(LibraryKernels, TopK) {
  LibraryCall good{
      {{f32, {2, 9}}}, {{f32, {2, 3}}, {i64, {2, 3}}}, {1, 3, 1}, {}};
  EXPECT_EQ(check("top_k", good), "ok");
  LibraryCall call = good;
  call.ints[1] = 10;
  EXPECT_EQ(check("top_k", call), "k is 10, expected 1 to 9");
  call.ints[1] = 0;
  EXPECT_EQ(check("top_k", call), "k is 0, expected 1 to 9");
  call = good;
  call.ints[2] = 2;
  EXPECT_EQ(check("top_k", call), "largest is 2, expected 0 or 1");
  call = good;
  call.ints[0] = -1;
  EXPECT_EQ(check("top_k", call), "axis -1 is outside the rank of f32[2,9]");
}

TEST(LibraryKernels, Scatter) {
  LibraryCall good{{{f32, {2, 5, 3}}, {i32, {2, 4}}, {f32, {2, 4, 3}}},
                   {{f32, {2, 5, 3}}},
                   {},
                   {}};
  EXPECT_EQ(check("scatter", good), "ok");
  LibraryCall call = good;
  call.inputs[0].sizes = {2, 5};
  EXPECT_EQ(check("scatter", call), "input 0 is f32[2,5], expected rank 3");
  call = good;
  call.inputs[1].sizes = {2};
  EXPECT_EQ(check("scatter", call), "input 1 is i32[2], expected rank 2");
  call = good;
  call.inputs[1].sizes = {3, 4};
  EXPECT_EQ(check("scatter", call), "batch size of input 1 is 3, expected 2");
  call = good;
  call.inputs[2].sizes = {2, 5, 3};
  EXPECT_EQ(check("scatter", call),
            "input 2 is f32[2,5,3], expected f32[2,4,3]");
}

TEST(LibraryKernels, ScatterRows) {
  LibraryCall good{{{f32, {2, 5, 3}}, {i64, {2, 4}}, {f32, {2, 4, 3}}},
                   {{f32, {2, 5, 3}}},
                   {1, 1},
                   {}};
  EXPECT_EQ(check("scatter_rows", good), "ok");
  LibraryCall call = good;
  call.ints = {2, 0};
  EXPECT_EQ(check("scatter_rows", call), "accumulate is 2, expected 0 or 1");
  call = good;
  call.inputs[2].sizes = {2, 4, 2};
  EXPECT_EQ(check("scatter_rows", call),
            "input 2 is f32[2,4,2], expected f32[2,4,3]");
  call = good;
  for (OperandShape *shape :
       {&call.inputs[0], &call.inputs[2], &call.outputs[0]})
    shape->type = i1;
  EXPECT_EQ(check("scatter_rows", call),
            "input 0 is i1, expected a number to add to");
  call.ints[0] = 0;
  EXPECT_EQ(check("scatter_rows", call), "ok");
}

TEST(LibraryKernels, ScatterElements) {
  LibraryCall good{{{f32, {5, 3}}, {i64, {9, 2}}, {f32, {9, 2}}},
                   {{f32, {5, 3}}},
                   {0, 1},
                   {}};
  EXPECT_EQ(check("scatter_elements", good), "ok");
  LibraryCall call = good;
  call.inputs[1].sizes = {9, 4};
  EXPECT_EQ(check("scatter_elements", call),
            "dimension 1 of input 1 is 4, expected at most 3");
  call = good;
  call.inputs[1].sizes = {9};
  EXPECT_EQ(check("scatter_elements", call),
            "input 1 is i64[9], expected the rank of f32[5,3]");
  call = good;
  call.ints[1] = 2;
  EXPECT_EQ(check("scatter_elements", call), "mode is 2, expected 0 or 1");
  call = good;
  for (OperandShape *shape :
       {&call.inputs[0], &call.inputs[2], &call.outputs[0]})
    shape->type = i1;
  EXPECT_EQ(check("scatter_elements", call),
            "input 0 is i1, expected a number to add to");
}

} // namespace
