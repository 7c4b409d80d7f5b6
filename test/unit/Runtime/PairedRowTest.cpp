// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of bf16, whose vectors have even elements, then odd ones.
#include "Jit/JitHost.h"
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;
using recipe::ReduceOp;

namespace {

/// Rows that run one after the other.
constexpr int64_t few = 3;

/// Of each row of x[rows, outer, inner]: extremes, the place of the largest
/// element, the sum of e^(x - maximum), and these exponentials times w[inner].
/// The exponentials are kept for the row.
class PairedRows {
public:
  PairedRows(ElementType type, int64_t outer, int64_t inner, int64_t rows = few,
             bool inPlace = false)
      : kernel({rows, outer, inner}, {true, false, false}) {
    KernelBuilder &k = kernel;
    const bool single = outer == 1;
    constexpr ElementType f32 = ElementType::F32, i64 = ElementType::I64;
    k.input(type, 3).input(f32, 1);
    k.output(type, 3).output(f32, 1).output(f32, 1).output(f32, 1);
    if (single)
      k.output(i64, 1);
    auto element = [&](uint32_t operand) {
      return k.access(operand, 0, k.at({{0, 1}}), k.at({{1, 1}}),
                      k.at({{2, 1}}));
    };
    auto load = [&] { return k.inst(Op::Load, f32, element(0)); };
    k.stage();
    const uint32_t least = k.constant(-inf), most = k.constant(inf);
    const uint32_t none = k.constant(0.25f);
    k.stage({1, 2});
    uint32_t x = load();
    k.reduce(ReduceOp::Max, least, x);
    k.reduce(ReduceOp::Min, most, x);
    if (single)
      k.reduce(ReduceOp::ArgMax, least, x, k.inst(Op::Index, i64, 2));
    const uint32_t extremes = k.endStage();
    auto power = [&] {
      return k.inst(Op::ExpF, f32, k.inst(Op::SubF, f32, load(), extremes));
    };
    k.stage({1, 2});
    k.reduce(ReduceOp::Add, none, power());
    const uint32_t sum = k.endStage();
    k.stage({1, 2});
    x = power();
    const uint32_t weight =
        k.inst(Op::Load, f32, k.access(1, 0, k.at({{2, 1}})));
    k.store(element(2), k.inst(Op::MulF, f32, x, weight));
    k.endStage();
    k.stage();
    auto storeResult = [&](uint32_t operand, uint32_t value) {
      k.store(k.access(operand, 0, k.at({{0, 1}})), value);
    };
    storeResult(3, extremes);
    storeResult(4, extremes + 1);
    storeResult(5, sum);
    const Dims shape = {rows, outer, inner};
    const uint32_t input =
        inPlace ? recipe.state(type, shape) : recipe.input(type, shape);
    std::vector<uint32_t> outputs = {inPlace ? input
                                             : recipe.output(type, shape)};
    for (int i = 0; i < 3; ++i)
      outputs.push_back(recipe.output(f32, {rows}));
    if (single) {
      // The value of the largest element comes before its place.
      storeResult(6, extremes + 3);
      outputs.push_back(recipe.output(i64, {rows}));
    }
    recipe.launch(k, {input, recipe.input(f32, {inner})}, outputs);
  }
  std::vector<Bytes> run(const Bytes &x, const std::vector<float> &w) {
    return recipe.run({x, bytesOf(w)});
  }
  std::string implementation() {
    return recipe.load()->commands()[0].implementation;
  }

private:
  KernelBuilder kernel;
  TestRecipe recipe;
};

/// Compares with the same kernel of f32, whose vectors are not paired.
void check(const std::vector<float> &values, int64_t outer, int64_t inner,
           const std::string &what) {
  SCOPED_TRACE(what + " " + std::to_string(outer) + " x " +
               std::to_string(inner));
  const Bytes x = encodeAll(ElementType::BF16, values);
  const std::vector<float> w = Random(5).values(size_t(inner));
  const auto got = PairedRows(ElementType::BF16, outer, inner).run(x, w);
  const auto wanted = PairedRows(ElementType::F32, outer, inner)
                          .run(bytesOf(decodeAll(ElementType::BF16, x)), w);
  ASSERT_EQ(got.size(), wanted.size());
  EXPECT_EQ(got[0], encodeAll(ElementType::BF16, valuesOf<float>(wanted[0])));
  for (size_t output : {size_t(1), size_t(2), got.size() - 1})
    if (output != 3)
      EXPECT_EQ(got[output], wanted[output]) << "output " << output;
  const std::vector<float> sums = valuesOf<float>(got[3]);
  for (size_t row = 0; row < sums.size(); ++row) {
    const float sum = sums[row], other = valuesOf<float>(wanted[3])[row];
    if (std::isnan(other))
      EXPECT_TRUE(std::isnan(sum));
    else
      EXPECT_NEAR(sum, other, 1e-6f * other);
  }
}

/// Kernels of eight rows or more compute two at the same time.
TEST(PairedRows, GiveTheSameBitsAloneAndTogether) {
  constexpr int64_t many = 9;
  for (ElementType type : {ElementType::BF16, ElementType::F32})
    for (int64_t inner : {16, 32, 100, 200, 512}) {
      SCOPED_TRACE("rows of " + std::to_string(inner));
      std::vector<float> values = Random(7).values(size_t(many * inner));
      values[size_t(inner) + 3] = nan32;
      values[size_t(4 * inner) + 5] = inf;
      values[size_t(8 * inner)] = -inf;
      const std::vector<float> w = Random(5).values(size_t(inner));
      const auto together =
          PairedRows(type, 1, inner, many).run(encodeAll(type, values), w);
      PairedRows alone(type, 1, inner, few);
      std::vector<Bytes> wanted(together.size());
      for (auto part = values.begin(); part < values.end();
           part += few * inner) {
        const auto some =
            alone.run(encodeAll(type, {part, part + few * inner}), w);
        for (size_t i = 0; i < some.size(); ++i)
          wanted[i].insert(wanted[i].end(), some[i].begin(), some[i].end());
      }
      for (size_t i = 0; i < together.size(); ++i)
        EXPECT_EQ(together[i], wanted[i]) << "output " << i;
    }
}

/// Long runs convert without looking for NaNs and subnormal numbers, and repeat
/// a block of rows where flags say that there was one.
TEST(PairedRows, GiveTheSameBitsInLongRuns) {
  constexpr int64_t part = 32, parts = 12, inner = 1000, unusual = 300;
  const std::vector<float> ordinary =
      Random(3).values(size_t(parts * part * inner));
  const std::vector<float> weights = Random(5).values(size_t(inner));
  PairedRows together(ElementType::BF16, 1, inner, parts * part);
  PairedRows alone(ElementType::BF16, 1, inner, part);
  auto compare = [&](const std::string &what, const std::vector<float> &x,
                     const std::vector<float> &w) {
    const auto got = together.run(encodeAll(ElementType::BF16, x), w);
    std::vector<Bytes> wanted(got.size());
    for (auto from = x.begin(); from < x.end(); from += part * inner) {
      const auto some = alone.run(
          encodeAll(ElementType::BF16, {from, from + part * inner}), w);
      for (size_t i = 0; i < some.size(); ++i)
        wanted[i].insert(wanted[i].end(), some[i].begin(), some[i].end());
    }
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_EQ(got[i], wanted[i]) << "output " << i << ", " << what;
  };
  for (float value : {nan32, 1e-39f, -inf, inf, 0.0f}) {
    std::vector<float> x = ordinary;
    x[size_t(unusual * inner) + 7] = value;
    compare("one " + std::to_string(value), x, weights);
    for (int64_t i = 0; i < inner; ++i)
      if (i % 3 != 0 || value != -inf) // as masks do
        x[size_t((unusual - 70) * inner + i)] = value;
    compare("row of " + std::to_string(value), x, weights);
  }
  std::vector<float> x = ordinary;
  for (int64_t i = 0; i < inner; ++i)
    x[size_t(unusual * inner + i)] *= 100;
  compare("subnormal exponentials", x, weights);
  for (float last : {1e-38f, inf}) {
    std::vector<float> w = weights;
    w.back() = last;
    compare("weight " + std::to_string(last), ordinary, w);
  }
}

TEST(PairedRows, UseWiderVectors) {
  EXPECT_EQ(PairedRows(ElementType::BF16, 1, 64).implementation(),
            "jit:lanes32:rows");
  EXPECT_EQ(PairedRows(ElementType::BF16, 1, 48).implementation(),
            "jit:lanes16:rows");
}

/// One row may be computed twice, so not where that would overwrite its input.
TEST(PairedRows, RunTogetherUnlessTheyAreOverwritten) {
  const std::string two = runtime::jitHost().wide ? "2" : "";
  auto implementation = [](ElementType type, int64_t inner, bool inPlace) {
    return PairedRows(type, 1, inner, 9, inPlace).implementation();
  };
  EXPECT_EQ(implementation(ElementType::BF16, 256, false),
            "jit:lanes32:rows" + two);
  EXPECT_EQ(implementation(ElementType::F32, 256, false),
            "jit:lanes16:rows" + two);
  EXPECT_EQ(implementation(ElementType::F32, 256, true), "jit:lanes16:rows");
  EXPECT_EQ(implementation(ElementType::F32, 640, false),
            "jit:lanes16:rows" + two);
  // Two rows of these and what is prefetched do not fit in L1.
  EXPECT_EQ(implementation(ElementType::F32, 4096, false), "jit:lanes16:rows");
}

/// Memory is faster at one row after the other.
TEST(PairedRows, RunAloneWhereTheyWaitForMemory) {
  const std::string two = runtime::jitHost().wide ? "2" : "";
  auto implementation = [](ElementType type) {
    return PairedRows(type, 1, 640, 8192).implementation();
  };
  EXPECT_EQ(implementation(ElementType::F32), "jit:lanes16:rows");
  EXPECT_EQ(implementation(ElementType::BF16), "jit:lanes32:rows" + two);
  for (int64_t rows : {64, 2048}) {
    KernelBuilder k({rows, 512}, {true, false});
    k.input(ElementType::F32, 2).output(ElementType::F32, 1);
    k.stage();
    const uint32_t zero = k.constant(0.0f);
    k.stage({1});
    k.reduce(ReduceOp::Add, zero,
             k.inst(Op::Load, ElementType::F32,
                    k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}}))));
    const uint32_t sum = k.endStage();
    k.stage();
    k.store(k.access(1, 0, k.at({{0, 1}})), sum);
    TestRecipe recipe;
    recipe.launch(k, {recipe.input(ElementType::F32, {rows, 512})},
                  {recipe.output(ElementType::F32, {rows})});
    EXPECT_EQ(recipe.load()->commands()[0].implementation,
              "jit:lanes16:rows" + (rows == 64 ? two : ""));
  }
}

