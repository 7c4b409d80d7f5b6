// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks updates in place.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_CHECKUPDATES_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_CHECKUPDATES_H

#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Reports the first update in place that changes bytes of its buffer which
/// something reads later as a value from before. Links of values to slices must
/// form a tree. Near-linear, unless windows whose elements interleave are alive
/// across many updates.
void checkUpdates(
    func::FuncOp function, const BufferGroups &groups,
    llvm::function_ref<InFlightDiagnostic(Operation *)> beginError);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_CHECKUPDATES_H
