// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections of a recipe under construction.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_SECTIONS_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_SECTIONS_H

#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// The first function keeps the sections that were planned for it; those of
/// further ones are extended value by value, as far as they are not shared.
/// One entry runs at a time, so that all use one workspace.
class Sections {
public:
  /// `alignment`: of buffers, bytes.
  Sections(EmittedRecipe &emitted, uint64_t alignment)
      : emitted(emitted), alignment(alignment) {}

  void add(func::FuncOp function);
  /// Whether the last function is the first one.
  bool isFirst() const { return first; }

  /// Appends bytes to a section.
  uint64_t reserve(recipe::SectionKind kind, uint64_t bytes);
  /// Where the buffer of a value of the last function is in the recipe.
  uint64_t placeOf(Value value);
  /// The same for a tensor that is no value of a function.
  uint64_t placeOf(RankedTensorType type);

private:
  EmittedRecipe &emitted;
  const uint64_t alignment;
  bool first = true;
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_SECTIONS_H
