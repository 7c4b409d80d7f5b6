// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics that nobody shall hear, of one thread.
#ifndef GAUDI_DIALECT_QUIETDIAGNOSTICS_H
#define GAUDI_DIALECT_QUIETDIAGNOSTICS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

namespace gaudi {

/// While one exists, the diagnostics of its thread are dropped: those of a
/// trial are no errors of the program. Other threads may compile something else
/// in the context meanwhile, and are heard.
class QuietDiagnostics {
public:
  explicit QuietDiagnostics(MLIRContext *context)
      : handler(context, [own = llvm::get_threadid()](Diagnostic &) {
          return success(llvm::get_threadid() == own);
        }) {}

private:
  ScopedDiagnosticHandler handler;
};

} // namespace gaudi

#endif // GAUDI_DIALECT_QUIETDIAGNOSTICS_H
