// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a text in memory to numbers.
#include "Model.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

using namespace gaudi::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CRun, CompilesFromMemoryAndRuns) {
  const RecipeOwner recipe = compile(matmul);
  const ExecutableOwner executable = load(recipe);
  ASSERT_TRUE(executable);
  const float x[] = {1, 2, 3, 4, 5, 6}, w[] = {1, 0, 0, 1, 1, 1};
  float y[4] = {};
  const Buffer bx(x, GaudiF32, {2, 3}), bw(w, GaudiF32, {3, 2}),
      by(y, GaudiF32, {2, 2});
  const GaudiBuffer inputs[] = {bx, bw};
  GaudiRunStats stats = {};
  stats.size = sizeof(stats);
  ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                        &by.buffer, 1, &stats)));
  EXPECT_THAT(y, ElementsAre(4, 5, 10, 11));
  EXPECT_GT(stats.launchMicroseconds, 0);
  EXPECT_EQ(stats.variant, -1);
}

namespace {

/// y = x + count; count is what the launch before has left.
const char counterModel[] = R"(
func.func @main(%count: tensor<2xf32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.add ins(%count, %x : tensor<2xf32>, tensor<2xf32>)
      outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
})";

} // namespace

TEST(CRun, BuffersOfAnyStrides) {
  const ExecutableOwner executable = load(compile(doubleOf("2x3x", "f32")));
  ASSERT_TRUE(executable);
  const auto run = [&](const Buffer &in, const Buffer &out) {
    return isFine(gaudiExecutableRun(executable.get(), 0, &in.buffer, 1,
                                     &out.buffer, 1, nullptr));
  };
  float x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, y[12] = {};
  const Buffer dense(y, GaudiF32, {2, 3});
  // Transposed, with gaps, from the end, one row or one element for all.
  ASSERT_TRUE(run(Buffer(x, GaudiF32, {2, 3}, {1, 2}), dense));
  EXPECT_THAT(std::vector<float>(y, y + 6), ElementsAre(0, 4, 8, 2, 6, 10));
  ASSERT_TRUE(run(Buffer(x, GaudiF32, {2, 3}, {6, 2}), dense));
  EXPECT_THAT(std::vector<float>(y, y + 6), ElementsAre(0, 4, 8, 12, 16, 20));
  ASSERT_TRUE(run(Buffer(x + 5, GaudiF32, {2, 3}, {-3, -1}), dense));
  EXPECT_THAT(std::vector<float>(y, y + 6), ElementsAre(10, 8, 6, 4, 2, 0));
  ASSERT_TRUE(run(Buffer(x + 1, GaudiF32, {2, 3}, {0, 1}), dense));
  EXPECT_THAT(std::vector<float>(y, y + 6), ElementsAre(2, 4, 6, 2, 4, 6));
  ASSERT_TRUE(run(Buffer(x + 7, GaudiF32, {2, 3}, {0, 0}), dense));
  EXPECT_THAT(std::vector<float>(y, y + 6),
              ElementsAre(14, 14, 14, 14, 14, 14));
  // Outputs: transposed, backwards; what is between stays.
  const Buffer plain(x, GaudiF32, {2, 3});
  ASSERT_TRUE(run(plain, Buffer(y, GaudiF32, {2, 3}, {1, 2})));
  EXPECT_THAT(std::vector<float>(y, y + 6), ElementsAre(0, 6, 2, 8, 4, 10));
  std::fill(std::begin(y), std::end(y), -1);
  ASSERT_TRUE(run(plain, Buffer(y + 10, GaudiF32, {2, 3}, {-6, -2})));
  EXPECT_THAT(y, ElementsAre(10, -1, 8, -1, 6, -1, 4, -1, 2, -1, 0, -1));
}

TEST(CRun, EveryElementType) {
  const ExecutableOwner bytes = load(compile(doubleOf("3x", "i8")));
  const int8_t small[] = {-4, 0, 7};
  int8_t twice[3];
  const Buffer in(small, GaudiI8, {3}), out(twice, GaudiI8, {3});
  ASSERT_TRUE(isFine(gaudiExecutableRun(bytes.get(), 0, &in.buffer, 1,
                                        &out.buffer, 1, nullptr)));
  EXPECT_THAT(twice, ElementsAre(-8, 0, 14));
  const ExecutableOwner halves = load(compile(doubleOf("2x", "bf16")));
  const uint16_t half[] = {0x3f80, 0xc000}; // 1 and -2
  uint16_t result[2];
  const Buffer a(half, GaudiBF16, {2}), b(result, GaudiBF16, {2});
  ASSERT_TRUE(isFine(gaudiExecutableRun(halves.get(), 0, &a.buffer, 1,
                                        &b.buffer, 1, nullptr)));
  EXPECT_THAT(result, ElementsAre(0x4000, 0xc080));
}

