// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every opcode of TPC kernels against C++, on ordinary and awkward values.
#include "OpcodeRun.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace gaudi;
using namespace gaudi::test;

namespace {

std::vector<float> awkward() {
  std::vector<float> values = {
      0.0f,  -0.0f, 1.0f,  -1.0f,  0.5f,    -0.5f,      1.5f,   2.5f,
      -2.5f, 3.7f,  -3.7f, 1e-40f, -1e-40f, 1e30f,      -1e30f, inf,
      -inf,  nan32, 88.7f, -103.f, 0.999f,  16777217.f, 7.25f};
  Random random(7);
  for (int i = 0; i < 48; ++i)
    values.push_back(random.value() * 10);
  return values;
}

void expectSame(float expected, float got, const std::string &what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << what << " expected NaN, got " << got;
    return;
  }
  EXPECT_EQ(bitsOf(expected), bitsOf(got))
      << what << " expected " << expected << ", got " << got;
}

/// Functions have an error bound (MathTest.cpp has the exact ones); zeros,
/// infinities and NaN are exact.
void expectNear(float expected, float got, const std::string &what) {
  if (std::isnan(expected) || std::isinf(expected) || expected == 0)
    return expectSame(expected, got, what);
  const int64_t ulps = int64_t(bitsOf(expected)) - int64_t(bitsOf(got));
  EXPECT_LE(std::abs(ulps), 3)
      << what << " expected " << expected << ", got " << got;
}

bool isFunction(Op op) {
  return op == Op::PowF || (op >= Op::ExpF && op <= Op::ErfcF);
}

TEST(Opcodes, FloatUnary) {
  const std::vector<std::pair<Op, std::function<float(float)>>> table = {
      {Op::NegF, [](float x) { return -x; }},
      {Op::AbsF, [](float x) { return std::fabs(x); }},
      {Op::CeilF, [](float x) { return std::ceil(x); }},
      {Op::FloorF, [](float x) { return std::floor(x); }},
      {Op::RoundF, [](float x) { return std::round(x); }},
      {Op::RoundEvenF, [](float x) { return std::nearbyint(x); }},
      {Op::TruncF, [](float x) { return std::trunc(x); }},
      {Op::SqrtF, [](float x) { return std::sqrt(x); }},
      {Op::RsqrtF, [](float x) { return 1.0f / std::sqrt(x); }},
      {Op::ExpF, expf},
      {Op::Exp2F, exp2f},
      {Op::Expm1F, expm1f},
      {Op::LogF, logf},
      {Op::Log2F, log2f},
      {Op::Log10F, log10f},
      {Op::Log1pF, log1pf},
      {Op::CbrtF, cbrtf},
      {Op::SinF, sinf},
      {Op::CosF, cosf},
      {Op::TanF, tanf},
      {Op::AsinF, asinf},
      {Op::AcosF, acosf},
      {Op::AtanF, atanf},
      {Op::SinhF, sinhf},
      {Op::CoshF, coshf},
      {Op::TanhF, tanhf},
      {Op::AsinhF, asinhf},
      {Op::AcoshF, acoshf},
      {Op::AtanhF, atanhf},
      {Op::ErfF, erff},
      {Op::ErfcF, erfcf}};
  const std::vector<float> x = awkward();
  for (const auto &[op, oracle] : table) {
    const auto got = valuesOf<float>(
        runOp(op, ElementType::F32, ElementType::F32, {bytesOf(x)}));
    ASSERT_EQ(got.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i)
      (isFunction(op) ? expectNear : expectSame)(
          oracle(x[i]), got[i],
          std::string(EnumNameOp(op)) + "(" + std::to_string(x[i]) + ")");
  }
}

TEST(Opcodes, FloatBinary) {
  auto maximum = [](float a, float b) {
    if (std::isnan(a) || std::isnan(b))
      return nan32;
    if (a == 0 && b == 0)
      return std::signbit(a) ? b : a;
    return a > b ? a : b;
  };
  auto minimum = [=](float a, float b) { return -maximum(-a, -b); };
  const std::vector<std::pair<Op, std::function<float(float, float)>>> table = {
      {Op::AddF, [](float a, float b) { return a + b; }},
      {Op::SubF, [](float a, float b) { return a - b; }},
      {Op::MulF, [](float a, float b) { return a * b; }},
      {Op::DivF, [](float a, float b) { return a / b; }},
      {Op::RemF, fmodf},
      {Op::PowF, powf},
      {Op::Atan2F, atan2f},
      {Op::CopySignF, copysignf},
      {Op::MaxF, maximum},
      {Op::MinF, minimum},
      {Op::MaxNumF,
       [=](float a, float b) {
         return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
       }},
      {Op::MinNumF, [=](float a, float b) {
         return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
       }}};
  std::vector<float> x, y;
  for (float a : awkward())
    for (float b : awkward()) {
      x.push_back(a);
      y.push_back(b);
    }
  for (const auto &[op, oracle] : table) {
    const auto got = valuesOf<float>(runOp(
        op, ElementType::F32, ElementType::F32, {bytesOf(x), bytesOf(y)}));
    ASSERT_EQ(got.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i)
      (isFunction(op) ? expectNear : expectSame)(
          oracle(x[i], y[i]), got[i],
          std::string(EnumNameOp(op)) + "(" + std::to_string(x[i]) + ", " +
              std::to_string(y[i]) + ")");
  }
}

