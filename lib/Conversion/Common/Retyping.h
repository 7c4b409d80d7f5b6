// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other types for the values of ops, which front ends give types of the device.
#ifndef GAUDI_LIB_CONVERSION_COMMON_RETYPING_H
#define GAUDI_LIB_CONVERSION_COMMON_RETYPING_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// True if `test` holds for the type of an operand or result of `op`, or of an
/// argument of its regions.
bool touchesType(Operation *op, llvm::function_ref<bool(Type)> test);

using TypeMap = llvm::function_ref<Type(Type)>;
/// Gives the results of `op` and the arguments of its regions the types that
/// `map` makes of theirs. Attributes stay.
void retype(Operation *op, TypeMap map);
/// The same for the signature, but not the body; true if it changed.
bool retypeSignature(func::FuncOp function, TypeMap map);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_RETYPING_H
