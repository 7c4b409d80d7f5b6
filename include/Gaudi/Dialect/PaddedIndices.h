// Indices into dimensions that an import has collapsed.
#ifndef GAUDI_DIALECT_PADDEDINDICES_H
#define GAUDI_DIALECT_PADDEDINDICES_H

#include "Gaudi/Dialect/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::gaudi {

/// Unit attribute of an op in a variant: what it reads by index or position has
/// been collapsed by an import, which computes positions from the static sizes.
/// So they count padding. Those of a program, which collapses what it has, do
/// not. gaudi-mask-padding removes it.
constexpr llvm::StringLiteral paddedIndicesAttrName = "gaudi.padded_indices";

/// Sets the attribute where there is padding at all.
inline void setPaddedIndices(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (function && function->hasAttr(bucketAttrName))
    op->setAttr(paddedIndicesAttrName, UnitAttr::get(op->getContext()));
}

} // namespace mlir::gaudi

#endif // GAUDI_DIALECT_PADDEDINDICES_H