TEST(Opcodes, FusedMultiplyAddRoundsOnce) {
  const std::vector<float> a(19, 1.0f + 0x1p-12f), c(19, -1.0f);
  const auto got =
      valuesOf<float>(runOp(Op::FmaF, ElementType::F32, ElementType::F32,
                            {bytesOf(a), bytesOf(a), bytesOf(c)}));
  for (float value : got)
    EXPECT_EQ(value, std::fma(a[0], a[0], c[0]));
  EXPECT_NE(got.at(0), (volatile float &)a[0] * a[0] + c[0]);
}

template <typename T> std::vector<T> awkwardInts() {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           7,
                           31,
                           32,
                           63,
                           64,
                           T(-1),
                           T(-2),
                           T(-7),
                           L::max(),
                           L::min(),
                           T(L::max() - 1),
                           T(L::min() + 1)};
  Random random(3);
  for (int i = 0; i < 9; ++i)
    values.push_back(T(random.next()));
  return values;
}

template <typename T> void checkIntegers(ElementType type) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = sizeof(T) * 8;
  constexpr T low = std::numeric_limits<T>::min();
  const std::vector<std::pair<Op, std::function<T(T, T)>>> table = {
      {Op::AddI, [](T a, T b) { return T(U(a) + U(b)); }},
      {Op::SubI, [](T a, T b) { return T(U(a) - U(b)); }},
      {Op::MulI,
       [](T a, T b) { return T(U(uint64_t(U(a)) * uint64_t(U(b)))); }},
      {Op::DivSI,
       [](T a, T b) {
         return b == 0 ? T(-1) : b == T(-1) ? T(U(0) - U(a)) : T(a / b);
       }},
      {Op::DivUI, [](T a, T b) { return b == 0 ? T(-1) : T(U(a) / U(b)); }},
      {Op::RemSI,
       [](T a, T b) { return b == 0       ? a
                             : b == T(-1) ? T(0)
                                          : T(a % b); }},
      {Op::RemUI, [](T a, T b) { return b == 0 ? a : T(U(a) % U(b)); }},
      {Op::MaxSI, [](T a, T b) { return a > b ? a : b; }},
      {Op::MaxUI, [](T a, T b) { return U(a) > U(b) ? a : b; }},
      {Op::MinSI, [](T a, T b) { return a < b ? a : b; }},
      {Op::MinUI, [](T a, T b) { return U(a) < U(b) ? a : b; }},
      {Op::MulHSI,
       [](T a, T b) { return T((__int128(a) * __int128(b)) >> width); }},
      {Op::MulHUI,
       [](T a, T b) {
         using W = unsigned __int128;
         return T((W(U(a)) * W(U(b))) >> width);
       }},
      {Op::And, [](T a, T b) { return T(a & b); }},
      {Op::Or, [](T a, T b) { return T(a | b); }},
      {Op::Xor, [](T a, T b) { return T(a ^ b); }},
      {Op::Shl,
       [](T a, T b) { return U(b) >= width ? T(0) : T(U(a) << U(b)); }},
      {Op::ShrUI,
       [](T a, T b) { return U(b) >= width ? T(0) : T(U(a) >> U(b)); }},
      {Op::ShrSI,
       [](T a, T b) { return T(a >> (U(b) >= width ? width - 1 : U(b))); }}};
  std::vector<T> x, y;
  for (T a : awkwardInts<T>())
    for (T b : awkwardInts<T>()) {
      x.push_back(a);
      y.push_back(b);
    }
  for (const auto &[op, oracle] : table) {
    const auto got =
        valuesOf<T>(runOp(op, type, type, {bytesOf(x), bytesOf(y)}));
    ASSERT_EQ(got.size(), x.size());
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(oracle(x[i], y[i]), got[i])
          << EnumNameOp(op) << " i" << width << " " << int64_t(x[i]) << ", "
          << int64_t(y[i]);
  }
  const std::vector<std::pair<Op, std::function<T(T)>>> unary = {
      {Op::Clz,
       [](T a) {
         return T(a == 0 ? width
                         : unsigned(__builtin_clzll(uint64_t(U(a)))) -
                               (64 - width));
       }},
      {Op::Ctz,
       [](T a) {
         return T(a == 0 ? width : unsigned(__builtin_ctzll(uint64_t(U(a)))));
       }},
      {Op::Popcount, [](T a) { return T(__builtin_popcountll(U(a))); }},
      {Op::AbsI, [](T a) { return a == low ? low : T(a < 0 ? -a : a); }}};
  for (const auto &[op, oracle] : unary) {
    const auto got = valuesOf<T>(runOp(op, type, type, {bytesOf(x)}));
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(oracle(x[i]), got.at(i))
          << EnumNameOp(op) << " " << int64_t(x[i]);
  }
}

