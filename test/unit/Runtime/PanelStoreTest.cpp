// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed constants that several recipes of a process want at the same time.
#include "MatrixTest.h"

#include <malloc.h>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Its weights are copied before they are packed: taps of channels that do not
/// fill pairs are collapsed.
TestRecipe convolution(uint64_t seed) {
  TestRecipe recipe;
  const Dims filter = {7, 7, 3, 16};
  const ElementType type = ElementType::BF16;
  recipe::ConvT body;
  body.input_layout = "NHWC";
  body.filter_layout = "HWIO";
  body.output_layout = "NHWC";
  body.strides = body.dilations = {1, 1};
  body.pad_low = body.pad_high = {0, 0};
  recipe.command(recipe::Engine::MME, "mme.conv", body,
                 {recipe.input(type, {1, 8, 8, 3}),
                  recipe.constant(type, filter,
                                  encodeAll(type, Random(seed).values(
                                                      size_t(count(filter)))))},
                 {recipe.output(ElementType::F32, {1, 2, 2, 16})});
  return recipe;
}

/// A recipe that is loaded while another goes gets the addresses of its copies,
/// never its weights.
TEST(PanelStore, WeightsOfARecipeThatWent) {
  const WithKernel kernel{"portable"};
  ASSERT_EQ(::mallopt(M_ARENA_MAX, 1), 1);
  runtime::LoadOptions options;
  options.cacheDirectory = "";
  options.threads = 1;
  const std::vector<Bytes> in = {
      encodeAll(ElementType::BF16, Random(7).values(8 * 8 * 3))};
  // Alone: what is right.
  std::vector<Bytes> wanted[2];
  for (unsigned me : {0u, 1u}) {
    auto executable = convolution(1 + me).load(options);
    ASSERT_TRUE(executable);
    ASSERT_NE(executable->commands()[0].implementation.find("taps collapsed"),
              std::string::npos);
    wanted[me] = TestRecipe::run(*executable, in);
  }
  ASSERT_FALSE(wanted[0] == wanted[1]);
  unsigned wrong[2] = {};
  auto work = [&](unsigned me) {
    TestRecipe recipe = convolution(1 + me);
    for (unsigned round = 0; round < 400; ++round) {
      auto executable = recipe.load(options);
      if (!executable)
        return;
      wrong[me] += TestRecipe::run(*executable, in) != wanted[me];
    }
  };
  std::thread other(work, 1u);
  work(0);
  other.join();
  EXPECT_EQ(wrong[0], 0u);
  EXPECT_EQ(wrong[1], 0u);
}

/// Panels of a filter whose taps are joined, and of the same filter dilated,
/// whose taps are not: of one constant, and of as many steps.
TEST(PanelStore, JoinedTapsHavePanelsOfTheirOwn) {
  const WithKernel kernel{"portableamx"};
  const Dims filter = {3, 3, 4, 16};
  const ElementType type = ElementType::BF16;
  const Bytes weights =
      encodeAll(type, Random(3).values(size_t(count(filter))));
  const std::vector<Bytes> in = {
      encodeAll(type, Random(7).values(12 * 12 * 4))};
  runtime::LoadOptions options;
  options.cacheDirectory = "";
  auto results = [&](const std::vector<int64_t> &dilations) {
    TestRecipe recipe;
    const uint32_t image = recipe.input(type, {1, 12, 12, 4}),
                   constant = recipe.constant(type, filter, weights);
    for (const int64_t dilation : dilations) {
      recipe::ConvT body;
      body.input_layout = "NHWC";
      body.filter_layout = "HWIO";
      body.output_layout = "NHWC";
      body.strides = {1, 1};
      body.dilations = {dilation, dilation};
      body.pad_low = body.pad_high = {0, 0};
      const int64_t size = 12 - 2 * dilation;
      recipe.command(recipe::Engine::MME, "mme.conv", body, {image, constant},
                     {recipe.output(ElementType::F32, {1, size, size, 16})});
    }
    auto executable = recipe.load(options);
    return executable ? TestRecipe::run(*executable, in) : std::vector<Bytes>();
  };
  const std::vector<Bytes> both = results({1, 2});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_TRUE(results({1}) == std::vector<Bytes>{both[0]});
  EXPECT_TRUE(results({2}) == std::vector<Bytes>{both[1]});
}

} // namespace
