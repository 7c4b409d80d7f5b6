// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of StableHLO that nobody reads. MLIR does not know their effects, since
// they are not registered.
#ifndef GAUDI_CONVERSION_DEADSTABLEHLO_H
#define GAUDI_CONVERSION_DEADSTABLEHLO_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace gaudi {

/// True for an op without regions whose results nobody reads and that has no
/// effect. False for ops that are not of StableHLO.
bool isDeadStablehlo(Operation *op);

} // namespace gaudi

#endif // GAUDI_CONVERSION_DEADSTABLEHLO_H
