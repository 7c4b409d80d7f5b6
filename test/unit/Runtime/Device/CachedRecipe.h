// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes of any size and content for tests of the recipe cache.
#ifndef GAUDI_TEST_UNIT_RUNTIME_DEVICE_CACHEDRECIPE_H
#define GAUDI_TEST_UNIT_RUNTIME_DEVICE_CACHEDRECIPE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Writer.h"

#include <memory>
#include <string>
#include <vector>

namespace gaudi::test {

/// A recipe of about that many bytes, most of them a constant that differs from
/// seed to seed. Null if it cannot be made.
inline std::shared_ptr<const recipe::RecipeFile> cachedRecipe(uint64_t seed,
                                                              size_t bytes) {
  std::vector<uint8_t> constant((bytes + 3) / 4 * 4);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (uint8_t &byte : constant) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = uint8_t(state >> 40);
  }
  recipe::RecipeT recipe;
  recipe.target = "gaudi2";
  recipe.locations = {""};
  recipe.sections.push_back(std::make_unique<recipe::SectionT>());
  recipe::SectionT &section = *recipe.sections.back();
  section.kind = recipe::SectionKind::Const;
  section.alignment = 64;
  section.size = constant.size();
  recipe.tensors.push_back(std::make_unique<recipe::TensorT>());
  recipe::TensorT &tensor = *recipe.tensors.back();
  tensor.tensor_class = recipe::TensorClass::Const;
  tensor.type = recipe::ElementType::F32;
  tensor.sizes = {int64_t(constant.size() / 4)};
  tensor.strides = {1};
  auto written = recipe::writeRecipe(
      recipe, {{0, {{0, constant.data(), constant.size()}}}});
  if (!written)
    return nullptr;
  auto file =
      recipe::RecipeFile::fromBuffer({written->data(), written->size()});
  return file ? std::make_shared<const recipe::RecipeFile>(std::move(*file))
              : nullptr;
}

inline std::string contentOf(const recipe::RecipeFile &file) {
  return {reinterpret_cast<const char *>(file.bytes().data), file.bytes().size};
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_DEVICE_CACHEDRECIPE_H
