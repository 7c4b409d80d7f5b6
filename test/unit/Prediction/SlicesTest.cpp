// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What commands can be cut along, and their slices.
#include "Slices.h"

#include <gtest/gtest.h>

using namespace gaudi::prediction;
using namespace gaudi::timing;
using gaudi::kernel::Affine;

namespace {

Operand dense(Dims sizes) { return {ElementType::BF16, std::move(sizes), {}}; }

std::vector<Cut> cuts(std::initializer_list<Cut> list) { return list; }

TEST(Slices, OfAProductAreBatchesThenRows) {
  MatrixWork gemm;
  gemm.a = dense({2, 8, 16, 32});
  gemm.b = dense({2, 8, 32, 64});
  gemm.c = dense({2, 8, 16, 64});
  gemm.batch = {2, 8};
  gemm.m = 16;
  gemm.n = 64;
  gemm.k = 32;
  EXPECT_EQ(walkOf(gemm, 0, {}).dims, cuts({{0, 2}, {1, 8}, {2, 16}}));
  EXPECT_EQ(walkOf(gemm, 1, {}).dims, cuts({{0, 2}, {1, 8}}));
  EXPECT_EQ(walkOf(gemm, 2, {}).dims, cuts({{0, 2}, {1, 8}, {2, 16}}));
  const auto found = cutsOf(walkOf(gemm, 2, {}), 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, cuts({{0, 2}, {1, 2}}));
  const auto slice = std::get<MatrixWork>(sliceOf(gemm, *found, {}));
  EXPECT_EQ(slice.batch, (Dims{1, 4}));
  EXPECT_EQ(slice.a.sizes, (Dims{1, 4, 16, 32}));
  EXPECT_EQ(slice.b.sizes, (Dims{1, 4, 32, 64}));
  EXPECT_EQ(slice.c.sizes, (Dims{1, 4, 16, 64}));
  EXPECT_EQ(slice.m, 16);
}

TEST(Slices, OfAProductDoNotCutWhatAllRowsRead) {
  MatrixWork gemm;
  gemm.a = dense({16, 32});
  gemm.b = dense({32, 64});
  gemm.c = dense({16, 64});
  gemm.m = 16;
  gemm.n = 64;
  gemm.k = 32;
  EXPECT_TRUE(walkOf(gemm, 1, {}).dims.empty());
  EXPECT_EQ(walkOf(gemm, 1, {}).refusal,
            "each slice of the product reads all of it");
  EXPECT_EQ(walkOf(gemm, 0, {}).dims, cuts({{0, 16}}));
  gemm.transposeA = true;
  gemm.a = dense({32, 16});
  EXPECT_TRUE(walkOf(gemm, 0, {}).dims.empty());
  gemm.c.strides = {128, 1};
  EXPECT_EQ(walkOf(gemm, 2, {}).refusal, "it is strided");
}

MatrixWork convolution() {
  MatrixWork conv;
  conv.kind = MatrixWork::Kind::Conv;
  conv.a = dense({1, 30, 30, 64});
  conv.b = dense({3, 3, 64, 64});
  conv.c = dense({1, 28, 28, 64});
  conv.images = 1;
  conv.inputChannels = conv.outputChannels = 64;
  conv.spatial = {{30, 28, 3, 1, 1, 0, 0}, {30, 28, 3, 1, 1, 0, 0}};
  return conv;
}

TEST(Slices, OfAConvolutionAreImagesThenRows) {
  const Layouts layouts = {"NHWC", "NHWC"};
  MatrixWork conv = convolution();
  EXPECT_EQ(walkOf(conv, 2, layouts).dims, cuts({{1, 28}, {2, 28}}));
  EXPECT_EQ(walkOf(conv, 0, layouts).refusal,
            "the rows of the convolution overlap");
  const auto found = cutsOf(walkOf(conv, 2, layouts), 7);
  ASSERT_TRUE(found);
  const auto slice = std::get<MatrixWork>(sliceOf(conv, *found, layouts));
  // Four rows of the result need six of the input.
  EXPECT_EQ(slice.c.sizes, (Dims{1, 4, 28, 64}));
  EXPECT_EQ(slice.a.sizes, (Dims{1, 6, 30, 64}));
  EXPECT_EQ(slice.spatial[0].output, 4);

  conv.images = 8;
  conv.a.sizes[0] = conv.c.sizes[0] = 8;
  EXPECT_EQ(walkOf(conv, 0, layouts).dims, cuts({{0, 8}}));
  const auto images = std::get<MatrixWork>(
      sliceOf(conv, *cutsOf(walkOf(conv, 0, layouts), 4), layouts));
  EXPECT_EQ(images.images, 2);
  EXPECT_EQ(images.a.sizes[0], 2);
  conv.kind = MatrixWork::Kind::ConvWeightGrad;
  EXPECT_EQ(walkOf(conv, 2, layouts).refusal, "the images are summed up");
}

/// out[i, j] = sum over k of in[i, k] * other[k, j]; i and j are parallel.
KernelWork rowKernel() {
  KernelWork kernel;
  kernel.extents = {16, 8, 32};
  kernel.parallel = 0b011;
  kernel.operands = {dense({16, 32}), dense({32, 8}), dense({16, 8})};
  kernel.inputs = 2;
  kernel.accesses = {{0, {Affine::dim(0), Affine::dim(2)}},
                     {1, {Affine::dim(2), Affine::dim(1)}},
                     {2, {Affine::dim(0), Affine::dim(1)}}};
  return kernel;
}

TEST(Slices, OfAKernelAreItsParallelDimensions) {
  KernelWork kernel = rowKernel();
  // The second dimension is a loop.
  EXPECT_EQ(walkOf(kernel, 0, {}).dims, cuts({{0, 16}}));
  EXPECT_TRUE(walkOf(kernel, 1, {}).dims.empty());
  EXPECT_EQ(walkOf(kernel, 2, {}).dims, cuts({{0, 16}, {1, 8}}));
  const auto slice = std::get<KernelWork>(sliceOf(kernel, {{0, 4}}, {}));
  EXPECT_EQ(slice.extents, (Dims{4, 8, 32}));
  EXPECT_EQ(slice.operands[0].sizes, (Dims{4, 32}));
  EXPECT_EQ(slice.operands[1].sizes, (Dims{32, 8}));
  EXPECT_EQ(slice.operands[2].sizes, (Dims{4, 8}));
}

TEST(Slices, OfAKernelNeedEveryAccessToAgree) {
  KernelWork halo = rowKernel();
  Affine next = Affine::dim(0);
  next.addOffset(1);
  halo.accesses.push_back({0, {next, Affine::dim(2)}});
  EXPECT_TRUE(walkOf(halo, 0, {}).dims.empty());
  KernelWork gather = rowKernel();
  gather.accesses[0].indexed = 1;
  EXPECT_TRUE(walkOf(gather, 0, {}).dims.empty());
  KernelWork part = rowKernel();
  part.operands[0] = dense({17, 32});
  EXPECT_TRUE(walkOf(part, 0, {}).dims.empty());
}

TEST(Slices, DivideDimensionsFromTheOutside) {
  const Walk walk = {{{3, 6}, {5, 8}}, ""};
  EXPECT_EQ(*cutsOf(walk, 3), cuts({{3, 3}}));
  EXPECT_EQ(*cutsOf(walk, 12), cuts({{3, 6}, {5, 2}}));
  EXPECT_EQ(*cutsOf(walk, 1), cuts({}));
  EXPECT_FALSE(cutsOf(walk, 4));  // 6 has no quarter
  EXPECT_FALSE(cutsOf(walk, 96)); // 48 is the most
}

TEST(Slices, NeedAProductOrAKernel) {
  EXPECT_EQ(walkOf(TransferWork{}, 0, {}).refusal,
            "the command is neither a product nor a kernel");
}

} // namespace