TEST(CRun, TensorsWithoutElementsOrDimensions) {
  const ExecutableOwner empty = load(compile(doubleOf("0x4x", "f32")));
  ASSERT_TRUE(empty);
  const Buffer nothing(static_cast<float *>(nullptr), GaudiF32, {0, 4});
  EXPECT_TRUE(isFine(gaudiExecutableRun(empty.get(), 0, &nothing.buffer, 1,
                                        &nothing.buffer, 1, nullptr)));
  const ExecutableOwner scalar = load(compile(doubleOf("", "f32")));
  ASSERT_TRUE(scalar);
  float x = 3, y = 0;
  GaudiBuffer in = {&x, GaudiF32, 0, nullptr, nullptr}, out = in;
  out.data = &y;
  ASSERT_TRUE(
      isFine(gaudiExecutableRun(scalar.get(), 0, &in, 1, &out, 1, nullptr)));
  EXPECT_EQ(y, 6);
  out.data = nullptr; // not wanted
  EXPECT_TRUE(
      isFine(gaudiExecutableRun(scalar.get(), 0, &in, 1, &out, 1, nullptr)));
}

TEST(CRun, VariantsAlone) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.shape = "arg0:rows=1..16";
  options.buckets = "rows=explicit:4,16";
  const char model[] =
      "func.func @main(%x: tensor<?x2xf32>) -> tensor<2xf32> {\n"
      "  %zero = arith.constant dense<0.0> : tensor<2xf32>\n"
      "  %sum = linalg.reduce ins(%x : tensor<?x2xf32>)\n"
      "    outs(%zero : tensor<2xf32>) dimensions = [0]\n"
      "    (%in: f32, %out: f32) {\n"
      "      %0 = arith.addf %in, %out : f32\n"
      "      linalg.yield %0 : f32\n"
      "    }\n"
      "  return %sum : tensor<2xf32>\n"
      "}\n";
  const RecipeOwner recipe = compile(model, &options);
  ASSERT_TRUE(recipe);
  ASSERT_EQ(gaudiRecipeNumVariants(recipe.get(), 0), 2u);
  EXPECT_EQ(gaudiRecipeNumVariants(recipe.get(), 1), 0u);
  GaudiRecipe *made = nullptr;
  ASSERT_TRUE(isFine(gaudiRecipeVariant(recipe.get(), 0, 0, &made)));
  const RecipeOwner alone(made);
  ASSERT_EQ(gaudiRecipeNumInputs(alone.get(), 0), 2u);
  EXPECT_EQ(gaudiRecipeInput(alone.get(), 0, 0).shape[0], 4);
  EXPECT_EQ(gaudiRecipeNumVariants(alone.get(), 0), 0u);
  ASSERT_EQ(gaudiRecipeNumExtents(recipe.get(), 0, 0), 1u);
  EXPECT_EQ(gaudiRecipeNumExtents(recipe.get(), 0, 2), 0u);
  int64_t rows = 3, value = 0;
  size_t input = 0;
  ASSERT_TRUE(
      isFine(gaudiRecipeExtent(recipe.get(), 0, 0, 0, &rows, &input, &value)));
  EXPECT_EQ(input, 1u);
  EXPECT_EQ(value, 3);
  const ExecutableOwner executable = load(alone);
  ASSERT_TRUE(executable);
  float x[] = {1, 2, 3, 4, 5, 6, NAN, INFINITY}, y[2] = {};
  int32_t extent = 3;
  const Buffer padded(x, GaudiF32, {4, 2}), real(&extent, GaudiI32, {}),
      out(y, GaudiF32, {2});
  const GaudiBuffer in[] = {padded, real};
  ASSERT_TRUE(isFine(
      gaudiExecutableRun(executable.get(), 0, in, 2, &out.buffer, 1, nullptr)));
  EXPECT_THAT(y, ElementsAre(9, 12));

  rows = 5;
  EXPECT_EQ(
      messageOf(gaudiRecipeExtent(recipe.get(), 0, 0, 0, &rows, &input, &value),
                GaudiErrorInvalidArgument),
      "the size of rows is 5, expected 1 to 4");
  EXPECT_EQ(
      messageOf(gaudiRecipeExtent(recipe.get(), 0, 0, 1, &rows, &input, &value),
                GaudiErrorInvalidArgument),
      "there is no extent 1, the variant has 1");
  EXPECT_EQ(messageOf(gaudiRecipeVariant(recipe.get(), 0, 2, &made),
                      GaudiErrorInvalidArgument),
            "there is no variant 2, the entry has 2");
}

