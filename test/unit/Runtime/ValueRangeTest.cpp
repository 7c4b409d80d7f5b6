// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floats whose range the code generator knows: random chains of
// operations with constants, then integers, against C++.
#include "OpcodeRun.h"

#include <array>
#include <fmt/format.h>

#include <cmath>
#include <limits>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// One operation of a chain; those of two operands have a constant.
struct Link {
  Op op;
  float constant;
  bool swapped; // the constant is the first operand
};

constexpr std::array chained = {
    Op::AddF,       Op::SubF,   Op::MulF,  Op::DivF,   Op::MaxF, Op::MinF,
    Op::RoundEvenF, Op::FloorF, Op::CeilF, Op::TruncF, Op::NegF};

bool hasConstant(Op op) {
  return op == Op::AddF || op == Op::SubF || op == Op::MulF || op == Op::DivF ||
         op == Op::MaxF || op == Op::MinF;
}

float applied(const Link &link, float value) {
  const float x = link.swapped ? link.constant : value,
              y = link.swapped ? value : link.constant;
  const bool isNaN = std::isnan(x) || std::isnan(y);
  switch (link.op) {
  case Op::AddF:
    return x + y;
  case Op::SubF:
    return x - y;
  case Op::MulF:
    return x * y;
  case Op::DivF:
    return x / y;
  case Op::MaxF:
    return isNaN ? nan32 : std::max(x, y);
  case Op::MinF:
    return isNaN ? nan32 : std::min(x, y);
  case Op::RoundEvenF:
    return std::nearbyint(value);
  case Op::FloorF:
    return std::floor(value);
  case Op::CeilF:
    return std::ceil(value);
  case Op::TruncF:
    return std::trunc(value);
  default:
    return -value;
  }
}

std::vector<Link> randomChain(Random &random) {
  const std::vector<float> constants = {
      0, -0.f, 1,    -1,    0.5f,  0.05f, 127,    -128,  255,  256, 128,  -129,
      9, 1e9,  -3e9, 3e38f, -3e38, 1e-40, 1e-38f, 32767, -inf, inf, nan32};
  std::vector<Link> chain(1 + random.next() % 8);
  for (Link &link : chain)
    link = {chained[random.next() % chained.size()],
            constants[random.next() % constants.size()],
            random.next() % 4 == 0};
  return chain;
}

uint32_t emitted(KernelBuilder &k, const std::vector<Link> &chain,
                 uint32_t value) {
  for (const Link &link : chain) {
    const uint32_t other =
        hasConstant(link.op)
            ? k.constant(ElementType::F32, bitsOf(link.constant))
            : 0;
    value = !hasConstant(link.op) ? k.inst(link.op, ElementType::F32, value)
            : link.swapped ? k.inst(link.op, ElementType::F32, other, value)
                           : k.inst(link.op, ElementType::F32, value, other);
  }
  return value;
}

/// Toward zero, within the ends of the type, and 0 for a NaN.
template <typename T> T asInteger(float value) {
  const double v = std::isnan(value) ? 0.0 : std::trunc(double(value));
  const double low = double(std::numeric_limits<T>::min()),
               high = double(std::numeric_limits<T>::max());
  return T(std::min(high, std::max(low, v)));
}

/// The chain on the numbers `x`, as they are or of integers, then as T.
template <typename T>
std::vector<T> run(const std::vector<Link> &chain, Op last, ElementType type,
                   ElementType from, const Bytes &x, int64_t n) {
  KernelBuilder k({n}, {true});
  k.input(from, 1).output(type, 1);
  k.stage();
  uint32_t value = k.inst(Op::Load, from, k.access(0, 0, k.at({{0, 1}})));
  if (from != ElementType::F32)
    value = k.inst(Op::SIToFloat, ElementType::F32, value);
  k.store(k.access(1, 0, k.at({{0, 1}})),
          k.inst(last, type, emitted(k, chain, value)));
  TestRecipe r;
  r.launch(k, {r.input(from, {n})}, {r.output(type, {n})});
  return valuesOf<T>(r.run({x})[0]);
}

template <typename T>
void check(Random &random, Op last, ElementType type, bool ofIntegers) {
  const std::vector<Link> chain = randomChain(random);
  std::vector<float> x = {0,      -0.f, 1,    -1,     126.5f, 127.5f,
                          128,    -128, -129, 255.5f, 1e-40,  3e38f,
                          -3e38f, inf,  -inf, nan32};
  for (int i = 0; i < 60; ++i)
    x.push_back(random.value() * float(1 << (i % 20)));
  std::vector<int32_t> whole;
  for (float &value : x)
    if (ofIntegers) {
      whole.push_back(std::isnan(value)
                          ? INT32_MAX
                          : int32_t(std::clamp(double(value), -2e9, 2e9)));
      value = float(whole.back());
    }
  const std::vector<T> got = run<T>(
      chain, last, type, ofIntegers ? ElementType::I32 : ElementType::F32,
      ofIntegers ? bytesOf(whole) : bytesOf(x), int64_t(x.size()));
  std::string text;
  for (const Link &link : chain)
    text += fmt::format("{} {}{}; ", EnumNameOp(link.op), link.constant,
                        link.swapped ? " first" : "");
  for (size_t i = 0; i < x.size(); ++i) {
    float value = x[i];
    for (const Link &link : chain)
      value = applied(link, value);
    ASSERT_EQ(got.at(i), asInteger<T>(value)) << x[i] << " by " << text;
  }
}

