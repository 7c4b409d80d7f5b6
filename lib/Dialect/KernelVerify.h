// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of a kernel's ops share.
#ifndef GAUDI_LIB_DIALECT_KERNELVERIFY_H
#define GAUDI_LIB_DIALECT_KERNELVERIFY_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// The error with a note at the other party.
inline LogicalResult withNote(InFlightDiagnostic &&error, Location loc,
                              StringRef note) {
  error.attachNote(loc) << note;
  return std::move(error);
}

/// The error with a note at the kernel around the op.
inline LogicalResult inKernel(InFlightDiagnostic &&error, KernelOp kernel) {
  return withNote(std::move(error), kernel.getLoc(), "in this kernel");
}

/// The kernel around the op, or an error.
FailureOr<KernelOp> verifyInKernel(Operation *op);

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_KERNELVERIFY_H
