// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of StableHLO that are written before sizes are followed.
#ifndef GAUDI_CONVERSION_STABLEHLOFORMS_H
#define GAUDI_CONVERSION_STABLEHLOFORMS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"

namespace gaudi {

/// Writes window reductions that exporters write as custom calls, because
/// their windows are operands, as `stablehlo.dynamic_reduce_window`: with the
/// function that the call names as its region. Calls have been inlined.
void writeDynamicWindows(ModuleOp module);

/// Writes composites with dynamic dimensions as calls of their decompositions.
/// Fails with an error at one without.
LogicalResult callDynamicComposites(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_CONVERSION_STABLEHLOFORMS_H
