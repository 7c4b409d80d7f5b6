// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 as an intermediate type, for the front ends whose sources widen to it.
#ifndef GAUDI_LIB_CONVERSION_COMMON_DEMOTE_H
#define GAUDI_LIB_CONVERSION_COMMON_DEMOTE_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// True if a type of `op`, or of an argument of its regions, is f64.
bool touchesDouble(Operation *op);

/// Floats of f64 become f32 where all of them start from narrower values and
/// end in narrower values without deciding anything: comparisons and whole
/// numbers keep their f64, and so does the rest of the function. A function
/// with several blocks or f64 in its signature stays as it is. Remarks
/// `demote-f64` of `category` say which ops changed, or which op prevents it.
void demoteDoubles(func::FuncOp func, StringRef category);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_DEMOTE_H
