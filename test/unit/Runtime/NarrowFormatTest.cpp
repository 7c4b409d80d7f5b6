// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of narrow floats against Support's conversions.
#include "Commands/Copy.h"
#include "OpcodeRun.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Midpoints between neighbours, the neighbours of midpoints, and all values.
std::vector<float> roundingCases(ElementType type) {
  const unsigned bits = recipe::elementSize(type) * 8;
  std::vector<float> values;
  float before = 0;
  for (uint32_t b = 0; b < (1u << bits); b += bits == 16 ? 37 : 1) {
    uint8_t raw[4];
    std::memcpy(raw, &b, 4);
    const float v = decodeElement(type, raw);
    values.push_back(v);
    if (std::isfinite(v) && std::isfinite(before)) {
      const float middle = float((double(v) + double(before)) / 2);
      values.insert(values.end(), {middle, std::nextafter(middle, inf),
                                   std::nextafter(middle, -inf)});
      // Half a unit above: the exact tie of 16-bit formats.
      const uint32_t next = b + 1;
      std::memcpy(raw, &next, 4);
      const float up = decodeElement(type, raw);
      if (std::isfinite(up))
        values.push_back(float((double(v) + double(up)) / 2));
    }
    before = v;
  }
  values.insert(values.end(), {inf, -inf, nan32, -nan32, 448.f, 464.f, 465.f,
                               480.f, 57344.f, 61440.f, 65504.f, 65520.f,
                               3.4e38f, -3.4e38f, 1e-45f, -1e-45f});
  return values;
}

class NarrowFormats : public testing::TestWithParam<ElementType> {};

TEST_P(NarrowFormats, StoreRoundsLikeEncodeFloat) {
  const ElementType type = GetParam();
  const std::vector<float> x = roundingCases(type);
  // A store of a loaded value, and the same through RoundTo.
  const Bytes stored = runOp(Op::AbsF, ElementType::F32, ElementType::F32,
                             {bytesOf(x)}, 0, type, true);
  const auto rounded =
      valuesOf<float>(runOp(Op::RoundTo, ElementType::F32, ElementType::F32,
                            {bytesOf(x)}, uint64_t(type)));
  const unsigned size = recipe::elementSize(type);
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t got = 0;
    std::memcpy(&got, &stored[i * size], size);
    ASSERT_EQ(got, encodeElement(type, std::fabs(x[i])))
        << recipe::elementName(type) << " " << x[i];
    const uint32_t bits = encodeElement(type, x[i]);
    uint8_t raw[4];
    std::memcpy(raw, &bits, 4);
    const float expected = decodeElement(type, raw);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(rounded[i]));
    else
      ASSERT_EQ(bitsOf(rounded[i]), bitsOf(expected)) << x[i];
  }
}

/// Between two operations of a kernel, where the bits of a NaN mean nothing.
TEST_P(NarrowFormats, ResultsRoundLikeStores) {
  const ElementType type = GetParam();
  std::vector<float> x = roundingCases(type);
  x.insert(x.end(), {0.0f, -0.0f});
  const size_t given = x.size();
  for (size_t i = 0; i < given; ++i)
    x.push_back(-x[i]);
  const int64_t count = int64_t(x.size());
  KernelBuilder k({count}, {true});
  k.input(ElementType::F32, 1).input(ElementType::F32, 1);
  k.output(ElementType::F32, 1);
  k.stage();
  auto load = [&](uint32_t operand) {
    return k.inst(Op::Load, ElementType::F32,
                  k.access(operand, 0, k.at({{0, 1}})));
  };
  const uint32_t product = k.inst(Op::MulF, ElementType::F32, load(0), load(1));
  k.store(k.access(2, 0, k.at({{0, 1}})),
          k.inst(Op::RoundTo, ElementType::F32, product, 0, 0, uint64_t(type)));
  TestRecipe recipe;
  const uint32_t values = recipe.input(ElementType::F32, {count}),
                 ones = recipe.input(ElementType::F32, {count}),
                 result = recipe.output(ElementType::F32, {count});
  recipe.launch(k, {values, ones}, {result});
  const auto rounded = valuesOf<float>(
      recipe.run({bytesOf(x), bytesOf(std::vector<float>(x.size(), 1))})[0]);
  for (size_t i = 0; i < x.size(); ++i) {
    const uint32_t bits = encodeElement(type, x[i]);
    uint8_t raw[4];
    std::memcpy(raw, &bits, 4);
    const float expected = decodeElement(type, raw);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(rounded[i])) << x[i];
    else
      ASSERT_EQ(bitsOf(rounded[i]), bitsOf(expected)) << x[i];
  }
}

