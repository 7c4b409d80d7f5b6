// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers, fills and library kernels.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Copies a tensor into one whose stored order is permuted and padded.
void checkTransfer(ElementType type, Dims sizes, std::vector<size_t> order,
                   int64_t padding) {
  Dims strides(sizes.size());
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= sizes[order[i]] + padding;
  }
  TestRecipe r;
  const uint32_t in = r.input(type, sizes);
  const uint32_t middle = r.workspace(type, sizes, strides);
  const uint32_t out = r.output(type, sizes);
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in}, {middle});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {middle}, {out});
  Bytes bytes(size_t(count(sizes)) * recipe::elementSize(type));
  Random random(uint64_t(count(sizes)));
  for (uint8_t &byte : bytes)
    byte = uint8_t(random.next());
  for (unsigned threads : {1u, 3u})
    EXPECT_TRUE(r.run({bytes}, threads)[0] == bytes);
}

TEST(Transfer, AnyStridesAnyElementSize) {
  for (ElementType type :
       {ElementType::I8, ElementType::BF16, F32, ElementType::I64}) {
    checkTransfer(type, {5}, {0}, 0);
    checkTransfer(type, {70, 130}, {1, 0}, 0);
    checkTransfer(type, {70, 130}, {0, 1}, 3);
    checkTransfer(type, {3, 40, 50, 7}, {0, 3, 1, 2}, 0);
    checkTransfer(type, {3, 40, 50, 7}, {2, 1, 3, 0}, 2);
    // Few columns whose rows are neighbours in the source: channels.
    for (int64_t channels : {2, 3, 4, 5}) {
      checkTransfer(type, {channels, 90, 70}, {1, 2, 0}, 0);
      checkTransfer(type, {2, channels, 131}, {0, 2, 1}, 1);
    }
    checkTransfer(type, {2, 3, 1, 4, 2, 5, 3, 2}, {7, 3, 1, 0, 6, 2, 5, 4}, 1);
  }
  checkTransfer(F32, {}, {}, 0);
  checkTransfer(F32, {300000}, {0}, 0);
  checkTransfer(F32, {600, 700}, {1, 0}, 0);
}

TEST(Transfer, RepeatsStrideZero) {
  TestRecipe r;
  const uint32_t in = r.input(F32, {3, 4}, {4, 1});
  auto view = std::make_unique<recipe::TensorT>(*r.recipe.tensors[in]);
  view->sizes = {2, 3, 4};
  view->strides = {0, 4, 1};
  view->alias_of = int32_t(in);
  r.recipe.tensors.push_back(std::move(view));
  r.command(recipe::Engine::DMA, "broadcast", recipe::TransferT(),
            {uint32_t(r.recipe.tensors.size() - 1)},
            {r.output(F32, {2, 3, 4})});
  const auto v = Random(1).values(12);
  const auto y = valuesOf<float>(r.run({bytesOf(v)})[0]);
  for (size_t i = 0; i < 24; ++i)
    EXPECT_EQ(y[i], v[i % 12]);
}

TEST(Fill, AnyTypeAnyStrides) {
  TestRecipe r;
  recipe::FillT one, big;
  one.value = 0x1234;
  big.value = 0x0102030405060708;
  r.command(recipe::Engine::DMA, "fill", one, {},
            {r.output(ElementType::I16, {5, 3}, {1, 7})});
  r.command(recipe::Engine::DMA, "fill", big, {}, {r.output(I64, {40000})});
  const auto outputs = r.run({});
  for (int16_t value : valuesOf<int16_t>(outputs[0]))
    EXPECT_EQ(value, 0x1234);
  for (int64_t value : valuesOf<int64_t>(outputs[1]))
    ASSERT_EQ(value, 0x0102030405060708);
}

void library(TestRecipe &r, const char *name, Dims ints,
             std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
  recipe::LibraryT body;
  body.name = name;
  body.ints = ints;
  r.command(recipe::Engine::TPC, name, body, std::move(inputs),
            std::move(outputs));
}

