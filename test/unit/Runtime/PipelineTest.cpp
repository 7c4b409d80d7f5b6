// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the tiles of the matrix command before them: which ones follow,
// and that following changes no byte.
#include "MatrixTest.h"

using namespace gaudi;
using namespace gaudi::test;
using recipe::ReduceOp;

namespace {

/// A product of workspace tensors, and kernels after it.
class Chain {
public:
  /// `besideSizes`: a workspace tensor that is there before the product.
  Chain(Dims aSizes, Dims bSizes, ElementType type = F32,
        Dims besideSizes = {1})
      : type(type) {
    a = copied(aSizes);
    b = copied(bSizes);
    beside = copied(besideSizes);
    Dims sizes = aSizes;
    sizes.back() = bSizes.back();
    c = recipe.workspace(type, sizes);
    recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(), {a, b},
                   {c});
    product = recipe.entry().commands.size() - 1;
  }

  /// An input of the entry with random values.
  uint32_t input(Dims sizes) {
    Random random(23 + inputs.size());
    inputs.push_back(encodeAll(type, random.values(size_t(count(sizes)))));
    return recipe.input(type, sizes);
  }
  /// A workspace tensor that holds an input, to be overwritten.
  uint32_t copied(Dims sizes) {
    const uint32_t from = input(sizes);
    const uint32_t to = recipe.workspace(type, sizes);
    recipe.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {from},
                   {to});
    return to;
  }
  /// Gives tensor `id` the bytes of tensor `other`.
  void moveTo(uint32_t id, uint32_t other) {
    recipe.recipe.tensors[id]->offset = recipe.recipe.tensors[other]->offset;
  }
  const Dims &sizes(uint32_t id) { return recipe.recipe.tensors[id]->sizes; }

  /// out = max(x + y, 0), x and y dense and of one shape.
  void addClamp(uint32_t x, uint32_t y, uint32_t out) {
    KernelBuilder k(sizes(out), std::vector<bool>(sizes(out).size(), true));
    const unsigned rank = unsigned(sizes(out).size());
    k.input(type, rank).input(type, rank).output(type, rank);
    k.stage();
    const uint32_t sum =
        k.inst(Op::AddF, F32, k.inst(Op::Load, F32, identity(k, 0)),
               k.inst(Op::Load, F32, identity(k, 1)));
    const uint32_t zero = k.constant(0.0f);
    const uint32_t value = k.inst(Op::MaxF, F32, sum, zero);
    k.store(identity(k, 2), value);
    recipe.launch(k, {x, y}, {out});
  }
  /// out[r, c] = x[r, c] - max(x[r, :]); rank 2.
  void rowsLessMaximum(uint32_t x, uint32_t out) {
    KernelBuilder k(sizes(x), {true, false});
    k.input(type, 2).output(type, 2);
    k.stage();
    const uint32_t start = k.constant(-1e30f);
    k.stage({1});
    const uint32_t value = k.inst(Op::Load, F32, identity(k, 0));
    k.reduce(ReduceOp::Max, start, value);
    const uint32_t largest = k.endStage();
    k.stage({1});
    const uint32_t again = k.inst(Op::Load, F32, identity(k, 0));
    const uint32_t less = k.inst(Op::SubF, F32, again, largest);
    k.store(identity(k, 1), less);
    recipe.launch(k, {x}, {out});
  }
  /// out[r] = sum(x[r, :]).
  void rowSums(uint32_t x, uint32_t out) {
    KernelBuilder k(sizes(x), {true, false});
    k.input(type, 2).output(type, 1);
    k.stage();
    const uint32_t start = k.constant(0.0f);
    k.stage({1});
    const uint32_t value = k.inst(Op::Load, F32, identity(k, 0));
    k.reduce(ReduceOp::Add, start, value);
    const uint32_t sum = k.endStage();
    k.stage();
    k.store(k.access(1, 0, k.at({{0, 1}})), sum);
    recipe.launch(k, {x}, {out});
  }
  /// out[r, c] = x[c, r].
  void transposed(uint32_t x, uint32_t out) {
    KernelBuilder k(sizes(out), {true, true});
    k.input(type, 2).output(type, 2);
    k.stage();
    const uint32_t value =
        k.inst(Op::Load, F32, k.access(0, 0, k.at({{1, 1}}), k.at({{0, 1}})));
    k.store(identity(k, 1), value);
    recipe.launch(k, {x}, {out});
  }
  /// out[r, c] = x[r, c] + s[r].
  void addPerRow(uint32_t x, uint32_t s, uint32_t out) {
    KernelBuilder k(sizes(out), {true, true});
    k.input(type, 2).input(type, 1).output(type, 2);
    k.stage();
    const uint32_t sum =
        k.inst(Op::AddF, F32, k.inst(Op::Load, F32, identity(k, 0)),
               k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}}))));
    k.store(identity(k, 2), sum);
    recipe.launch(k, {x, s}, {out});
  }
  /// out[r, c] = x[r, i[c]], an error if i[c] leaves x.
  void gathered(uint32_t x, uint32_t i, uint32_t out) {
    KernelBuilder k(sizes(out), {true, true});
    k.input(type, 2).input(ElementType::I32, 1).output(type, 2);
    k.stage();
    const uint32_t index =
        k.inst(Op::Load, ElementType::I32, k.access(1, 0, k.at({{1, 1}})));
    const uint32_t wide = k.inst(Op::ExtSI, ElementType::I64, index);
    const uint32_t value =
        k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}}), k.by(wide)));
    k.store(identity(k, 2), value);
    recipe.launch(k, {x, i}, {out});
  }

  /// The commands after the product that run in its tiles, as 0 and 1; on one,
  /// two and three threads the bytes are those of launches one after another.
  std::string check() {
    runtime::LoadOptions apart;
    apart.threads = 1;
    apart.pipelined = false;
    auto plain = recipe.load(apart);
    if (!plain)
      return "not loaded";
    const std::vector<Bytes> expected = TestRecipe::run(*plain, inputs);
    std::string joined;
    for (unsigned threads : {3u, 2u, 1u}) {
      runtime::LoadOptions options;
      options.threads = threads;
      auto executable = recipe.load(options);
      if (!executable)
        return "not loaded";
      EXPECT_EQ(TestRecipe::run(*executable, inputs), expected) << threads;
      EXPECT_EQ(TestRecipe::run(*executable, inputs), expected) << threads;
      joined.clear();
      for (size_t i = product + 1; i < executable->commands(0).size(); ++i)
        joined += executable->commands(0)[i].implementation.find(
                      ", in the tiles of #" + std::to_string(product)) !=
                          std::string::npos
                      ? '1'
                      : '0';
    }
    return joined;
  }

  TestRecipe recipe;
  ElementType type;
  uint32_t a, b, c, beside;
  std::vector<Bytes> inputs;

