// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gaudi dialect in C++: ops, attributes, enums and interfaces. Ops that few
// files name have headers of their own (ElementwiseOps.h, TrainingOps.h, ...).
#ifndef GAUDI_DIALECT_GAUDIDIALECT_H
#define GAUDI_DIALECT_GAUDIDIALECT_H

#include "Gaudi/Dialect/Layout.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Timing/Forward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Gaudi/Dialect/GaudiDialect.h.inc"
#include "Gaudi/Dialect/GaudiEnums.h.inc"

namespace gaudi {
class KernelOp;
class ScalarBuilder;

/// Kinds of data movement that the device model places.
enum class Movement { Transpose, Broadcast, Copy, Fill };

/// Fails with an error if the engine of a placeable op is one that does not
/// make its kind of movement.
LogicalResult verifyPlacement(Operation *op);

/// The type of a tensor value of the dialect.
inline RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}
/// Number of elements of a statically shaped tensor.
int64_t elementCount(Value tensor);
/// Bytes one element takes on the device (i1 takes one).
int64_t elementBytes(Type elementType);
/// Bytes of a dense statically shaped tensor.
int64_t byteCount(Value tensor);
/// Bytes of all tensor operands and results, each once.
int64_t bytesOfOperandsAndResults(Operation *op);
/// Commands of an op, as work of the device-time model.
using WorkList = std::vector<gaudi::timing::Work>;
/// Says how a tensor lies in memory.
using OperandOf = llvm::function_ref<gaudi::timing::Operand(Value)>;
/// The work of a library kernel, or of the kernel that a vector-core op builds;
/// none of other ops.
WorkList workOfVectorOp(Operation *op, OperandOf operandOf);
/// The type a kernel computes in for a tensor element type: f32 for floats,
/// the signless integer of the same width for integers.
Type kernelType(Type elementType);
/// True for ui8, ui16, ui32 and i1.
bool isUnsignedElement(Type elementType);
/// True for any float element type of the device.
bool isFloatElement(Type elementType);
/// True if `type` is one of the device's element types.
bool isDeviceElement(Type type);
} // namespace gaudi

#define GET_ATTRDEF_CLASSES
#include "Gaudi/Dialect/GaudiAttributes.h.inc"

#include "Gaudi/Dialect/GaudiInterfaces.h.inc"

namespace gaudi {
/// Shared by every elementwise op (see TPCElementwiseOps.td).
FailureOr<Operation *> buildElementwiseKernel(Operation *op,
                                              OpBuilder &builder);
LogicalResult verifyElementwise(Operation *op);

/// What the op equals: one of its operands by an exact identity, or a constant
/// if all operands are small constant floats and `exact` computes the op with
/// one rounding per operation. Null otherwise.
OpFoldResult foldElementwise(Operation *op, ArrayRef<Attribute> operands,
                             float (*exact)(float, float));
} // namespace gaudi

#define GET_OP_CLASSES
#include "Gaudi/Dialect/ArithmeticOps.h.inc"
#define GET_OP_CLASSES
#include "Gaudi/Dialect/GaudiOps.h.inc"

#endif // GAUDI_DIALECT_GAUDIDIALECT_H
