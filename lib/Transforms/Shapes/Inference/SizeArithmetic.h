// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of ops on sizes, which all source dialects share.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SIZEARITHMETIC_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SIZEARITHMETIC_H

#include "SymbolicShapes.h"

namespace gaudi {

/// Ops on two integers. Comparisons give 1 or 0, which And, Or and Xor read.
enum class SizeOperator {
  Add,
  Sub,
  Mul,
  Div, ///< towards zero
  FloorDiv,
  CeilDiv,
  Rem, ///< with the sign of the dividend
  Max,
  Min,
  And,
  Or,
  Xor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge
};

/// The result for all sizes; null if no expression says it. Operands may be
/// null.
AffineExpr applySizeOperator(SizeOperator kind, AffineExpr a, AffineExpr b,
                             const SizeExprs &sizes);
/// `a` where the condition, 1 or 0, is 1, else `b`. Operands may be null.
AffineExpr selectSize(AffineExpr condition, AffineExpr a, AffineExpr b,
                      const SizeExprs &sizes);

/// The sizes of a concatenation. Fails with an error if the operands differ in
/// another dimension than `axis`.
FailureOr<SizeList> concatenatedSizes(Operation *op, ValueRange operands,
                                      size_t axis, SymbolicShapes &shapes);
/// `dims` with padding on both sides; null where a size is.
SizeList paddedSizes(SizeList dims, ArrayRef<AffineExpr> low,
                     ArrayRef<AffineExpr> high, const SizeExprs &sizes);
/// Finds the one size of a reshape that is not given (null or -1) by the number
/// of elements; null if that is not known. Fails if several are missing or a
/// size of `from` is not known.
LogicalResult fillFromCount(SizeList &dims, ArrayRef<AffineExpr> from,
                            const SizeExprs &sizes);

/// Results get the sizes of all operands that are tensors of their rank. Fails
/// with an error if two of them differ.
LogicalResult inferEqualShapes(Operation *op, SymbolicShapes &shapes);
/// Computes the elements of the only result by `combine`, one position after
/// the other; scalars repeat, and null stands for what is not known.
void inferElements(
    Operation *op, SymbolicShapes &shapes,
    llvm::function_ref<AffineExpr(ArrayRef<AffineExpr>)> combine);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SIZEARITHMETIC_H
