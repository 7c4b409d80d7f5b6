// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions of recipes that are given as text.
#ifndef GAUDI_TEST_PREDICTION_RECIPETEXT_H
#define GAUDI_TEST_PREDICTION_RECIPETEXT_H

#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"

#include <gtest/gtest.h>
#include <string>

namespace gaudi::prediction {

inline recipe::RecipeFile recipeOf(const std::string &text) {
  Result<recipe::ParsedRecipe> parsed = recipe::parseRecipeText(text);
  EXPECT_TRUE(parsed) << parsed.error().message << "\n" << text;
  Result<std::vector<uint8_t>> bytes =
      recipe::writeRecipe(parsed->recipe, parsed->constants());
  EXPECT_TRUE(bytes) << bytes.error().message << "\n" << text;
  Result<recipe::RecipeFile> file =
      recipe::RecipeFile::fromBuffer({bytes->data(), bytes->size()});
  EXPECT_TRUE(file) << file.error().message;
  return std::move(*file);
}

inline Prediction predictionOf(const std::string &text, uint32_t entry = 0) {
  const recipe::RecipeFile file = recipeOf(text);
  Result<Prediction> prediction = predict(file, entry);
  EXPECT_TRUE(prediction) << prediction.error().message;
  return std::move(*prediction);
}

} // namespace gaudi::prediction

#endif // GAUDI_TEST_PREDICTION_RECIPETEXT_H
