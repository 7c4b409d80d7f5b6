// Changes that rules make: masks, extents as arguments, indices of elements.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "PaddingState.h"
#include "mlir/IR/Builders.h"

namespace mlir::gaudi {

/// The function under change.
class PaddingEditor {
public:
  PaddingEditor(func::FuncOp function, const SymbolSizes &sizes);

  /// The argument, a tensor<i32>, that has this value in each launch. A new one
  /// if there is none yet.
  Value extent(AffineExpr expr);
  /// The same as a tensor of `rank` dimensions of size 1.
  Value extent(OpBuilder &builder, Location loc, AffineExpr expr, int64_t rank);
  /// `value` with `content` where a condition holds.
  Value masked(OpBuilder &builder, Location loc, Value value,
               ArrayRef<Condition> conditions, TypedAttr content);

  const SymbolSizes &sizes;

private:
  func::FuncOp function;
  DenseMap<AffineExpr, Value> extents;
};

/// Computes with indices as tensors of i32 and one dimension, before an op.
class IndexMath {
public:
  IndexMath(PaddingEditor &editor, Operation *op)
      : editor(editor), builder(op), loc(op->getLoc()) {}

  Value iota(int64_t size);
  Value constant(int64_t value);
  Value extent(AffineExpr expr) { return editor.extent(builder, loc, expr, 1); }
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value min(Value a, Value b);
  Value max(Value a, Value b);
  Value isLess(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  /// Readers of `value` read its elements at `index` along `axis` instead.
  void replaceByGather(Value value, Value index, int64_t axis);

private:
  template <typename Op> Value binary(Value a, Value b);

  PaddingEditor &editor;
  OpBuilder builder;
  Location loc;
};

} // namespace mlir::gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H
