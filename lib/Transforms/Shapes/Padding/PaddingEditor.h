// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes that rules make: masks, extents as arguments, indices of elements.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "PaddingState.h"
#include "mlir/IR/Builders.h"
#include <vector>

namespace gaudi {

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

  /// Positions, as a tensor<i32>, of what a program that has only the real
  /// elements of `from` reshapes to those of `to`. Padding of `to` has any
  /// position inside `from`. Both have as many elements, outermost first.
  Value positions(ArrayRef<Factor> to, ArrayRef<Factor> from);
  /// The real elements of dimension `dim`, made of `factors`, one after the
  /// other.
  Value compacted(OpBuilder &builder, Location loc, Value value, int64_t dim,
                  const DimPadding &factors);
  /// Indices of which those from `extent` to `size` become `size`.
  Value bounded(OpBuilder &builder, Location loc, Value indices,
                AffineExpr extent, int64_t size);
  /// `value` with the elements of `other` where a condition holds.
  Value blended(OpBuilder &builder, Location loc, Value value, Value other,
                ArrayRef<Condition> conditions);
  /// Padding along `dim` is the last element before `extent`.
  Value repeatedLast(OpBuilder &builder, Location loc, Value value, int64_t dim,
                     AffineExpr extent);
  /// The same for operand 0 of `op` along several dimensions.
  void repeatLast(Operation *op,
                  ArrayRef<std::pair<int64_t, AffineExpr>> extents);

  const SymbolSizes &sizes;

private:
  struct Moved {
    SmallVector<Factor> to, from;
    Value positions;
  };

  func::FuncOp function;
  DenseMap<AffineExpr, Value> extents;
  std::vector<Moved> moves;
};

/// Replaces an op of one result as its kernel computes it: in f32 until one
/// rounding at the end. `compute` takes operand 0 as f32 and gives the result.
void replaceInF32(Operation *op,
                  llvm::function_ref<Value(OpBuilder &, Value)> compute);

/// Computes with indices as tensors of i32 and one dimension, where `builder`
/// is.
class IndexMath {
public:
  IndexMath(PaddingEditor &editor, OpBuilder builder, Location loc)
      : editor(editor), builder(builder), loc(loc) {}
  IndexMath(PaddingEditor &editor, Operation *op)
      : IndexMath(editor, OpBuilder(op), op->getLoc()) {}

  Value iota(int64_t size);
  Value constant(int64_t value);
  Value extent(AffineExpr expr) { return editor.extent(builder, loc, expr, 1); }
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value rem(Value a, Value b);
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

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGEDITOR_H
