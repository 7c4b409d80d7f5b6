// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of an entry with variants.
#ifndef GAUDI_RECIPE_VARIANTS_H
#define GAUDI_RECIPE_VARIANTS_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Shapes/Buckets.h"

namespace gaudi::recipe {

/// The sizes of the variants, in their order. What a launch of each takes is
/// its predicted time, or if one has none its elements.
Result<shapes::Buckets> bucketsOf(const Dispatch &dispatch);

/// A variant of an entry as a recipe of its own, whose only entry is that: its
/// tensors have the sizes of the variant, and its extents are inputs like
/// others. What passes did is not in it. The bytes of a recipe file. Errors:
/// those of the verifier, of a variant that launches other entries.
Result<std::vector<uint8_t>> variantAlone(const RecipeFile &file,
                                          const Entry &entry, uint32_t variant);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_VARIANTS_H
