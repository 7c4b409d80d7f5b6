// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to a module before its ops are converted one by one.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_PREPARE_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_PREPARE_H

#include "Gaudi/Conversion/ConversionReport.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gaudi::fromlinalg {

/// Upstream preparation: inlining, folding, decomposition (see the pass text),
/// and the expansion of control flow to at most `maxExpandedOps` ops more. Ops
/// that cannot be prepared are reported.
LogicalResult prepare(ModuleOp module, ConversionReport &report,
                      uint64_t maxExpandedOps,
                      llvm::function_ref<LogicalResult()> inlineCalls);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_PREPARE_H
