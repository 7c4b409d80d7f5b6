// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches would need and compile, as the C interface tells it.
#include "Model.h"
#include "gaudi-c/Autocast.h"

#include <gmock/gmock.h>

using namespace gaudi::test;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

/// The text of a JSON result; the error is a test failure.
std::string jsonOf(GaudiError *error, char *json) {
  EXPECT_TRUE(isFine(error));
  const std::string text = json ? json : "";
  gaudiTextDestroy(json);
  return text;
}

RecipeOwner rowsFrom1To16() {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.shape = "arg0:rows=1..16";
  options.buckets = "rows=explicit:4,16";
  return compile(dynamicModel, &options);
}

std::string planOf(const RecipeOwner &recipe, const int64_t *sizes,
                   uint64_t deviceMemory) {
  char *json = nullptr;
  GaudiError *error =
      gaudiRecipePlanMemory(recipe.get(), 0, sizes, deviceMemory, &json);
  return jsonOf(error, json);
}

std::string replayOf(const RecipeOwner &recipe, const char *trace,
                     bool strictShapes = false) {
  char *json = nullptr;
  GaudiError *error =
      gaudiRecipeReplayTrace(recipe.get(), 0, trace, strictShapes, &json);
  return jsonOf(error, json);
}

GaudiRecompileSide modelOf(const std::string &text) {
  GaudiRecompileSide side = {};
  side.name = "test.mlir";
  side.source = text.data();
  side.bytes = text.size();
  return side;
}

std::string whyRecompile(const GaudiRecompileSide &was,
                         const GaudiRecompileSide &is) {
  char *json = nullptr;
  GaudiError *error = gaudiExplainRecompile(&was, &is, nullptr, &json);
  return jsonOf(error, json);
}

} // namespace

TEST(CAnalysis, PlansMemory) {
  const RecipeOwner recipe = compile(matmul);
  ASSERT_TRUE(recipe);
  const std::string all = planOf(recipe, nullptr, 0);
  EXPECT_THAT(all, HasSubstr("\"device\": \"gaudi2\""));
  EXPECT_THAT(all, HasSubstr("\"fits\": true"));
  EXPECT_THAT(all, HasSubstr("\"peak\""));
  const std::string little = planOf(recipe, nullptr, 8);
  EXPECT_THAT(little, HasSubstr("\"limit\": 8"));
  EXPECT_THAT(little, HasSubstr("\"fits\": false"));
  char *json = nullptr;
  EXPECT_EQ(messageOf(gaudiRecipePlanMemory(recipe.get(), 1, nullptr, 0, &json),
                      GaudiErrorInvalidArgument),
            "there is no entry 1, the recipe has 1");
  EXPECT_EQ(json, nullptr);
}

TEST(CAnalysis, ShowsMemory) {
  const RecipeOwner recipe = compile(matmul);
  ASSERT_TRUE(recipe);
  char *text = nullptr;
  GaudiError *error = gaudiRecipeMemoryText(recipe.get(), 0, nullptr, 8, &text);
  const std::string table = jsonOf(error, text);
  EXPECT_THAT(table, HasSubstr("planned for gaudi2: "));
  EXPECT_THAT(table, HasSubstr("what would help: "));
}

TEST(CAnalysis, PlansMemoryOfVariants) {
  const RecipeOwner recipe = rowsFrom1To16();
  ASSERT_TRUE(recipe);
  EXPECT_THAT(planOf(recipe, nullptr, 0), HasSubstr("\"rows\": 16"));
  const int64_t rows = 3;
  EXPECT_THAT(planOf(recipe, &rows, 0), Not(HasSubstr("\"buckets\"")));
}

TEST(CAnalysis, ReplaysTraces) {
  const RecipeOwner recipe = rowsFrom1To16();
  ASSERT_TRUE(recipe);
  const std::string report = replayOf(recipe, "rows,count\n3,2\n9,1\n17,4\n");
  EXPECT_THAT(report, HasSubstr("\"launches\": 7"));
  EXPECT_THAT(report, HasSubstr("\"misses\": 4"));
  EXPECT_THAT(report, HasSubstr("rows=1..17"));
  char *json = nullptr;
  EXPECT_THAT(messageOf(gaudiRecipeReplayTrace(recipe.get(), 0, "rows\nmany\n",
                                               0, &json),
                        GaudiErrorInvalidArgument),
              HasSubstr("line 2"));
  const RecipeOwner fixed = compile(matmul);
  ASSERT_TRUE(fixed);
  EXPECT_THAT(replayOf(fixed, "arg0\n2x3xf32\n4x3xf32\n"),
              HasSubstr("dimension 0 of input 'arg0' is 4, was 2"));
}

