// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices into dimensions that an import has collapsed.
#ifndef GAUDI_DIALECT_PADDEDINDICES_H
#define GAUDI_DIALECT_PADDEDINDICES_H

#include "Gaudi/Dialect/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Attribute of an op in a variant: an import computes its indices from static
/// sizes, so that they count padding, as those of a program do not. For
/// scatters of rows a list: the shape that data had before it was collapsed,
/// the dimensions of it in which positions are computed, and the same of the
/// updates. Else a unit attribute: what is indexed may not be collapsed from
/// several padded dimensions. gaudi-mask-padding removes it.
constexpr llvm::StringLiteral paddedIndicesAttrName = "gaudi.padded_indices";

/// Sets the attribute where there is padding at all.
inline void setPaddedIndices(Operation *op, Attribute value = {}) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (function && function->hasAttr(bucketAttrName))
    op->setAttr(paddedIndicesAttrName,
                value ? value : UnitAttr::get(op->getContext()));
}

/// The same for a scatter of rows.
inline void setPaddedIndices(Operation *op, ArrayRef<int64_t> dataShape,
                             ArrayRef<int64_t> dataDims,
                             ArrayRef<int64_t> updateShape,
                             ArrayRef<int64_t> updateDims) {
  Builder b(op->getContext());
  setPaddedIndices(op, b.getArrayAttr({b.getDenseI64ArrayAttr(dataShape),
                                       b.getDenseI64ArrayAttr(dataDims),
                                       b.getDenseI64ArrayAttr(updateShape),
                                       b.getDenseI64ArrayAttr(updateDims)}));
}

} // namespace gaudi

#endif // GAUDI_DIALECT_PADDEDINDICES_H
