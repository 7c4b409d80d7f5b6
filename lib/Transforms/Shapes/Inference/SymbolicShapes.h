// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of all values of a function as expressions over its symbols.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLICSHAPES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLICSHAPES_H

#include "../Symbols/SizeExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace gaudi {

/// Sizes, one for each dimension or element. Null: not known.
using SizeList = SmallVector<AffineExpr>;

/// The result of following sizes through a function, op by op.
///
/// Two things are known of a value: its shape, if it is a ranked tensor, and
/// its elements, if it is an integer or index, or a tensor of at most
/// maxElements of them, that is computed of sizes and constants.
class SymbolicShapes {
public:
  static constexpr int64_t maxElements = 64;

  SymbolicShapes(SizeExprs sizes) : sizes(std::move(sizes)) {}

  /// Reads the shapes of the arguments from `gaudi.shape` and infers all
  /// others. Fails with an error at the op that has no expression.
  LogicalResult infer(func::FuncOp function);

  const SizeExprs sizes;

  /// The shape of a ranked tensor.
  SizeList shape(Value value) const;
  AffineExpr dim(Value value, int64_t dim) const { return shape(value)[dim]; }
  /// The elements of a value, or none if it is not followed.
  const SizeList *elements(Value value) const;
  /// The only element of a scalar or of a tensor with one; null if not known.
  AffineExpr element(Value value) const;
  /// True if all elements are known: the op that computes them is not needed.
  bool isKnown(Value value) const;
  /// True if a dimension is not constant.
  bool isDynamic(Value value) const;

  /// A size that is not simple (SizeExprs::isSimple): of a dimension, of
  /// adjacent dimensions together, or an element; null if there is none.
  AffineExpr findIrregular() const;

  // For the rules of ops.

  /// Sets the shape of a result. Dimensions that are static in its type stay
  /// what they are. Fails with an error if one is null, or contradicts.
  LogicalResult setShape(Value result, SizeList dims);
  void setArgument(BlockArgument argument, SizeList dims) {
    shapes[argument] = std::move(dims);
  }
  /// Sets elements; without effect if there are too many or none is known.
  void setElements(Value result, SizeList elements);
  /// The size that both must have; null after an error.
  AffineExpr merge(Operation *op, AffineExpr a, AffineExpr b, Value from,
                   Value other);
  LogicalResult inferBlock(Block &block);
  /// What to do about a size that the model has as a number.
  std::string fixedSizeHint(AffineExpr size, int64_t number) const;

private:
  LogicalResult inferOp(Operation *op);
  LogicalResult inferByDialect(Operation *op);
  LogicalResult inferRegions(Operation *op);

  llvm::DenseMap<Value, SizeList> shapes, contents;
};

/// The rules by dialect. Each fails with an error, or leaves dynamic results
/// without a shape if it has no rule for the op.
LogicalResult inferStablehlo(Operation *op, SymbolicShapes &shapes);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLICSHAPES_H