TEST(CAnalysis, ReplayRefusesWhatStrictShapesDoNotTake) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.shape = "arg0:rows=1..16";
  options.buckets = "rows=explicit:4";
  const RecipeOwner recipe = compile(dynamicModel, &options);
  ASSERT_TRUE(recipe);
  const char *const trace = "rows\n9\n";
  EXPECT_THAT(replayOf(recipe, trace), HasSubstr("\"misses\": 0"));
  EXPECT_THAT(replayOf(recipe, trace, true), HasSubstr("\"misses\": 1"));
}

TEST(CAnalysis, FindsTheLargestBatch) {
  const std::string text = doubleOf("8x", "f32");
  char *json = nullptr;
  GaudiError *error = gaudiFindMaxBatch("test.mlir", text.data(), text.size(),
                                        nullptr, nullptr, 4096, &json);
  const std::string found = jsonOf(error, json);
  EXPECT_THAT(found, HasSubstr("\"size\": 8"));
  EXPECT_THAT(found, HasSubstr("\"largest\": 512"));
  json = nullptr;
  EXPECT_THAT(messageOf(gaudiFindMaxBatch("test.mlir", text.data(), text.size(),
                                          nullptr, "other", 0, &json),
                        GaudiErrorInvalidModel),
              HasSubstr("other"));
  EXPECT_EQ(json, nullptr);
}

/// The answer, or the message of an InvalidArgument.
std::string comparePrecision(const GaudiPrecisionOptions &precision,
                             bool isError = false,
                             const GaudiCompileOptions *options = nullptr) {
  const std::string text = doubleOf("8x", "f32");
  char *json = nullptr;
  GaudiError *error = gaudiComparePrecision(
      "test.mlir", text.data(), text.size(), options, &precision, &json);
  return isError ? messageOf(error, GaudiErrorInvalidArgument)
                 : jsonOf(error, json);
}

TEST(CAnalysis, ComparesPrecisions) {
  GaudiPrecisionOptions precision = {};
  precision.size = sizeof(precision);
  const char *const places[] = {"", "Net.fc at net.py:1:1"};
  precision.places = places;
  precision.numPlaces = 2;
  std::vector<float> values(8, 1.001f);
  const int64_t shape = 8;
  const GaudiBuffer input = {values.data(), GaudiF32, 1, &shape, nullptr};
  precision.inputs = &input;
  precision.numInputs = 1;
  const std::string found = comparePrecision(precision);
  EXPECT_THAT(found, HasSubstr("\"setting\": \"bf16\""));
  EXPECT_THAT(found, HasSubstr("\"ops\": ["));
  precision.after = "int4";
  EXPECT_THAT(comparePrecision(precision, true),
              HasSubstr("expected bf16, f16, f32 or fp8 but got 'int4'"));
  precision.after = nullptr;
  precision.numInputs = 2;
  EXPECT_THAT(comparePrecision(precision, true),
              HasSubstr("got 2 inputs, the model has 1"));
  const int64_t nine = 9;
  const GaudiBuffer other = {values.data(), GaudiF32, 1, &nine, nullptr};
  precision.inputs = &other;
  precision.numInputs = 1;
  EXPECT_THAT(comparePrecision(precision, true),
              HasSubstr("is 9xf32; expected 8xf32, dense"));
  precision.inputs = nullptr;
  EXPECT_THAT(comparePrecision(precision, true),
              HasSubstr("'inputs' or 'places' is null"));
  precision.numInputs = 0;
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.autocast = "bf16";
  EXPECT_THAT(comparePrecision(precision, true, &options),
              HasSubstr("'autocast' is an option of one compilation"));
}

TEST(CAnalysis, ChecksGoldenValues) {
  const std::string text = doubleOf("8x", "f32");
  std::vector<float> values(8, 1);
  int64_t shape = 8;
  const char *name = "fc";
  GaudiBuffer golden = {values.data(), GaudiF32, 1, &shape, nullptr};
  GaudiBisectOptions bisection = {};
  bisection.size = sizeof(bisection);
  bisection.golden = &golden;
  bisection.goldenNames = &name;
  bisection.numGolden = 1;
  const auto refusal = [&] {
    char *json = nullptr;
    return messageOf(gaudiBisect("test.mlir", text.data(), text.size(), nullptr,
                                 &bisection, &json),
                     GaudiErrorInvalidArgument);
  };
  const auto noTensor = HasSubstr("golden value 'fc' has no element type, or "
                                  "no shape of sizes from 0 up");
  shape = -1;
  EXPECT_THAT(refusal(), noTensor);
  shape = 8;
  golden.type = GaudiElementType(15);
  EXPECT_THAT(refusal(), noTensor);
  golden.type = GaudiF32;
  golden.shape = nullptr;
  EXPECT_THAT(refusal(), noTensor);
  golden.data = nullptr;
  EXPECT_THAT(refusal(), HasSubstr("has no data, or is not dense"));
  name = nullptr;
  EXPECT_THAT(refusal(), HasSubstr("the name of golden value 0 is null"));
  bisection.goldenNames = nullptr;
  EXPECT_THAT(refusal(), HasSubstr("'goldenNames' or 'suspectName' is null"));
}