private:
  /// An access of operand `operand` at the kernel's own indices.
  uint32_t identity(KernelBuilder &k, uint32_t operand) {
    const uint32_t access = k.access(operand, 0);
    for (unsigned d = 0; d < k.kernel.index_space.size(); ++d)
      k.kernel.accesses.back()->dims.push_back(k.at({{d, 1}}));
    return access;
  }
  size_t product = 0;
};

/// Kernels that every host has, so that what follows is the same everywhere.
class Pipeline : public testing::Test {
  WithKernel portable{"portable"};
};

TEST_F(Pipeline, PointsFollowPartsOfAnyShape) {
  const std::vector<std::pair<Dims, Dims>> shapes = {
      {{400, 16}, {16, 256}},     // cut into rows
      {{4, 500}, {500, 3000}},    // cut into columns
      {{70, 33}, {33, 100}},      // the last panel is not full
      {{6, 50, 20}, {6, 20, 70}}, // a batch
      {{1, 300}, {300, 900}},
  };
  for (const auto &[a, b] : shapes)
    for (ElementType type : {F32, BF16}) {
      Chain chain(a, b, type);
      const Dims sizes = chain.sizes(chain.c);
      chain.addClamp(chain.c, chain.input(sizes),
                     chain.recipe.output(type, sizes));
      EXPECT_EQ(chain.check(), "1");
    }
}

