// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose vectors run along the loops of a stage: every length around
// the vector width, several sets of accumulators, and values kept for a row.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;
using recipe::ReduceOp;

namespace {

/// Lengths around one vector, around the unrolled step, and long.
const std::vector<int64_t> lengths = {1,  7,  8,  15, 16,  17,  31,
                                      33, 63, 64, 65, 127, 130, 1000};

/// Reduces each row of an R x L tensor; outputs the results as R values.
class RowReduction {
public:
  RowReduction(ReduceOp op, ElementType type, int64_t rows, int64_t length,
               uint64_t init, bool position = false)
      : kernel({rows, length}, {true, false}) {
    KernelBuilder &k = kernel;
    k.input(type, 2);
    const ElementType value = recipe::kernelType(type);
    k.output(type, 1);
    if (position)
      k.output(ElementType::I64, 1);
    k.stage();
    const uint32_t start = k.constant(value, init);
    k.stage({1});
    const uint32_t loaded =
        k.inst(Op::Load, value, k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
    const uint32_t index =
        position ? k.inst(Op::Index, ElementType::I64, 1) : 0;
    k.reduce(op, start, loaded, index);
    const uint32_t result = k.endStage();
    k.stage();
    k.store(k.access(1, 0, k.at({{0, 1}})), result);
    std::vector<uint32_t> outputs = {recipe.output(type, {rows})};
    if (position) {
      k.store(k.access(2, 0, k.at({{0, 1}})), result + 1);
      outputs.push_back(recipe.output(ElementType::I64, {rows}));
    }
    recipe.launch(k, {recipe.input(type, {rows, length})}, outputs);
  }
  std::vector<Bytes> run(const Bytes &input) { return recipe.run({input}); }
  std::string implementation() {
    return recipe.load()->commands()[0].implementation;
  }

private:
  KernelBuilder kernel;
  TestRecipe recipe;
};

TEST(Rows, UseVectorsAlongTheLoop) {
  RowReduction sum(ReduceOp::Add, ElementType::F32, 3, 100, 0);
  EXPECT_EQ(sum.implementation(), "jit:lanes16:rows");
}

TEST(Rows, SumsOfEveryLength) {
  Random random(3);
  for (int64_t length : lengths) {
    const std::vector<float> x = random.values(size_t(3 * length));
    RowReduction sum(ReduceOp::Add, ElementType::F32, 3, length, bitsOf(0.5f));
    const auto got = valuesOf<float>(sum.run(bytesOf(x))[0]);
    for (int64_t row = 0; row < 3; ++row) {
      double expected = 0.5, magnitude = 0.5;
      for (int64_t i = 0; i < length; ++i) {
        expected += double(x[size_t(row * length + i)]);
        magnitude += std::fabs(double(x[size_t(row * length + i)]));
      }
      EXPECT_NEAR(got[size_t(row)], expected, magnitude * 1e-6)
          << "length " << length;
    }
  }
}

/// Sums over the outer dimensions, whose loops become nodes of a tree: with
/// many channels the lanes hold channels, with one they hold iterations.
void checkColumns(const Dims &extents, int64_t channels) {
  KernelBuilder k({extents[0], extents[1], extents[2], channels},
                  {false, false, false, true});
  k.input(ElementType::F32, 4);
  k.output(ElementType::F32, 1);
  k.stage();
  const uint32_t start = k.constant(ElementType::F32, bitsOf(0.25f));
  k.stage({0, 1, 2});
  const uint32_t loaded = k.inst(Op::Load, ElementType::F32,
                                 k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}}),
                                          k.at({{2, 1}}), k.at({{3, 1}})));
  k.reduce(ReduceOp::Add, start, loaded, 0);
  const uint32_t result = k.endStage();
  k.stage();
  k.store(k.access(1, 0, k.at({{3, 1}})), result);
  const Dims shape = {extents[0], extents[1], extents[2], channels};
  TestRecipe recipe;
  recipe.launch(k, {recipe.input(ElementType::F32, shape)},
                {recipe.output(ElementType::F32, {channels})});
  // Positive terms: in order, the error of the sum grows with their number.
  std::vector<float> x = Random(8).values(size_t(count(shape)));
  for (float &value : x)
    value = 1 + std::fabs(value);
  const auto got = valuesOf<float>(recipe.run({bytesOf(x)})[0]);
  for (int64_t c = 0; c < channels; ++c) {
    double expected = 0.25;
    for (size_t i = size_t(c); i < x.size(); i += size_t(channels))
      expected += double(x[i]);
    // Half a unit of a node's 32 terms per level, random signs: far below.
    EXPECT_NEAR(got[size_t(c)], expected, expected * 4e-7)
        << extents[0] << "x" << extents[1] << "x" << extents[2] << "x"
        << channels;
  }
}

