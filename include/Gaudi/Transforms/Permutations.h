// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments and results may be stored in another order than callers have
// them in.
#ifndef GAUDI_TRANSFORMS_PERMUTATIONS_H
#define GAUDI_TRANSFORMS_PERMUTATIONS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gaudi {

/// An argument or result of a function.
struct FunctionSide {
  bool isResult;
  unsigned number;

  bool operator==(const FunctionSide &other) const {
    return isResult == other.isResult && number == other.number;
  }
  bool operator<(const FunctionSide &other) const {
    return isResult != other.isResult ? other.isResult : number < other.number;
  }
};

/// What gaudi-allow-permutation marks of the function if it marks all: the
/// arguments and results that users can name and that do not keep their order.
SmallVector<FunctionSide, 0> permutableSides(func::FuncOp function);

/// Fails with an error on the function for an attribute of permutation that is
/// malformed or where none may be, or if a state and the result that replaces
/// it have two orders.
LogicalResult verifyPermutations(func::FuncOp function);

/// Fails if callers accept any order of a state that several functions share,
/// or of what a call in the module passes.
LogicalResult verifyAllowed(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PERMUTATIONS_H
