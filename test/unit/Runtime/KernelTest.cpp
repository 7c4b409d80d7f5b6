// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structure of TPC kernels: boundaries, loops, reductions, stages, faults, and
// the same bits for any number of threads.
#include "TestRecipe.h"

#include <cmath>
#include <functional>

using namespace gaudi;
using namespace gaudi::test;
using recipe::Boundary;
using recipe::ReduceOp;

namespace {

/// Sum over a 3x3 window of x[C, H, W] or x[H, W, C]; `crossed`: the result has
/// the other order of dimensions.
void checkWindow(Boundary boundary, bool channelsLast, bool crossed = false) {
  const int64_t h = 9, w = 21, c = 18;
  const Dims shape = channelsLast ? Dims{h, w, c} : Dims{c, h, w};
  KernelBuilder k({shape[0], shape[1], shape[2], 3, 3},
                  {true, true, true, false, false});
  const unsigned H = channelsLast ? 0 : 1, W = H + 1, C = channelsLast ? 2 : 0;
  k.input(F32, 3).output(F32, 3);
  k.stage();
  const uint32_t zero = k.constant(0.0f);
  k.stage({3, 4});
  auto row = [&] { return k.at({{H, 1}, {3, 1}}, -1, boundary); };
  auto column = [&] { return k.at({{W, 1}, {4, 1}}, -1, boundary); };
  auto channel = [&] { return k.at({{C, 1}}); };
  const uint64_t pad = boundary == Boundary::Pad ? bitsOf(0.5f) : 0;
  const uint32_t access = channelsLast
                              ? k.access(0, pad, row(), column(), channel())
                              : k.access(0, pad, channel(), row(), column());
  k.reduce(ReduceOp::Add, zero, k.inst(Op::Load, F32, access));
  const uint32_t sum = k.endStage();
  k.stage();
  const bool resultLast = channelsLast != crossed;
  auto i = k.at({{H, 1}}), j = k.at({{W, 1}});
  k.store(resultLast ? k.access(1, 0, std::move(i), std::move(j), channel())
                     : k.access(1, 0, channel(), std::move(i), std::move(j)),
          sum);
  TestRecipe r;
  const uint32_t in = r.input(F32, shape);
  const Dims result = resultLast ? Dims{h, w, c} : Dims{c, h, w};
  r.launch(k, {in}, {r.output(F32, result)});
  const auto x = Random(1).values(size_t(h * w * c));
  auto placed = [&](bool last, int64_t i, int64_t j, int64_t l) {
    return size_t(last ? (i * w + j) * c + l : (l * h + i) * w + j);
  };
  const auto y = valuesOf<float>(r.run({bytesOf(x)})[0]);
  for (int64_t i = 0; i < h; ++i)
    for (int64_t j = 0; j < w; ++j)
      for (int64_t l = 0; l < c; ++l) {
        double expected = 0;
        for (int64_t p = i - 1; p <= i + 1; ++p)
          for (int64_t q = j - 1; q <= j + 1; ++q) {
            const bool outside = p < 0 || p >= h || q < 0 || q >= w;
            if (outside && boundary == Boundary::Pad)
              expected += 0.5;
            else
              expected += double(x[placed(
                  channelsLast, std::min(std::max<int64_t>(p, 0), h - 1),
                  std::min(std::max<int64_t>(q, 0), w - 1), l)]);
          }
        ASSERT_NEAR(y[placed(resultLast, i, j, l)], expected, 1e-5)
            << i << " " << j << " " << l;
      }
}

TEST(Kernels, PadChannelsLast) { checkWindow(Boundary::Pad, true); }
TEST(Kernels, PadRowsOfPixels) { checkWindow(Boundary::Pad, false); }
TEST(Kernels, ClampChannelsLast) { checkWindow(Boundary::Clamp, true); }
TEST(Kernels, ClampRowsOfPixels) { checkWindow(Boundary::Clamp, false); }
// Lanes along channels: for many loads they are contiguous, for one store not.
TEST(Kernels, PadAndTurnRound) { checkWindow(Boundary::Pad, true, true); }
TEST(Kernels, ClampAndTurnRound) { checkWindow(Boundary::Clamp, false, true); }

/// Reduces x[R, N] along N, or x[N, R] along N when `across`.
template <typename T>
std::vector<Bytes>
reduceRows(ReduceOp op, ElementType type, const std::vector<T> &x, int64_t rows,
           int64_t n, bool across, uint64_t init, unsigned threads = 2) {
  KernelBuilder k({rows, n}, {true, false});
  const bool arg = op == ReduceOp::ArgMax || op == ReduceOp::ArgMin;
  k.input(type, 2).output(type, 1);
  if (arg)
    k.output(I64, 1);
  k.stage();
  const uint32_t start = k.constant(recipe::kernelType(type), init);
  k.stage({1});
  const uint32_t access = across
                              ? k.access(0, 0, k.at({{1, 1}}), k.at({{0, 1}}))
                              : k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}}));
  const uint32_t value = k.inst(Op::Load, recipe::kernelType(type), access);
  const uint32_t position = arg ? k.inst(Op::Index, I64, 1) : 0;
  k.reduce(op, start, value, position);
  const uint32_t result = k.endStage();
  k.stage();
  k.store(k.access(1, 0, k.at({{0, 1}})), result);
  if (arg)
    k.store(k.access(2, 0, k.at({{0, 1}})), result + 1);
  TestRecipe r;
  const uint32_t in = r.input(type, across ? Dims{n, rows} : Dims{rows, n});
  std::vector<uint32_t> outs = {r.output(type, {rows})};
  if (arg)
    outs.push_back(r.output(I64, {rows}));
  r.launch(k, {in}, outs);
  return r.run({bytesOf(x)}, threads);
}