TEST(CRun, PlacesOfAProgram) {
  const RecipeOwner recipe =
      compile("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
              "  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>\n"
              "  return %0 : tensor<4xf32>\n"
              "}\n");
  ASSERT_TRUE(recipe);
  const auto predicted = [](const RecipeOwner &of) {
    char *json = nullptr;
    EXPECT_TRUE(isFine(gaudiRecipePredict(of.get(), 0, nullptr, &json)));
    std::string text = json;
    gaudiTextDestroy(json);
    return text;
  };
  EXPECT_THAT(predicted(recipe), HasSubstr("\"test.mlir:2:"));
  const char *places[] = {"", "Net.act at net.py:7:1"};
  GaudiRecipe *made = nullptr;
  ASSERT_TRUE(isFine(
      gaudiRecipeWithPlaces(recipe.get(), "test.mlir", places, 2, &made)));
  const RecipeOwner renamed(made);
  EXPECT_THAT(predicted(renamed), HasSubstr("\"Net.act at net.py:7:1\""));
  EXPECT_THAT(predicted(renamed), Not(HasSubstr("test.mlir:2:")));
  // Another text's lines, and lines without a place, stay.
  ASSERT_TRUE(isFine(
      gaudiRecipeWithPlaces(recipe.get(), "other.mlir", places, 2, &made)));
  EXPECT_EQ(predicted(RecipeOwner(made)), predicted(recipe));
  ASSERT_TRUE(isFine(
      gaudiRecipeWithPlaces(recipe.get(), "test.mlir", places, 1, &made)));
  EXPECT_EQ(predicted(RecipeOwner(made)), predicted(recipe));

  const std::string page = testing::TempDir() + "places.html",
                    trace = testing::TempDir() + "places.json";
  ASSERT_TRUE(isFine(
      gaudiRecipeWritePage(renamed.get(), 0, nullptr, "a <model>",
                           R"({"steps": 3, "causes": []})", page.c_str())));
  ASSERT_TRUE(
      isFine(gaudiRecipeWriteTrace(renamed.get(), 0, nullptr, trace.c_str())));
  const auto contents = [](const std::string &path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_THAT(contents(page), AllOf(HasSubstr("Net.act at net.py:7:1"),
                                    HasSubstr(R"("script":{"steps":3)")));
  EXPECT_THAT(contents(trace), HasSubstr("Net.act at net.py:7:1"));
  EXPECT_EQ(messageOf(gaudiRecipeWritePage(renamed.get(), 0, nullptr, "x", "[]",
                                           page.c_str()),
                      GaudiErrorInvalidArgument),
            "'script' is no JSON object; docs/schema/script.schema.json says "
            "what it has");
  EXPECT_EQ(invalid(gaudiRecipeWriteTrace(renamed.get(), 1, nullptr, "x")),
            "there is no entry 1, the recipe has 1");
  const ErrorOwner error(
      gaudiRecipeWriteTrace(renamed.get(), 0, nullptr, "/no/folder/x"));
  ASSERT_TRUE(error);
  EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorIo);
}

