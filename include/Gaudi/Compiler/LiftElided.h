// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models whose publisher removed the weights (`dense_resource<__elided__>`).
#ifndef GAUDI_COMPILER_LIFTELIDED_H
#define GAUDI_COMPILER_LIFTELIDED_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace gaudi {

/// Gives each constant of the module that is a resource without data, of any
/// dialect, a resource name of its own. All may share one, and then inlining
/// and folding would take equal types for equal values, and change their order.
void numberElided(ModuleOp module);

/// Makes an argument of each numbered constant of `function`; copies of one
/// constant share an argument. They follow the function's own in the order of
/// their numbers and are called elided0, elided1, ... in recipes. Returns how
/// many there are.
unsigned liftElided(FunctionOpInterface function);

} // namespace gaudi

#endif // GAUDI_COMPILER_LIFTELIDED_H