TEST(Rows, LongSumsAreTrees) {
  for (const Dims &extents :
       {Dims{1, 1, 32}, Dims{1, 1, 33}, Dims{1, 1, 20011}, Dims{2, 3, 5},
        Dims{7, 31, 67}, Dims{3, 40, 33}, Dims{129, 3, 3}, Dims{40, 1, 1000},
        Dims{2, 5, 4096}, Dims{33, 33, 33}})
    for (int64_t channels : {1, 20})
      checkColumns(extents, channels);
}

TEST(Rows, IntegerSumsAreExact) {
  Random random(4);
  for (int64_t length : lengths) {
    std::vector<int32_t> x(size_t(2 * length), 0);
    for (int32_t &value : x)
      value = int32_t(random.next());
    RowReduction sum(ReduceOp::Add, ElementType::I32, 2, length, 7);
    const auto got = valuesOf<int32_t>(sum.run(bytesOf(x))[0]);
    for (int64_t row = 0; row < 2; ++row) {
      uint32_t expected = 7;
      for (int64_t i = 0; i < length; ++i)
        expected += uint32_t(x[size_t(row * length + i)]);
      EXPECT_EQ(got[size_t(row)], int32_t(expected)) << "length " << length;
    }
  }
}

/// A sum of nothing but -0 is -0 when the initial value is.
TEST(Rows, SumKeepsNegativeZero) {
  RowReduction sum(ReduceOp::Add, ElementType::F32, 1, 37, bitsOf(-0.0f));
  const auto got =
      valuesOf<float>(sum.run(bytesOf(std::vector<float>(37, -0.0f)))[0]);
  EXPECT_EQ(bitsOf(got[0]), bitsOf(-0.0f));
}

TEST(Rows, ExtremesSeeZerosAndNaN) {
  struct Case {
    float filler, special;
    ReduceOp op;
    float expected;
  };
  for (int64_t length : lengths)
    for (const Case &each :
         {Case{-3, 2, ReduceOp::Max, 2}, Case{-0.0f, 0.0f, ReduceOp::Max, 0.0f},
          Case{-0.0f, -0.0f, ReduceOp::Max, -0.0f},
          Case{-1, -0.0f, ReduceOp::Max, -0.0f},
          Case{5, nan32, ReduceOp::Max, nan32},
          Case{-inf, -inf, ReduceOp::Max, -inf}, Case{3, -2, ReduceOp::Min, -2},
          Case{0.0f, -0.0f, ReduceOp::Min, -0.0f},
          Case{0.0f, 0.0f, ReduceOp::Min, 0.0f},
          Case{5, nan32, ReduceOp::Min, nan32}})
      for (int64_t at : {int64_t(0), length / 2, length - 1}) {
        std::vector<float> x(size_t(length), each.filler);
        x[size_t(at)] = each.special;
        const bool largest = each.op == ReduceOp::Max;
        // Any NaN must win, also a negative one.
        if (std::isnan(each.special) && at == 0)
          x[0] = -nan32;
        RowReduction extreme(each.op, ElementType::F32, 1, length,
                             bitsOf(largest ? -inf : inf));
        const auto got = valuesOf<float>(extreme.run(bytesOf(x))[0]);
        const float expected = length == 1 ? x[0] : each.expected;
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(got[0]));
        else
          EXPECT_EQ(bitsOf(got[0]), bitsOf(expected))
              << each.filler << " " << each.special << " length " << length;
      }
}

