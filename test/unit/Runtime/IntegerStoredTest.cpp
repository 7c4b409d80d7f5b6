// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 8-bit values that another kernel has stored as i32, and sums that
// are added to what is stored.
#include "IntegerCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// y = (x - 100) w, where another kernel has stored x - 100 as i32.
struct StoredProduct {
  static constexpr int64_t m = 9, k = 21, n = 33;
  Bytes x = someBytes(m * k, 1), w = someBytes(k * n, 2);
  TestRecipe recipe;

  explicit StoredProduct(bool overwritten = false) {
    const uint32_t stored = recipe.workspace(ElementType::I32, {m, k});
    KernelBuilder first({m, k}, {true, true});
    first.input(ElementType::U8, 2).output(ElementType::I32, 2);
    const uint32_t from =
        first.access(0, 0, first.at({{0, 1}}), first.at({{1, 1}}));
    const uint32_t to =
        first.access(1, 0, first.at({{0, 1}}), first.at({{1, 1}}));
    first.stage();
    first.store(to, first.inst(Op::SubI, ElementType::I32,
                               loadByte(first, from, false),
                               first.constant(ElementType::I32, 100)));
    recipe.launch(first, {recipe.input(ElementType::U8, {m, k})}, {stored});
    if (overwritten) {
      recipe::FillT fill;
      fill.value = 70000;
      recipe.command(recipe::Engine::DMA, "fill", fill, {}, {stored});
    }
    MatrixKernel b(m, n, k, ElementType::I32, ElementType::I8);
    b.store(b.result,
            b.sum([&] { return b.inst(Op::Load, ElementType::I32, b.left); },
                  [&] { return loadByte(b, b.right, true); }));
    recipe.launch(b, {stored, recipe.input(ElementType::I8, {k, n})},
                  {recipe.output(ElementType::I32, {m, n})});
  }

  Bytes wanted(bool overwritten = false) const {
    std::vector<uint32_t> sums(size_t(m * n));
    for (int64_t r = 0; r < m; ++r)
      for (int64_t c = 0; c < n; ++c)
        for (int64_t s = 0; s < k; ++s)
          sums[size_t(r * n + c)] +=
              (overwritten ? 70000 : uint32_t(x[size_t(r * k + s)]) - 100) *
              extended(w[size_t(s * n + c)], true);
    return bytesOf(sums);
  }
};

TEST(IntegerStored, BytesStoredAsWords) {
  StoredProduct product;
  expectIntegers(product.recipe, {product.x, product.w}, product.wanted(), 1);
  // An executable made of another shares its code.
  auto first = product.recipe.load();
  ASSERT_TRUE(first);
  auto second = first->another(uint64_t(1) << 20);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(TestRecipe::run(**second, {product.x, product.w})[0],
            product.wanted());
}

// The environment differs between two executables that share their code.
TEST(IntegerStored, TheFirstExecutableDecides) {
  StoredProduct product;
  {
    std::unique_ptr<runtime::Executable> first;
    {
      const Environment jit("GAUDI_INTEGERS", "jit");
      first = product.recipe.load();
    }
    ASSERT_TRUE(first);
    auto second = first->another(uint64_t(1) << 20);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ((*second)->commands()[1].implementation.rfind("jit:", 0), 0u);
    EXPECT_EQ(TestRecipe::run(**second, {product.x, product.w})[0],
              product.wanted());
  }
  auto first = product.recipe.load();
  ASSERT_TRUE(first);
  const Environment jit("GAUDI_INTEGERS", "jit");
  auto second = first->another(uint64_t(1) << 20);
  ASSERT_FALSE(second);
  EXPECT_NE(
      second.error().message.find(
          "command 1: an earlier executable of this recipe selected other "
          "int8 kernels than this one may use"),
      std::string::npos)
      << second.error().message;
}

