// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gemm against plain loops in double, and bit identity over thread counts.
#include "MatrixTest.h"

#include <algorithm>
#include <numeric>

using namespace gaudi;
using namespace gaudi::test;

namespace {

struct GemmCase {
  Dims a, b; // stored sizes
  bool ta = false, tb = false;
  ElementType in = ElementType::F32, out = ElementType::F32;
  Dims aStrides = {}, bStrides = {}, cStrides = {};
  bool constantB = false;
};

std::vector<Bytes> runGemm(const GemmCase &g, unsigned threads,
                           std::string *implementation = nullptr,
                           uint64_t *scratch = nullptr) {
  Dims c(g.a.size());
  const size_t r = c.size();
  for (size_t d = 0; d + 2 < r; ++d)
    c[d] = std::max(g.a[d], g.b[d]);
  c[r - 2] = g.ta ? g.a[r - 1] : g.a[r - 2];
  c[r - 1] = g.tb ? g.b[r - 2] : g.b[r - 1];
  const int64_t k = g.ta ? g.a[r - 2] : g.a[r - 1];
  Random random(uint64_t(k * 31 + c[r - 1]));
  const Bytes aBytes = encodeAll(g.in, random.values(size_t(count(g.a))));
  const Bytes bBytes = encodeAll(g.in, random.values(size_t(count(g.b))));
  TestRecipe recipe;
  const uint32_t a = recipe.input(g.in, g.a, g.aStrides);
  const uint32_t b = g.constantB ? recipe.constant(g.in, g.b, bBytes)
                                 : recipe.input(g.in, g.b, g.bStrides);
  const uint32_t out = recipe.output(g.out, c, g.cStrides);
  recipe::GemmT body;
  body.transpose_a = g.ta;
  body.transpose_b = g.tb;
  recipe.command(recipe::Engine::MME, "mme.gemm", body, {a, b}, {out});
  std::vector<Bytes> inputs = {aBytes};
  if (!g.constantB)
    inputs.push_back(bBytes);
  runtime::LoadOptions options;
  options.threads = threads;
  auto executable = recipe.load(options);
  if (!executable)
    return {};
  if (implementation)
    *implementation = executable->commands()[0].implementation;
  if (scratch)
    *scratch = executable->memory().hostScratch;
  std::vector<Bytes> outputs = TestRecipe::run(*executable, inputs);

  if (threads != 1)
    return outputs; // compared with the one that was checked

  const auto x = decodeAll(g.in, aBytes), y = decodeAll(g.in, bBytes);
  const auto z = decodeAll(g.out, outputs[0]);
  Dims at(r, 0);
  for (int64_t i = 0; i < count(c); ++i) {
    int64_t rest = i;
    for (size_t d = r; d-- > 0; rest /= c[d])
      at[d] = rest % c[d];
    double sum = 0;
    for (int64_t j = 0; j < k; ++j) {
      Dims p = at, q = at;
      p[r - 2] = g.ta ? j : at[r - 2];
      p[r - 1] = g.ta ? at[r - 2] : j;
      q[r - 2] = g.tb ? at[r - 1] : j;
      q[r - 1] = g.tb ? j : at[r - 1];
      sum += double(x[size_t(offsetOf(p, g.a))]) *
             double(y[size_t(offsetOf(q, g.b))]);
    }
    if (!(std::fabs(z[size_t(i)] - sum) <= tolerance(g.out, sum, double(k)))) {
      ADD_FAILURE() << "element " << i << " expected " << sum << " got "
                    << z[size_t(i)];
      break;
    }
  }
  return outputs;
}

std::vector<GemmCase> gemmCases() {
  return {
      {{3, 5}, {5, 7}},
      {{1, 1}, {1, 1}},
      {{64, 48}, {48, 80}, false, false, BF16, BF16},
      {{48, 64}, {80, 48}, true, true, F32, F32},
      {{48, 64}, {48, 80}, true, false, BF16, F32},
      {{128, 256}, {256, 512}, false, false, F32, F32, {}, {}, {}, true},
      {{512, 256}, {256, 128}, false, false, BF16, BF16, {}, {}, {}, true},
      {{300, 200}, {130, 200}, false, true, F32, BF16},
      {{17, 33}, {33, 9}, false, false, F16, F16},
      {{17, 33}, {33, 9}, false, false, E4, BF16},
      {{17, 33}, {33, 9}, false, false, E5, E5},
      {{4, 3, 20, 30}, {4, 3, 30, 10}},
      {{4, 3, 20, 30}, {1, 3, 30, 10}, false, false, BF16, BF16},
      {{1, 3, 20, 30}, {4, 1, 30, 10}},
      {{12, 128, 64}, {12, 128, 64}, false, true, BF16, BF16},
      {{1, 1000}, {1000, 333}},
      {{200, 1000}, {1000, 1}},
      // Rows apart, columns apart, repeated rows, transposed result.
      {{20, 30}, {30, 10}, false, false, F32, F32, {64, 1}, {16, 1}, {12, 1}},
      {{20, 30}, {30, 10}, false, false, F32, F32, {64, 2}, {32, 3}, {30, 3}},
      {{20, 30}, {30, 10}, false, false, F32, F32, {}, {}, {1, 20}},
      {{20, 30}, {30, 10}, false, false, BF16, BF16, {1, 20}, {1, 32}, {1, 24}},
      // Several parts of the reduction, the last panel not full; odd sizes of
      // pairs; a right side shared by a batch.
      {{40, 1030}, {1030, 70}, false, false, F32, F32, {}, {}, {}, true},
      {{40, 1030}, {70, 1030}, false, true, BF16, BF16, {}, {}, {}, true},
      // On matrix tiles all ranges of a strip before the next strip; rows that
      // conflict in the caches are copied, with all ranges.
      {{70, 1700}, {1700, 70}, false, false, BF16, BF16},
      {{70, 1700}, {1700, 70}, false, false, BF16, F32},
      {{70, 1540}, {1540, 70}, false, false, BF16, BF16, {2048, 1}},
      {{33, 77}, {77, 40}, false, false, BF16, BF16},
      {{77, 33}, {40, 77}, true, true, E5, BF16},
      {{3, 20, 64}, {1, 64, 48}, false, false, F32, F32, {}, {}, {}, true},
      {{3, 4, 20, 64},
       {1, 4, 64, 48},
       false,
       false,
       BF16,
       BF16,
       {},
       {},
       {},
       true},
      // Rows that are not evenly spaced, with a long reduction.
      {{3, 2, 4200}, {1, 4200, 40}, false, false, BF16, BF16, {9000, 4200, 1}},
      {{3, 15, 300}, {1, 300, 70}, false, false, BF16, F32, {6000, 300, 1}},
      // Rows a power of two apart, by themselves, as a part of longer ones, and
      // with columns between the results.
      {{20, 512}, {512, 160}, false, false, F32, F32, {}, {}, {}, true},
      {{20, 512}, {160, 512}, false, true, BF16, BF16, {1024, 1}, {}, {}},
      // The same in several ranges and for several tiles of columns.
      {{2, 40, 2048}, {2, 2048, 200}},
      {{60, 4096}, {4096, 160}, false, false, BF16, F32, {}, {}, {}, true},
      {{20, 64},
       {64, 300},
       false,
       false,
       F32,
       F32,
       {4096, 1},
       {},
       {620, 2},
       true},
      // Heads in the middle: [S, H, D] seen as [H, S, D].
      {{8, 32, 16},
       {8, 32, 16},
       false,
       true,
       F32,
       F32,
       {16, 128, 1},
       {16, 128, 1},
       {}},
      {{2, 8, 32, 32},
       {2, 8, 32, 16},
       false,
       false,
       BF16,
       BF16,
       {},
       {4096, 16, 128, 1},
       {4096, 16, 128, 1}},
      // Few columns; few rows with a right side that need not be packed, one
      // that several heads share, and many small products.
      {{50, 40}, {40, 3}, false, false, F32, F32, {}, {}, {}, true},
      {{50, 300}, {300, 24}, false, false, BF16, F32, {}, {}, {}, true},
      {{30, 20}, {20, 8}, false, false, F32, BF16},
      {{1, 37}, {37, 3000}},
      {{1, 1001}, {515, 1001}, false, true},
      {{2, 5, 19}, {2, 19, 45}},
      {{6, 70}, {70, 33}, false, false, F32, F32, {}, {48, 1}, {40, 1}},
      {{4, 70}, {33, 70}, false, true, F32, F32, {}, {96, 1}},
      {{40, 70}, {70, 3}, false, false, F32, F32, {}, {}, {1, 40}},
      {{3, 2, 2, 64}, {3, 1, 50, 64}, false, true},
      {{3, 2, 2, 50}, {3, 1, 50, 64}},
      {{700, 4, 4}, {700, 4, 4}},
      {{300, 2, 9}, {300, 7, 9}, false, true},
  };
}

void checkAll(const std::string &kernel, std::vector<unsigned> otherThreads) {
  const WithKernel chosen(kernel);
  size_t number = 0;
  for (const GemmCase &g : gemmCases()) {
    SCOPED_TRACE("case " + std::to_string(number++));
    std::string implementation;
    const auto one = runGemm(g, 1, &implementation);
    EXPECT_EQ(implementation.find("tile:"), 0u) << implementation;
    if (kernel.rfind("portable", 0) == 0)
      EXPECT_EQ(implementation.find("tile:portable"), 0u) << implementation;
    for (unsigned threads : otherThreads)
      EXPECT_TRUE(one == runGemm(g, threads)) << threads << " threads";
  }
}

TEST(Gemm, AllFormsAndSameBitsForAnyThreads) { checkAll("", {2, 3, 4}); }
TEST(Gemm, PortableKernels) { checkAll("portable", {3}); }
/// Matrix tiles: the loops around their instructions, on any host.
TEST(Gemm, PortableTiles) { checkAll("portableamx", {3}); }
/// Of hosts that have no other kernel.
TEST(Gemm, Vectors128) { checkAll("vector128", {3}); }

/// Strides of a dense tensor whose dimension order[i] is the i-th in memory.
Dims stridesIn(const Dims &order, const Dims &sizes) {
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[size_t(order[i])] = stride;
    stride *= sizes[size_t(order[i])];
  }
  return strides;
}