TEST(CRun, DynamicSizes) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.shape = "arg0:rows=1..16";
  options.buckets = "rows=explicit:4,16";
  EXPECT_TRUE(isFine(
      gaudiImport("m", dynamicModel, sizeof(dynamicModel) - 1, &options)));
  const RecipeOwner recipe = compile(dynamicModel, &options);
  ASSERT_TRUE(recipe);
  const GaudiTensorInfo info = gaudiRecipeInput(recipe.get(), 0, 0);
  EXPECT_EQ(info.shape[0], -1);
  EXPECT_EQ(info.shape[1], 2);
  EXPECT_EQ(textOf(info.symbolicShape), "rows x 2");
  ASSERT_EQ(gaudiRecipeNumSymbols(recipe.get(), 0), 1u);
  EXPECT_EQ(textOf(gaudiRecipeSymbol(recipe.get(), 0, 0).name), "rows");
  EXPECT_EQ(gaudiRecipeSymbol(recipe.get(), 0, 0).max, 16);
  const ExecutableOwner executable = load(recipe);
  ASSERT_TRUE(executable);
  for (int64_t rows : {1, 3, 4, 9, 16}) {
    std::vector<float> x(size_t(rows * 2)), y(x.size()), expected;
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i);
    for (float value : x)
      expected.push_back(2 * value);
    // Columns of the caller are contiguous.
    const Buffer in(x.data(), GaudiF32, {rows, 2}, {1, rows}),
        out(y.data(), GaudiF32, {rows, 2}, {1, rows});
    int64_t shape[2] = {};
    ASSERT_TRUE(isFine(gaudiExecutableOutputShape(executable.get(), 0,
                                                  &in.buffer, 1, 0, shape)));
    EXPECT_THAT(shape, ElementsAre(rows, 2));
    GaudiRunStats stats;
    stats.size = sizeof(stats);
    ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, &in.buffer, 1,
                                          &out.buffer, 1, &stats)));
    EXPECT_EQ(y, expected);
    EXPECT_EQ(stats.variant, rows <= 4 ? 0 : 1);
    EXPECT_GT(stats.predictedPicoseconds, 0);
  }
  const int64_t tooMany = 17;
  char *json = nullptr;
  EXPECT_EQ(
      messageOf(gaudiRecipePredict(recipe.get(), 0, &tooMany, &json),
                GaudiErrorInvalidArgument),
      "'sizes' of entry \"main\": rows 17 is outside what the model takes: "
      "1 to 16");
  EXPECT_EQ(json, nullptr);
  float x[34] = {};
  const Buffer large(x, GaudiF32, {17, 2});
  EXPECT_THAT(messageOf(gaudiExecutableRun(executable.get(), 0, &large.buffer,
                                           1, &large.buffer, 1, nullptr),
                        GaudiErrorInvalidArgument),
              ::testing::HasSubstr("17"));
  // The weights of such a model can be bound, what grows cannot.
  const GaudiBinding binding = {0, 0, x, sizeof(x)};
  GaudiLoadOptions bound;
  gaudiLoadOptionsInit(&bound);
  bound.bindings = &binding;
  bound.numBindings = 1;
  GaudiExecutable *loaded = nullptr;
  EXPECT_THAT(messageOf(gaudiExecutableLoad(recipe.get(), &bound, &loaded),
                        GaudiErrorInvalidArgument),
              ::testing::HasSubstr("its size differs from launch to launch"));
}

TEST(CRun, StatesKeepTheirValues) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.state = "0=0";
  const RecipeOwner recipe = compile(counterModel, &options);
  ASSERT_TRUE(recipe);
  ASSERT_EQ(gaudiRecipeNumStates(recipe.get()), 1u);
  EXPECT_EQ(gaudiRecipeInput(recipe.get(), 0, 0).state, 0);
  EXPECT_EQ(gaudiRecipeInput(recipe.get(), 0, 1).state, -1);
  const ExecutableOwner executable = load(recipe);
  float first[] = {10, 20}, x[] = {1, 2}, now[2];
  const Buffer count(first, GaudiF32, {2}), in(x, GaudiF32, {2}),
      kept(static_cast<float *>(nullptr), GaudiF32, {2}),
      state(now, GaudiF32, {2});
  std::vector<GaudiBuffer> outputs;
  for (size_t i = 0; i < gaudiRecipeNumOutputs(recipe.get(), 0); ++i)
    outputs.push_back(kept);
  const auto run = [&](const GaudiBuffer &value) {
    const GaudiBuffer inputs[] = {value, in};
    EXPECT_TRUE(
        isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                  outputs.data(), outputs.size(), nullptr)));
    EXPECT_TRUE(
        isFine(gaudiExecutableGetState(executable.get(), 0, &state.buffer)));
  };
  run(count);
  EXPECT_THAT(now, ElementsAre(11, 22));
  run(kept);
  EXPECT_THAT(now, ElementsAre(12, 24));
  ASSERT_TRUE(
      isFine(gaudiExecutableSetState(executable.get(), 0, &count.buffer)));
  run(kept);
  EXPECT_THAT(now, ElementsAre(11, 22));
  EXPECT_TRUE(isFine(gaudiExecutableResetStates(executable.get())));
}

