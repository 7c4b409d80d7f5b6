// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gaudi-verify-phase checks of memory form.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_CHECKMEMORY_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_CHECKMEMORY_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Checks that outputs have buffers of their own, that every value has one
/// within its section, and that no byte is overwritten while something still
/// reads it, from the buffers and uses alone. `error` begins an error on an op.
void checkMemory(func::FuncOp function,
                 llvm::function_ref<InFlightDiagnostic(Operation *)> error);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_CHECKMEMORY_H