/// The rest of the kernel runs on the tiles, and the sums stay in scratch.
void addInPlace(int64_t m, int64_t k, int64_t n) {
  SCOPED_TRACE(::testing::Message() << m << " x " << k << " x " << n);
  const Bytes x = someBytes(m * k, 1), w = someBytes(k * n, 2),
              addend = someBytes(m * n * 4, 3);
  TestRecipe recipe;
  const uint32_t sums = recipe.workspace(ElementType::I32, {m, n});
  recipe.command(recipe::Engine::DMA, "copy", recipe::TransferT(),
                 {recipe.input(ElementType::I32, {m, n})}, {sums});
  MatrixKernel b(m, n, k, ElementType::U8, ElementType::I8, 1);
  const uint32_t sum = b.sum([&] { return loadByte(b, b.left, false); },
                             [&] { return loadByte(b, b.right, true); });
  b.store(b.result, b.inst(Op::AddI, ElementType::I32, sum,
                           b.inst(Op::Load, ElementType::I32, b.other())));
  recipe.launch(b,
                {recipe.input(ElementType::U8, {m, k}),
                 recipe.input(ElementType::I8, {k, n}), sums},
                {sums});
  recipe.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {sums},
                 {recipe.output(ElementType::I32, {m, n})});

  std::vector<uint32_t> wanted(size_t(m * n));
  std::memcpy(wanted.data(), addend.data(), addend.size());
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c)
      for (int64_t s = 0; s < k; ++s)
        wanted[size_t(r * n + c)] += uint32_t(x[size_t(r * k + s)]) *
                                     extended(w[size_t(s * n + c)], true);
  expectIntegers(recipe, {addend, x, w}, bytesOf(wanted), 1);
  runtime::LoadOptions options;
  options.threads = 1;
  auto executable = recipe.tryLoad(options);
  ASSERT_TRUE(executable);
  const std::string how = (*executable)->commands()[1].implementation;
  EXPECT_NE(how.find("in its tiles"), std::string::npos) << how;
}

TEST(IntegerStored, AddsInPlace) { addInPlace(40, 21, 70); }

// Tiles of whole rows, of some columns that are no whole panels, and sums of
// several ranges.
TEST(IntegerStored, SumsInScratch) {
  addInPlace(130, 9, 96);
  addInPlace(33, 40, 130);
  addInPlace(14, 4100, 64);
  addInPlace(9, 4100, 41);
}

/// y = x v, where another kernel stores v = w + added as i32 in each launch, of
/// a constant w. Command 2 may read v, too.
struct ExtendedConstant {
  int64_t m = 1, k = 40, n = 40;
  bool isSigned = true, transposes = false, isCopied = false;
  int32_t added = -7;
  Bytes x = someBytes(m * k, 1), w = someBytes(k * n, 2);

  void makeRecipe(TestRecipe &recipe) const {
    const uint32_t stored = recipe.workspace(ElementType::I32, {k, n});
    KernelBuilder first({k, n}, {true, true});
    first.input(byteType(isSigned), 2).output(ElementType::I32, 2);
    const uint32_t from = first.access(0, 0, first.at({{transposes, 1}}),
                                       first.at({{!transposes, 1}})),
                   to = first.access(1, 0, first.at({{0, 1}}),
                                     first.at({{1, 1}}));
    first.stage();
    first.store(to,
                first.inst(Op::AddI, ElementType::I32,
                           loadByte(first, from, isSigned),
                           first.constant(ElementType::I32, uint32_t(added))));
    recipe.launch(first, {recipe.constant(byteType(isSigned), {k, n}, w)},
                  {stored});
    MatrixKernel b(m, n, k, ElementType::U8, ElementType::I32);
    b.store(b.result,
            b.sum([&] { return loadByte(b, b.left, false); },
                  [&] { return b.inst(Op::Load, ElementType::I32, b.right); }));
    recipe.launch(b, {recipe.input(ElementType::U8, {m, k}), stored},
                  {recipe.output(ElementType::I32, {m, n})});
    if (isCopied)
      recipe.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {stored},
                     {recipe.output(ElementType::I32, {k, n})});
  }

  uint32_t value(int64_t s, int64_t c) const {
    return extended(w[size_t(transposes ? c * k + s : s * n + c)], isSigned) +
           uint32_t(added);
  }

  Bytes wanted() const {
    std::vector<uint32_t> sums(size_t(m * n));
    for (int64_t r = 0; r < m; ++r)
      for (int64_t c = 0; c < n; ++c)
        for (int64_t s = 0; s < k; ++s)
          sums[size_t(r * n + c)] +=
              uint32_t(x[size_t(r * k + s)]) * value(s, c);
    return bytesOf(sums);
  }

  Bytes stored() const {
    std::vector<uint32_t> values;
    for (int64_t s = 0; s < k; ++s)
      for (int64_t c = 0; c < n; ++c)
        values.push_back(value(s, c));
    return bytesOf(values);
  }
};

