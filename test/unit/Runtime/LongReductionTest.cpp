// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of few points with a long reduction, which run in chunks.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;
using recipe::ReduceOp;

namespace {

constexpr int64_t mebi = int64_t(1) << 20;

/// y[p] = the reduction of x[p, i, j] over i and j.
struct LongCase {
  ReduceOp op = ReduceOp::Add;
  ElementType type = ElementType::F32;
  int64_t points = 1, outer = 1, inner = mebi;
  int64_t step = 1;         // elements between neighbours
  bool pointsInner = false; // x[i, j, p]
  uint64_t init = 0;

  int64_t elements() const { return points * outer * inner * step; }
  TestRecipe recipe() const;
  /// The same bits with every number of threads.
  Bytes run(const Bytes &x, bool chunks = true) const;
  double single(const Bytes &x) const {
    return double(decodeAll(type, run(x)).at(0));
  }
};

TestRecipe LongCase::recipe() const {
  KernelBuilder k({points, outer, inner}, {true, false, false});
  k.input(type, 3);
  k.output(type, 1);
  const ElementType value = recipe::kernelType(type);
  k.stage();
  const uint32_t start = k.constant(value, init);
  k.stage({1, 2});
  k.reduce(
      op, start,
      k.inst(Op::Load, value,
             k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}}), k.at({{2, 1}}))));
  const uint32_t result = k.endStage();
  k.stage();
  k.store(k.access(1, 0, k.at({{0, 1}})), result);
  TestRecipe recipe;
  const Dims strides = pointsInner
                           ? Dims{step, inner * points * step, points * step}
                           : Dims{outer * inner * step, inner * step, step};
  const uint32_t in = recipe.input(type, {points, outer, inner}, strides);
  const uint32_t out = recipe.output(type, {points});
  recipe.launch(k, {in}, {out});
  return recipe;
}

Bytes LongCase::run(const Bytes &x, bool chunks) const {
  TestRecipe recipe = this->recipe();
  Bytes first;
  for (unsigned threads : {1, 2, 3}) {
    runtime::LoadOptions options;
    options.threads = threads;
    auto executable = recipe.load(options);
    if (!executable)
      return {};
    const std::string how = executable->commands()[0].implementation;
    EXPECT_EQ(how.find(" chunks; jit:") != std::string::npos, chunks) << how;
    const Bytes result = TestRecipe::run(*executable, {x}).at(0);
    if (first.empty())
      first = result;
    EXPECT_EQ(result, first) << threads << " threads";
  }
  return first;
}

TEST(LongReduction, SumsAroundTheEndsOfChunks) {
  for (int64_t length : {mebi, mebi + 1, mebi + 8191, mebi + 8192, mebi + 8193,
                         2 * mebi + 4711}) {
    LongCase sum;
    sum.inner = length;
    sum.init = bitsOf(0.5f);
    std::vector<float> x = Random(3).values(size_t(length));
    double wanted = 0.5;
    for (float &value : x)
      wanted += double(value = std::fabs(value));
    EXPECT_NEAR(sum.single(bytesOf(x)), wanted, wanted * 4e-7) << length;
  }
}

TEST(LongReduction, ShortRowsAndManyPointsStay) {
  LongCase row;
  row.inner = mebi - 1;
  row.run(Bytes(size_t(row.elements() * 4)), false);
  LongCase points;
  points.points = 17;
  points.run(Bytes(size_t(points.elements() * 4)), false);
}

TEST(LongReduction, IntegersAreExact) {
  struct Case {
    ReduceOp op;
    uint32_t init;
    uint32_t (*next)(uint32_t, uint32_t);
  };
  const int64_t length = mebi + 12345;
  std::vector<uint32_t> x(size_t(3 * length), 0);
  Random random(5);
  for (uint32_t &value : x)
    value = uint32_t(random.next() >> 7);
  using U = uint32_t;
  for (const Case &each :
       {Case{ReduceOp::Add, 77, [](U a, U b) { return a + b; }},
        Case{ReduceOp::Xor, 77, [](U a, U b) { return a ^ b; }},
        Case{ReduceOp::Max, U(INT32_MIN),
             [](U a, U b) { return int32_t(a) > int32_t(b) ? a : b; }},
        Case{ReduceOp::MinU, ~U(0), [](U a, U b) { return a < b ? a : b; }}}) {
    LongCase reduction;
    reduction.op = each.op;
    reduction.type = ElementType::I32;
    reduction.points = 3;
    reduction.inner = length;
    reduction.init = each.init;
    const auto got = valuesOf<uint32_t>(reduction.run(bytesOf(x)));
    for (int64_t p = 0; p < 3; ++p) {
      uint32_t wanted = each.init;
      for (int64_t i = 0; i < length; ++i)
        wanted = each.next(wanted, x[size_t(p * length + i)]);
      EXPECT_EQ(got.at(size_t(p)), wanted) << int(each.op) << " point " << p;
    }
  }
}