TEST_F(Pipeline, ResultsMayTakeThePlaceOfTheProduct) {
  Chain chain({200, 16}, {16, 256});
  const Dims sizes = {200, 256};
  const uint32_t first = chain.recipe.workspace(F32, sizes);
  chain.moveTo(first, chain.c);
  chain.addClamp(chain.c, chain.input(sizes), first);
  chain.addClamp(first, chain.input(sizes), chain.recipe.output(F32, sizes));
  EXPECT_EQ(chain.check(), "11");
}

TEST_F(Pipeline, RowProgramsFollowWholeRows) {
  Chain narrow({200, 64}, {64, 32});
  narrow.rowsLessMaximum(narrow.c, narrow.recipe.output(F32, {200, 32}));
  EXPECT_EQ(narrow.check(), "1");
  // The columns of a wide product are cut.
  Chain wide({20, 300}, {300, 2000});
  wide.rowsLessMaximum(wide.c, wide.recipe.output(F32, {20, 2000}));
  EXPECT_EQ(wide.check(), "0");
}

TEST_F(Pipeline, WhatOverwritesAnOperandOfTheProductWaits) {
  const Dims sizes = {200, 32};
  Chain chain(sizes, {32, 32});
  const uint32_t out = chain.recipe.workspace(F32, sizes);
  chain.moveTo(out, chain.a);
  const uint32_t x = chain.input(sizes);
  chain.addClamp(chain.c, x, out);
  chain.addClamp(out, x, chain.recipe.output(F32, sizes));
  EXPECT_EQ(chain.check(), "00");
}

TEST_F(Pipeline, OtherPointsOfTheProductWait) {
  Chain chain({128, 16}, {16, 128});
  chain.transposed(chain.c, chain.recipe.output(F32, {128, 128}));
  EXPECT_EQ(chain.check(), "0");
}

TEST_F(Pipeline, WhatNeedsAllPartsWaits) {
  // The sums are made part by part, but nothing can follow them.
  Chain chain({200, 64}, {64, 32});
  const uint32_t sums = chain.recipe.workspace(F32, {200});
  chain.rowSums(chain.c, sums);
  chain.addPerRow(chain.c, sums, chain.recipe.output(F32, {200, 32}));
  EXPECT_EQ(chain.check(), "10");
}

TEST_F(Pipeline, WhatOverwritesAnOperandOfAFollowerWaits) {
  const Dims sizes = {200, 256};
  Chain chain({200, 16}, {16, 256}, F32, sizes);
  const uint32_t first = chain.recipe.workspace(F32, sizes);
  const uint32_t second = chain.recipe.workspace(F32, sizes);
  chain.moveTo(second, chain.beside);
  chain.addClamp(chain.c, chain.beside, first);
  chain.addClamp(first, chain.input(sizes), second);
  chain.addClamp(second, chain.input(sizes), chain.recipe.output(F32, sizes));
  EXPECT_EQ(chain.check(), "100");
}

TEST_F(Pipeline, KernelsThatCanStopTheLaunchWait) {
  Chain chain({200, 64}, {64, 32});
  const uint32_t indices = chain.recipe.input(ElementType::I32, {32});
  std::vector<int32_t> values(32);
  for (int32_t i = 0; i < 32; ++i)
    values[size_t(i)] = (i * 7) % 32;
  chain.inputs.push_back(bytesOf(values));
  chain.gathered(chain.c, indices, chain.recipe.output(F32, {200, 32}));
  EXPECT_EQ(chain.check(), "0");
}

