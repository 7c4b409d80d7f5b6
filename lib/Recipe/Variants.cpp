// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of an entry with variants.
#include "Gaudi/Recipe/Variants.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Recipe/Writer.h"

#include <memory>

namespace gaudi::recipe {

Result<shapes::Buckets> bucketsOf(const Dispatch &dispatch) {
  std::vector<std::string> names;
  for (const Symbol *symbol : items(dispatch.symbols()))
    names.emplace_back(text(symbol->name()));
  std::vector<shapes::Sizes> boxes;
  std::vector<double> costs;
  bool arePredicted = true;
  for (const Variant *variant : items(dispatch.variants())) {
    boxes.push_back(copyOf(variant->sizes()));
    costs.push_back(double(variant->picoseconds()));
    arePredicted &= variant->picoseconds() >= 0;
  }
  if (!arePredicted)
    costs.clear();
  return shapes::Buckets::create(std::move(names), std::move(boxes),
                                 std::move(costs));
}

Result<std::vector<uint8_t>>
variantAlone(const RecipeFile &file, const Entry &entry, uint32_t variant) {
  const uint32_t number = items(entry.dispatch()->variants())[variant]->entry();
  const std::unique_ptr<RecipeT> copy(file.recipe().UnPack());
  std::unique_ptr<EntryT> alone = std::move(copy->entries[number]);
  alone->name = text(entry.name());
  copy->entries.clear();
  copy->entries.push_back(std::move(alone));
  copy->fusions.clear();
  copy->permutations.clear();
  copy->memory.clear();
  return writeRecipe(*copy, constantsOf(file));
}

} // namespace gaudi::recipe
