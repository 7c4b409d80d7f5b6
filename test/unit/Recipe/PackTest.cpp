// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metadata of recipes with variants, whose small equal parts are written once.
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"
#include "Samples.h"

#include <gtest/gtest.h>

namespace gaudi::recipe {
namespace {

std::vector<uint8_t> plainBytes(const RecipeT &recipe) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Recipe::Pack(builder, &recipe), RecipeIdentifier());
  return {builder.GetBufferPointer(),
          builder.GetBufferPointer() + builder.GetSize()};
}

TEST(Pack, SharingKeepsEveryField) {
  Result<ParsedRecipe> parsed = parseRecipeText(test::dispatchText);
  ASSERT_TRUE(parsed) << parsed.error().message;
  RecipeT *recipe = &parsed->recipe;
  // Parts that are too long to be shared, twice.
  const std::string longName(80, 'n');
  for (int i = 0; i < 2; ++i)
    recipe->entries[i]->name = longName + std::to_string(i);
  auto bytes = writeRecipe(*recipe, parsed->constants());
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto file = RecipeFile::fromBuffer({bytes->data(), bytes->size()}, "sample");
  ASSERT_TRUE(file) << file.error().message;
  std::unique_ptr<RecipeT> read(file->recipe().UnPack());
  EXPECT_EQ(plainBytes(*read), plainBytes(*recipe));
}

} // namespace
} // namespace gaudi::recipe
