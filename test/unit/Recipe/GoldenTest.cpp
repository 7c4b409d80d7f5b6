// Files of every format version stay readable, and writers stay faithful.
#include "Samples.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

const std::string golden = GAUDI_RECIPE_TEST_DATA "/golden/";

constexpr uint16_t minors[] = {0, 1, 2, 3};
constexpr uint64_t features[] = {0, 2, 12, 0};

std::string nameOf(uint16_t minor) {
  return golden + "v1." + std::to_string(minor);
}

TEST(Golden, EachVersionReadsAsItsText) {
  for (const uint16_t minor : minors) {
    Result<RecipeFile> file = RecipeFile::open(nameOf(minor) + ".recipe");
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<uint8_t> text = readFile(nameOf(minor) + ".txt");
    EXPECT_EQ(printed(*file), std::string(text.begin(), text.end()));
    EXPECT_EQ(file->header().major, 1);
    EXPECT_EQ(file->header().minor, minor);
    EXPECT_EQ(file->header().features, features[minor]);
  }
}

TEST(Golden, EachVersionIsWrittenByteForByte) {
  for (const uint16_t minor : minors) {
    const std::vector<uint8_t> text = readFile(nameOf(minor) + ".txt");
    EXPECT_EQ(bytesOfText(std::string(text.begin(), text.end())),
              readFile(nameOf(minor) + ".recipe"));
  }
}

} // namespace
