// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of recipes, for people and for tests.
//
// One line per section, tensor and command; kernels are small programs. The
// grammar is in docs/recipe-format.md. Printing a recipe and parsing the text
// back gives the same bytes.
#ifndef GAUDI_RECIPE_TEXT_H
#define GAUDI_RECIPE_TEXT_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <limits>
#include <ostream>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

struct PrintOptions {
  /// Const sections with more bytes than this are printed as
  /// `<elided N bytes>`, which cannot be parsed back.
  uint64_t elideConstantsAbove = std::numeric_limits<uint64_t>::max();
};

void printRecipe(std::ostream &out, const RecipeFile &file,
                 const PrintOptions &options = {});

/// A recipe read from text: what the writer needs to make the file.
struct ParsedRecipe {
  RecipeT recipe;
  std::vector<std::vector<uint8_t>> sectionBytes; // per section

  /// `sectionBytes` in the writer's form; points into this object.
  std::vector<ConstData> constants() const;
};

/// Errors read "LINE:COLUMN: message". Only the syntax is checked here; the
/// writer verifies the meaning.
Result<ParsedRecipe> parseRecipeText(std::string_view text);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_TEXT_H