TEST(Opcodes, Integers8) { checkIntegers<int8_t>(ElementType::I8); }
TEST(Opcodes, Integers16) { checkIntegers<int16_t>(ElementType::I16); }
TEST(Opcodes, Integers32) { checkIntegers<int32_t>(ElementType::I32); }
TEST(Opcodes, Integers64) { checkIntegers<int64_t>(ElementType::I64); }

TEST(Opcodes, CompareFloats) {
  using P = recipe::CmpPredicate;
  auto unordered = [](float a, float b) {
    return std::isnan(a) || std::isnan(b);
  };
  const std::vector<std::pair<P, std::function<bool(float, float)>>> table = {
      {P::EQ, [](float a, float b) { return a == b; }},
      {P::NE, [=](float a, float b) { return !unordered(a, b) && a != b; }},
      {P::LT, [](float a, float b) { return a < b; }},
      {P::LE, [](float a, float b) { return a <= b; }},
      {P::GT, [](float a, float b) { return a > b; }},
      {P::GE, [](float a, float b) { return a >= b; }},
      {P::UEQ, [=](float a, float b) { return unordered(a, b) || a == b; }},
      {P::UNE, [](float a, float b) { return a != b; }},
      {P::FULT, [](float a, float b) { return !(a >= b); }},
      {P::FULE, [](float a, float b) { return !(a > b); }},
      {P::FUGT, [](float a, float b) { return !(a <= b); }},
      {P::FUGE, [](float a, float b) { return !(a < b); }},
      {P::ORD, [=](float a, float b) { return !unordered(a, b); }},
      {P::UNO, unordered}};
  std::vector<float> x, y;
  for (float a : {0.f, -0.f, 1.f, -2.f, inf, -inf, nan32})
    for (float b : {0.f, -0.f, 1.f, -2.f, inf, -inf, nan32}) {
      x.push_back(a);
      y.push_back(b);
    }
  for (const auto &[predicate, oracle] : table) {
    const Bytes got = runOp(Op::CmpF, ElementType::F32, ElementType::I1,
                            {bytesOf(x), bytesOf(y)}, uint64_t(predicate));
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(uint8_t(oracle(x[i], y[i])), got.at(i))
          << EnumNameCmpPredicate(predicate) << " " << x[i] << " " << y[i];
  }
}

TEST(Opcodes, CompareIntegers) {
  using P = recipe::CmpPredicate;
  using I = int8_t;
  using U = uint8_t;
  const std::vector<std::pair<P, std::function<bool(I, I)>>> table = {
      {P::EQ, [](I a, I b) { return a == b; }},
      {P::NE, [](I a, I b) { return a != b; }},
      {P::LT, [](I a, I b) { return a < b; }},
      {P::LE, [](I a, I b) { return a <= b; }},
      {P::GT, [](I a, I b) { return a > b; }},
      {P::GE, [](I a, I b) { return a >= b; }},
      {P::ULT, [](I a, I b) { return U(a) < U(b); }},
      {P::ULE, [](I a, I b) { return U(a) <= U(b); }},
      {P::UGT, [](I a, I b) { return U(a) > U(b); }},
      {P::UGE, [](I a, I b) { return U(a) >= U(b); }}};
  std::vector<I> x, y;
  for (int a = -128; a < 128; a += 5)
    for (int b = -128; b < 128; b += 5) {
      x.push_back(I(a));
      y.push_back(I(b));
    }
  for (const auto &[predicate, oracle] : table) {
    const Bytes got = runOp(Op::CmpI, ElementType::I8, ElementType::I1,
                            {bytesOf(x), bytesOf(y)}, uint64_t(predicate));
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(uint8_t(oracle(x[i], y[i])), got.at(i))
          << EnumNameCmpPredicate(predicate) << " " << int(x[i]) << " "
          << int(y[i]);
  }
}

