// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of an entry with variants.
#ifndef GAUDI_RECIPE_VARIANTS_H
#define GAUDI_RECIPE_VARIANTS_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Shapes/Buckets.h"

namespace gaudi::recipe {

/// The sizes of the variants, in their order. What a launch of each takes is
/// its predicted time, or if one has none its elements.
Result<shapes::Buckets> bucketsOf(const Dispatch &dispatch);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_VARIANTS_H
