// Values of constants that the text leaves out.
#include "Model.h"

#include <gmock/gmock.h>

using namespace gaudi::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// x + w, with w outside of the text.
const char addModel[] = R"(
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense_resource<weight> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %y = linalg.add ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
)";

GaudiError *compileWith(const std::vector<GaudiResource> &resources,
                        GaudiRecipe **recipe) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.resources = resources.data();
  options.numResources = resources.size();
  return gaudiCompile("add.mlir", addModel, sizeof(addModel) - 1, &options,
                      recipe);
}

} // namespace

TEST(CResources, AreTheValuesOfConstants) {
  const float weight[] = {10, 20, 30, 40}, x[] = {1, 2, 3, 4};
  GaudiRecipe *compiled = nullptr;
  ASSERT_TRUE(
      isFine(compileWith({{"weight", weight, sizeof(weight)}}, &compiled)));
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
       {std::vector<GaudiResource>(), {{"other", weight, sizeof(weight)}}}) {
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
  const ErrorOwner error(
      compileWith({{"weight", weight, sizeof(weight)}}, &recipe));
  ASSERT_TRUE(error);
  EXPECT_THAT(textOf(gaudiErrorDetails(error.get())),
              HasSubstr("needs 16 bytes, but has 12"));
}