TEST(Opcodes, FloatToIntegerSaturates) {
  const std::vector<float> x = {0.f,    -0.9f, 0.9f,   2.5f,        -2.5f,
                                127.9f, 128.f, 300.f,  -129.f,      inf,
                                -inf,   nan32, 255.5f, 256.f,       3e9f,
                                -3e9f,  1e20f, -1e20f, 2147483520.f};
  const auto s8 = valuesOf<int8_t>(
      runOp(Op::FloatToSI, ElementType::F32, ElementType::I8, {bytesOf(x)}));
  const auto u8 = valuesOf<uint8_t>(
      runOp(Op::FloatToUI, ElementType::F32, ElementType::I8, {bytesOf(x)}));
  const auto s64 = valuesOf<int64_t>(
      runOp(Op::FloatToSI, ElementType::F32, ElementType::I64, {bytesOf(x)}));
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = std::isnan(x[i]) ? 0.0 : std::trunc(double(x[i]));
    EXPECT_EQ(s8.at(i), int8_t(std::min(127.0, std::max(-128.0, v)))) << x[i];
    EXPECT_EQ(u8.at(i), uint8_t(std::min(255.0, std::max(0.0, v)))) << x[i];
    const int64_t expected = v >= 0x1p63   ? INT64_MAX
                             : v < -0x1p63 ? INT64_MIN
                                           : int64_t(v);
    EXPECT_EQ(s64.at(i), expected) << x[i];
  }
}

/// All widths that vectors convert to in 32 bits, at the ends of their ranges.
template <typename T> void checkSaturation(Op op, ElementType type) {
  const float least = float(std::numeric_limits<T>::min()),
              end = float(double(std::numeric_limits<T>::max()) + 1);
  std::vector<float> x = {0.f,   -0.f,   0.9f, -0.9f, 1e-40f, -1e-40f,
                          nan32, -nan32, inf,  -inf,  3e38f,  -3e38f};
  for (float v : {least, end, end / 2, end - 1}) {
    x.insert(x.end(), {v, std::nextafter(v, inf), std::nextafter(v, -inf)});
    x.insert(x.end(), {v - 0.5f, v + 0.5f, -v});
  }
  const auto got = valuesOf<T>(runOp(op, ElementType::F32, type, {bytesOf(x)}));
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = std::isnan(x[i]) ? 0.0 : std::trunc(double(x[i]));
    const double low = double(std::numeric_limits<T>::min()),
                 high = double(std::numeric_limits<T>::max());
    ASSERT_EQ(got.at(i), T(std::min(high, std::max(low, v)))) << x[i];
  }
}

TEST(Opcodes, FloatToIntegerSaturatesAtEveryWidth) {
  checkSaturation<int8_t>(Op::FloatToSI, ElementType::I8);
  checkSaturation<uint8_t>(Op::FloatToUI, ElementType::I8);
  checkSaturation<int16_t>(Op::FloatToSI, ElementType::I16);
  checkSaturation<uint16_t>(Op::FloatToUI, ElementType::I16);
  checkSaturation<int32_t>(Op::FloatToSI, ElementType::I32);
  checkSaturation<uint32_t>(Op::FloatToUI, ElementType::I32);
}

// Zero points are subtracted in 64 bits, where 32 would do, or not.
TEST(Opcodes, WideSumsOfBytesBecomeFloats) {
  Bytes x(259);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = uint8_t(i * 7);
  for (Op extension : {Op::ExtSI, Op::ExtUI})
    for (Op op : {Op::AddI, Op::SubI})
      for (int64_t constant : {int64_t(0), int64_t(-128), int64_t(255),
                               int64_t(1) << 29, -(int64_t(1) << 40)})
        for (bool swapped : {false, true}) {
          const auto n = int64_t(x.size());
          KernelBuilder k({n}, {true});
          k.input(ElementType::I8, 1).output(ElementType::F32, 1);
          k.stage();
          const uint32_t wide = k.inst(extension, ElementType::I64,
                                       k.inst(Op::Load, ElementType::I8,
                                              k.access(0, 0, k.at({{0, 1}}))));
          const uint32_t other =
              k.constant(ElementType::I64, uint64_t(constant));
          const uint32_t sum = swapped
                                   ? k.inst(op, ElementType::I64, other, wide)
                                   : k.inst(op, ElementType::I64, wide, other);
          k.store(k.access(1, 0, k.at({{0, 1}})),
                  k.inst(Op::SIToFloat, ElementType::F32, sum));
          TestRecipe r;
          r.launch(k, {r.input(ElementType::I8, {n})},
                   {r.output(ElementType::F32, {n})});
          const auto y = valuesOf<float>(r.run({x})[0]);
          for (size_t i = 0; i < x.size(); ++i) {
            const int64_t value =
                extension == Op::ExtSI ? int8_t(x[i]) : int64_t(x[i]);
            const int64_t a = swapped ? constant : value,
                          b = swapped ? value : constant;
            ASSERT_EQ(y.at(i), float(op == Op::AddI ? a + b : a - b));
          }
        }
}

