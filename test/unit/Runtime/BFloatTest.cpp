// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains that round to bf16 after every operation, on all of its bit patterns.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;

namespace {

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

/// What is clamped between a rounding and a store as bf16, also to what bf16
/// does not hold, once for all columns, and where others read it.
TEST(BFloat, ClampsOfWhatIsRounded) {
  const int64_t rows = 128, columns = 512;
  const float limits[][2] = {{0, 6},
                             {-0.0f, floatOfBits(0x7f7f0000)},
                             {floatOfBits(0x80010000), floatOfBits(1 << 16)},
                             {-0.1f, 0.3f},
                             {-1, 0}};
  KernelBuilder k({rows, columns}, {true, true});
  k.input(F32, 2).input(F32, 2);
  for (size_t o = 0; o < 2 * std::size(limits) + 2; ++o)
    k.output(o == 0 ? F32 : BF16, 2);
  k.stage();
  uint32_t output = 2;
  auto store = [&](uint32_t value) {
    k.store(k.access(output++, 0, k.at({{0, 1}}), k.at({{1, 1}})), value);
  };
  auto round = [&](uint32_t value) {
    return k.inst(Op::RoundTo, F32, value, 0, 0, uint64_t(BF16));
  };
  const uint32_t x =
      k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
  // One for all columns.
  const uint32_t y =
      k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}}), k.at({})));
  std::vector<uint32_t> clamped;
  for (const uint32_t sum :
       {k.inst(Op::AddF, F32, x, x), k.inst(Op::AddF, F32, y, y)})
    for (const auto &[low, high] : limits) {
      const uint32_t least = k.inst(Op::Const, F32, 0, 0, 0, bitsOf(low)),
                     most = k.inst(Op::Const, F32, 0, 0, 0, bitsOf(high));
      const uint32_t value = round(sum);
      clamped.push_back(
          k.inst(Op::MinF, F32, most, k.inst(Op::MaxF, F32, value, least)));
    }
  store(clamped[0]);
  for (const uint32_t value : clamped)
    store(value);
  store(k.inst(Op::SubF, F32, clamped[0], clamped[3]));
  TestRecipe recipe;
  const std::vector<uint32_t> inputs = {recipe.input(F32, {rows, columns}),
                                        recipe.input(F32, {rows, 1})};
  std::vector<uint32_t> outputs;
  for (size_t o = 0; o < 2 * std::size(limits) + 2; ++o)
    outputs.push_back(recipe.output(o == 0 ? F32 : BF16, {rows, columns}));
  recipe.launch(k, inputs, outputs);

  // Half of each upper half with lower halves around the tie.
  constexpr uint32_t lower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  std::vector<float> of, each;
  for (uint32_t i = 0; i < rows * columns; ++i)
    of.push_back(floatOfBits(i << 16 | lower[i % 6]) / 2);
  for (uint32_t r = 0; r < rows; ++r)
    each.push_back(floatOfBits(r * 512 << 16 | lower[r % 6]) / 2);
  const auto results = recipe.run({bytesOf(of), bytesOf(each)});
  const auto wide = valuesOf<uint32_t>(results[0]);
  std::vector<std::vector<uint16_t>> narrow;
  for (size_t o = 1; o < results.size(); ++o)
    narrow.push_back(valuesOf<uint16_t>(results[o]));
  auto stored = [](float value) {
    return uint16_t(std::isnan(value) ? 0x7fc0
                                      : encodeFloat(double(value), formatBF16));
  };
  for (size_t i = 0; i < of.size(); ++i) {
    std::vector<float> expected;
    for (const float value : {of[i], each[i / columns]})
      for (auto [low, high] : limits) {
        float sum = rounded(value + value);
        // -0 is less than +0.
        if (sum < low || (sum == low && !std::signbit(low)))
          sum = low;
        if (sum > high || (sum == high && std::signbit(high)))
          sum = high;
        expected.push_back(sum);
      }
    const float first = expected[0];
    ASSERT_EQ(wide[i], std::isnan(first) ? 0x7fc00000 : bitsOf(first)) << of[i];
    expected.push_back(first - expected[3]);
    for (size_t o = 0; o < expected.size(); ++o)
      ASSERT_EQ(narrow[o][i], stored(expected[o]))
          << of[i] << " " << each[i / columns] << " " << o;
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

/// Ordinary numbers, but for some in the second half of the rows.
std::vector<uint16_t> mostly(std::initializer_list<uint16_t> rare,
                             int64_t count, Random &random) {
  std::vector<uint16_t> values;
  for (int64_t i = 0; i < count; ++i) {
    const bool takes = i > count / 2 && random.next() % 5000 == 0;
    values.push_back(takes ? rare.begin()[random.next() % rare.size()]
                           : numberOf(0, random));
  }
  return values;
}

/// Products with constants, clamps, differences that are subnormal but exact,
/// and an addition that LLVM leaves out.
TEST(BFloat, LongChainsOfConstants) {
  const int64_t rows = 128, columns = 1024, count = rows * columns;
  KernelBuilder k({rows, columns}, {true, true});
  for (int i = 0; i < 5; ++i)
    k.input(BF16, 2);
  for (int o = 0; o < 5; ++o)
    k.output(BF16, 2);
  k.stage();
  auto here = [&](uint32_t operand) {
    return k.access(operand, 0, k.at({{0, 1}}), k.at({{1, 1}}));
  };
  auto round = [&](uint32_t value) {
    return k.inst(Op::RoundTo, F32, value, 0, 0, uint64_t(BF16));
  };
  auto number = [&](float value) {
    return k.inst(Op::Const, F32, 0, 0, 0, bitsOf(value));
  };
  const float sixth = floatOfBits(0x3e2b0000);
  const uint32_t a = k.inst(Op::Load, F32, here(0)),
                 b = k.inst(Op::Load, F32, here(1)),
                 c = k.inst(Op::Load, F32, here(2)),
                 d = k.inst(Op::Load, F32, here(3)),
                 e = k.inst(Op::Load, F32, here(4)), zero = number(0);
  const uint32_t small = round(k.inst(Op::MulF, F32, a, number(sixth)));
  const uint32_t negative = round(k.inst(Op::MulF, F32, small, number(-3)));
  const uint32_t clamped = round(k.inst(Op::MaxF, F32, negative, zero));
  const uint32_t moved = round(k.inst(Op::AddF, F32, clamped, b));
  k.store(here(5), clamped);
  k.store(here(6), k.inst(Op::SubF, F32, c, d));
  k.store(here(7), k.inst(Op::MulF, F32, moved, negative));
  k.store(here(8), k.inst(Op::AddF, F32, e, number(-0.0f)));
  k.store(here(9), round(k.inst(Op::MulF, F32, e, number(sixth))));
  TestRecipe recipe;
  std::vector<uint32_t> inputs, outputs;
  for (int i = 0; i < 5; ++i)
    inputs.push_back(recipe.input(BF16, {rows, columns}));
  for (int o = 0; o < 5; ++o)
    outputs.push_back(recipe.output(BF16, {rows, columns}));
  recipe.launch(k, inputs, outputs);

  // Near the least normal number differences are exact and subnormal, and so
  // are products with constants; 0x7f7f is the largest number.
  const std::initializer_list<uint16_t> rares[] = {
      {0x3f80},         {0x0081, 0x8082, 0x0100}, {0x7fc1, 0xffc0, 0x7fff},
      {0x0000, 0x8000}, {0x7f7f, 0xff7f},         {0x7f80, 0xff80},
      {0x0001, 0x807f}};
  auto check = [&](const std::vector<uint16_t>(&in)[5]) {
    std::vector<Bytes> given;
    for (const std::vector<uint16_t> &values : in)
      given.push_back(bytesOf(values));
    std::vector<std::vector<uint16_t>> results;
    for (const Bytes &bytes : recipe.run(given))
      results.push_back(valuesOf<uint16_t>(bytes));
    auto stored = [](float value) {
      return uint16_t(
          std::isnan(value) ? 0x7fc0 : encodeFloat(double(value), formatBF16));
    };
    for (size_t i = 0; i < in[0].size(); ++i) {
      auto wide = [&](size_t input) {
        return floatOfBits(uint32_t(in[input][i]) << 16);
      };
      const float less = rounded(rounded(wide(0) * sixth) * -3);
      const float most = less > 0 || std::isnan(less) ? less : 0.0f;
      const float expected[] = {most, wide(2) - wide(3),
                                rounded(most + wide(1)) * less, wide(4),
                                wide(4) * sixth};
      for (size_t o = 0; o < 5; ++o)
        ASSERT_EQ(results[o][i], stored(expected[o]))
            << o << " " << i << ": " << wide(0) << " " << wide(1) << " "
            << wide(2) << " " << wide(3) << " " << wide(4);
    }
  };
  unsigned seed = 0;
  for (const auto &rare : rares) {
    Random random(++seed);
    // One input after the other, since each raises its own flags.
    for (size_t unusual = 0; unusual < 4; ++unusual) {
      std::vector<uint16_t> in[5];
      for (size_t i = 0; i < 5; ++i)
        in[i] = i == unusual + (unusual == 3) ? mostly(rare, count, random)
                                              : mostly({0x3f80}, count, random);
      for (size_t i = 0; i < in[3].size(); ++i) // close neighbours
        if (i % 64 == 0 || in[2][i] < 0x0200)
          in[3][i] = uint16_t(in[2][i] ^ (i & 1));
      check(in);
    }
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
