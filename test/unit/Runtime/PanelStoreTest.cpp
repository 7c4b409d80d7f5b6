// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed constants that several recipes of a process want at the same time.
#include "MatrixTest.h"

#include <malloc.h>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Its weights are copied before they are packed: taps of few channels are
/// joined.
TestRecipe convolution(uint64_t seed) {
  TestRecipe recipe;
  const Dims filter = {7, 7, 3, 16};
  recipe::ConvT body;
  body.input_layout = "NHWC";
  body.filter_layout = "HWIO";
  body.output_layout = "NHWC";
  body.strides = body.dilations = {1, 1};
  body.pad_low = body.pad_high = {0, 0};
  recipe.command(
      recipe::Engine::MME, "mme.conv", body,
      {recipe.input(ElementType::F32, {1, 8, 8, 3}),
       recipe.constant(ElementType::F32, filter,
                       bytesOf(Random(seed).values(size_t(count(filter)))))},
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
  const std::vector<Bytes> in = {bytesOf(Random(7).values(8 * 8 * 3))};
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

} // namespace