TEST(Opcodes, IntegerConversions) {
  const std::vector<int32_t> x = awkwardInts<int32_t>();
  const auto si = valuesOf<float>(
      runOp(Op::SIToFloat, ElementType::I32, ElementType::F32, {bytesOf(x)}));
  const auto ui = valuesOf<float>(
      runOp(Op::UIToFloat, ElementType::I32, ElementType::F32, {bytesOf(x)}));
  const auto sx = valuesOf<int64_t>(
      runOp(Op::ExtSI, ElementType::I32, ElementType::I64, {bytesOf(x)}));
  const auto ux = valuesOf<int64_t>(
      runOp(Op::ExtUI, ElementType::I32, ElementType::I64, {bytesOf(x)}));
  const auto tr = valuesOf<int8_t>(
      runOp(Op::TruncI, ElementType::I32, ElementType::I8, {bytesOf(x)}));
  const Bytes bit =
      runOp(Op::TruncI, ElementType::I32, ElementType::I1, {bytesOf(x)});
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(si.at(i), float(x[i]));
    EXPECT_EQ(ui.at(i), float(uint32_t(x[i])));
    EXPECT_EQ(sx.at(i), int64_t(x[i]));
    EXPECT_EQ(ux.at(i), int64_t(uint32_t(x[i])));
    EXPECT_EQ(tr.at(i), int8_t(x[i]));
    EXPECT_EQ(bit.at(i), uint8_t(x[i] & 1));
  }
  // A byte of an i1 tensor other than 0 is true.
  const Bytes bools = {0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1};
  const auto ones = runOp(Op::ExtSI, ElementType::I1, ElementType::I8, {bools});
  for (size_t i = 0; i < bools.size(); ++i)
    EXPECT_EQ(ones.at(i), bools[i] ? 0xff : 0);
}

TEST(Opcodes, Bitcasts) {
  const std::vector<float> x = {0.f, -0.f, 1.f, inf, -inf, 1e-40f, -3.25f};
  const auto bits = valuesOf<uint32_t>(
      runOp(Op::BitcastFI, ElementType::F32, ElementType::I32, {bytesOf(x)}));
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(bits.at(i), bitsOf(x[i]));
  const auto back = valuesOf<float>(runOp(Op::BitcastIF, ElementType::I32,
                                          ElementType::F32, {bytesOf(bits)}));
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(bitsOf(back.at(i)), bitsOf(x[i]));
}

TEST(Opcodes, SelectAndUnsignedLoads) {
  const int64_t n = 21;
  KernelBuilder k({n}, {true});
  k.input(ElementType::U8, 1).input(ElementType::I1, 1);
  k.output(ElementType::I32, 1);
  k.stage();
  const uint32_t x =
      k.inst(Op::Load, ElementType::I8, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t c =
      k.inst(Op::Load, ElementType::I1, k.access(1, 0, k.at({{0, 1}})));
  const uint32_t wide = k.inst(Op::ExtUI, ElementType::I32, x);
  const uint32_t index = k.inst(Op::Index, ElementType::I64, 0);
  const uint32_t small = k.inst(Op::TruncI, ElementType::I32, index);
  k.store(k.access(2, 0, k.at({{0, 1}})),
          k.inst(Op::Select, ElementType::I32, c, wide, small));
  TestRecipe r;
  const uint32_t in = r.input(ElementType::U8, {n});
  const uint32_t cond = r.input(ElementType::I1, {n});
  r.launch(k, {in, cond}, {r.output(ElementType::I32, {n})});
  Bytes values, conditions;
  for (int64_t i = 0; i < n; ++i) {
    values.push_back(uint8_t(250 - i));
    conditions.push_back(i % 3 == 0 ? 0 : uint8_t(i));
  }
  const auto got = valuesOf<int32_t>(r.run({values, conditions})[0]);
  for (int64_t i = 0; i < n; ++i)
    EXPECT_EQ(got[size_t(i)], conditions[size_t(i)] ? 250 - i : i);
}

} // namespace