TEST(Kernels, FloatReductions) {
  const int64_t rows = 37, n = 53;
  const std::vector<
      std::tuple<ReduceOp, float, std::function<double(double, double)>>>
      table = {{ReduceOp::Add, 0.f, [](double a, double b) { return a + b; }},
               {ReduceOp::Mul, 1.f, [](double a, double b) { return a * b; }},
               {ReduceOp::Max, -inf,
                [](double a, double b) {
                  return std::isnan(a) || std::isnan(b) ? double(nan32)
                                                        : std::max(a, b);
                }},
               {ReduceOp::Min, inf,
                [](double a, double b) {
                  return std::isnan(a) || std::isnan(b) ? double(nan32)
                                                        : std::min(a, b);
                }},
               {ReduceOp::MaxNum, -inf,
                [](double a, double b) { return std::fmax(a, b); }},
               {ReduceOp::MinNum, inf,
                [](double a, double b) { return std::fmin(a, b); }}};
  for (bool across : {false, true}) {
    std::vector<float> x = Random(9).values(size_t(rows * n));
    auto at = [&](int64_t r, int64_t i) {
      return size_t(across ? i * rows + r : r * n + i);
    };
    for (auto &[op, init, oracle] : table) {
      std::vector<float> in = x;
      if (op == ReduceOp::Mul)
        for (float &v : in)
          v = 1 + v / 16;
      if (op >= ReduceOp::Max)
        in[at(3, 11)] = in[at(4, 0)] = in[at(5, n - 1)] = nan32;
      const auto y = valuesOf<float>(
          reduceRows(op, F32, in, rows, n, across, bitsOf(init))[0]);
      for (int64_t r = 0; r < rows; ++r) {
        double expected = init;
        for (int64_t i = 0; i < n; ++i)
          expected = oracle(expected, double(in[at(r, i)]));
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(y[size_t(r)])) << EnumNameReduceOp(op);
        else
          EXPECT_NEAR(y[size_t(r)], expected, 1e-5 + 1e-5 * std::fabs(expected))
              << EnumNameReduceOp(op) << " row " << r;
      }
    }
  }
}