TEST(CRecipe, DescribesAndSavesItself) {
  const RecipeOwner recipe = compile(matmul);
  ASSERT_TRUE(recipe);
  EXPECT_EQ(gaudiRecipeNumEntries(recipe.get()), 1u);
  EXPECT_EQ(textOf(gaudiRecipeEntryName(recipe.get(), 0)), "main");
  EXPECT_EQ(textOf(gaudiRecipeDevice(recipe.get())), "gaudi2");
  EXPECT_EQ(textOf(gaudiRecipeHash(recipe.get())).size(), 32u);
  EXPECT_THAT(textOf(gaudiRecipeText(recipe.get())),
              ::testing::HasSubstr("mme.gemm"));
  EXPECT_GT(gaudiRecipeMemory(recipe.get()).persistent, 0u);
  const std::string path = ::testing::TempDir() + "/capi.recipe";
  ASSERT_TRUE(isFine(gaudiRecipeSave(recipe.get(), path.c_str())));
  GaudiRecipe *opened = nullptr;
  ASSERT_TRUE(isFine(gaudiRecipeOpen(path.c_str(), &opened)));
  EXPECT_EQ(textOf(gaudiRecipeHash(opened)),
            textOf(gaudiRecipeHash(recipe.get())));
  gaudiRecipeDestroy(opened);
  char *json = nullptr;
  ASSERT_TRUE(isFine(gaudiRecipePredict(recipe.get(), 0, nullptr, &json)));
  EXPECT_THAT(json, ::testing::HasSubstr("\"device\": \"gaudi2\""));
  gaudiTextDestroy(json);
}

TEST(CCompile, PassesRemarksOn) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  std::vector<std::string> remarks;
  options.context = &remarks;
  options.remark = [](void *context, const GaudiCompilerRemark *remark) {
    static_cast<std::vector<std::string> *>(context)->push_back(
        textOf(remark->pass) + " " + textOf(remark->kind));
  };
  ASSERT_TRUE(compile(matmul, &options));
  EXPECT_THAT(remarks, ::testing::Contains(::testing::StartsWith("gaudi-")));
}

// Contexts of the compiler are used again: nothing of an earlier model stays.
TEST(CCompile, GivesTheSameRecipeAgain) {
  const char other[] = R"(
    module {
      func.func @main(%arg0: !torch.vtensor<[2],f32>)
          -> !torch.vtensor<[2],f32> {
        %0 = torch.operator "torch.aten.sin"(%arg0) :
            (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
        return %0 : !torch.vtensor<[2],f32>
      }
    })";
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  const auto hashOf = [&](const char *model) {
    const RecipeOwner recipe = compile(model, &options);
    return recipe ? textOf(gaudiRecipeHash(recipe.get())) : std::string();
  };
  const std::string first = hashOf(matmul);
  ASSERT_FALSE(first.empty());
  for (uint32_t threads : {0, 1, 0}) {
    options.threads = threads;
    EXPECT_FALSE(hashOf(other).empty());
    GaudiRecipe *none = nullptr;
    EXPECT_THAT(
        messageOf(gaudiCompile("wrong", "func.func", 9, &options, &none),
                  GaudiErrorInvalidModel),
        ::testing::HasSubstr("wrong"));
    EXPECT_EQ(hashOf(matmul), first);
  }
}

TEST(CCompile, ListsPyTorchsOps) {
  std::vector<std::string> names;
  for (size_t i = 0; gaudiTorchOperator(i).length; ++i)
    names.push_back(textOf(gaudiTorchOperator(i)));
  EXPECT_GT(names.size(), 200u);
  EXPECT_THAT(names, ::testing::Contains("aten.add.Tensor"));
  EXPECT_THAT(names, ::testing::Contains("aten.relu"));
  EXPECT_EQ(gaudiTorchOperator(names.size()).length, 0u);
  EXPECT_EQ(gaudiTorchOperator(SIZE_MAX).length, 0u);
}
