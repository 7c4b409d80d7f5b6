// What the arguments and results of an entry say beyond their types: names, and
// which result an argument has as its value in the next launch.
#ifndef GAUDI_TRANSFORMS_SIGNATURE_H
#define GAUDI_TRANSFORMS_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace mlir::gaudi {

/// Attribute of a function argument: the number of the result that replaces its
/// value at the end of a launch. The argument is state: it has a value from
/// launch to launch and one buffer, which the result is written to.
constexpr llvm::StringLiteral stateAttrName = "gaudi.state";

/// The name a recipe gives to an argument: its attribute `gaudi.name`, else its
/// named location, else "arg" and the number.
std::string argumentName(func::FuncOp function, unsigned argument);
/// The attribute `gaudi.name` of a result, else "out" and the number.
std::string resultName(func::FuncOp function, unsigned result);

/// The result that replaces the value of an argument; none if the argument is
/// not state, or if its attribute is not what verifyStates demands.
std::optional<unsigned> stateResult(func::FuncOp function, unsigned argument);

/// True if `value` is an argument that the result `result` replaces: the
/// function returns its state as it was.
bool isUnchangedState(Value value, unsigned result);

/// Fails with an error on the function for each attribute of state that is no
/// number of a result, names a result of another type, or one that replaces
/// another argument already.
LogicalResult verifyStates(func::FuncOp function);

} // namespace mlir::gaudi

#endif // GAUDI_TRANSFORMS_SIGNATURE_H