/// Vectors are looked at for NaN two by two: one at every place.
TEST(Rows, ExtremesSeeNaNEverywhere) {
  for (int64_t length : {40, 130})
    for (ReduceOp op : {ReduceOp::Max, ReduceOp::Min}) {
      std::vector<float> x(size_t((length + 1) * length), 1.5f);
      for (int64_t row = 0; row < length; ++row)
        x[size_t(row * length + row)] = row % 2 ? nan32 : -nan32;
      RowReduction extreme(op, ElementType::F32, length + 1, length,
                           bitsOf(op == ReduceOp::Max ? -inf : inf));
      const auto got = valuesOf<float>(extreme.run(bytesOf(x))[0]);
      for (int64_t row = 0; row < length; ++row)
        EXPECT_TRUE(std::isnan(got[size_t(row)])) << row << " of " << length;
      EXPECT_EQ(got[size_t(length)], 1.5f);
    }
}

TEST(Rows, ArgumentsTakeTheFirst) {
  Random random(9);
  for (int64_t length : lengths) {
    std::vector<float> x;
    for (int64_t i = 0; i < 4 * length; ++i)
      x.push_back(float(random.next() % 5)); // many equal ones
    x[size_t(3 * length + length / 2)] = nan32;
    x[size_t(4 * length - 1)] = nan32;
    for (ReduceOp op : {ReduceOp::ArgMax, ReduceOp::ArgMin}) {
      const bool largest = op == ReduceOp::ArgMax;
      RowReduction arg(op, ElementType::F32, 4, length,
                       bitsOf(largest ? -inf : inf), true);
      const auto got = arg.run(bytesOf(x));
      for (int64_t row = 0; row < 4; ++row) {
        int64_t best = 0;
        const float *values = &x[size_t(row * length)];
        for (int64_t i = 1; i < length; ++i) {
          const bool better =
              largest ? values[i] > values[best] : values[i] < values[best];
          if (better || (std::isnan(values[i]) && !std::isnan(values[best])))
            best = i;
        }
        EXPECT_EQ(valuesOf<int64_t>(got[1])[size_t(row)], best)
            << "length " << length << " row " << row;
      }
    }
  }
}