TEST(CAnalysis, HasTheListsOfAutocast) {
  std::vector<std::string> names;
  const auto add = [](void *context, GaudiStringRef name) {
    static_cast<std::vector<std::string> *>(context)->emplace_back(name.data,
                                                                   name.length);
  };
  ASSERT_EQ(gaudiAutocastNames(GaudiAutocastLower, nullptr, add, &names),
            nullptr);
  EXPECT_THAT(names, testing::Contains("matmul"));
  EXPECT_THAT(
      messageOf(gaudiAutocastNames(GaudiAutocastFloat, "/no/such", add, &names),
                GaudiErrorIo),
      HasSubstr("cannot read '/no/such'"));
  EXPECT_THAT(
      messageOf(gaudiAutocastNames(GaudiAutocastRule(7), nullptr, add, &names),
                GaudiErrorInvalidArgument),
      HasSubstr("expected a rule from 0 to 2 but got 7"));
  EXPECT_THAT(messageOf(gaudiAutocastNames(GaudiAutocastFloat, nullptr, nullptr,
                                           &names),
                        GaudiErrorInvalidArgument),
              HasSubstr("'add' is null"));
  EXPECT_TRUE(gaudiAutocastsFirstOnly("aten::layer_norm"));
  EXPECT_FALSE(gaudiAutocastsFirstOnly("aten::linear"));
}

TEST(CAnalysis, SweepsBatches) {
  const std::string text = doubleOf("8x", "f32");
  char *json = nullptr;
  GaudiError *error = gaudiSweepBatch("test.mlir", text.data(), text.size(),
                                      nullptr, nullptr, 4096, nullptr, &json);
  const std::string found = jsonOf(error, json);
  EXPECT_THAT(found, HasSubstr("\"largest\": 512"));
  EXPECT_THAT(found, HasSubstr("\"fastest\": 512"));
  EXPECT_THAT(found, HasSubstr("\"time_per_sample_us\": "));
  json = nullptr;
  EXPECT_THAT(
      messageOf(gaudiSweepBatch("test.mlir", text.data(), text.size(), nullptr,
                                nullptr, 4096, "/nowhere/page", &json),
                GaudiErrorIo),
      HasSubstr("/nowhere/page"));
  EXPECT_EQ(json, nullptr);
}

TEST(CAnalysis, ExplainsRecompiles) {
  const std::string eight = doubleOf("8x", "f32"), nine = doubleOf("9x", "f32");
  EXPECT_THAT(whyRecompile(modelOf(eight), modelOf(eight)),
              HasSubstr("\"recompile\": false"));
  const std::string models = whyRecompile(modelOf(eight), modelOf(nine));
  EXPECT_THAT(models, HasSubstr("\"recompile\": true"));
  EXPECT_THAT(models, HasSubstr("dimension 0 of input 'arg0' is 9, was 8"));
  const RecipeOwner was = compile(eight), is = compile(nine);
  ASSERT_TRUE(was && is);
  const GaudiRecompileSide before = {was.get(), 0, nullptr, nullptr, 0},
                           after = {is.get(), 0, nullptr, nullptr, 0};
  EXPECT_THAT(whyRecompile(before, after), HasSubstr("\"recompile\": true"));
  EXPECT_THAT(whyRecompile(before, modelOf(eight)),
              HasSubstr("\"recompile\": false"));
  // Whether a variant takes it.
  const RecipeOwner rows = rowsFrom1To16();
  ASSERT_TRUE(rows);
  const GaudiRecompileSide dynamic = {rows.get(), 0, "rows.recipe", nullptr, 0};
  EXPECT_THAT(whyRecompile(dynamic, modelOf(doubleOf("3x2x", "f32"))),
              HasSubstr("runs in the bucket rows 4"));
}

TEST(CAnalysis, RefusesSidesThatAreNeither) {
  const GaudiRecompileSide none = {};
  const std::string wrong = "func.func @main(";
  char *json = nullptr;
  EXPECT_THAT(messageOf(gaudiExplainRecompile(&none, &none, nullptr, &json),
                        GaudiErrorInvalidArgument),
              HasSubstr("'was' has neither a recipe nor a name and a source"));
  const GaudiRecompileSide side = modelOf(wrong);
  messageOf(gaudiExplainRecompile(&side, &side, nullptr, &json),
            GaudiErrorInvalidModel);
  EXPECT_EQ(json, nullptr);
}
