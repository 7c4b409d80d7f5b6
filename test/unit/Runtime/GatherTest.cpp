// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that read at indices they computed.
#include "TestRecipe.h"

using namespace gaudi;
using namespace gaudi::test;
using recipe::Boundary;
using recipe::ElementType;

namespace {

/// out[i, j] = table[indices[i], j].
void gather(TestRecipe &r, ElementType indexType, int64_t vocabulary, int64_t n,
            int64_t width, Boundary boundary, uint64_t pad = 0) {
  KernelBuilder k({n, width}, {true, true});
  k.input(F32, 2).input(indexType, 1).output(F32, 2);
  k.stage();
  uint32_t index = k.inst(Op::Load, recipe::kernelType(indexType),
                          k.access(1, 0, k.at({{0, 1}})));
  if (indexType != I64)
    index = k.inst(Op::ExtSI, I64, index);
  const uint32_t x = k.inst(
      Op::Load, F32, k.access(0, pad, k.by(index, boundary), k.at({{1, 1}})));
  k.store(k.access(2, 0, k.at({{0, 1}}), k.at({{1, 1}})), x);
  const uint32_t table = r.input(F32, {vocabulary, width});
  const uint32_t indices = r.input(indexType, {n});
  r.recipe.tensors[table]->name = "table";
  r.launch(k, {table, indices}, {r.output(F32, {n, width})});
  r.entry().commands.back()->name = "tpc.gather";
}

TEST(Gather, Rows) {
  for (int64_t width : {1, 3, 40}) {
    const int64_t vocabulary = 11, n = 33;
    TestRecipe r;
    gather(r, I32, vocabulary, n, width, Boundary::Checked);
    const auto table = Random(1).values(size_t(vocabulary * width));
    std::vector<int32_t> indices;
    for (int64_t i = 0; i < n; ++i)
      indices.push_back(int32_t(i * 7 % vocabulary));
    const auto y =
        valuesOf<float>(r.run({bytesOf(table), bytesOf(indices)})[0]);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < width; ++j)
        EXPECT_EQ(y[size_t(i * width + j)],
                  table[size_t(indices[size_t(i)] * width + j)]);
  }
}

TEST(Gather, PadsAndClamps) {
  const int64_t vocabulary = 4, n = 20;
  const auto table = Random(1).values(size_t(vocabulary));
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < n; ++i)
    indices.push_back(i - 8);
  indices[0] = INT64_MIN;
  indices[1] = INT64_MAX;
  for (Boundary boundary : {Boundary::Pad, Boundary::Clamp}) {
    TestRecipe r;
    gather(r, I64, vocabulary, n, 1, boundary,
           boundary == Boundary::Pad ? bitsOf(9.0f) : 0);
    const auto y =
        valuesOf<float>(r.run({bytesOf(table), bytesOf(indices)})[0]);
    for (size_t i = 0; i < size_t(n); ++i) {
      const bool inside = indices[i] >= 0 && indices[i] < vocabulary;
      const int64_t clamped =
          std::min(std::max<int64_t>(indices[i], 0), vocabulary - 1);
      EXPECT_EQ(y[i], !inside && boundary == Boundary::Pad
                          ? 9.0f
                          : table[size_t(clamped)]);
    }
  }
}

TEST(Gather, OutOfRangeIndexStopsTheLaunch) {
  for (int64_t width : {1, 40})
    for (unsigned threads : {1u, 3u}) {
      TestRecipe r;
      gather(r, I32, 30522, 64, width, Boundary::Checked);
      runtime::LoadOptions options;
      options.threads = threads;
      auto executable = r.load(options);
      ASSERT_TRUE(executable);
      std::vector<int32_t> indices(64, 5);
      indices[37] = 30522;
      indices[50] = -1;
      ASSERT_TRUE(executable->setInput(1, indices.data(), 256).has_value());
      auto result = executable->launch();
      ASSERT_FALSE(result.has_value());
      EXPECT_EQ(result.error().message,
                "command 0 \"tpc.gather\" (model.mlir:7:3): index 30522 is out "
                "of bounds for dimension 0 of \"table\" (size 30522)");
      indices[37] = indices[50] = 30521;
      ASSERT_TRUE(executable->setInput(1, indices.data(), 256).has_value());
      EXPECT_TRUE(executable->launch().has_value());
    }
}

// Lanes run along j: the index of one dimension differs from lane to lane,
// that of the next is one for all lanes.
TEST(Gather, ScalarIndexAfterIndexOfEachLane) {
  const int64_t n = 5, width = 37;
  KernelBuilder k({n, width}, {true, true});
  k.input(F32, 2).output(F32, 2);
  k.stage();
  const uint32_t i = k.inst(Op::Index, I64, 0), j = k.inst(Op::Index, I64, 1);
  k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
          k.inst(Op::Load, F32, k.access(0, 0, k.by(j), k.by(i))));
  TestRecipe r;
  const uint32_t table = r.input(F32, {width, n});
  r.launch(k, {table}, {r.output(F32, {n, width})});
  const auto x = Random(1).values(size_t(n * width));
  const auto y = valuesOf<float>(r.run({bytesOf(x)})[0]);
  for (int64_t row = 0; row < n; ++row)
    for (int64_t at = 0; at < width; ++at)
      EXPECT_EQ(y[size_t(row * width + at)], x[size_t(at * n + row)]);
}

} // namespace