/// y = e^(a + b - m) / sum over a row, m the row's maximum: the sum a + b and
/// the exponential are computed once and kept.
TEST(Rows, KeptValuesGiveTheSameAsRecomputing) {
  for (ElementType type : {ElementType::F32, ElementType::BF16})
    for (int64_t length : {int64_t(5), int64_t(19), int64_t(130),
                           int64_t(80000) /* too long to be kept */}) {
      const int64_t rows = length > 1000 ? 2 : 9;
      KernelBuilder k({rows, length}, {true, false});
      k.input(type, 2).input(ElementType::F32, 1).output(type, 2);
      auto value = [&] {
        const uint32_t a =
            k.inst(Op::Load, ElementType::F32,
                   k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
        const uint32_t b =
            k.inst(Op::Load, ElementType::F32, k.access(1, 0, k.at({{1, 1}})));
        return k.inst(Op::AddF, ElementType::F32, a, b);
      };
      k.stage();
      const uint32_t low = k.constant(-inf);
      const uint32_t zero = k.constant(0);
      k.stage({1});
      k.reduce(ReduceOp::Max, low, value());
      const uint32_t most = k.endStage();
      k.stage({1});
      auto power = [&] {
        const uint32_t sum = value();
        return k.inst(Op::ExpF, ElementType::F32,
                      k.inst(Op::SubF, ElementType::F32, sum, most));
      };
      k.reduce(ReduceOp::Add, zero, power());
      const uint32_t total = k.endStage();
      k.stage({1});
      const uint32_t top = power();
      k.store(k.access(2, 0, k.at({{0, 1}}), k.at({{1, 1}})),
              k.inst(Op::DivF, ElementType::F32, top, total));
      TestRecipe r;
      const uint32_t x = r.input(type, {rows, length});
      const uint32_t bias = r.input(ElementType::F32, {length});
      r.launch(k, {x, bias}, {r.output(type, {rows, length})});
      Random random(17);
      const std::vector<float> b = random.values(size_t(length));
      std::vector<float> a = random.values(size_t(rows * length));
      const Bytes encoded = encodeAll(type, a);
      a = decodeAll(type, encoded);
      const std::vector<float> got =
          decodeAll(type, r.run({encoded, bytesOf(b)})[0]);
      for (int64_t row = 0; row < rows; ++row) {
        double m = -inf, sum = 0;
        for (int64_t i = 0; i < length; ++i)
          m = std::max(m, double(a[size_t(row * length + i)] + b[size_t(i)]));
        auto term = [&](int64_t i) {
          return std::exp(double(a[size_t(row * length + i)] + b[size_t(i)]) -
                          m);
        };
        for (int64_t i = 0; i < length; ++i)
          sum += term(i);
        for (int64_t i = 0; i < length; ++i) {
          const double expected = term(i) / sum;
          EXPECT_NEAR(got[size_t(row * length + i)], expected,
                      expected * (type == ElementType::F32 ? 2e-6 : 5e-3))
              << "row " << row << " of length " << length;
        }
      }
    }
}

/// The NaN of arithmetic has one sign, whatever the host's instruction gives.
TEST(Rows, NaNOfArithmeticIsPositive) {
  for (ElementType type : {ElementType::F32, ElementType::BF16,
                           ElementType::F16, ElementType::F8E5M2}) {
    KernelBuilder k({40}, {true});
    k.input(ElementType::F32, 1).output(type, 1);
    k.stage();
    const uint32_t x =
        k.inst(Op::Load, ElementType::F32, k.access(0, 0, k.at({{0, 1}})));
    k.store(k.access(1, 0, k.at({{0, 1}})),
            k.inst(Op::SqrtF, ElementType::F32, x));
    TestRecipe r;
    const uint32_t in = r.input(ElementType::F32, {40});
    r.launch(k, {in}, {r.output(type, {40})});
    const auto got =
        decodeAll(type, r.run({bytesOf(std::vector<float>(40, -1.0f))})[0]);
    for (float value : got) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_FALSE(std::signbit(value)) << recipe::elementName(type);
    }
  }
}

/// More than 16 MiB of results: full vectors are streamed.
TEST(Rows, LargeResultsAreComplete) {
  for (int64_t length : {int64_t(1024), int64_t(1040), int64_t(1001)}) {
    const int64_t rows = 5000;
    KernelBuilder k({rows, length}, {true, true});
    k.input(ElementType::F32, 2).output(ElementType::F32, 2);
    k.stage();
    const uint32_t x = k.inst(Op::Load, ElementType::F32,
                              k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
    k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
            k.inst(Op::NegF, ElementType::F32, x));
    TestRecipe r;
    const uint32_t in = r.input(ElementType::F32, {rows, length});
    r.launch(k, {in}, {r.output(ElementType::F32, {rows, length})});
    std::vector<float> values = Random(2).values(size_t(rows * length));
    const auto got = valuesOf<float>(r.run({bytesOf(values)})[0]);
    for (float &value : values)
      value = -value;
    EXPECT_EQ(got, values) << length;
  }
}

} // namespace
