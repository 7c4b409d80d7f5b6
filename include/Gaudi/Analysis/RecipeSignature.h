// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compilation of a recipe depended on, as far as the file says it.
#ifndef GAUDI_ANALYSIS_RECIPESIGNATURE_H
#define GAUDI_ANALYSIS_RECIPESIGNATURE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Shapes/Recompile.h"

namespace gaudi::analysis {

/// Of an entry that callers see. Its ops are the commands, of the largest
/// variant if it has some; constants are those of the whole file.
shapes::Signature recipeSignature(const recipe::RecipeFile &file,
                                  uint32_t entry);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_RECIPESIGNATURE_H