TEST(Library, CumulativeSum) {
  const int64_t a = 3, n = 7, c = 5;
  for (int64_t exclusive : {0, 1})
    for (int64_t reverse : {0, 1}) {
      TestRecipe r;
      const uint32_t x = r.input(F32, {a, n, c}), i = r.input(I32, {a, n, c});
      library(r, "cumulative_sum", {1, exclusive, reverse}, {x},
              {r.output(F32, {a, n, c})});
      library(r, "cumulative_sum", {1, exclusive, reverse}, {i},
              {r.output(I32, {a, n, c})});
      const auto v = Random(1).values(size_t(a * n * c));
      std::vector<int32_t> w;
      for (size_t e = 0; e < v.size(); ++e)
        w.push_back(int32_t(e) * 100000000);
      const auto out = r.run({bytesOf(v), bytesOf(w)});
      const auto y = valuesOf<float>(out[0]);
      const auto z = valuesOf<int32_t>(out[1]);
      for (int64_t p = 0; p < a; ++p)
        for (int64_t q = 0; q < c; ++q) {
          float sum = 0;
          uint32_t whole = 0;
          for (int64_t s = 0; s < n; ++s) {
            const size_t e =
                size_t((p * n + (reverse ? n - 1 - s : s)) * c + q);
            const float before = sum;
            const uint32_t wholeBefore = whole;
            sum += v[e];
            whole += uint32_t(w[e]);
            EXPECT_EQ(y[e], exclusive ? before : sum);
            EXPECT_EQ(uint32_t(z[e]), exclusive ? wholeBefore : whole);
          }
        }
    }
}

TEST(Library, SortIsStableAndPutsNaNLast) {
  const std::vector<float> x = {3, -1, nan32, 2, -1, 0.0f, -0.0f, 3};
  const std::vector<int64_t> up = {1, 4, 5, 6, 3, 0, 7, 2},
                             down = {2, 0, 7, 3, 5, 6, 1, 4};
  for (int64_t descending : {0, 1}) {
    TestRecipe r;
    const uint32_t in = r.input(F32, {1, 8});
    library(r, "sort", {1, descending, 1}, {in},
            {r.output(F32, {1, 8}), r.output(I64, {1, 8})});
    const auto out = r.run({bytesOf(x)});
    EXPECT_EQ(valuesOf<int64_t>(out[1]), descending ? down : up);
    for (size_t i = 0; i < 8; ++i) {
      const float expected = x[size_t((descending ? down : up)[i])];
      EXPECT_EQ(bitsOf(valuesOf<float>(out[0])[i]), bitsOf(expected));
    }
  }
}

TEST(Library, TopKTakesTheLowerIndexOfEquals) {
  TestRecipe r;
  const uint32_t in = r.input(I32, {6, 2});
  library(r, "top_k", {0, 3, 1}, {in},
          {r.output(I32, {3, 2}), r.output(I32, {3, 2})});
  library(r, "top_k", {0, 2, 0}, {in},
          {r.output(I32, {2, 2}), r.output(I64, {2, 2})});
  const std::vector<int32_t> x = {1, 9, 5, 9, 5, -2, 0, 7, 5, 9, -3, 9};
  const auto out = r.run({bytesOf(x)});
  EXPECT_EQ(valuesOf<int32_t>(out[0]),
            (std::vector<int32_t>{5, 9, 5, 9, 5, 9}));
  EXPECT_EQ(valuesOf<int32_t>(out[1]),
            (std::vector<int32_t>{1, 0, 2, 1, 4, 4}));
  EXPECT_EQ(valuesOf<int32_t>(out[2]), (std::vector<int32_t>{-3, -2, 0, 7}));
  EXPECT_EQ(valuesOf<int64_t>(out[3]), (std::vector<int64_t>{5, 2, 3, 3}));
}