std::vector<Dims> ordersOf(size_t rank) {
  Dims order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Dims> orders;
  do
    orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

// Each operand and the result have each order; types of results vary.
void checkOrders(const std::string &kernel, ElementType type, size_t rank) {
  const WithKernel chosen(kernel);
  const ElementType results[] = {F32, type, BF16};
  const std::vector<Dims> orders = ordersOf(rank);
  for (size_t i = 0; i < orders.size(); ++i) {
    GemmCase g;
    g.ta = i % 2;
    g.tb = i / 2 % 2;
    g.in = type;
    g.out = results[i % 3];
    Dims c(rank, 0);
    for (size_t d = 0; d + 2 < rank; ++d)
      c[d] = int64_t(d) + 2;
    g.a = g.b = c;
    if (rank > 3)
      g.b[i % (rank - 2)] = 1;
    c[rank - 2] = 5, c[rank - 1] = 18;
    g.a[rank - (g.ta ? 1 : 2)] = 5;
    g.a[rank - (g.ta ? 2 : 1)] = 7;
    g.b[rank - (g.tb ? 1 : 2)] = 7;
    g.b[rank - (g.tb ? 2 : 1)] = 18;
    // 7 and 11 divide no number of orders: each comes once for each tensor.
    g.aStrides = stridesIn(orders[i], g.a);
    g.bStrides = stridesIn(orders[(i * 7 + 1) % orders.size()], g.b);
    g.cStrides = stridesIn(orders[(i * 11 + 5) % orders.size()], c);
    SCOPED_TRACE(::testing::Message() << "order " << i << " of rank " << rank);
    ASSERT_FALSE(runGemm(g, 1).empty());
  }
}

TEST(Gemm, EveryOrderOfOperandsAndResult) {
  for (const ElementType type : {F32, BF16, F16, E4, E5})
    for (const size_t rank : {2, 3, 4, 5})
      checkOrders("", type, rank);
}

TEST(Gemm, EveryOrderOfOperandsAndResultOnOtherKernels) {
  for (const char *kernel : {"portable", "vector128"})
    for (const ElementType type : {F32, BF16})
      for (const size_t rank : {3, 4})
        checkOrders(kernel, type, rank);
}

// Heads in the middle, as a projection leaves them: [N, L, H, D].
TEST(Gemm, HeadsAreReadAndWrittenInPlace) {
  const WithKernel chosen("portable");
  auto scratchOf = [](ElementType type, bool isSplit) {
    const Dims scores = {2, 4, 48, 48}, heads = {2, 4, 48, 32};
    const Dims split = stridesIn({0, 2, 1, 3}, heads);
    GemmCase g = {scores, heads, false, false, type, type};
    if (isSplit)
      g.bStrides = g.cStrides = split;
    uint64_t weighted = 0, scored = 0;
    runGemm(g, 1, nullptr, &weighted);
    g = {heads, heads, false, true, type, type};
    if (isSplit)
      g.aStrides = g.bStrides = split;
    runGemm(g, 1, nullptr, &scored);
    return std::pair(weighted, scored);
  };
  for (const ElementType type : {F32, BF16})
    EXPECT_EQ(scratchOf(type, true), scratchOf(type, false));
}

TEST(Gemm, ARightSideIsNotPackedForFewRows) {
  auto form = [](const GemmCase &g) {
    std::string implementation;
    runGemm(g, 1, &implementation);
    return implementation.substr(implementation.find(", ") + 2);
  };
  std::string implementation;
  runGemm({{6, 64}, {64, 100}}, 1, &implementation);
  if (implementation.find("tile:avx") != 0)
    GTEST_SKIP() << implementation << " packs always";
  EXPECT_EQ(form({{6, 64}, {64, 100}}), "not packed");
  EXPECT_EQ(form({{6, 64}, {100, 64}, false, true}), "not packed");
  EXPECT_EQ(form({{7, 64}, {64, 100}}), "packed in tiles");
  EXPECT_EQ(form({{6, 64}, {64, 100}, false, false, BF16}), "packed in tiles");
  EXPECT_EQ(form({{6, 64}, {64, 100}, false, false, F32, F32, {}, {200, 2}}),
            "packed in tiles");
  EXPECT_EQ(
      form({{6, 64}, {64, 100}, false, false, F32, F32, {}, {}, {}, true}),
      "packed once");
}

TEST(Gemm, FewColumnsGetNarrowPanels) {
  const WithKernel chosen("portable");
  auto tile = [](int64_t columns, ElementType type) {
    std::string implementation;
    runGemm({{30, 40}, {40, columns}, false, false, type, F32}, 1,
            &implementation);
    return implementation.substr(0, implementation.find(", "));
  };
  for (const int64_t columns : {3, 16, 40, 80})
    EXPECT_EQ(tile(columns, F32), "tile:portable:12x16:f32") << columns;
  for (const int64_t columns : {17, 64, 112})
    EXPECT_EQ(tile(columns, F32), "tile:portable:14x32:f32") << columns;
  EXPECT_EQ(tile(10, BF16), "tile:portablebf16:12x16:bf16");
}

TEST(Gemm, RowsThatMeetInTheCachesAreCopied) {
  const WithKernel chosen("portable");
  auto copies = [](int64_t rows, int64_t depth, int64_t columns) {
    std::string implementation;
    const GemmCase g = {
        {rows, depth}, {depth, columns}, false, false, F32, F32, {}, {}, {},
        true};
    runGemm(g, 1, &implementation);
    return implementation.find("rows copied") != std::string::npos;
  };
  // Ten rows of a block in one set of the L1; in other sets.
  EXPECT_TRUE(copies(20, 1024, 64));
  EXPECT_FALSE(copies(20, 1000, 64));
  // Two panels pay for the copies, one does not.
  EXPECT_FALSE(copies(20, 1024, 32));
  // In half of the sets a block stays in the L1, but many rows do not in
  // the L2.
  EXPECT_FALSE(copies(20, 512, 64));
  EXPECT_TRUE(copies(140, 512, 320));
}

TEST(Gemm, RepeatedRowsNeedNoFullOperand) {
  // B's rows all are one row: stride 0.
  TestRecipe recipe;
  const uint32_t a = recipe.input(F32, {4, 6});
  const uint32_t row = recipe.input(F32, {6, 5}, {5, 1});
  auto view = std::make_unique<recipe::TensorT>(*recipe.recipe.tensors[row]);
  view->strides = {0, 1};
  view->alias_of = int32_t(row);
  recipe.recipe.tensors.push_back(std::move(view));
  const uint32_t repeated = uint32_t(recipe.recipe.tensors.size() - 1);
  const uint32_t c = recipe.output(F32, {4, 5});
  recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
                 {a, repeated}, {c});
  Random random(5);
  const auto x = random.values(24), y = random.values(30);
  const auto z = valuesOf<float>(recipe.run({bytesOf(x), bytesOf(y)})[0]);
  for (size_t m = 0; m < 4; ++m)
    for (size_t n = 0; n < 5; ++n) {
      double sum = 0;
      for (size_t k = 0; k < 6; ++k)
        sum += double(x[m * 6 + k]) * double(y[n]);
      EXPECT_NEAR(z[m * 5 + n], sum, 1e-5);
    }
}

TEST(Gemm, ConstantsArePackedOnce) {
  const WithKernel chosen("portable");
  Random random(7);
  const Dims sizes = {64, 96};
  const Bytes weights = encodeAll(F32, random.values(size_t(count(sizes))));
  const Bytes input = encodeAll(F32, random.values(3 * 64));
  auto recipe = [&](unsigned readers) {
    TestRecipe r;
    const uint32_t a = r.input(F32, {3, 64});
    const uint32_t b = r.constant(F32, sizes, weights);
    for (unsigned i = 0; i < readers; ++i)
      r.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(), {a, b},
                {r.output(F32, {3, 96})});
    return r;
  };
  TestRecipe one = recipe(1), three = recipe(3);
  auto single = one.load(), several = three.load();
  ASSERT_TRUE(single && several);
  EXPECT_EQ(single->panels().packed, 1u);
  EXPECT_EQ(several->panels().constants, 1u);
  EXPECT_EQ(several->panels().packed, 1u);
  const auto wanted = TestRecipe::run(*single, {input});
  for (const Bytes &got : TestRecipe::run(*several, {input}))
    EXPECT_TRUE(got == wanted[0]);
}

} // namespace
