// Which arguments and results may be stored in another order than callers have
// them in.
#ifndef GAUDI_TRANSFORMS_PERMUTATIONS_H
#define GAUDI_TRANSFORMS_PERMUTATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::gaudi {

/// The pass gaudi-allow-permutation: sets `gaudi.allow_permutation` on the
/// arguments and results of public functions that `names` gives, their names
/// separated by commas, or `inputs`, `outputs` (both without variables) or
/// `all` for all that can have it. A name that nothing has is an error, which
/// lists those that there are, as is one of what must keep its order: no ranked
/// tensor, a function of which the host launches parts or that another one
/// calls, or a state that several functions share by its name, since each
/// chooses orders by itself.
std::unique_ptr<Pass> createAllowPermutation(StringRef names);
void registerAllowPermutation();

/// Fails with an error on the function for an attribute of permutation that is
/// malformed or where none may be, or if a state and the result that replaces
/// it have two orders.
LogicalResult verifyPermutations(func::FuncOp function);

/// Fails if callers accept any order of a state that several functions share,
/// or of what a call in the module passes.
LogicalResult verifyAllowed(ModuleOp module);

} // namespace mlir::gaudi

#endif // GAUDI_TRANSFORMS_PERMUTATIONS_H
