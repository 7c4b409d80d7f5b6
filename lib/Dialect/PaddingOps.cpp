// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of padded variants: engines and verifiers.
#include "Gaudi/Dialect/PaddingOps.h"
#include "Checks.h"

using namespace mlir;
using namespace gaudi;

/// One extent per entry of `dims`, each a dimension of the operand.
template <typename Op> static LogicalResult verifyExtents(Op op) {
  if (op.getDims().size() != op.getExtents().size())
    return op.emitOpError("names ")
           << op.getDims().size() << " dimensions but has "
           << op.getExtents().size() << " extents";
  for (int64_t dim : op.getDims())
    if (failed(verifyAxis(op, dim, op.getOperand(), "operand")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Marker
//===----------------------------------------------------------------------===//

LogicalResult ValidOp::verify() {
  if (failed(verifyExtents(*this)))
    return failure();
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (llvm::is_contained(getDims().drop_front(i + 1), dim))
      return emitOpError("names dimension ") << dim << " twice";
  return success();
}

//===----------------------------------------------------------------------===//
// Mask
//===----------------------------------------------------------------------===//

Engine MaskOp::getEngine() { return Engine::TPC; }
int64_t MaskOp::getArithmeticOps() { return elementCount(getResult()); }

LogicalResult MaskOp::verify() {
  if (failed(verifyExtents(*this)))
    return failure();
  Type element = getType().getElementType();
  if (getValue().getType() != element)
    return failAt(emitOpError("value has type ")
                      << getValue().getType()
                      << " but the operand has element type " << element,
                  getOperand(), "operand");
  for (auto [name, entries] :
       {std::pair("divisors", getDivisors()), std::pair("moduli", getModuli())})
    if (entries) {
      if (entries->size() != getDims().size())
        return emitOpError("has ") << entries->size() << " " << name << " for "
                                   << getDims().size() << " dimensions";
      for (int64_t entry : *entries)
        if (entry < 1)
          return emitOpError("has ")
                 << entry << " among its " << name << "; expected 1 or more";
    }
  return success();
}

#define GET_OP_CLASSES
#include "Gaudi/Dialect/PaddingOps.cpp.inc"