/// A NaN whose bits are all in the lower half, or in both: rounding it to bf16
/// may neither drop them nor carry into the sign.
TEST_P(NarrowFormats, NaNsWithLowBitsStayNaNs) {
  const ElementType type = GetParam();
  const std::vector<uint32_t> bits = {0x7fffffff, 0x7fff8000, 0x7fc00001,
                                      0xffffffff, 0xffff8000, 0x7f800001};
  std::vector<float> x;
  for (int i = 0; i < 64; ++i)
    x.push_back(floatOfBits(bits[size_t(i) % bits.size()]));
  const int64_t count = int64_t(x.size());
  KernelBuilder k({count}, {true});
  k.input(ElementType::F32, 1).output(ElementType::F32, 1);
  k.stage();
  auto rounded = [&](Op op, uint32_t value, float constant, ElementType to) {
    return k.inst(Op::RoundTo, ElementType::F32,
                  k.inst(op, ElementType::F32, value, k.constant(constant)), 0,
                  0, uint64_t(to));
  };
  uint32_t value =
      k.inst(Op::Load, ElementType::F32, k.access(0, 0, k.at({{0, 1}})));
  value = rounded(Op::MulF, value, 0.5F, type);
  value = k.inst(Op::RoundTo, ElementType::F32, value, 0, 0,
                 uint64_t(ElementType::BF16));
  k.store(k.access(1, 0, k.at({{0, 1}})),
          rounded(Op::AddF, value, 1, ElementType::BF16));
  TestRecipe recipe;
  recipe.launch(k, {recipe.input(ElementType::F32, {count})},
                {recipe.output(ElementType::F32, {count})});
  const auto got = valuesOf<float>(recipe.run({bytesOf(x)})[0]);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(std::isnan(got[i])) << std::hex << bitsOf(x[i]);
}

/// Long chains have several vectors at once; widths leave rests of every size.
TEST_P(NarrowFormats, LongChainsRoundEachResult) {
  const ElementType type = GetParam();
  const unsigned size = recipe::elementSize(type);
  for (const int64_t columns : {1029, 1055, 192}) {
    const int64_t rows = 24;
    KernelBuilder k({rows, columns}, {true, true});
    k.input(type, 2).input(type, 1).output(type, 2);
    k.stage();
    auto result = [&](Op op, uint32_t x, uint32_t y) {
      return k.inst(Op::RoundTo, ElementType::F32,
                    k.inst(op, ElementType::F32, x, y), 0, 0, uint64_t(type));
    };
    const uint32_t x = k.inst(Op::Load, ElementType::F32,
                              k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
    const uint32_t y =
        k.inst(Op::Load, ElementType::F32, k.access(1, 0, k.at({{1, 1}})));
    const uint32_t product = result(Op::MulF, x, y);
    const uint32_t sum = result(Op::AddF, product, y);
    k.store(k.access(2, 0, k.at({{0, 1}}), k.at({{1, 1}})),
            result(Op::SubF, result(Op::MulF, sum, x), product));
    TestRecipe recipe;
    recipe.launch(
        k, {recipe.input(type, {rows, columns}), recipe.input(type, {columns})},
        {recipe.output(type, {rows, columns})});
    Bytes xs, ys;
    for (uint32_t i = 0; i < uint32_t(rows * columns) * size; ++i)
      xs.push_back(uint8_t((i * 0x9e3779b1u) >> 24));
    for (uint32_t i = 0; i < uint32_t(columns) * size; ++i)
      ys.push_back(uint8_t((i * 0x85ebca6bu) >> 24));
    const Bytes got = recipe.run({xs, ys})[0];
    auto rounded = [&](float value) {
      const uint32_t bits = encodeElement(type, value);
      uint8_t raw[4];
      std::memcpy(raw, &bits, 4);
      return decodeElement(type, raw);
    };
    for (size_t i = 0; i < size_t(rows * columns); ++i) {
      const float a = decodeElement(type, &xs[i * size]);
      const float b = decodeElement(type, &ys[i % size_t(columns) * size]);
      const float p = rounded(a * b);
      const float expected = rounded(rounded(rounded(p + b) * a) - p);
      const float value = decodeElement(type, &got[i * size]);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(value)) << i << ": " << a << " " << b;
      else
        ASSERT_EQ(bitsOf(value), bitsOf(expected))
            << i << ": " << a << " " << b;
    }
  }
}

