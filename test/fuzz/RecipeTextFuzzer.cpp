// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a recipe: what parses and verifies prints to a text that gives
// the same bytes.
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"

#include <cstdlib>
#include <sstream>

using namespace gaudi;
using namespace gaudi::recipe;

static Result<std::vector<uint8_t>> bytesOf(std::string_view text) {
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  if (!parsed)
    return fail(parsed.error().message);
  return writeRecipe(parsed->recipe, parsed->constants());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<std::vector<uint8_t>> bytes =
      bytesOf({reinterpret_cast<const char *>(data), size});
  if (!bytes)
    return 0;
  Result<RecipeFile> file =
      RecipeFile::fromBuffer({bytes->data(), bytes->size()});
  if (!file)
    std::abort();
  std::ostringstream text;
  printRecipe(text, *file);
  Result<std::vector<uint8_t>> again = bytesOf(text.str());
  if (!again || *again != *bytes)
    std::abort();
  return 0;
}
