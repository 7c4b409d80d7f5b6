// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of 16 and 8 bits on kernels of f32: their panels stay narrow.
#include "MatrixTest.h"

#include <algorithm>

using namespace gaudi;
using namespace gaudi::test;

namespace {

struct Narrow {
  ElementType type;
  Dims a, b;               // stored sizes
  bool transposed = false; // b
};

/// A product whose right side is a constant, or an input, which is packed in
/// f32 by each launch.
struct NarrowRun {
  std::vector<Bytes> outputs;
  std::string implementation;
  uint64_t panelBytes = 0;

  NarrowRun(const Narrow &p, bool constant, unsigned threads) {
    Random random(uint64_t(count(p.a) + count(p.b)));
    const Bytes a = encodeAll(p.type, random.values(size_t(count(p.a))));
    Bytes b = encodeAll(p.type, random.values(size_t(count(p.b))));
    // Every exponent, zeros, infinities and NaN of 16 bits, in a few columns.
    for (size_t i = 0; i < 40 && i + 1 < b.size(); ++i)
      b[i] = uint8_t(i * 67);
    TestRecipe recipe;
    recipe::GemmT body;
    body.transpose_b = p.transposed;
    const uint32_t left = recipe.input(p.type, p.a);
    const uint32_t right =
        constant ? recipe.constant(p.type, p.b, b) : recipe.input(p.type, p.b);
    Dims sizes = p.a;
    sizes.back() = p.b[p.b.size() - (p.transposed ? 2 : 1)];
    recipe.command(recipe::Engine::MME, "mme.gemm", body, {left, right},
                   {recipe.output(F32, sizes)});
    runtime::LoadOptions options;
    options.threads = threads;
    auto executable = recipe.load(options);
    if (!executable)
      return;
    implementation = executable->commands()[0].implementation;
    panelBytes = executable->panels().packedBytes;
    outputs = TestRecipe::run(*executable, constant ? std::vector<Bytes>{a}
                                                    : std::vector<Bytes>{a, b});
  }
};

std::vector<Narrow> products(ElementType type) {
  // A few rows, which read panels as they are; blocks that share a panel;
  // several ranges of the reduction; columns that fill no panel, or half ones;
  // short reductions, of which a strip has several panels; a batch.
  return {
      {type, {1, 70}, {70, 96}},        {type, {7, 1701}, {1701, 40}},
      {type, {14, 33}, {70, 33}, true}, {type, {15, 64}, {64, 200}},
      {type, {40, 1030}, {1030, 70}},   {type, {130, 1601}, {75, 1601}, true},
      {type, {300, 24}, {24, 500}},     {type, {29, 90}, {90, 8}},
      {type, {3, 20, 64}, {1, 64, 48}}, {type, {3, 9, 50}, {3, 50, 33}},
  };
}

/// NaN have no single bits: which of two operands' is kept is open.
bool sameValues(const Bytes &a, const Bytes &b) {
  const auto x = valuesOf<float>(a), y = valuesOf<float>(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](float one, float other) {
                      return std::memcmp(&one, &other, sizeof(one)) == 0 ||
                             (std::isnan(one) && std::isnan(other));
                    });
}

TEST(NarrowPanels, BitsAreThoseOfPanelsInF32) {
  for (const std::string &kernel : kernelNames()) {
    const WithKernel chosen(kernel);
    for (const ElementType type : {BF16, F16, E4, E5}) {
      size_t number = 0;
      for (const Narrow &p : products(type)) {
        SCOPED_TRACE(::testing::Message()
                     << "'" << kernel << "' " << recipe::elementName(type)
                     << " product " << number++);
        const NarrowRun one(p, true, 1), three(p, true, 3), packed(p, false, 1);
        ASSERT_EQ(one.outputs.size(), 1u);
        ASSERT_EQ(packed.outputs.size(), 1u);
        EXPECT_TRUE(one.outputs == three.outputs);
        EXPECT_TRUE(sameValues(one.outputs[0], packed.outputs[0]))
            << one.implementation << " and " << packed.implementation;
      }
    }
  }
}

TEST(NarrowPanels, TakeTheirOwnTypesBytes) {
  for (const std::string &kernel : kernelNames()) {
    // vector128 has no conversions of narrow types: it widens what it packs.
    if (kernel.empty() || kernel == "portableamx" || kernel == "vector128")
      continue;
    const WithKernel chosen(kernel);
    const NarrowRun wide({F32, {5, 200}, {200, 320}}, true, 1);
    for (const ElementType type : {BF16, F16, E4, E5}) {
      const NarrowRun narrow({type, {5, 200}, {200, 320}}, true, 1);
      SCOPED_TRACE(narrow.implementation);
      EXPECT_EQ(narrow.panelBytes * 2, wide.panelBytes);
      // Panels of the portable kernel for bf16 are pairs.
      const bool pairs = kernel == "portable" && type != F16;
      EXPECT_NE(narrow.implementation.find(pairs ? "packed once"
                                           : type == F16
                                               ? "packed once as f16"
                                               : "packed once as bf16"),
                std::string::npos);
    }
    EXPECT_EQ(wide.implementation.find(" as "), std::string::npos);
  }
}

} // namespace