/// All codes, in whole vectors and rests: NaNs keep their sign where nothing is
/// computed, and become one NaN where something is. Sums and their extremes
/// with zero reach the largest numbers and beyond.
TEST_P(NarrowFormats, EveryCodeIsStored) {
  const ElementType type = GetParam();
  const unsigned size = recipe::elementSize(type);
  const int64_t columns = 256 + 17, rows = size == 1 ? 3 : 257;
  Bytes xs;
  for (uint32_t i = 0; i < uint32_t(rows * columns); ++i)
    xs.insert(xs.end(), reinterpret_cast<uint8_t *>(&i),
              reinterpret_cast<uint8_t *>(&i) + size);
  auto codesOf = [&](const std::vector<Op> &ops) {
    KernelBuilder k({rows, columns}, {true, true});
    k.input(type, 2).output(type, 2);
    k.stage();
    uint32_t value = k.inst(Op::Load, ElementType::F32,
                            k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
    for (Op op : ops)
      value = op == Op::NegF   ? k.inst(op, ElementType::F32, value)
              : op == Op::AddF ? k.inst(op, ElementType::F32, value, value)
              : op == Op::RoundTo
                  ? k.inst(op, ElementType::F32, value, 0, 0, uint64_t(type))
                  : k.inst(op, ElementType::F32, value, k.constant(0));
    k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})), value);
    TestRecipe recipe;
    recipe.launch(k, {recipe.input(type, {rows, columns})},
                  {recipe.output(type, {rows, columns})});
    return recipe.run({xs})[0];
  };
  const Bytes negated = codesOf({Op::NegF}), doubled = codesOf({Op::AddF}),
              positive = codesOf({Op::AddF, Op::RoundTo, Op::MaxF});
  const uint32_t sign = 1u << (8 * size - 1);
  const uint32_t nan = encodeElement(type, nan32);
  for (size_t i = 0; i < size_t(rows * columns); ++i) {
    uint32_t code = 0, minus = 0, twice = 0, atLeastZero = 0;
    std::memcpy(&code, &xs[i * size], size);
    std::memcpy(&minus, &negated[i * size], size);
    std::memcpy(&twice, &doubled[i * size], size);
    std::memcpy(&atLeastZero, &positive[i * size], size);
    const float x = decodeElement(type, &xs[i * size]);
    if (std::isnan(x)) {
      ASSERT_EQ(minus, nan | (~code & sign)) << code;
      ASSERT_EQ(twice, nan) << code;
      ASSERT_EQ(atLeastZero, nan) << code;
      continue;
    }
    ASSERT_EQ(minus, code ^ sign) << code;
    const uint32_t sum = encodeElement(type, x + x);
    ASSERT_EQ(twice, sum) << code;
    uint8_t raw[4];
    std::memcpy(raw, &sum, 4);
    const float value = decodeElement(type, raw);
    ASSERT_EQ(atLeastZero, std::isnan(value) ? nan
                           : value > 0       ? sum
                                             : 0u)
        << code;
  }
}

/// Rows, of any strides and lengths, hold what single elements do.
TEST_P(NarrowFormats, RowsConvertLikeElements) {
  const ElementType type = GetParam();
  const int64_t size = recipe::elementSize(type);
  std::vector<float> x = roundingCases(type);
  for (const auto [srcStride, dstStride] :
       {std::pair(1, 1), std::pair(3, 1), std::pair(1, 2), std::pair(2, 3)}) {
    // Lengths that leave a rest of each size behind the vectors.
    const int64_t count = int64_t(x.size()) / 4 - srcStride;
    Bytes narrow(size_t(count * dstStride * size), 0xee);
    runtime::convertRow(ElementType::F32,
                        reinterpret_cast<const uint8_t *>(x.data()), srcStride,
                        type, narrow.data(), dstStride, count);
    std::vector<float> wide(size_t(count * srcStride), 7);
    runtime::convertRow(type, narrow.data(), dstStride, ElementType::F32,
                        reinterpret_cast<uint8_t *>(wide.data()), srcStride,
                        count);
    for (int64_t i = 0; i < count; ++i) {
      uint32_t got = 0;
      std::memcpy(&got, &narrow[size_t(i * dstStride * size)], size_t(size));
      const uint32_t bits = encodeElement(type, x[size_t(i * srcStride)]);
      ASSERT_EQ(got, bits) << recipe::elementName(type) << " "
                           << x[size_t(i * srcStride)];
      uint8_t raw[4];
      std::memcpy(raw, &bits, 4);
      const float back = wide[size_t(i * srcStride)];
      const float expected = decodeElement(type, raw);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(back));
      else
        ASSERT_EQ(bitsOf(back), bitsOf(expected));
    }
    // Elements between those of a row stay as they were.
    if (dstStride > 1)
      EXPECT_EQ(narrow[size_t(size)], 0xee);
    if (srcStride > 1)
      EXPECT_EQ(wide[1], 7);
  }
}

TEST_P(NarrowFormats, LoadIsExact) {
  const ElementType type = GetParam();
  const unsigned size = recipe::elementSize(type);
  Bytes all;
  for (uint32_t b = 0; b < (1u << (8 * size)); ++b)
    all.insert(all.end(), reinterpret_cast<uint8_t *>(&b),
               reinterpret_cast<uint8_t *>(&b) + size);
  const auto got =
      valuesOf<float>(runOp(Op::NegF, type, ElementType::F32, {all}));
  for (uint32_t b = 0; b < got.size(); ++b) {
    const float expected = -decodeElement(type, &all[b * size]);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(got[b]));
    else
      ASSERT_EQ(bitsOf(got[b]), bitsOf(expected)) << b;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NarrowFormats,
                         testing::Values(ElementType::BF16, ElementType::F16,
                                         ElementType::F8E4M3FN,
                                         ElementType::F8E5M2));

} // namespace