TEST_F(Pipeline, AnUnrelatedKernelEndsTheChain) {
  Chain chain({200, 16}, {16, 256});
  const Dims sizes = {200, 256};
  const uint32_t x = chain.input(sizes), y = chain.input(sizes);
  chain.addClamp(x, y, chain.recipe.output(F32, sizes));
  chain.addClamp(chain.c, y, chain.recipe.output(F32, sizes));
  EXPECT_EQ(chain.check(), "00");
}

TEST_F(Pipeline, RunsThatAreTooShortForACallWait) {
  // 32 elements of each row.
  const Dims sizes = {400, 64};
  Chain chain({400, 512}, {512, 64});
  chain.addClamp(chain.c, chain.input(sizes), chain.recipe.output(F32, sizes));
  EXPECT_EQ(chain.check(), "0");
}

TEST_F(Pipeline, AChainHasAnEnd) {
  Chain chain({200, 16}, {16, 256});
  const Dims sizes = {200, 256};
  uint32_t last = chain.c;
  for (int i = 0; i < 40; ++i) {
    const uint32_t next = chain.recipe.workspace(F32, sizes);
    chain.addClamp(last, chain.input({200, 256}), next);
    last = next;
  }
  const std::string joined = chain.check();
  EXPECT_EQ(joined.substr(0, 30), std::string(30, '1'));
  EXPECT_EQ(joined.back(), '0');
}

TEST_F(Pipeline, ConvolutionsAreFollowedToo) {
  for (int64_t groups : {1, 2}) {
    TestRecipe recipe;
    Random random(9);
    const Dims x = {2, 12, 12, 32}, w = {3, 3, 32 / groups, 256},
               y = {2, 12, 12, 256};
    std::vector<Bytes> inputs;
    auto input = [&](const Dims &sizes) {
      inputs.push_back(encodeAll(F32, random.values(size_t(count(sizes)))));
      return recipe.input(F32, sizes);
    };
    const uint32_t product = recipe.workspace(F32, y);
    recipe::ConvT conv;
    conv.input_layout = "NHWC";
    conv.filter_layout = "HWIO";
    conv.output_layout = "NHWC";
    conv.strides = {1, 1};
    conv.dilations = {1, 1};
    conv.pad_low = {1, 1};
    conv.pad_high = {1, 1};
    conv.groups = groups;
    const uint32_t image = input(x), filter = input(w);
    recipe.command(recipe::Engine::MME, "mme.conv", conv, {image, filter},
                   {product});
    KernelBuilder k(y, {true, true, true, true});
    k.input(F32, 4).input(F32, 1).output(F32, 4);
    k.stage();
    auto all = [&](uint32_t operand) {
      return k.access(operand, 0, k.at({{0, 1}}), k.at({{1, 1}}),
                      k.at({{2, 1}}), k.at({{3, 1}}));
    };
    const uint32_t value = k.inst(Op::Load, F32, all(0));
    const uint32_t bias = k.inst(Op::Load, F32, k.access(1, 0, k.at({{3, 1}})));
    k.store(all(2), k.inst(Op::AddF, F32, value, bias));
    recipe.launch(k, {product, input({256})}, {recipe.output(F32, y)});
    runtime::LoadOptions apart;
    apart.pipelined = false;
    auto plain = recipe.load(apart), pipelined = recipe.load();
    ASSERT_TRUE(plain && pipelined);
    EXPECT_EQ(plain->commands(0)[1].implementation, "jit:lanes16");
    EXPECT_EQ(pipelined->commands(0)[1].implementation,
              "jit:lanes16, in the tiles of #0");
    EXPECT_EQ(TestRecipe::run(*plain, inputs),
              TestRecipe::run(*pipelined, inputs));
  }
}

} // namespace
