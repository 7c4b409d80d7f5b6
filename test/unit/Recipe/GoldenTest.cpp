// Files of format version 1.0 stay readable, and writers stay faithful.
#include "Samples.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

const std::string golden = GAUDI_RECIPE_TEST_DATA "/golden/";

TEST(Golden, Version10ReadsAsItsText) {
  Result<RecipeFile> file = RecipeFile::open(golden + "v1.0.recipe");
  ASSERT_TRUE(file) << file.error().message;
  const std::vector<uint8_t> text = readFile(golden + "v1.0.txt");
  EXPECT_EQ(printed(*file), std::string(text.begin(), text.end()));
  EXPECT_EQ(file->header().major, 1);
  EXPECT_EQ(file->header().minor, 0);
}

TEST(Golden, Version10IsWrittenByteForByte) {
  const std::vector<uint8_t> text = readFile(golden + "v1.0.txt");
  EXPECT_EQ(bytesOfText(std::string(text.begin(), text.end())),
            readFile(golden + "v1.0.recipe"));
}

} // namespace