TEST(Library, ScatterReplacesRowsInOrder) {
  TestRecipe r;
  const uint32_t values = r.input(F32, {2, 4, 3});
  const uint32_t indices = r.input(I32, {2, 3});
  const uint32_t rows = r.input(F32, {2, 3, 3});
  library(r, "scatter", {}, {values, indices, rows},
          {r.output(F32, {2, 4, 3})});
  const auto v = Random(1).values(24), w = Random(2).values(18);
  std::vector<int32_t> at = {2, 0, 2, 3, 1, 0};
  auto executable = r.load();
  ASSERT_TRUE(executable);
  const auto y = valuesOf<float>(
      TestRecipe::run(*executable, {bytesOf(v), bytesOf(at), bytesOf(w)})[0]);
  std::vector<float> expected = v;
  for (size_t n = 0; n < 2; ++n)
    for (size_t i = 0; i < 3; ++i)
      for (size_t c = 0; c < 3; ++c)
        expected[(n * 4 + size_t(at[n * 3 + i])) * 3 + c] =
            w[(n * 3 + i) * 3 + c];
  EXPECT_EQ(y, expected);

  at[4] = 4;
  ASSERT_TRUE(executable->setInput(1, at.data(), 24).has_value());
  auto result = executable->launch();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "command 0 \"scatter\" (model.mlir:7:3): index 4 is out of bounds "
            "for dimension 1 of \"in0\" (size 4)");
}

TEST(Library, ScatterRowsDropsWhatIsOutside) {
  // Columns of two blocks; with C = 1 rows are split instead.
  for (int64_t columns : {70, 1})
    for (int64_t adds : {0, 1}) {
      const int64_t keys = 40, count = 9000;
      TestRecipe r;
      const uint32_t values = r.input(F32, {1, keys, columns});
      const uint32_t indices = r.input(I64, {1, count});
      const uint32_t rows = r.input(F32, {1, count, columns});
      library(r, "scatter_rows", {adds, 1}, {values, indices, rows},
              {r.output(F32, {1, keys, columns})});
      const auto v = Random(1).values(keys * columns);
      const auto w = Random(2).values(count * columns);
      std::vector<int64_t> at(count);
      for (int64_t i = 0; i < count; ++i)
        at[size_t(i)] = i * 7919 % (keys + 4) - 2;
      auto executable = r.load();
      ASSERT_TRUE(executable);
      const auto y = valuesOf<float>(TestRecipe::run(
          *executable, {bytesOf(v), bytesOf(at), bytesOf(w)})[0]);
      std::vector<float> expected = v;
      for (int64_t i = 0; i < count; ++i)
        for (int64_t c = 0; c < columns; ++c)
          if (at[size_t(i)] >= 0 && at[size_t(i)] < keys) {
            float &place = expected[size_t(at[size_t(i)] * columns + c)];
            const float row = w[size_t(i * columns + c)];
            place = adds ? place + row : row;
          }
      EXPECT_EQ(y, expected);
    }
}

TEST(Library, ScatterElements) {
  for (int64_t mode : {0, 1}) {
    TestRecipe r;
    const uint32_t data = r.input(ElementType::BF16, {3, 4});
    const uint32_t indices = r.input(I64, {2, 4});
    const uint32_t updates = r.input(ElementType::BF16, {2, 4});
    library(r, "scatter_elements", {0, mode}, {data, indices, updates},
            {r.output(ElementType::BF16, {3, 4})});
    auto executable = r.load();
    ASSERT_TRUE(executable);
    const Bytes d = encodeAll(ElementType::BF16, Random(1).values(12)),
                u = encodeAll(ElementType::BF16, Random(2).values(8));
    std::vector<int64_t> at = {0, 2, 1, 1, 0, 0, 1, 2};
    const auto y =
        decodeAll(ElementType::BF16,
                  TestRecipe::run(*executable, {d, bytesOf(at), u})[0]);
    auto expected = decodeAll(ElementType::BF16, d);
    const auto w = decodeAll(ElementType::BF16, u);
    for (size_t i = 0; i < 8; ++i) {
      float &place = expected[size_t(at[i]) * 4 + i % 4];
      place =
          mode ? float(decodeFloat(
                     encodeFloat(double(place + w[i]), formatBF16), formatBF16))
               : w[i];
    }
    EXPECT_EQ(y, expected);
    at[3] = -1;
    ASSERT_TRUE(executable->setInput(1, at.data(), 64).has_value());
    auto result = executable->launch();
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message,
              "command 0 \"scatter_elements\" (model.mlir:7:3): index -1 is "
              "out of bounds for dimension 0 of \"in0\" (size 3)");
  }
}

} // namespace
