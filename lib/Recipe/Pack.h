// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metadata of a recipe as bytes.
#ifndef GAUDI_LIB_RECIPE_PACK_H
#define GAUDI_LIB_RECIPE_PACK_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::recipe {

/// What variants may share, although the rest of the metadata refers to each
/// part once: strings and vectors of scalars that are this small. Each
/// reference to one is a field of a table of its own, so that reading all of
/// them takes time linear in the metadata.
constexpr uint32_t maxSharedCharacters = 64, maxSharedElements = 16;

/// True if an entry has variants: then equal small parts are written once.
bool sharesParts(const RecipeT &recipe);

/// The FlatBuffer. Equal recipes give equal bytes.
std::vector<uint8_t> packMetadata(const RecipeT &recipe);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_PACK_H
