// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose kernels convert factors from floats.
#include "IntegerCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Floats that are halves of 8-bit integers.
Bytes halvesOf(const Bytes &bytes) {
  std::vector<float> floats;
  for (uint8_t byte : bytes)
    floats.push_back(float(int8_t(byte)) / 2);
  return bytesOf(floats);
}

/// y = the sum over k of (i8(x s) - 3) w, where w may be i8(v s), too, and s is
/// 2, a constant or a loaded value.
struct QuantizedProduct {
  int64_t m = 9, k = 20, n = 35;
  bool floatW = false, constantW = false, loadedScale = false;
  bool byRow = false; // times a sum that is 1
  TestRecipe recipe;
  Bytes x = someBytes(m * k, 1), w = someBytes(k * n, 2);

  std::vector<Bytes> inputs() const {
    std::vector<Bytes> result = {halvesOf(x)};
    if (!constantW)
      result.push_back(floatW ? halvesOf(w) : w);
    if (loadedScale)
      result.push_back(bytesOf(std::vector<float>{2}));
    return result;
  }

  void build() {
    const auto typeW = floatW ? ElementType::F32 : ElementType::I8;
    MatrixKernel b(m, n, k, ElementType::F32, typeW);
    uint32_t scale = 0;
    if (loadedScale) {
      b.input(ElementType::F32, 1);
      b.kernel.accesses[b.result]->operand = 3;
      scale = b.access(2, 0, b.at({}));
    }
    std::optional<uint32_t> one;
    if (byRow)
      one = sumOfRow(b);
    const auto quantized = [&](uint32_t access) {
      uint32_t value =
          b.inst(Op::MulF, ElementType::F32,
                 b.inst(Op::Load, ElementType::F32, access),
                 loadedScale ? b.inst(Op::Load, ElementType::F32, scale)
                             : b.constant(2.0f));
      if (one)
        value = b.inst(Op::MulF, ElementType::F32, value, *one);
      return extend(b, b.inst(Op::FloatToSI, ElementType::I8, value), true);
    };
    const auto left = [&] {
      return b.inst(Op::SubI, ElementType::I32, quantized(b.left),
                    b.constant(ElementType::I32, 3));
    };
    const auto right = [&] {
      return floatW ? quantized(b.right) : loadByte(b, b.right, true);
    };
    b.store(b.result, b.sum(left, right));
    std::vector<uint32_t> operands = {
        recipe.input(ElementType::F32, {m, k}),
        constantW ? recipe.constant(typeW, {k, n}, floatW ? halvesOf(w) : w)
                  : recipe.input(typeW, {k, n})};
    if (loadedScale)
      operands.push_back(recipe.input(ElementType::F32, {1}));
    recipe.launch(b, operands, {recipe.output(ElementType::I32, {m, n})});
  }

  Bytes wanted() const {
    std::vector<uint32_t> sums(size_t(m * n));
    for (int64_t r = 0; r < m; ++r)
      for (int64_t c = 0; c < n; ++c)
        for (int64_t s = 0; s < k; ++s)
          sums[size_t(r * n + c)] +=
              (extended(x[size_t(r * k + s)], true) - 3) *
              extended(w[size_t(s * n + c)], true);
    return bytesOf(sums);
  }

private:
  /// The product of no values.
  uint32_t sumOfRow(KernelBuilder &b) const {
    b.stage();
    const uint32_t init = b.constant(1.0f);
    b.stage({2});
    b.reduce(recipe::ReduceOp::Add, init, b.constant(0.0f));
    return b.endStage();
  }
};

TEST(IntegerQuantized, ComputedOnceBefore) {
  for (bool floatW : {false, true})
    for (bool constantW : {false, true})
      for (bool loadedScale : {false, true}) {
        QuantizedProduct product;
        product.floatW = floatW;
        product.constantW = constantW;
        product.loadedScale = loadedScale;
        product.build();
        expectIntegers(product.recipe, product.inputs(), product.wanted());
        auto executable = product.recipe.load();
        ASSERT_TRUE(executable);
        const std::string how = executable->commands()[0].implementation;
        EXPECT_NE(how.find("; quantized before by jit:"), std::string::npos)
            << how;
        // An executable made of another shares its code.
        auto second = executable->another(uint64_t(1) << 20);
        ASSERT_TRUE(second) << second.error().message;
        EXPECT_EQ(TestRecipe::run(**second, product.inputs())[0],
                  product.wanted());
      }
}

