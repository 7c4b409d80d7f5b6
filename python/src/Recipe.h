// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recipe of the library as a Python object.
#ifndef GAUDI_PYTHON_RECIPE_H
#define GAUDI_PYTHON_RECIPE_H

#include "Native.h"

#include "gaudi-c/Recipe.h"

namespace gaudi::python {

class Recipe {
public:
  /// Takes the recipe.
  explicit Recipe(GaudiRecipe *recipe) : recipe(recipe) {}
  Recipe(Recipe &&other) noexcept : recipe(other.recipe) {
    other.recipe = nullptr;
  }
  Recipe(const Recipe &) = delete;
  Recipe &operator=(const Recipe &) = delete;
  ~Recipe() { gaudiRecipeDestroy(recipe); }

  const GaudiRecipe *get() const { return recipe; }

private:
  GaudiRecipe *recipe;
};

} // namespace gaudi::python

#endif // GAUDI_PYTHON_RECIPE_H