TEST(ValueRanges, ChainsBecomeIntegers) {
  Random random(11);
  for (int i = 0; i < 8; ++i)
    for (bool ofIntegers : {false, true}) {
      check<int8_t>(random, Op::FloatToSI, ElementType::I8, ofIntegers);
      check<uint8_t>(random, Op::FloatToUI, ElementType::I8, ofIntegers);
      check<int16_t>(random, Op::FloatToSI, ElementType::I16, ofIntegers);
      check<int32_t>(random, Op::FloatToSI, ElementType::I32, ofIntegers);
      check<uint32_t>(random, Op::FloatToUI, ElementType::I32, ofIntegers);
      if (HasFatalFailure())
        return;
    }
}

// As quantisations are written: clamped to exactly what the type holds.
TEST(ValueRanges, ClampedQuantisation) {
  const std::vector<Link> chain = {{Op::DivF, 0.05f, false},
                                   {Op::RoundEvenF, 0, false},
                                   {Op::AddF, -3, false},
                                   {Op::MaxF, -128, false},
                                   {Op::MinF, 127, false}};
  std::vector<float> x = {nan32, inf, -inf, 6.5f, -6.25f, 0.025f, 6.525f};
  for (int i = -400; i < 400; ++i)
    x.push_back(float(i) * 0.0175f);
  const auto got = run<int8_t>(chain, Op::FloatToSI, ElementType::I8,
                               ElementType::F32, bytesOf(x), int64_t(x.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    float value = x[i];
    for (const Link &link : chain)
      value = applied(link, value);
    ASSERT_EQ(got.at(i), std::isnan(value) ? 0 : int8_t(value)) << x[i];
  }
}

/// Chains of roundings, sums and clamps, as integers of type T less a zero
/// point, which are numbers again. Their bits show the sign of zeros.
template <typename T>
void checkAgain(Random &random, ElementType type, ElementType wide) {
  const std::vector<float> constants = {0,    -0.f, 3,    -128, 127,
                                        -131, 255,  0.5f, 1e9f, nan32};
  auto constant = [&] { return constants[random.next() % constants.size()]; };
  auto link = [&](Op op) { return Link{op, constant(), false}; };
  std::vector<Link> chain = {{Op::RoundEvenF, 0, false}};
  for (uint64_t i = random.next() % 5; i > 0; --i)
    chain.push_back(link(std::vector{Op::AddF, Op::SubF, Op::MaxF, Op::MinF,
                                     Op::RoundEvenF}[random.next() % 5]));
  // Some clamps leave out the 0 that a NaN becomes.
  const std::vector<std::pair<float, float>> clamps = {
      {-128, 127}, {20, 25}, {100, 110}, {-120, -3}};
  if (random.next() % 4 != 0) {
    const auto [low, high] = clamps[random.next() % clamps.size()];
    chain.push_back({Op::MaxF, low, false});
    chain.push_back({Op::MinF, high, false});
  }
  const bool narrows = random.next() % 2;
  const auto zero = int64_t(random.next() % 300) - 150;
  std::vector<float> x = {0,      -0.f, 0.5f,  -0.5f, 1.5f, -130.5f, 126.5f,
                          127.5f, 3e9f, -3e9f, 3e38f, inf,  -inf,    nan32};
  for (int i = 0; i < 60; ++i)
    x.push_back(random.value() * float(1 << (i % 12)));

  const auto n = int64_t(x.size());
  KernelBuilder k({n}, {true});
  k.input(ElementType::F32, 1).output(ElementType::I32, 1);
  k.stage();
  uint32_t value = emitted(
      k, chain,
      k.inst(Op::Load, ElementType::F32, k.access(0, 0, k.at({{0, 1}}))));
  value = k.inst(Op::FloatToSI, type, value);
  if (wide != type)
    value = k.inst(Op::ExtSI, wide, value);
  const uint64_t mask = ~uint64_t(0) >> (64 - 8 * recipe::elementSize(wide));
  value =
      k.inst(Op::SubI, wide, value, k.constant(wide, uint64_t(zero) & mask));
  value = k.inst(Op::SIToFloat, ElementType::F32, value);
  const float factor = narrows ? 12 : -0.3F;
  value = k.inst(Op::MulF, ElementType::F32, value, k.constant(factor));
  value = narrows ? k.inst(Op::ExtSI, ElementType::I32,
                           k.inst(Op::FloatToSI, ElementType::I8, value))
                  : k.inst(Op::BitcastFI, ElementType::I32, value);
  k.store(k.access(1, 0, k.at({{0, 1}})), value);
  TestRecipe r;
  r.launch(k, {r.input(ElementType::F32, {n})},
           {r.output(ElementType::I32, {n})});
  const auto got = valuesOf<uint32_t>(r.run({bytesOf(x)})[0]);
  for (size_t i = 0; i < x.size(); ++i) {
    float number = x[i];
    for (const Link &each : chain)
      number = applied(each, number);
    int64_t whole = static_cast<int64_t>(asInteger<T>(number)) - zero;
    if (wide == type)
      whole = static_cast<int64_t>(double(T(whole))); // it wraps
    const float product = float(whole) * factor;
    ASSERT_EQ(got.at(i), narrows ? uint32_t(int(asInteger<int8_t>(product)))
                                 : bitsOf(product))
        << x[i] << ", " << zero;
  }
}

TEST(ValueRanges, IntegersBecomeNumbersAgain) {
  Random random(12);
  for (int i = 0; i < 24; ++i) {
    checkAgain<int8_t>(random, ElementType::I8, ElementType::I8);
    checkAgain<int8_t>(random, ElementType::I8, ElementType::I64);
    checkAgain<int16_t>(random, ElementType::I16, ElementType::I32);
    checkAgain<int32_t>(random, ElementType::I32, ElementType::I32);
    if (HasFatalFailure())
      return;
  }
}

// Numbers made of integers are divided by constants with multiplications: the
// bits are those of a division, of zeros too.
TEST(ValueRanges, QuotientsOfScaledIntegers) {
  std::vector<int32_t> x = {0, INT32_MIN, INT32_MAX, 123456789};
  for (int32_t i = -300; i < 300; ++i)
    x.push_back(i);
  for (float scale : {0.0965827F, -0.3F, 1e-30F})
    for (float addend : {0.F, 0.026822466F})
      for (float divisor : {0.04549253F, -3.F, 1e-12F}) {
        const std::vector<Link> chain = {{Op::MulF, scale, false},
                                         {Op::AddF, addend, false},
                                         {Op::NegF, 0, false},
                                         {Op::DivF, divisor, false}};
        const auto got =
            run<uint32_t>(chain, Op::BitcastFI, ElementType::I32,
                          ElementType::I32, bytesOf(x), int64_t(x.size()));
        for (size_t i = 0; i < x.size(); ++i) {
          auto value = float(x[i]);
          for (const Link &link : chain)
            value = applied(link, value);
          ASSERT_EQ(got.at(i), bitsOf(value))
              << x[i] << " * " << scale << " + " << addend << " by " << divisor;
        }
      }
}

/// What a kernel of one dimension makes of `x`, as bits.
template <typename Make>
std::vector<uint32_t> made(const std::vector<int32_t> &x, Make make) {
  const auto n = int64_t(x.size());
  KernelBuilder k({n}, {true});
  k.input(ElementType::I32, 1).output(ElementType::F32, 1);
  k.stage();
  const uint32_t value = k.inst(
      Op::SIToFloat, ElementType::F32,
      k.inst(Op::Load, ElementType::I32, k.access(0, 0, k.at({{0, 1}}))));
  k.store(k.access(1, 0, k.at({{0, 1}})), make(k, value));
  TestRecipe r;
  r.launch(k, {r.input(ElementType::I32, {n})},
           {r.output(ElementType::F32, {n})});
  return valuesOf<uint32_t>(r.run({bytesOf(x)})[0]);
}

// A NaN stays one between the ends of a range that holds one number.
TEST(ValueRanges, QuotientsByNaN) {
  const auto got = made({1, 2, 3, -4}, [](KernelBuilder &k, uint32_t x) {
    uint32_t divisor = k.constant(nan32);
    for (Op op : {Op::MaxF, Op::MinF})
      divisor = k.inst(op, ElementType::F32, divisor, k.constant(3));
    return k.inst(Op::DivF, ElementType::F32, x, divisor);
  });
  for (uint32_t bits : got)
    EXPECT_TRUE(std::isnan(floatOfBits(bits)));
}

// Squares of zeros are multiples of every power of two, however often.
TEST(ValueRanges, SquaresOfZeros) {
  const auto got = made({1, 2, -3, 4}, [](KernelBuilder &k, uint32_t x) {
    x = k.inst(Op::MulF, ElementType::F32, x, k.constant(0));
    for (int i = 0; i < 40; ++i)
      x = k.inst(Op::MulF, ElementType::F32, x, x);
    return k.inst(Op::DivF, ElementType::F32, x, k.constant(3));
  });
  EXPECT_EQ(got, std::vector<uint32_t>(4, 0));
}

} // namespace