/// Loops of two dimensions, points along the memory, elements apart.
TEST(LongReduction, EveryLayout) {
  for (ElementType type : {ElementType::F32, ElementType::BF16})
    for (const auto &[outer, inner] :
         {std::pair<int64_t, int64_t>{3, 400001}, {1031, 1033}})
      for (const auto &[points, step, pointsInner] :
           {std::tuple<int64_t, int64_t, bool>{1, 1, false},
            {1, 3, false},
            {5, 1, false},
            {5, 1, true}}) {
        LongCase sum;
        sum.type = type;
        sum.points = points;
        sum.outer = outer;
        sum.inner = inner;
        sum.step = step;
        sum.pointsInner = pointsInner;
        const int64_t count = outer * inner;
        std::vector<float> x(size_t(points * count), 0);
        Random random(7);
        for (float &value : x)
          value = 1 + std::fabs(random.value());
        // The host's tensor is dense, whatever the device's strides are.
        const Bytes bytes = encodeAll(type, x);
        x = decodeAll(type, bytes);
        const auto got = decodeAll(type, sum.run(bytes));
        for (int64_t p = 0; p < points; ++p) {
          double wanted = 0;
          for (int64_t i = 0; i < count; ++i)
            wanted += double(x[size_t(p * count + i)]);
          EXPECT_NEAR(double(got.at(size_t(p))), wanted,
                      wanted * (type == ElementType::F32 ? 5e-7 : 4e-3))
              << outer << "x" << inner << " points " << points << " step "
              << step << " inner " << pointsInner;
        }
      }
}

/// Every place matters, also in the last chunk and in what is left.
TEST(LongReduction, NaNAndInfinityReachTheResult) {
  const int64_t length = mebi + 100;
  for (int64_t at : {int64_t(0), int64_t(8191), int64_t(8192), length / 2,
                     length - 101, length - 1})
    for (ReduceOp op : {ReduceOp::Add, ReduceOp::Max, ReduceOp::Min,
                        ReduceOp::MaxNum, ReduceOp::MinNum}) {
      LongCase reduction;
      reduction.op = op;
      reduction.inner = length;
      const bool largest = op == ReduceOp::Max || op == ReduceOp::MaxNum;
      const bool sum = op == ReduceOp::Add;
      reduction.init = sum ? 0 : bitsOf(largest ? -inf : inf);
      std::vector<float> x(size_t(length), 1.0f);
      x[size_t(at)] = nan32;
      const double got = reduction.single(bytesOf(x));
      if (op == ReduceOp::MaxNum || op == ReduceOp::MinNum)
        EXPECT_EQ(got, 1.0) << at;
      else
        EXPECT_TRUE(std::isnan(got)) << int(op) << " at " << at;
      x[size_t(at)] = largest || sum ? inf : -inf;
      EXPECT_EQ(reduction.single(bytesOf(x)), double(x[size_t(at)]))
          << int(op) << " at " << at;
    }
}

TEST(LongReduction, SumKeepsNegativeZero) {
  LongCase sum;
  sum.inner = mebi + 3;
  sum.init = bitsOf(-0.0f);
  const std::vector<float> x(size_t(sum.inner), -0.0f);
  EXPECT_EQ(valuesOf<uint32_t>(sum.run(bytesOf(x))).at(0), bitsOf(-0.0f));
  sum.init = 0;
  EXPECT_EQ(valuesOf<uint32_t>(sum.run(bytesOf(x))).at(0), 0u);
}

/// An executable made of another shares its code.
TEST(LongReduction, AnotherExecutable) {
  LongCase sum;
  sum.type = ElementType::I32;
  TestRecipe recipe = sum.recipe();
  auto first = recipe.load();
  ASSERT_TRUE(first);
  auto second = first->another(uint64_t(64) << 20);
  ASSERT_TRUE(second) << second.error().message;
  const std::vector<uint32_t> x(size_t(mebi), 3);
  const auto got =
      valuesOf<uint32_t>(TestRecipe::run(**second, {bytesOf(x)})[0]);
  EXPECT_EQ(got.at(0), 3u << 20);
}

