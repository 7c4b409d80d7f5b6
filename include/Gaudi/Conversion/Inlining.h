// The bound on inlining, which all entry points to the front ends apply.
#ifndef GAUDI_CONVERSION_INLINING_H
#define GAUDI_CONVERSION_INLINING_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::gaudi {

/// Most ops that inlining may add to a function.
constexpr uint64_t maxInlinedOps = uint64_t(1) << 20;

/// Fails, with an error at the function, if the bodies that its calls copy
/// into it have more than maxInlinedOps ops: a chain of n functions that call
/// the next twice has 2^n. Linear in the module. Recursive calls count once;
/// the inliner leaves them.
LogicalResult checkInlinedSize(ModuleOp module);

/// Writes the symbols in properties of ops that are not registered, such as
/// stablehlo.composite, as attributes, too: MLIR does not see them in
/// properties, and would remove the functions.
void showSymbols(ModuleOp module);

} // namespace mlir::gaudi

#endif // GAUDI_CONVERSION_INLINING_H