TEST(Kernels, IntegerReductions) {
  const int64_t rows = 19, n = 40;
  using U = uint32_t;
  const std::vector<
      std::tuple<ReduceOp, int32_t, std::function<int32_t(int32_t, int32_t)>>>
      table = {
          {ReduceOp::Add, 5,
           [](int32_t a, int32_t b) { return int32_t(U(a) + U(b)); }},
          {ReduceOp::Mul, 3,
           [](int32_t a, int32_t b) { return int32_t(U(a) * U(b)); }},
          {ReduceOp::Max, INT32_MIN,
           [](int32_t a, int32_t b) { return std::max(a, b); }},
          {ReduceOp::Min, INT32_MAX,
           [](int32_t a, int32_t b) { return std::min(a, b); }},
          {ReduceOp::MaxU, 0,
           [](int32_t a, int32_t b) { return int32_t(std::max(U(a), U(b))); }},
          {ReduceOp::MinU, -1,
           [](int32_t a, int32_t b) { return int32_t(std::min(U(a), U(b))); }},
          {ReduceOp::And, -1, [](int32_t a, int32_t b) { return a & b; }},
          {ReduceOp::Or, 0, [](int32_t a, int32_t b) { return a | b; }},
          {ReduceOp::Xor, 0, [](int32_t a, int32_t b) { return a ^ b; }}};
  Random random(4);
  std::vector<int32_t> x(size_t(rows * n));
  for (int32_t &v : x)
    v = int32_t(random.next() | 1);
  for (bool across : {false, true})
    for (auto &[op, init, oracle] : table) {
      const auto y = valuesOf<int32_t>(
          reduceRows(op, I32, x, rows, n, across, U(init))[0]);
      for (int64_t r = 0; r < rows; ++r) {
        int32_t expected = init;
        for (int64_t i = 0; i < n; ++i)
          expected =
              oracle(expected, x[size_t(across ? i * rows + r : r * n + i)]);
        EXPECT_EQ(y[size_t(r)], expected) << EnumNameReduceOp(op);
      }
    }
}

TEST(Kernels, ArgReductionsTakeTheFirst) {
  const int64_t rows = 20, n = 9;
  std::vector<float> x = Random(2).values(size_t(rows * n));
  for (int64_t i = 0; i < n; ++i)
    x[size_t(i)] = 1.0f;                               // all equal: position 0
  x[size_t(1 * n + 4)] = x[size_t(1 * n + 6)] = 3.0f;  // tie: 4
  x[size_t(2 * n + 3)] = x[size_t(2 * n + 5)] = nan32; // first NaN: 3
  const auto out =
      reduceRows(ReduceOp::ArgMax, F32, x, rows, n, false, bitsOf(-inf));
  const auto value = valuesOf<float>(out[0]);
  const auto place = valuesOf<int64_t>(out[1]);
  EXPECT_EQ(place[0], 0);
  EXPECT_EQ(place[1], 4);
  EXPECT_EQ(value[1], 3.0f);
  EXPECT_EQ(place[2], 3);
  EXPECT_TRUE(std::isnan(value[2]));
  for (int64_t r = 3; r < rows; ++r) {
    const float *row = &x[size_t(r * n)];
    EXPECT_EQ(place[size_t(r)], std::max_element(row, row + n) - row);
    EXPECT_EQ(value[size_t(r)], *std::max_element(row, row + n));
  }
  const auto low =
      reduceRows(ReduceOp::ArgMin, F32, x, rows, n, false, bitsOf(inf));
  for (int64_t r = 3; r < rows; ++r) {
    const float *row = &x[size_t(r * n)];
    EXPECT_EQ(valuesOf<int64_t>(low[1])[size_t(r)],
              std::min_element(row, row + n) - row);
  }
}

TEST(Kernels, CustomReductionSeesItsCarry) {
  // r = r * 0.5 + x: order matters.
  const int64_t rows = 18, n = 7;
  KernelBuilder k({rows, n}, {true, false});
  k.input(F32, 2).output(F32, 1);
  k.stage();
  const uint32_t init = k.constant(2.0f), half = k.constant(0.5f);
  k.stage({1});
  const uint32_t x =
      k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
  // An arg reduction before it has two accumulators.
  const uint32_t index = k.inst(Op::Index, I64, 1);
  const uint32_t carry = k.inst(Op::Carry, F32, 1);
  const uint32_t next =
      k.inst(Op::AddF, F32, k.inst(Op::MulF, F32, carry, half), x);
  k.reduce(ReduceOp::ArgMax, init, x, index);
  k.reduce(ReduceOp::Custom, init, next);
  const uint32_t first = k.endStage();
  k.stage();
  k.store(k.access(1, 0, k.at({{0, 1}})), first + 2);
  TestRecipe r;
  const uint32_t in = r.input(F32, {rows, n});
  r.launch(k, {in}, {r.output(F32, {rows})});
  const auto v = Random(8).values(size_t(rows * n));
  const auto y = valuesOf<float>(r.run({bytesOf(v)})[0]);
  for (int64_t i = 0; i < rows; ++i) {
    float expected = 2;
    for (int64_t j = 0; j < n; ++j)
      expected = expected * 0.5f + v[size_t(i * n + j)];
    EXPECT_EQ(y[size_t(i)], expected);
  }
}

