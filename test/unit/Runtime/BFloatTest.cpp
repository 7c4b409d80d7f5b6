// Chains that round to bf16 after every operation, on all of its bit patterns.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr ElementType F32 = ElementType::F32, BF16 = ElementType::BF16;

float rounded(float value) {
  return floatOfBits(encodeFloat(double(value), formatBF16) << 16);
}

TEST(BFloat, ChainsRoundAndKeepNaN) {
  const int64_t length = 65536;
  KernelBuilder k({length}, {true});
  k.input(BF16, 1).input(BF16, 1);
  k.output(F32, 1).output(BF16, 1).output(BF16, 1);
  k.stage();
  auto here = [&](uint32_t operand) {
    return k.access(operand, 0, k.at({{0, 1}}));
  };
  auto round = [&](uint32_t value) {
    return k.inst(Op::RoundTo, F32, value, 0, 0, uint64_t(BF16));
  };
  const uint32_t a = k.inst(Op::Load, F32, here(0));
  const uint32_t b = k.inst(Op::Load, F32, here(1));
  const uint32_t product = round(k.inst(Op::MulF, F32, a, b));
  const uint32_t sum = round(k.inst(Op::AddF, F32, product, a));
  k.store(here(2), sum);
  k.store(here(3), sum);
  k.store(here(4), round(a)); // only moved
  TestRecipe recipe;
  recipe.launch(k, {recipe.input(BF16, {length}), recipe.input(BF16, {length})},
                {recipe.output(F32, {length}), recipe.output(BF16, {length}),
                 recipe.output(BF16, {length})});

  // Numbers around one, and now and then any pattern, NaN and infinity too.
  Random random(5);
  std::vector<uint16_t> x, y;
  for (uint32_t i = 0; i < length; ++i) {
    x.push_back(uint16_t(i));
    const uint16_t any = uint16_t(random.next() >> 16);
    y.push_back(i % 7 ? uint16_t((any & 0x81ff) | 0x3e00) : any);
  }
  const auto results = recipe.run({bytesOf(x), bytesOf(y)});
  const auto wide = valuesOf<uint32_t>(results[0]);
  const auto narrow = valuesOf<uint16_t>(results[1]);
  const auto moved = valuesOf<uint16_t>(results[2]);
  for (uint32_t i = 0; i < length; ++i) {
    const float p = floatOfBits(uint32_t(x[i]) << 16);
    const float q = floatOfBits(uint32_t(y[i]) << 16);
    const float product = rounded(p * q);
    const float expected = rounded(product + p);
    const uint32_t bits = std::isnan(expected) ? 0x7fc00000 : bitsOf(expected);
    ASSERT_EQ(wide[i], bits) << x[i] << " " << y[i];
    ASSERT_EQ(narrow[i], bits >> 16) << x[i] << " " << y[i];
    ASSERT_EQ(moved[i], std::isnan(p) ? (x[i] & 0x8000) | 0x7fc0 : x[i]);
  }
}

/// Numbers of one kind: their chains end in subnormal numbers, beyond the
/// largest, and so on.
uint16_t numberOf(unsigned kind, Random &random) {
  const uint16_t any = uint16_t(random.next() >> 16);
  auto near = [&](uint16_t exponent) { // sign and fraction as they come
    return uint16_t((any & 0x807f) | (exponent + (any >> 8 & 3)) << 7);
  };
  switch (kind) {
  case 1: // products of 2^-132 or so
    return near(60);
  case 2: // products of 2^120, sums of infinity
    return near(187);
  case 3:
    return any;
  case 4: // now and then zero, or a product of it
    return any % 3 ? near(125) : uint16_t(any & 0x8000);
  case 5: // beyond 2^112, but finite
    return near(238);
  case 6: // subnormal operands
    return uint16_t(any & 0x807f);
  default:
    return near(125);
  }
}

/// What the kernel below makes of rows x with the row y.
void checkChain(const std::vector<Bytes> &results,
                const std::vector<uint16_t> &x,
                const std::vector<uint16_t> &y) {
  const auto first = valuesOf<uint16_t>(results[0]);
  const auto second = valuesOf<uint16_t>(results[1]);
  auto stored = [](float value) {
    return uint16_t(std::isnan(value) ? 0x7fc0
                                      : encodeFloat(double(value), formatBF16));
  };
  for (size_t i = 0; i < x.size(); ++i) {
    const float p = floatOfBits(uint32_t(x[i]) << 16);
    const float q = floatOfBits(uint32_t(y[i % y.size()]) << 16);
    const float product = rounded(p * q);
    const float sum = rounded(product + p);
    // -0 is less than +0, but q is no zero.
    const float most = std::isnan(sum) ? sum : std::fmax(sum, -q);
    ASSERT_EQ(second[i], stored(most)) << i << ": " << p << " " << q;
    ASSERT_EQ(first[i], stored(most + product)) << i << ": " << p << " " << q;
  }
}

/// A row of bf16 is computed as even and odd points, in blocks that are
/// repeated when a number is none of those that multiply-adds round right.
/// Widths leave rests of every size.
TEST(BFloat, LongChainsRoundUnusualNumbers) {
  for (const int64_t columns : {1024, 1029, 1055, 64}) {
    const int64_t rows = 96;
    KernelBuilder k({rows, columns}, {true, true});
    k.input(BF16, 2).input(BF16, 1);
    k.output(BF16, 2).output(BF16, 2);
    k.stage();
    auto here = [&](uint32_t operand) {
      return k.access(operand, 0, k.at({{0, 1}}), k.at({{1, 1}}));
    };
    auto round = [&](uint32_t value) {
      return k.inst(Op::RoundTo, F32, value, 0, 0, uint64_t(BF16));
    };
    const uint32_t a = k.inst(Op::Load, F32, here(0));
    const uint32_t b = k.inst(Op::Load, F32, k.access(1, 0, k.at({{1, 1}})));
    const uint32_t product = round(k.inst(Op::MulF, F32, a, b));
    const uint32_t sum = round(k.inst(Op::AddF, F32, product, a));
    const uint32_t most =
        round(k.inst(Op::MaxF, F32, sum, round(k.inst(Op::NegF, F32, b))));
    const uint32_t last = k.inst(Op::AddF, F32, most, product);
    k.store(here(2), last);
    k.store(here(3), most);
    TestRecipe recipe;
    recipe.launch(
        k, {recipe.input(BF16, {rows, columns}), recipe.input(BF16, {columns})},
        {recipe.output(BF16, {rows, columns}),
         recipe.output(BF16, {rows, columns})});

    for (unsigned kind = 0; kind < 10; ++kind) {
      // Ordinary rows, then those of one kind, or of all, or with a single
      // subnormal number (whose chain is exact but for the roundings, and so
      // does not underflow) or infinity.
      Random random(kind);
      std::vector<uint16_t> x, y;
      for (int64_t i = 0; i < rows * columns; ++i) {
        const int64_t row = i / columns;
        if (kind >= 8 && i == rows * columns / 2 + 5)
          x.push_back(kind == 8 ? 0x0041 : 0x7f80);
        else
          x.push_back(numberOf(row < rows / 2 || kind >= 8 ? 0
                               : kind == 7                 ? unsigned(row % 7)
                                                           : kind,
                               random));
      }
      for (int64_t i = 0; i < columns; ++i)
        y.push_back(kind >= 8
                        ? uint16_t(0x3f81)
                        : numberOf(kind == 1 || kind == 2 ? kind : 0, random));
      checkChain(recipe.run({bytesOf(x), bytesOf(y)}), x, y);
    }
  }
}

} // namespace
