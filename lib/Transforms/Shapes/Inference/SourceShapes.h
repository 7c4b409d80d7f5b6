// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of ops of MLIR's own dialects (arith, index, affine, tensor, linalg,
// shape and TOSA) and of torch.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SOURCESHAPES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SOURCESHAPES_H

#include "SymbolicShapes.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace gaudi {

/// Sets the integers of an attribute as the elements of a result.
void setConstant(Value result, Attribute value, SymbolicShapes &shapes);

/// A float that is a whole number; null for others.
AffineExpr wholeSize(APFloat number, const SizeExprs &sizes);

/// Constants, and ops whose results have the shape of their operands.
LogicalResult inferElementwise(Operation *op, SymbolicShapes &shapes);
LogicalResult inferArithmetic(Operation *op, SymbolicShapes &shapes);
LogicalResult inferTensor(Operation *op, SymbolicShapes &shapes);
LogicalResult inferShape(Operation *op, SymbolicShapes &shapes);
LogicalResult inferTosa(Operation *op, SymbolicShapes &shapes);
LogicalResult inferTorch(Operation *op, SymbolicShapes &shapes);
LogicalResult inferStructured(Operation *op, SymbolicShapes &shapes);

/// Fails with an error if a condition on sizes is false for some sizes within
/// the bounds. Conditions on other values pass.
LogicalResult checkAssertion(Operation *op, Value condition, StringRef message,
                             const SymbolicShapes &shapes);
/// True if a scalar is computed of sizes and constants only, or of counters of
/// loops, too.
bool isOfSizes(Value value, const SymbolicShapes &shapes,
               bool withCounters = false);

/// The value that casts between integers and indices are of.
Value withoutIndexCasts(Value value);
/// True if the condition keeps an index of a tensor that the block reads below
/// the size of its dimension, as that read does.
bool guardsExtract(Operation *assertion, Value condition,
                   const SymbolicShapes &shapes);

/// Sizes of slices and the like: constants and values.
SizeList mixedSizes(ArrayRef<OpFoldResult> values,
                    const SymbolicShapes &shapes);

/// The sizes of the loops of a structured op; null where no operand says one.
SizeList loopSizes(linalg::LinalgOp op, const SymbolicShapes &shapes);
/// The loop of the enclosing structured op that `index` counts. An index that
/// torch-mlir sets to 0 where the loop has one iteration is the counter, too.
std::optional<int64_t> countedLoop(Value index, const SymbolicShapes &shapes);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SOURCESHAPES_H
