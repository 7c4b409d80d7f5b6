// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products as the chips add them: what the published model of the
// engines says, by hand and against a second formulation in integers.
#include "Mme/Gemm/ChipSum.h"

#include "TestRecipe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

using namespace gaudi;
using namespace gaudi::runtime;
using recipe::ElementType;

namespace {

float sum(const char *chip, ElementType type, const std::vector<float> &a,
          const std::vector<float> &b) {
  return addProducts(*chipSumOf(chip, type), a.data(), b.data(),
                     int64_t(a.size()));
}

/// Times one.
float sum(const char *chip, ElementType type, const std::vector<float> &a) {
  return sum(chip, type, a, std::vector<float>(a.size(), 1));
}

constexpr ElementType BF16 = ElementType::BF16, F16 = ElementType::F16,
                      F32 = ElementType::F32, E4M3 = ElementType::F8E4M3FN,
                      E5M2 = ElementType::F8E5M2;

// "fma_mul_add_tree_tf32_N8_K26_add_C_before_norm": eight products are added
// without loss down to 46 bits below the largest, with the accumulator, and
// rounded once to nearest even.
TEST(ChipSum, Gaudi2RoundsOncePerEightProducts) {
  const float e = 0x1p-25f;
  EXPECT_EQ(sum("gaudi2", BF16, {1, e, e, e, e, e, e, e}), 1 + 0x1p-22f);
  EXPECT_EQ(sum("gaudi2", BF16, {1, e, e, 0, 0, 0, 0, 0}), 1); // a tie: even
  EXPECT_EQ(sum("gaudi2", BF16, {1, e, e, e, 0, 0, 0, 0}), 1 + 0x1p-23f);
  // In the step after, each alone is lost.
  EXPECT_EQ(sum("gaudi2", BF16, {1, 0, 0, 0, 0, 0, 0, 0, e}), 1);
  // Beyond 46 bits products are cut.
  EXPECT_EQ(sum("gaudi2", BF16, {0x1p23f, 0x1p-23f, 1, -0x1p23f, -1}),
            0x1p-23f);
  EXPECT_EQ(sum("gaudi2", BF16, {0x1p24f, 0x1p-23f, 1, -0x1p24f, -1}), 0);
  EXPECT_EQ(sum("gaudi2", F16, {1, e, e, e, e, e, e, e}), 1 + 0x1p-22f);
}

// "fma_mul_add_tree_N16_K4_add_C_before_norm": sixteen products of f8, 24 bits.
TEST(ChipSum, Gaudi2AddsSixteenProductsOfF8) {
  std::vector<float> a(16, 0x1p-6f), b(16, 0x1p-9f);
  a[0] = b[0] = 256; // 2^16: from 2^-8 on
  for (ElementType type : {E4M3, E5M2})
    EXPECT_EQ(sum("gaudi2", type, a, b), 0x1p16f);
  for (float &value : b)
    value = std::min(value * 4, 256.0f); // 15 x 2^-13, still below
  EXPECT_EQ(sum("gaudi2", E4M3, a, b), 0x1p16f);
  for (float &value : b)
    value = std::min(value * 32, 256.0f); // 15 x 2^-8 in 16 steps of 2^-7
  EXPECT_EQ(sum("gaudi2", E4M3, a, b), 0x1p16f + 8 * 0x1p-7f);
}

// "fma_mul_add_tree_bf16_N8_K4_add_C_in_tree_no_ftz", with RND_TO_0.
TEST(ChipSum, Gaudi3CutsTowardZero) {
  const float e = 0x1p-24f;
  EXPECT_EQ(sum("gaudi3", BF16, {1, e, 0, 0}), 1);
  EXPECT_EQ(sum("gaudi3", BF16, {1, e, e, 0}), 1 + 0x1p-23f);
  EXPECT_EQ(sum("gaudi3", BF16, {-1, -e, -e, -e}), -1 - 0x1p-23f);
  // Each product is cut by itself.
  EXPECT_EQ(sum("gaudi3", BF16, {1, e / 2, e / 2, e / 2, e / 2}), 1);
  // So is the accumulator, a term of the next step.
  EXPECT_EQ(sum("gaudi3", BF16, {e, 0, 0, 0, 0, 0, 0, 0, 2, 0}), 2);
  // Operands are not normalized: 1.5 x 1.5 has the exponent 0.
  EXPECT_EQ(sum("gaudi3", BF16, {1.5f, e}, {1.5f, 1}), 2.25f);
  EXPECT_EQ(sum("gaudi3", BF16, {1.5f, 2 * e}, {1.5f, 2}), 2.25f + 0x1p-22f);
  // "disable +0/-0 logic"
  EXPECT_FALSE(std::signbit(sum("gaudi3", BF16, {-0.0f}, {1})));
}

// fma_bfp16_fp32 and fma_fp32 with c_fma_pipline_depth accumulators.
TEST(ChipSum, Gaudi1HasFourAccumulators) {
  const float e = 0x1p-24f;
  for (ElementType type : {BF16, F32}) {
    // Products 0 and 4 meet first, then the accumulators in pairs.
    EXPECT_EQ(sum("gaudi", type, {1, 0, 0, 0, e}), 1);
    EXPECT_EQ(sum("gaudi", type, {1, e, 0, 0}), 1);
    EXPECT_EQ(sum("gaudi", type, {1, 0, e, e}), 1 + 0x1p-23f);
    // Rotated by the length: the pairs of five are (1, 2) and (3, 0).
    EXPECT_EQ(sum("gaudi", type, {1, e, e, 0, 0}), 1 + 0x1p-23f);
  }
}

TEST(ChipSum, SubnormalNumbers) {
  const float small = 0x1p-127f;
  EXPECT_EQ(sum("gaudi", BF16, {small}, {1}), 0);
  EXPECT_EQ(sum("gaudi2", BF16, {small}, {1}), 0);
  EXPECT_EQ(sum("gaudi2", BF16, {0x1p-100f}, {0x1p-27f}), 0);
  EXPECT_EQ(sum("gaudi3", BF16, {small}, {1}), small);
  EXPECT_EQ(sum("gaudi3", BF16, {0x1p-100f}, {0x1p-27f}), small);
  EXPECT_EQ(sum("gaudi2", F16, {0x1p-24f}, {1}), 0x1p-24f); // normal in f32
}

TEST(ChipSum, InfinitiesAndNaNs) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const char *chip : {"gaudi", "gaudi2", "gaudi3"}) {
    EXPECT_EQ(sum(chip, BF16, {1, infinity, 2}), infinity);
    EXPECT_TRUE(std::isnan(sum(chip, BF16, {infinity, -infinity})));
    EXPECT_TRUE(std::isnan(sum(chip, BF16, {infinity}, {0})));
    EXPECT_EQ(sum(chip, BF16, {0x1p127f, 0x1p127f}), infinity);
    EXPECT_EQ(addProducts(*chipSumOf(chip, BF16), nullptr, nullptr, 0), 0);
  }
}

