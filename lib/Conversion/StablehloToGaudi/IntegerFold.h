// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding of StableHLO integer scalars: loop counters, conditions, indices.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_INTEGERFOLD_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_INTEGERFOLD_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Builders.h"

namespace gaudi {

/// The number of a `stablehlo.constant` (or its twins) of one integer element.
/// i1 gives 0 or 1, other types their bits read as the type says.
std::optional<int64_t> integerConstant(Value value);

/// What the op equals, if that is known: one of its operands, or a new constant
/// before it. Null otherwise. Ops of one integer element only.
Value foldInteger(Operation *op, OpBuilder &builder);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_INTEGERFOLD_H
