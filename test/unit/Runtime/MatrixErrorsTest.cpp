// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix commands that hosts may refuse to load.
#include "MatrixTest.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

TEST(Gemm, UnknownKernelIsAnError) {
  const WithKernel chosen("nonsense");
  TestRecipe recipe;
  recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
                 {recipe.input(ElementType::F32, {2, 3}),
                  recipe.input(ElementType::F32, {3, 4})},
                 {recipe.output(ElementType::F32, {2, 4})});
  auto executable = recipe.tryLoad({});
  ASSERT_FALSE(executable);
  const std::string &message = executable.error().message;
  EXPECT_NE(message.find("GAUDI_MME is 'nonsense'"), std::string::npos)
      << message;
  EXPECT_NE(message.find("portable, vector128"), std::string::npos) << message;
}

/// Pads whose sizes multiply to more than 64 bits: nothing may be read or
/// written outside, and the error says what there is too little of.
TEST(Conv, PadsBeyondAllMemory) {
  const int64_t huge = int64_t(1) << 31;
  TestRecipe recipe;
  const uint32_t x = recipe.input(ElementType::F32, {1, 1, 1, 1});
  const uint32_t w = recipe.input(ElementType::F32, {16, 3, 3, 1});
  const uint32_t y = recipe.output(ElementType::F32, {1, 2, 2, 16});
  recipe::ConvT body;
  body.input_layout = "NHWC";
  body.filter_layout = "OHWI";
  body.output_layout = "NHWC";
  body.strides = {huge, huge};
  body.dilations = {1, 1};
  body.pad_low = {huge, huge};
  body.pad_high = {huge - 1, huge - 1};
  body.groups = 1;
  recipe.command(recipe::Engine::MME, "mme.conv", body, {x, w}, {y});
  auto executable = recipe.tryLoad({});
  if (!executable) {
    EXPECT_NE(executable.error().message.find("memory"), std::string::npos)
        << executable.error().message;
    return;
  }
  // A host that computes it all the same must find the one pixel.
  const auto got = valuesOf<float>(
      TestRecipe::run(**executable, {bytesOf(std::vector<float>{2}),
                                     bytesOf(std::vector<float>(144, 3))})[0]);
  std::vector<float> expected(64, 0);
  std::fill(expected.begin() + 48, expected.end(), 6.0f); // position (1, 1)
  EXPECT_EQ(got, expected);
}

} // namespace