TEST(ChipSum, NothingIsInvented) {
  EXPECT_FALSE(chipSumOf("", BF16));
  EXPECT_FALSE(chipSumOf("gaudi", F16));
  EXPECT_FALSE(chipSumOf("gaudi2", F32));
  for (ElementType type : {F32, F16})
    EXPECT_FALSE(chipSumOf("gaudi3", type));
}

/// One step in integers, as registers would hold it: significands of 24 bits,
/// products with 46 bits after the point, shifted right and added.
struct Registers {
  int fraction; // bits after the point that are kept
  bool normalizes, cuts;

  struct Term {
    bool negative;
    int exponent;
    uint64_t significand;
  };
  static Term term(float a, float b) {
    const auto part = [](float value) {
      const uint32_t bits = bitsOf(value), field = bits >> 23 & 0xff;
      return std::pair(int(std::max(field, 1u)) - 127,
                       uint64_t((bits & 0x7fffff) | (field ? 0x800000 : 0)));
    };
    const auto [ea, sa] = part(a);
    const auto [eb, sb] = part(b);
    return {std::signbit(a) != std::signbit(b), ea + eb, sa * sb};
  }

  float step(const std::vector<float> &a, const std::vector<float> &b,
             float c) const {
    std::vector<Term> terms;
    for (size_t i = 0; i < a.size(); ++i)
      if (const Term t = term(a[i], b[i]); t.significand != 0)
        terms.push_back(t);
    if (normalizes)
      for (Term &t : terms)
        if (t.significand >> 47) {
          ++t.exponent;
          t.significand >>= 1; // of bf16: a zero
        }
    if (cuts && c != 0)
      terms.push_back(term(c, 1));
    if (terms.empty())
      return c;
    int most = -127 - 5;
    if (!cuts)
      most = std::numeric_limits<int>::min();
    for (const Term &t : terms)
      most = std::max(most, t.exponent);
    __int128 total = 0;
    for (const Term &t : terms) {
      const int shift = 46 - fraction + most - t.exponent;
      const auto kept = __int128(shift < 64 ? t.significand >> shift : 0);
      total += t.negative ? -kept : kept;
    }
    int unit = most - fraction; // exponent of bit 0
    bool sticky = false;
    if (!cuts && c != 0) {
      const Term t = term(c, 1);
      const int from = t.exponent - 46;
      __int128 other = t.significand;
      if (from < unit) { // make room
        total <<= std::min(unit - from, 60);
        unit = from;
      } else {
        other <<= from - unit;
      }
      total += t.negative ? -other : other;
    }
    const bool negative = total < 0;
    auto magnitude = (unsigned __int128)(negative ? -total : total);
    if (magnitude == 0)
      return 0;
    int top = 0;
    while (magnitude >> top > 1)
      ++top;
    // 24 bits, fewer where the result is subnormal.
    const int drop = std::max(top - 23, -149 - unit);
    bool half = false;
    for (int i = 0; i < drop; ++i) {
      sticky |= half;
      half = magnitude & 1;
      magnitude >>= 1;
    }
    if (!cuts && half && (sticky || (magnitude & 1)))
      ++magnitude;
    double value =
        std::ldexp(double(uint64_t(magnitude)), unit + std::max(drop, 0));
    return float(negative ? -value : value);
  }
};

