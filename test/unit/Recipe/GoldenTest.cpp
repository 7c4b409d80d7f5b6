// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of every format version stay readable, and writers stay faithful.
#include "Samples.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

const std::string golden = GAUDI_RECIPE_TEST_DATA "/golden/";

struct Version {
  const char *name;
  uint16_t minor;
  uint64_t features;
};
constexpr Version versions[] = {{"v1.0", 0, 0},
                                {"v1.1", 1, 2},
                                {"v1.2", 2, 12},
                                {"v1.3", 3, 0},
                                {"v1.3-attention", 3, 32},
                                {"v1.4", 4, 0},
                                {"v1.5", 5, 0},
                                {"v1.6", 6, 64},
                                {"v1.7", 7, 128}};

TEST(Golden, EachVersionReadsAsItsText) {
  for (const Version &version : versions) {
    Result<RecipeFile> file =
        RecipeFile::open(golden + version.name + ".recipe");
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<uint8_t> text = readFile(golden + version.name + ".txt");
    EXPECT_EQ(printed(*file), std::string(text.begin(), text.end()));
    EXPECT_EQ(file->header().major, 1);
    EXPECT_EQ(file->header().minor, version.minor);
    EXPECT_EQ(file->header().features, version.features);
  }
}

TEST(Golden, EachVersionIsWrittenByteForByte) {
  for (const Version &version : versions) {
    const std::vector<uint8_t> text = readFile(golden + version.name + ".txt");
    EXPECT_EQ(bytesOfText(std::string(text.begin(), text.end())),
              readFile(golden + version.name + ".recipe"));
  }
}

} // namespace