TEST(IntegerQuantized, WithASumInside) {
  QuantizedProduct product;
  product.byRow = true;
  product.build();
  auto executable = product.recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_EQ(how.rfind("jit:", 0), 0u) << how;
  EXPECT_NE(how.find("integers here because it computes its 8-bit values from "
                     "floats"),
            std::string::npos)
      << how;
  EXPECT_EQ(TestRecipe::run(*executable, product.inputs())[0],
            product.wanted());
}

TEST(IntegerQuantized, TooFewColumns) {
  QuantizedProduct product;
  product.n = 4;
  product.w = someBytes(product.k * product.n, 2);
  product.build();
  auto executable = product.recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_NE(executable->commands()[0].implementation.find(
                "integers here because it has too few columns"),
            std::string::npos);
  EXPECT_EQ(TestRecipe::run(*executable, product.inputs())[0],
            product.wanted());
}

// A kernel of its own writes a value once per window that has it.
TEST(IntegerQuantized, Windows) {
  constexpr int64_t size = 20, taps = 5, in = 8, out = 33;
  const Bytes x = someBytes((size + taps - 1) * in, 1),
              w = someBytes(taps * in * out, 2);
  KernelBuilder b({size, out, taps, in}, {true, true, false, false});
  b.input(ElementType::F32, 2).input(ElementType::I8, 3);
  b.output(ElementType::I32, 2);
  const uint32_t left = b.access(0, 0, b.at({{0, 1}, {2, 1}}), b.at({{3, 1}}));
  const uint32_t right =
      b.access(1, 0, b.at({{2, 1}}), b.at({{3, 1}}), b.at({{1, 1}}));
  const uint32_t result = b.access(2, 0, b.at({{0, 1}}), b.at({{1, 1}}));
  b.store(result,
          sumOfProducts(
              b, {2, 3},
              [&] {
                const uint32_t value = b.inst(
                    Op::MulF, ElementType::F32,
                    b.inst(Op::Load, ElementType::F32, left), b.constant(2.0f));
                return extend(b, b.inst(Op::FloatToSI, ElementType::I8, value),
                              true);
              },
              [&] { return loadByte(b, right, true); }));
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(ElementType::F32, {size + taps - 1, in}),
                 recipe.input(ElementType::I8, {taps, in, out})},
                {recipe.output(ElementType::I32, {size, out})});
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_NE(how.find("quantized before"), std::string::npos) << how;
  std::vector<uint32_t> wanted(size_t(size * out));
  for (int64_t h = 0; h < size; ++h)
    for (int64_t o = 0; o < out; ++o)
      for (int64_t t = 0; t < taps * in; ++t)
        wanted[size_t(h * out + o)] += extended(x[size_t(h * in + t)], true) *
                                       extended(w[size_t(t * out + o)], true);
  EXPECT_EQ(TestRecipe::run(*executable, {halvesOf(x), w})[0], bytesOf(wanted));
}

// x[m] + y[k] from few floats would take more than 1 GiB: only loaded here.
TEST(IntegerQuantized, TooManyRepeatedValues) {
  constexpr int64_t m = 40000, k = 40000, n = 33;
  KernelBuilder b({m, n, k}, {true, true, false});
  b.input(ElementType::F32, 1).input(ElementType::F32, 1);
  b.input(ElementType::I8, 2).output(ElementType::I32, 2);
  const uint32_t x = b.access(0, 0, b.at({{0, 1}}));
  const uint32_t y = b.access(1, 0, b.at({{2, 1}}));
  const uint32_t right = b.access(2, 0, b.at({{2, 1}}), b.at({{1, 1}}));
  const uint32_t result = b.access(3, 0, b.at({{0, 1}}), b.at({{1, 1}}));
  b.store(
      result,
      sumOfProducts(
          b, {2},
          [&] {
            const uint32_t sum = b.inst(Op::AddF, ElementType::F32,
                                        b.inst(Op::Load, ElementType::F32, x),
                                        b.inst(Op::Load, ElementType::F32, y));
            return extend(b, b.inst(Op::FloatToSI, ElementType::I8, sum), true);
          },
          [&] { return loadByte(b, right, true); }));
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(ElementType::F32, {m}),
                 recipe.input(ElementType::F32, {k}),
                 recipe.input(ElementType::I8, {k, n})},
                {recipe.output(ElementType::I32, {m, n})});
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_NE(how.find("integers here because a factor has more than twice as "
                     "many 8-bit values as it loads"),
            std::string::npos)
      << how;
}

} // namespace
