// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of constants that the text leaves out.
#include "Model.h"

#include <gmock/gmock.h>

using namespace gaudi::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// x + w, with w outside the text.
const char addModel[] = R"(
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense_resource<weight> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %y = linalg.add ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
)";

const int64_t square[] = {2, 2};

GaudiError *compileWith(const std::vector<GaudiResource> &resources,
                        GaudiRecipe **recipe,
                        const std::string &model = addModel) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.resources = resources.data();
  options.numResources = resources.size();
  return gaudiCompile("add.mlir", model.data(), model.size(), &options, recipe);
}

} // namespace

TEST(CResources, AreTheValuesOfConstants) {
  const float weight[] = {10, 20, 30, 40}, x[] = {1, 2, 3, 4};
  GaudiRecipe *compiled = nullptr;
  ASSERT_TRUE(isFine(compileWith(
      {{"weight", weight, sizeof(weight), "F32", 2, square}}, &compiled)));
  const RecipeOwner recipe(compiled);
  const ExecutableOwner executable = load(recipe);
  float y[4];
  const Buffer bx(x, GaudiF32, {2, 2}), by(y, GaudiF32, {2, 2});
  ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, &bx.buffer, 1,
                                        &by.buffer, 1, nullptr)));
  EXPECT_THAT(y, ElementsAre(11, 22, 33, 44));
}

TEST(CResources, ThatAreMissingAreNamed) {
  const float weight[] = {1, 2, 3, 4};
  GaudiRecipe *recipe = nullptr;
  for (const auto &given :
       {std::vector<GaudiResource>(),
        {{"other", weight, sizeof(weight), "F32", 2, square}}}) {
    const ErrorOwner error(compileWith(given, &recipe));
    ASSERT_TRUE(error);
    EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidModel);
    EXPECT_THAT(textOf(gaudiErrorDetails(error.get())),
                HasSubstr("resource 'weight' of type 'tensor<2x2xf32>' has no "
                          "data in the model and is not among the " +
                          std::to_string(given.size())));
    EXPECT_EQ(textOf(gaudiErrorLocation(error.get())), "add.mlir:3:8");
  }
  EXPECT_EQ(recipe, nullptr);
}

TEST(CResources, OfAnotherSizeAreRefusedWithBothSizes) {
  const float weight[] = {1, 2, 3};
  GaudiRecipe *recipe = nullptr;
  const ErrorOwner error(compileWith(
      {{"weight", weight, sizeof(weight), "F32", 2, square}}, &recipe));
  ASSERT_TRUE(error);
  EXPECT_THAT(textOf(gaudiErrorDetails(error.get())),
              HasSubstr("needs 16 bytes, but has 12"));
}

TEST(CResources, OfAnotherTypeOrShapeAreRefused) {
  const float weight[] = {1, 2, 3, 4};
  const int64_t flat[] = {4};
  const std::pair<GaudiResource, const char *> others[] = {
      {{"weight", weight, sizeof(weight), "I32", 2, square}, "I32 [2, 2]"},
      {{"weight", weight, sizeof(weight), "F32", 1, flat}, "F32 [4]"},
      {{"weight", weight, sizeof(weight), "nonsense", 2, square},
       "nonsense [2, 2]"}};
  for (const auto &[resource, type] : others) {
    GaudiRecipe *recipe = nullptr;
    const ErrorOwner error(compileWith({resource}, &recipe));
    ASSERT_TRUE(error);
    EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidModel);
    EXPECT_THAT(textOf(gaudiErrorDetails(error.get())),
                HasSubstr(std::string("resource 'weight' of type "
                                      "'tensor<2x2xf32>' is ") +
                          type + " in the option 'resources'"));
  }
}

TEST(CResources, MustFitAllConstantsThatReferToThem) {
  const std::string model = R"(
func.func @main() -> (tensor<2x2xf32>, tensor<2x4xf16>) {
  %a = arith.constant dense_resource<weight> : tensor<2x2xf32>
  %b = arith.constant dense_resource<weight> : tensor<2x4xf16>
  return %a, %b : tensor<2x2xf32>, tensor<2x4xf16>
}
)";
  const float weight[] = {1, 2, 3, 4};
  GaudiRecipe *recipe = nullptr;
  const ErrorOwner error(compileWith(
      {{"weight", weight, sizeof(weight), "F32", 2, square}}, &recipe, model));
  ASSERT_TRUE(error);
  EXPECT_THAT(textOf(gaudiErrorDetails(error.get())),
              HasSubstr("resource 'weight' of type 'tensor<2x4xf16>' is F32 "
                        "[2, 2] in the option 'resources'"));
  EXPECT_EQ(textOf(gaudiErrorLocation(error.get())), "add.mlir:4:8");
}