TEST(PairedRows, EveryLength) {
  for (int64_t inner : {32, 64, 96, 128, 129, 130, 143, 159, 160, 257, 1000})
    check(Random(uint64_t(inner)).values(size_t(few * inner)), 1, inner,
          "random");
  for (int64_t inner : {32, 64, 320})
    check(Random(uint64_t(inner)).values(size_t(few * 3 * inner)), 3, inner,
          "random");
}

/// A NaN anywhere, zeros of both signs, infinities, ties and subnormals.
TEST(PairedRows, UnusualValues) {
  constexpr int64_t inner = 139;
  auto filled = [&](float value) {
    return std::vector<float>(size_t(few * inner), value);
  };
  for (size_t place = 0; place < size_t(inner); ++place) {
    std::vector<float> x = Random(7).values(size_t(few * inner));
    x[place] = nan32;
    x[size_t(inner) + place] = inf;
    x[size_t(2 * inner) + place] = -inf;
    check(x, 1, inner, "special value at " + std::to_string(place));
    x = filled(-0.0f);
    x[place] = 0.0f;
    x[size_t(inner) + place] = -1.0f;
    x[size_t(2 * inner) + place] = 1.0f;
    check(x, 1, inner, "zero at " + std::to_string(place));
  }
  for (float value : {-0.0f, 0.0f, inf, -inf, 1e-39f, 3e38f})
    check(filled(value), 1, inner, "all " + std::to_string(value));
  std::vector<float> steep = Random(9).values(size_t(few * inner));
  for (float &value : steep)
    value *= 120;
  check(steep, 1, inner, "subnormal exponentials");
}

} // namespace