/// y = softmax(x) along the last dimension of x[rows, n].
void softmax(TestRecipe &r, ElementType type, int64_t rows, int64_t n) {
  KernelBuilder k({rows, n}, {true, false});
  k.input(type, 2).output(type, 2);
  auto load = [&] {
    return k.inst(Op::Load, F32,
                  k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
  };
  k.stage();
  const uint32_t low = k.constant(-inf), zero = k.constant(0);
  k.stage({1});
  k.reduce(ReduceOp::Max, low, load());
  const uint32_t most = k.endStage();
  k.stage({1});
  k.reduce(ReduceOp::Add, zero,
           k.inst(Op::ExpF, F32, k.inst(Op::SubF, F32, load(), most)));
  const uint32_t sum = k.endStage();
  k.stage({1});
  const uint32_t e = k.inst(Op::ExpF, F32, k.inst(Op::SubF, F32, load(), most));
  k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
          k.inst(Op::DivF, F32, e, sum));
  const uint32_t in = r.input(type, {rows, n});
  r.launch(k, {in}, {r.output(type, {rows, n})});
}

TEST(Kernels, SoftmaxInThreeStages) {
  for (ElementType type : {F32, BF16}) {
    const int64_t rows = 50, n = 77;
    TestRecipe r;
    softmax(r, type, rows, n);
    const Bytes in = encodeAll(type, Random(6).values(size_t(rows * n)));
    const auto x = decodeAll(type, in);
    const auto y = decodeAll(type, r.run({in})[0]);
    for (int64_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < n; ++j)
        sum += std::exp(double(x[size_t(i * n + j)]));
      for (int64_t j = 0; j < n; ++j) {
        const double expected = std::exp(double(x[size_t(i * n + j)])) / sum;
        EXPECT_NEAR(y[size_t(i * n + j)], expected,
                    expected * (type == BF16 ? 0x1p-8 : 1e-6));
      }
    }
  }
}

TEST(Kernels, SameBitsForAnyThreads) {
  const int64_t rows = 301, n = 257;
  const Bytes in = bytesOf(Random(11).values(size_t(rows * n)));
  std::vector<Bytes> first;
  for (unsigned threads : {1u, 2u, 3u, 4u}) {
    TestRecipe r;
    softmax(r, F32, rows, n);
    // An elementwise kernel whose vectors do not end at chunk borders.
    KernelBuilder k({rows, n}, {true, true});
    k.input(F32, 2).output(F32, 2);
    k.stage();
    const uint32_t x =
        k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
    const uint32_t t = k.inst(Op::TanhF, F32, k.inst(Op::MulF, F32, x, x));
    k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
            k.inst(Op::LogF, F32, k.inst(Op::SubF, F32, t, x)));
    r.launch(k, {r.entry().inputs[0]}, {r.output(F32, {rows, n})});
    const auto outputs = r.run({in}, threads);
    if (threads == 1)
      first = outputs;
    EXPECT_TRUE(first == outputs) << threads;
  }
}

TEST(Kernels, BroadcastTransposedAndReversedAccesses) {
  const int64_t m = 18, n = 35;
  KernelBuilder k({m, n}, {true, true});
  k.input(F32, 2).input(F32, 1).input(F32, 2).output(F32, 2);
  k.stage();
  const uint32_t a = k.inst(Op::Load, F32, // transposed
                            k.access(0, 0, k.at({{1, 1}}), k.at({{0, 1}})));
  const uint32_t b = k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}})));
  const uint32_t c = k.inst( // reversed
      Op::Load, F32,
      k.access(2, 0, k.at({{0, -1}}, m - 1), k.at({{1, -1}}, n - 1)));
  k.store(k.access(3, 0, k.at({{0, 1}}), k.at({{1, 1}})),
          k.inst(Op::AddF, F32, k.inst(Op::AddF, F32, a, b), c));
  TestRecipe r;
  const uint32_t x = r.input(F32, {n, m}), y = r.input(F32, {m}),
                 z = r.input(F32, {m, n});
  // The result has a row pitch.
  r.launch(k, {x, y, z}, {r.output(F32, {m, n}, {n + 5, 1})});
  const auto p = Random(1).values(size_t(m * n)),
             q = Random(2).values(size_t(m)),
             s = Random(3).values(size_t(m * n));
  const auto got =
      valuesOf<float>(r.run({bytesOf(p), bytesOf(q), bytesOf(s)})[0]);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      EXPECT_EQ(got[size_t(i * n + j)],
                p[size_t(j * m + i)] + q[size_t(i)] +
                    s[size_t((m - 1 - i) * n + n - 1 - j)]);
}

