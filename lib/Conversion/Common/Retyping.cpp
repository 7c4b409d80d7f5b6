// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other types for the values of ops.
#include "Retyping.h"

using namespace mlir;
using namespace gaudi;

bool gaudi::touchesType(Operation *op, llvm::function_ref<bool(Type)> test) {
  if (llvm::any_of(op->getOperandTypes(), test) ||
      llvm::any_of(op->getResultTypes(), test))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), test))
        return true;
  return false;
}

void gaudi::retype(Operation *op, TypeMap map) {
  for (Value result : op->getResults())
    result.setType(map(result.getType()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setType(map(argument.getType()));
}

bool gaudi::retypeSignature(func::FuncOp function, TypeMap map) {
  const FunctionType type = function.getFunctionType();
  auto changed = FunctionType::get(function.getContext(),
                                   llvm::map_to_vector(type.getInputs(), map),
                                   llvm::map_to_vector(type.getResults(), map));
  function.setFunctionType(changed);
  return changed != type;
}
