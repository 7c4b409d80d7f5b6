// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replay files of launches of a program; gaudi-run reads them in its own tests.
#include "Model.h"

#include "gaudi-c/Replay.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>

using namespace gaudi::test;
using ::testing::HasSubstr;

namespace {

struct CReplay : ::testing::Test {
  RecipeOwner recipe = compile(matmul);
  std::string path = std::filesystem::temp_directory_path() /
                     ("replay-" + std::to_string(::getpid()) + ".zip");
  float x[6] = {}, w[6] = {}, y[4] = {};
  // The first one is transposed in memory.
  int64_t shape[2] = {2, 3}, other[2] = {3, 2}, out[2] = {2, 2},
          strides[2] = {1, 2};
  GaudiBuffer inputs[2] = {{x, GaudiF32, 2, shape, strides},
                           {w, GaudiF32, 2, other, nullptr}};
  GaudiBuffer outputs[1] = {{y, GaudiF32, 2, out, nullptr}};
  GaudiLaunchRecord record;

  CReplay() {
    gaudiLaunchRecordInit(&record);
    record.inputs = inputs;
    record.numInputs = 2;
  }
  ~CReplay() override { std::filesystem::remove(path); }
};

TEST_F(CReplay, Saves) {
  record.outputs = outputs;
  record.numOutputs = 1;
  ASSERT_TRUE(isFine(gaudiReplaySave(recipe.get(), 0, &record, path.c_str())));
  const auto without = std::filesystem::file_size(path);
  const char *const options[] = {"check-finite", "", "threads", "1"};
  record.options = options;
  record.numOptions = 2;
  record.withInputs = 1;
  record.source = "text";
  record.message = "why";
  record.code = 1;
  ASSERT_TRUE(isFine(gaudiReplaySave(recipe.get(), 0, &record, path.c_str())));
  EXPECT_GT(std::filesystem::file_size(path), without);
}

TEST_F(CReplay, WrongVariable) {
  ::setenv("GRAPH_VISUALIZATION", "maybe", 1);
  GaudiRecipe *made = nullptr;
  EXPECT_EQ(invalid(gaudiCompile("m.mlir", matmul, std::strlen(matmul), nullptr,
                                 &made)),
            "GRAPH_VISUALIZATION: expected true or false but got 'maybe'");
  ::unsetenv("GRAPH_VISUALIZATION");
}

TEST_F(CReplay, WrongArguments) {
  const auto message = [&](size_t entry = 0) {
    return invalid(gaudiReplaySave(recipe.get(), entry, &record, path.c_str()));
  };
  EXPECT_EQ(invalid(gaudiReplaySave(nullptr, 0, &record, path.c_str())),
            "'recipe' is null");
  EXPECT_EQ(invalid(gaudiReplaySave(recipe.get(), 0, nullptr, path.c_str())),
            "'record' is null");
  EXPECT_EQ(invalid(gaudiReplaySave(recipe.get(), 0, &record, nullptr)),
            "'path' is null");
  EXPECT_EQ(message(1), "the recipe has 1 entries, but entry 1 is asked for");
  record.numInputs = 1;
  EXPECT_EQ(message(),
            "got 1 input, but entry \"main\" has 2; missing: \"arg1\" "
            "(3x2xf32)");
  record.numInputs = 2;
  inputs[0].type = GaudiI32;
  EXPECT_THAT(message(),
              HasSubstr("' has not the type and shape that the entry says"));
  inputs[0].type = GaudiF32;
  shape[0] = 4;
  EXPECT_THAT(message(),
              HasSubstr("' has not the type and shape that the entry says"));
  shape[0] = 2;
  EXPECT_THAT(
      messageOf(gaudiReplaySave(recipe.get(), 0, &record, "/dev/null/a.zip"),
                GaudiErrorIo),
      HasSubstr("cannot write '/dev/null/a.zip'"));
  const char *options[] = {"output", "@/tmp/x"};
  record.options = options;
  record.numOptions = 1;
  EXPECT_EQ(message(),
            "the replay has an option --output, which no replay may have");
  options[0] = "model";
  EXPECT_EQ(message(),
            "the replay gives '@/tmp/x' to --model; expected a file in it");
  options[1] = nullptr;
  EXPECT_EQ(message(), "'the value of an option' is null");
  options[0] = nullptr;
  EXPECT_EQ(message(), "'the name of an option' is null");
  record.options = nullptr;
  EXPECT_EQ(message(), "'options' is null");
  record.numOptions = 0;
  record.numOutputs = 1;
  EXPECT_EQ(message(), "'outputs' is null");
  record.numOutputs = 0;
  record.inputs = nullptr;
  EXPECT_EQ(message(), "'inputs' is null");
  record.inputs = inputs;
  record.size = 3;
  EXPECT_THAT(message(), HasSubstr("'size' of gaudiLaunchRecord is 3"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