/// The last vector of a row writes nothing beyond it: rows are made from the
/// last to the first, so that what is after a row is there before.
TEST(Kernels, RowsOfAnyLengthEndWhereTheyEnd) {
  const int64_t rows = 3;
  for (ElementType type : {F32, ElementType::BF16, ElementType::F8E5M2})
    for (int64_t n : {1, 2, 7, 10, 15, 16, 17, 31}) {
      KernelBuilder k({rows, n}, {true, true});
      k.input(type, 2).output(type, 2);
      k.stage();
      auto at = [&](uint32_t operand) {
        return k.access(operand, 0, k.at({{0, -1}}, rows - 1), k.at({{1, 1}}));
      };
      k.store(at(1), k.inst(Op::AbsF, F32, k.inst(Op::Load, F32, at(0))));
      TestRecipe r;
      const uint32_t x = r.input(type, {rows, n});
      r.launch(k, {x}, {r.output(type, {rows, n})});
      Bytes in, expected;
      Random random(n);
      for (int64_t e = 0; e < rows * n; ++e) {
        const float value = random.value() + 2;
        const uint32_t minus = encodeElement(type, -value),
                       plus = encodeElement(type, value);
        for (unsigned byte = 0; byte < recipe::elementSize(type); ++byte) {
          in.push_back(uint8_t(minus >> (8 * byte)));
          expected.push_back(uint8_t(plus >> (8 * byte)));
        }
      }
      EXPECT_EQ(r.run({in}, 1)[0], expected)
          << recipe::elementName(type) << " " << n;
    }
}

TEST(Kernels, InPlace) {
  const int64_t n = 1000;
  KernelBuilder k({n}, {true});
  k.input(F32, 1).output(F32, 1);
  k.stage();
  const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
  k.store(k.access(1, 0, k.at({{0, 1}})), k.inst(Op::AddF, F32, x, x));
  TestRecipe r;
  const uint32_t state = r.state(F32, {n});
  r.entry().inputs = {state};
  r.entry().outputs = {state};
  r.launch(k, {state}, {state});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  const auto v = Random(3).values(size_t(n));
  ASSERT_TRUE(executable->setState(0, v.data(), v.size() * 4).has_value());
  ASSERT_TRUE(executable->launch().has_value());
  ASSERT_TRUE(executable->launch().has_value());
  std::vector<float> got(v.size());
  ASSERT_TRUE(executable->getState(0, got.data(), got.size() * 4).has_value());
  for (size_t i = 0; i < v.size(); ++i)
    EXPECT_EQ(got[i], 4 * v[i]);
}

TEST(Kernels, EqualKernelsShareCode) {
  // Only reports show it, so compare what they say: both run as lanes.
  const int64_t n = 64;
  TestRecipe r;
  const uint32_t in = r.input(F32, {n});
  for (int copy = 0; copy < 2; ++copy) {
    KernelBuilder k({n}, {true});
    k.input(F32, 1).output(F32, 1);
    k.stage();
    const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
    k.store(k.access(1, 0, k.at({{0, 1}})), k.inst(Op::NegF, F32, x));
    r.launch(k, {in}, {r.output(F32, {n})});
  }
  auto executable = r.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->commands()[0].implementation, "jit:lanes16");
  EXPECT_EQ(executable->commands()[1].implementation, "jit:lanes16");
  const auto v = Random(1).values(size_t(n));
  const auto out = TestRecipe::run(*executable, {bytesOf(v)});
  EXPECT_TRUE(out[0] == out[1]);
  EXPECT_EQ(valuesOf<float>(out[1])[5], -v[5]);
}

} // namespace