TEST(ChipSum, EqualsRegistersOfIntegers) {
  std::mt19937 random(5);
  const struct {
    const char *chip;
    Registers registers;
  } cases[] = {{"gaudi2", {46, true, false}}, {"gaudi3", {24, false, true}}};
  for (const auto &[chip, registers] : cases)
    for (int turn = 0; turn < 20000; ++turn) {
      const uint32_t spread = 1 + random() % 12;
      const auto value = [&] {
        const uint32_t bits = random();
        return floatOfBits((bits & 0x807f0000u) |
                           ((127 - spread / 2 + bits % spread) << 23));
      };
      std::vector<float> a, b;
      const size_t count = 1 + random() % 24;
      for (size_t i = 0; i < count; ++i) {
        a.push_back(value());
        b.push_back(i % 5 == 4 ? 0 : value());
      }
      float expected = 0;
      for (size_t i = 0; i < count; i += 8) {
        const size_t end = std::min(i + 8, count);
        expected = registers.step({a.begin() + i, a.begin() + end},
                                  {b.begin() + i, b.begin() + end}, expected);
      }
      ASSERT_EQ(sum(chip, BF16, a, b), expected) << chip << " " << turn;
    }
}

// Batches, a broadcast and transposed operands, a constant, a rounded result.
TEST(ChipProduct, AddsEachElementAsTheChip) {
  const int64_t batch = 3, m = 5, k = 37, n = 4;
  const auto a = test::Random(1).values(size_t(batch * k * m)),
             b = test::Random(2).values(size_t(n * k));
  const test::Bytes left = test::encodeAll(BF16, a),
                    right = test::encodeAll(BF16, b);
  const std::vector<float> x = test::decodeAll(BF16, left),
                           y = test::decodeAll(BF16, right);
  for (const bool constant : {false, true}) {
    test::TestRecipe recipe("gaudi3");
    const uint32_t in = recipe.input(BF16, {batch, k, m}),
                   other = constant ? recipe.constant(BF16, {1, n, k}, right)
                                    : recipe.input(BF16, {1, n, k});
    recipe::GemmT gemm;
    gemm.transpose_a = gemm.transpose_b = true;
    recipe.command(recipe::Engine::MME, "mme.gemm", gemm, {in, other},
                   {recipe.output(BF16, {batch, m, n})});
    LoadOptions options;
    options.numerics = Numerics::Chip;
    auto executable = recipe.load(options);
    ASSERT_TRUE(executable);
    EXPECT_EQ(executable->commands()[0].implementation, "chip");
    std::vector<test::Bytes> inputs = {left};
    if (!constant)
      inputs.push_back(right);
    const std::vector<float> got =
        test::decodeAll(BF16, test::TestRecipe::run(*executable, inputs)[0]);
    for (int64_t i = 0; i < batch * m * n; ++i) {
      std::vector<float> row, column;
      for (int64_t c = 0; c < k; ++c) {
        row.push_back(x[size_t(i / (m * n) * k * m + c * m + i / n % m)]);
        column.push_back(y[size_t(i % n * k + c)]);
      }
      const uint32_t bits =
          encodeFloat(sum("gaudi3", BF16, row, column), formatBF16);
      ASSERT_EQ(bitsOf(got[size_t(i)]), bits << 16) << i;
    }
  }
}

TEST(ChipProduct, IsExactUnlessAsked) {
  test::TestRecipe recipe("gaudi3");
  recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
                 {recipe.input(BF16, {2, 3}), recipe.input(BF16, {3, 2})},
                 {recipe.output(BF16, {2, 2})});
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_NE(executable->commands()[0].implementation, "chip");
  for (const char *wanted : {"chip", "exact", "fast"}) {
    setenv("GAUDI_NUMERICS", wanted, 1);
    auto loaded = recipe.tryLoad();
    if (std::string_view(wanted) == "fast")
      EXPECT_EQ(loaded.error().message,
                "the environment variable GAUDI_NUMERICS is 'fast'; set it to "
                "exact or chip");
    else
      EXPECT_EQ((*loaded)->commands()[0].implementation == "chip",
                std::string_view(wanted) == "chip");
  }
  unsetenv("GAUDI_NUMERICS");
}

} // namespace
