// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes given as text.
#ifndef GAUDI_TEST_UNIT_RUNTIME_TEXTRECIPE_H
#define GAUDI_TEST_UNIT_RUNTIME_TEXTRECIPE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Runtime/Executable.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace gaudi::test {

/// Null and a test failure if the recipe is refused.
inline std::shared_ptr<const recipe::RecipeFile>
fileOfText(const std::string &text) {
  auto parsed = recipe::parseRecipeText(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  if (!parsed)
    return nullptr;
  auto bytes = recipe::writeRecipe(parsed->recipe, parsed->constants());
  EXPECT_TRUE(bytes) << bytes.error().message;
  if (!bytes)
    return nullptr;
  auto file = recipe::RecipeFile::fromBuffer({bytes->data(), bytes->size()});
  EXPECT_TRUE(file) << file.error().message;
  if (!file)
    return nullptr;
  return std::make_shared<const recipe::RecipeFile>(std::move(*file));
}

/// The same, loaded.
inline std::unique_ptr<runtime::Executable>
loadText(const std::string &text, const runtime::LoadOptions &options = {}) {
  auto file = fileOfText(text);
  if (!file)
    return nullptr;
  auto executable = runtime::Executable::load(file, options);
  EXPECT_TRUE(executable) << executable.error().message;
  return executable ? std::move(*executable) : nullptr;
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_TEXTRECIPE_H