/// y = y + the sum of x, in place: such kernels run as they are.
TEST(LongReduction, ResultsOverOperandsStay) {
  KernelBuilder k({1, mebi}, {true, false});
  k.input(ElementType::I32, 1).input(ElementType::I32, 1);
  k.output(ElementType::I32, 1);
  k.stage();
  const uint32_t start =
      k.inst(Op::Load, ElementType::I32, k.access(1, 0, k.at({{0, 1}})));
  k.stage({1});
  k.reduce(ReduceOp::Add, start,
           k.inst(Op::Load, ElementType::I32, k.access(0, 0, k.at({{1, 1}}))));
  const uint32_t sum = k.endStage();
  k.stage();
  k.store(k.access(2, 0, k.at({{0, 1}})), sum);
  TestRecipe recipe;
  const uint32_t in = recipe.input(ElementType::I32, {mebi});
  const uint32_t first = recipe.input(ElementType::I32, {1});
  const uint32_t out = recipe.output(ElementType::I32, {1});
  const uint32_t before = recipe.workspace(ElementType::I32, {1});
  const uint32_t after = recipe.workspace(ElementType::I32, {1});
  recipe.recipe.tensors[after]->offset = recipe.recipe.tensors[before]->offset;
  const auto copy = [&](uint32_t from, uint32_t to) {
    recipe.command(recipe::Engine::DMA, "copy", recipe::TransferT{}, {from},
                   {to});
  };
  copy(first, before);
  recipe.launch(k, {in, before}, {after});
  copy(after, out);
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->commands()[1].implementation.find("chunks"),
            std::string::npos);
  const auto got = valuesOf<uint32_t>(TestRecipe::run(
      *executable, {bytesOf(std::vector<uint32_t>(size_t(mebi), 3)),
                    bytesOf(std::vector<uint32_t>{5})})[0]);
  EXPECT_EQ(got.at(0), (3u << 20) + 5);
}

/// Sum and maximum of one stage, then arithmetic with both, a loaded start and
/// a value from before the loop.
TEST(LongReduction, SeveralResultsAndTheRest) {
  const int64_t length = mebi + 20;
  KernelBuilder k({length}, {false});
  k.input(ElementType::F32, 1).input(ElementType::F32, 1);
  k.output(ElementType::F32, 1);
  k.stage();
  const uint32_t start =
      k.inst(Op::Load, ElementType::F32, k.access(1, 0, k.at({})));
  const uint32_t low = k.constant(-inf);
  const uint32_t two = k.constant(2);
  k.stage({0});
  const uint32_t x =
      k.inst(Op::Load, ElementType::F32, k.access(0, 0, k.at({{0, 1}})));
  k.reduce(ReduceOp::Add, start, k.inst(Op::MulF, ElementType::F32, x, two));
  k.reduce(ReduceOp::Max, low, x);
  const uint32_t results = k.endStage();
  k.stage();
  const uint32_t root =
      k.inst(Op::SqrtF, ElementType::F32,
             k.inst(Op::SubF, ElementType::F32, results, results + 1));
  k.store(k.access(2, 0, k.at({})), root);
  TestRecipe recipe;
  const uint32_t in = recipe.input(ElementType::F32, {length});
  const uint32_t first = recipe.input(ElementType::F32, {1});
  recipe.launch(k, {in, first}, {recipe.output(ElementType::F32, {1})});
  std::vector<float> values(size_t(length), 0.25f);
  values[size_t(length - 7)] = 100.25f;
  // 2 * (length / 4 + 100) + 44.25 - 100.25, exactly.
  const float wanted = std::sqrt(float(length) / 2 + 200 + 44.25f - 100.25f);
  for (unsigned threads : {1, 3}) {
    runtime::LoadOptions options;
    options.threads = threads;
    auto executable = recipe.load(options);
    ASSERT_TRUE(executable);
    EXPECT_NE(executable->commands()[0].implementation.find(" chunks; "),
              std::string::npos);
    EXPECT_EQ(valuesOf<float>(TestRecipe::run(
                  *executable, {bytesOf(values),
                                bytesOf(std::vector<float>{44.25f})})[0])[0],
              wanted);
  }
}

} // namespace