const char *const notRun = "nothing: #1 reads what it extends";

TEST(IntegerStored, ExtendedConstantIsReadItself) {
  for (bool isSigned : {true, false})
    for (int64_t m : {1, 9}) {
      ExtendedConstant c;
      c.isSigned = isSigned;
      c.m = m;
      c.x = someBytes(m * c.k, 1);
      TestRecipe recipe;
      c.makeRecipe(recipe);
      expectIntegers(recipe, {c.x}, c.wanted(), 1);
      auto first = recipe.load();
      ASSERT_TRUE(first);
      EXPECT_EQ(first->commands()[0].implementation, notRun);
      const std::string how = first->commands()[1].implementation;
      EXPECT_NE(how.find("packed once"), std::string::npos) << how;
      auto second = first->another(uint64_t(1) << 20);
      ASSERT_TRUE(second) << second.error().message;
      EXPECT_EQ((*second)->commands()[0].implementation, notRun);
      EXPECT_EQ(TestRecipe::run(**second, {c.x})[0], c.wanted());
      // The memory check wants each command to write its results.
      runtime::LoadOptions options;
      options.checkMemory = true;
      auto checked = recipe.tryLoad(options);
      ASSERT_TRUE(checked);
      EXPECT_EQ((*checked)->commands()[0].implementation.rfind("jit:", 0), 0u);
      EXPECT_EQ(TestRecipe::run(**checked, {c.x})[0], c.wanted());
    }
}

TEST(IntegerStored, ExtendedConstantThatIsReadElsewhere) {
  ExtendedConstant c;
  c.isCopied = true;
  TestRecipe recipe;
  c.makeRecipe(recipe);
  expectIntegers(recipe, {c.x}, c.wanted(), 1);
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->commands()[0].implementation.rfind("jit:", 0), 0u);
  EXPECT_EQ(TestRecipe::run(*executable, {c.x})[1], c.stored());
}

// The sizes are those of the constant, but the places of its elements are not.
TEST(IntegerStored, TransposedConstantIsNotReadItself) {
  ExtendedConstant c;
  c.transposes = true;
  TestRecipe recipe;
  c.makeRecipe(recipe);
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->commands()[0].implementation.rfind("jit:", 0), 0u);
  EXPECT_EQ(TestRecipe::run(*executable, {c.x})[0], c.wanted());
}

TEST(IntegerStored, WordsThatAreNoBytes) {
  StoredProduct product(true);
  auto executable = product.recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->commands()[2].implementation.rfind("jit:", 0), 0u);
  EXPECT_EQ(TestRecipe::run(*executable, {product.x, product.w})[0],
            product.wanted(true));
}

TEST(IntegerStored, WithoutAKernel) {
  StoredProduct product;
  {
    const Environment none("GAUDI_MME", "vector128");
    auto executable = product.recipe.load();
    ASSERT_TRUE(executable);
    EXPECT_NE(executable->commands()[1].implementation.find(
                  "integers here because this choice of kernels has none"),
              std::string::npos);
  }
  const Environment wrong("GAUDI_MME", "nonsense");
  EXPECT_FALSE(product.recipe.tryLoad());
}

} // namespace
