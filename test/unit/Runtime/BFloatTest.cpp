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

} // namespace
