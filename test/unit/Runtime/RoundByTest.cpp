// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings by a rule, in compiled kernels and in the reference's function,
// against a search among the numbers of the format.
#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Support/Philox.h"
#include "OpcodeRun.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <tuple>

using namespace gaudi;
using namespace gaudi::test;
using kernel::Rounding;

namespace {

/// The magnitudes of a format in ascending order, the first one past the
/// largest as if the exponents went on, and the first that is normal.
struct Magnitudes {
  explicit Magnitudes(FloatFormat format) : finiteOnly(format.finiteOnly) {
    for (uint32_t code = 0; code < 1u << (format.width() - 1); ++code)
      if (const double value = decodeFloat(code, format); std::isfinite(value))
        all.push_back(value);
    largest = all.back();
    all.push_back(2 * largest - all[all.size() - 2]);
    normal = decodeFloat(1u << format.mantissaBits, format);
  }
  std::vector<double> all;
  double largest, normal;
  bool finiteOnly;
};

/// By the text of docs/kernel-semantics.md, apart from kernel::roundBy.
double expected(float x, const Magnitudes &format, Rounding rule, bool flush,
                uint32_t word) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double none =
      format.finiteOnly ? std::numeric_limits<double>::quiet_NaN() : infinity;
  const double magnitude = std::fabs(x);
  if (std::isnan(x) || std::isinf(x))
    return std::isnan(x) ? double(x) : std::copysign(none, double(x));
  const bool grows = rule == Rounding::Upward     ? !std::signbit(x)
                     : rule == Rounding::Downward ? std::signbit(x)
                                                  : false;
  const bool directed = rule == Rounding::Upward ||
                        rule == Rounding::Downward ||
                        rule == Rounding::TowardZero;
  double result = infinity; // past what the exponents would go on with
  if (magnitude < format.all.back()) {
    const auto above =
        std::upper_bound(format.all.begin(), format.all.end(), magnitude);
    const size_t index = size_t(above - format.all.begin()) - 1;
    const double low = format.all[index], high = *above;
    const double share = (magnitude - low) / (high - low); // exact
    const bool nearest = share > 0.5 || (share == 0.5 && index % 2 == 1);
    bool up = nearest;
    if (directed)
      up = grows && share > 0;
    else if (rule == Rounding::NearestAway)
      up = share >= 0.5;
    else if (rule == Rounding::Stochastic ||
             (rule == Rounding::StochasticNormal && magnitude >= format.normal))
      up = double(word) < std::floor(share * 4294967296.0);
    result = up ? high : low;
  }
  if (result > format.largest)
    result = directed && !grows ? format.largest : none;
  if (flush && result < format.normal)
    result = 0;
  return std::copysign(result, double(x));
}

/// One value of each kind for 4,096 random words and more: all of bf16, and
/// seeded bits of f32, GAUDI_ROUNDING_SAMPLES of them (2^24 in slow.sh).
std::vector<float> samples() {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    values.push_back(floatOfBits(bits << 16));
  const char *given = std::getenv("GAUDI_ROUNDING_SAMPLES");
  const int64_t count = given ? std::atoll(given) : 1 << 15;
  std::mt19937 random(7);
  // Every other one in or near the range of the narrow formats.
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t bits = random();
    values.push_back(i % 2
                         ? floatOfBits(bits)
                         : floatOfBits((bits & 0x80ffffffu) +
                                       ((100 + bits / 0x1000000 % 48) << 23)));
  }
  return values;
}

Bytes run(const std::vector<float> &x, const std::vector<uint32_t> &words,
          ElementType type, Rounding rule, bool flush, ElementType stored) {
  const auto count = int64_t(x.size());
  KernelBuilder k({count}, {true});
  k.input(ElementType::F32, 1).input(ElementType::I32, 1).output(stored, 1);
  k.stage();
  auto load = [&](uint32_t operand, ElementType as) {
    return k.inst(Op::Load, as, k.access(operand, 0, k.at({{0, 1}})));
  };
  const kernel::RoundBy by{recipe::elementTypeOf(type), rule, flush};
  const uint32_t value = load(0, ElementType::F32);
  const uint32_t word = load(1, ElementType::I32);
  k.store(k.access(2, 0, k.at({{0, 1}})),
          k.inst(Op::RoundBy, ElementType::F32, value, word, 0, by.encoded()));
  TestRecipe recipe;
  recipe.launch(k,
                {recipe.input(ElementType::F32, {count}),
                 recipe.input(ElementType::I32, {count})},
                {recipe.output(stored, {count})});
  return recipe.run({bytesOf(x), bytesOf(words)})[0];
}

class RoundBy : public testing::TestWithParam<std::tuple<ElementType, int>> {
protected:
  const ElementType type = std::get<0>(GetParam());
  const Rounding rule = Rounding(std::get<1>(GetParam()));
  const FloatFormat format = *recipe::narrowFormat(type);
};

