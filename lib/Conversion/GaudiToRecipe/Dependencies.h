// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders commands of different engines that touch the same bytes.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_DEPENDENCIES_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_DEPENDENCIES_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Recipe/Recipe_generated.h"

namespace gaudi {

/// Fills `dependencies` of every command: the fewest earlier commands that,
/// with the order of each engine's queue, put every conflicting access after
/// the one it must follow. Near linear in the number of commands.
void computeDependencies(const recipe::RecipeT &recipe, recipe::EntryT &entry);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_DEPENDENCIES_H
