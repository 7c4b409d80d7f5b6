// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scheduled form to recipe: the last step of compilation.
#ifndef GAUDI_CONVERSION_GAUDITORECIPE_GAUDITORECIPE_H
#define GAUDI_CONVERSION_GAUDITORECIPE_GAUDITORECIPE_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Recipe/Writer.h"
#include "mlir/IR/BuiltinOps.h"
#include <deque>

namespace gaudi {

/// A recipe in memory, ready for recipe::writeRecipe. `constants` points into
/// the module's attributes (it must outlive this object) and into `owned`.
struct EmittedRecipe {
  recipe::RecipeT recipe;
  std::vector<gaudi::recipe::ConstData> constants;
  std::deque<std::vector<uint8_t>> owned;
};

/// Translates a module in scheduled form with buffers (phase memory). Fails
/// with an error on the op that has no recipe form. `isVerified`: the promises
/// of the phase have just been checked. The times of variants are not known.
LogicalResult emitRecipe(ModuleOp module, EmittedRecipe &emitted,
                         bool isVerified = false);

} // namespace gaudi

#endif // GAUDI_CONVERSION_GAUDITORECIPE_GAUDITORECIPE_H