TEST_P(RoundBy, IsTheNeighbourThatTheRuleNames) {
  const Magnitudes magnitudes(format);
  const std::vector<float> x = samples();
  std::vector<uint32_t> words;
  for (size_t i = 0; i < x.size(); ++i)
    words.push_back(i % 64 == 0   ? 0
                    : i % 64 == 1 ? 0xffffffffu
                                  : dropoutWords(11, i / 4)[i % 4]);
  for (const bool flush : {false, true}) {
    const Bytes stored = run(x, words, type, rule, flush, type);
    const auto values =
        valuesOf<float>(run(x, words, type, rule, flush, ElementType::F32));
    for (size_t i = 0; i < x.size(); ++i) {
      const double want = expected(x[i], magnitudes, rule, flush, words[i]);
      const double reference =
          kernel::roundBy(x[i], format, rule, flush, words[i]);
      const float got =
          decodeElement(type, &stored[i * recipe::elementSize(type)]);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(reference) && std::isnan(values[i]) &&
                    std::isnan(got))
            << x[i];
        continue;
      }
      ASSERT_EQ(reference, want) << x[i] << " " << words[i];
      ASSERT_EQ(bitsOf(values[i]), bitsOf(float(want)))
          << x[i] << " " << words[i] << " " << values[i] << " " << want;
      ASSERT_EQ(bitsOf(got), bitsOf(float(want))) << x[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RoundBy,
    testing::Combine(testing::Values(ElementType::BF16, ElementType::F16,
                                     ElementType::F8E4M3FN,
                                     ElementType::F8E5M2),
                     testing::Range(0, int(kernel::roundingCount))),
    [](const auto &info) {
      return std::string(recipe::elementName(std::get<0>(info.param))) + "_" +
             std::string(
                 kernel::roundingNames[size_t(std::get<1>(info.param))]);
    });

/// Of uniform words: only the two neighbours, and a mean error of 0 within four
/// standard deviations, for each value and for all of them together.
TEST(RoundByRandomWords, HasNoBias) {
  constexpr int draws = 1 << 13;
  for (ElementType type : {ElementType::BF16, ElementType::F16,
                           ElementType::F8E4M3FN, ElementType::F8E5M2}) {
    const Magnitudes magnitudes(*recipe::narrowFormat(type));
    double sum = 0, variance = 0;
    for (const float x : {1.01f, -1.37f, 1.9990234f, 3.1415926f, -17.3f, 213.7f,
                          6e-5f, -1.7e-3f, 0.0117f}) {
      std::vector<uint32_t> words;
      for (int i = 0; i < draws; ++i)
        words.push_back(
            dropoutWords(bitsOf(x), uint64_t(i) / 4)[size_t(i) % 4]);
      const auto results =
          valuesOf<float>(run(std::vector<float>(draws, x), words, type,
                              Rounding::Stochastic, false, ElementType::F32));
      const double magnitude = std::fabs(x);
      const auto above = std::upper_bound(magnitudes.all.begin(),
                                          magnitudes.all.end(), magnitude);
      const double low = *(above - 1), high = *above;
      const double share = (magnitude - low) / (high - low);
      double error = 0;
      for (const float result : results) {
        const double r = std::copysign(result, std::fabs(result));
        ASSERT_TRUE(r == low || r == high) << x << " " << result;
        ASSERT_TRUE(result == 0 || std::signbit(result) == std::signbit(x));
        error += (r - magnitude) / (high - low);
      }
      const double of = draws * share * (1 - share);
      EXPECT_LE(std::fabs(error), 4 * std::sqrt(of)) << x;
      sum += error;
      variance += of;
    }
    EXPECT_LE(std::fabs(sum), 4 * std::sqrt(variance))
        << recipe::elementName(type);
  }
}

/// Values that arithmetic made, NaNs among them, in a fused kernel.
TEST(RoundByFused, TakesProducts) {
  const std::vector<float> x = {1,     -3, inf, nan32, 500, -448, 0,  -0.0f,
                                1e-9f, 7,  8,   9,     10,  11,   12, 13};
  const auto count = int64_t(x.size());
  KernelBuilder k({count}, {true});
  k.input(ElementType::F32, 1).output(ElementType::F8E4M3FN, 1);
  k.stage();
  const uint32_t value =
      k.inst(Op::Load, ElementType::F32, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t scaled =
      k.inst(Op::MulF, ElementType::F32, value, k.constant(1.03f));
  const uint32_t zero = k.inst(Op::Const, ElementType::I32);
  const kernel::RoundBy by{kernel::ElementType::F8E4M3FN, Rounding::TowardZero,
                           false};
  k.store(k.access(1, 0, k.at({{0, 1}})),
          k.inst(Op::RoundBy, ElementType::F32, scaled, zero, 0, by.encoded()));
  TestRecipe recipe;
  recipe.launch(k, {recipe.input(ElementType::F32, {count})},
                {recipe.output(ElementType::F8E4M3FN, {count})});
  const Bytes got = recipe.run({bytesOf(x)})[0];
  const Magnitudes magnitudes(formatF8E4M3FN);
  for (size_t i = 0; i < x.size(); ++i) {
    const double want =
        expected(x[i] * 1.03f, magnitudes, Rounding::TowardZero, false, 0);
    const float result = decodeElement(ElementType::F8E4M3FN, &got[i]);
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(result)) << x[i];
    else
      EXPECT_EQ(bitsOf(result), bitsOf(float(want))) << x[i];
  }
}

} // namespace
