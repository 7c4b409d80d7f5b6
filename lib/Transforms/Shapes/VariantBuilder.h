// A static variant of a function with symbols.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H

#include "SymbolicShapes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::gaudi {

/// Clones a function for one bucket.
///
/// Invariant: of a value of the variant, the first elements along each
/// dimension, as many as the source value has at run time, are those of the
/// source value; the others are padding. Where a reshape collapses dynamic
/// dimensions, this holds for each of them inside the collapsed one.
class VariantBuilder {
public:
  VariantBuilder(func::FuncOp source, const SymbolicShapes &shapes,
                 ArrayRef<int64_t> bucket)
      : source(source), shapes(shapes), sizes(shapes.sizes), bucket(bucket),
        b(source.getContext()) {}

  /// The variant, not yet in a module; null after an error.
  func::FuncOp build(StringRef name);

private:
  LogicalResult cloneBlock(Block &from);
  LogicalResult cloneOp(Operation *op);
  LogicalResult cloneHlo(Operation *op);
  /// With static result types and these operands. Regions are cloned too.
  FailureOr<Operation *> cloneWith(Operation *op, ValueRange operands);
  LogicalResult finish(Operation *op, ArrayRef<Value> results);

  int64_t padded(AffineExpr size) const { return sizes.largest(size, bucket); }
  /// The type that a source value has in the variant. Fails with an error if a
  /// size is too large.
  FailureOr<Type> staticType(Value value, Operation *reporter);
  bool isDynamic(AffineExpr size) const {
    return !isa<AffineConstantExpr>(size);
  }

  /// The argument that holds the real size.
  Value extent(AffineExpr size);
  /// The value of the variant for a source value that is read as data: sizes
  /// are real ones.
  Value data(Value value);
  Value elementsAsData(Value value);
  /// The same with a marker on each dimension whose extent nothing else tells.
  Value marked(Value value);
  /// A constant with the padded sizes of a value whose elements are known.
  Value paddedElements(Value value);
  /// `value`, a value of the variant, with `size` real elements along `dims`.
  Value markDims(Value value, ArrayRef<int64_t> dims,
                 ArrayRef<AffineExpr> extents);

  // Ops in StableHLO, which any function may contain.
  Value hlo(StringRef name, ValueRange operands, Type type,
            ArrayRef<NamedAttribute> attributes = {});
  Value hloConstant(DenseElementsAttr values);
  /// A size as a scalar of `type`.
  Value scalar(AffineExpr size, Type elementType);
  Value staticSlice(Value value, int64_t dim, int64_t start, int64_t size);
  Value slice(Value value, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides);
  /// Appends elements of any value along `dim`.
  Value extend(Value value, int64_t dim, int64_t size);
  Value writeAt(Value into, Value update, int64_t dim, AffineExpr offset);

  LogicalResult cloneConcatenate(Operation *op);
  LogicalResult cloneSlice(Operation *op);
  LogicalResult cloneDynamicPad(Operation *op);
  LogicalResult cloneSetDimensionSize(Operation *op);

  func::FuncOp source, variant;
  const SymbolicShapes &shapes;
  const SizeExprs &sizes;
  ArrayRef<int64_t> bucket;
  OpBuilder b;
  IRMapping map;
  SmallVector<std::pair<AffineExpr, BlockArgument>> extents;
  /// Of source values: the dimensions whose extent only a marker would tell.
  llvm::DenseMap<Value, SmallVector<int64_t>> unmarked;
  llvm::DenseMap<Value, Value> markers;
};

} // namespace mlir::gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H
