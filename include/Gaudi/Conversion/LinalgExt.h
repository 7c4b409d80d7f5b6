// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects that extend linalg in the output of torch-mlir (tm_tensor) and
// of IREE (iree_linalg_ext): scan, sort, top-k, scatter, gather and attention.
// Their ops are declared here so that they parse, in the form in which those
// tools print them and in the generic form; convert-linalg-to-gaudi reads them.
#ifndef GAUDI_CONVERSION_LINALGEXT_H
#define GAUDI_CONVERSION_LINALGEXT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Gaudi/Conversion/IreeLinalgExtDialect.h.inc"
#include "Gaudi/Conversion/TMTensorDialect.h.inc"
#include "Gaudi/Dialect/MLIR.h"

#define GET_OP_CLASSES
#include "Gaudi/Conversion/LinalgExtOps.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gaudi {

/// Registers the two dialects.
void registerLinalgExtDialects(DialectRegistry &registry);

/// How many leading dimensions of the indices of a scatter or gather number
/// its `slices` (updates or result), which have them, too. Indices are vectors
/// of `depth` components, whose dimension may be left out if it is 1; a slice
/// has the last dimensions of a tensor of `rank`, the indexed ones at most with
/// a window. Nothing if the shapes have no such reading.
std::optional<int64_t> indexBatchRank(RankedTensorType indices,
                                      RankedTensorType slices, int64_t depth,
                                      int64_t rank);

/// The maps of the tensors of an attention (query, key, value, mask if there is
/// one, result) on the loops of the op. Without `maps` the tensors are
/// [batch..., rows, columns], the mask maybe of size 1 in some.
SmallVector<AffineMap> attentionMaps(Operation *op, ArrayAttr maps);

} // namespace gaudi

#endif // GAUDI_CONVERSION_LINALGEXT_H
