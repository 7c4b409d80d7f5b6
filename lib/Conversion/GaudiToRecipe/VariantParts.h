// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workspaces and commands of variants, several at a time.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTPARTS_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTPARTS_H

#include "RecipeAssembly.h"

namespace gaudi {

/// Entries of variants that have no commands yet. What they share (arguments,
/// outputs, constants) is in the recipe.
class VariantParts {
public:
  /// `entry`: the number of the function's entry.
  void add(func::FuncOp function, size_t entry) {
    parts.push_back({function, entry, nullptr});
  }

  /// Emits all of them into `recipe`; each thread makes parts of it.
  LogicalResult emit(RecipeAssembly &recipe);

private:
  struct Part {
    func::FuncOp function;
    size_t entry;
    std::unique_ptr<RecipeAssembly> assembly;
  };
  static LogicalResult emit(Part &part, RecipeAssembly &recipe);

  std::vector<Part> parts;
};

/// The name of a tensor: what the op does, and a number. Those of variants are
/// equal, so that the file has them once.
std::string tensorName(Operation *op, size_t number);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTPARTS_H
