// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static variant of a function with symbols.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H

#include "../Inference/SymbolicShapes.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace gaudi {

struct HloWindow;
struct StaticWindow;

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
  LogicalResult cloneInPlace(Operation *op, Hlo kind);
  bool carryHlo(Operation *op);
  LogicalResult cloneTensor(Operation *op);
  LogicalResult cloneStructured(linalg::LinalgOp op);
  std::optional<Value> forwarded(linalg::LinalgOp op);
  LogicalResult clonePack(linalg::PackOp op);
  LogicalResult cloneUnpack(linalg::UnPackOp op);
  LogicalResult cloneLinalgExt(Operation *op);
  LogicalResult cloneTosa(Operation *op);
  LogicalResult cloneTorch(Operation *op);
  LogicalResult cloneTorchSlice(Operation *op);
  /// The same op on values of the variant; `reads` gives its operands. Sizes
  /// that no operand has are marked.
  LogicalResult cloneTorchCall(Operation *op,
                               llvm::function_ref<Value(Value)> reads);
  LogicalResult cloneShape(Operation *op);
  bool cloneCounter(Operation *op);
  /// With static result types and these operands. Regions are cloned too.
  FailureOr<Operation *> cloneWith(Operation *op, ValueRange operands);
  /// The same, with the results of the clone for those of the op.
  LogicalResult cloneAs(Operation *op, ValueRange operands);
  LogicalResult cloneMarked(Operation *op);
  LogicalResult cloneRegions(Operation *op, Operation *clone);
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
  /// The largest size in the bucket as a constant of the type `!torch.int`.
  Value torchNumber(AffineExpr size);
  /// A constant of the type `!tosa.shape`.
  Value shapeConstant(ArrayRef<int64_t> numbers);
  /// `value`, a value of the variant, with `extents` real elements along
  /// `dims`.
  Value markDims(Value value, ArrayRef<int64_t> dims,
                 ArrayRef<AffineExpr> extents);
  Value markAll(Value value, const SizeList &dims);
  /// The same for the dimensions whose size is not that in `from`.
  Value markChanged(Value value, const SizeList &dims, const SizeList &from);
  /// Remembers the dynamic dimensions of a source value without an extent.
  void setUnmarked(Value result, llvm::function_ref<bool(int64_t)> isUntold);
  bool isUnmarked(Value value, int64_t dim) const;
  /// Carries what is remembered through a reshape that adds and drops
  /// dimensions of size 1 only; false if it does more.
  bool carryUnmarked(Value from, Value to);
  /// Erases what nobody reads: the arithmetic on sizes.
  void eraseDead();

  // Ops in StableHLO, which any function may contain. Those for which the
  // dialect tensor has a form are in the dialect of the source.
  HloWriter writer(Value near) { return {b, near.getLoc()}; }
  Value hloConstant(DenseElementsAttr values);
  Value hloZero(Type elementType);
  /// A size as a scalar of `type`.
  Value scalar(AffineExpr size, Type elementType);
  /// The same as an integer or index.
  Value number(AffineExpr size, Type type);
  /// Sizes as a vector.
  Value vector(ArrayRef<AffineExpr> elements, Type elementType);
  /// Strides are 1 unless given.
  Value slice(Value value, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides = {});
  /// The first elements along each dimension.
  Value shrink(Value value, ArrayRef<int64_t> shape);
  Value updated(ValueRange operands);
  /// Appends elements of any value along `dim`.
  Value extend(Value value, int64_t dim, int64_t size);
  Value writeAt(Value into, Value update, int64_t dim, AffineExpr offset);
  Value reshaped(Value value, RankedTensorType type);
  /// The window of sizes `dims` at `starts`.
  FailureOr<Value> takeWindow(Operation *op, Value value,
                              const SizeList &starts, const SizeList &dims,
                              const SizeList &strides);
  /// `into`, of sizes `intoDims`, with the real elements of `update`, of sizes
  /// `dims`, at `starts`.
  FailureOr<Value> writeWindow(Operation *op, Value into,
                               const SizeList &intoDims, Value update,
                               const SizeList &starts, const SizeList &dims);
  Value realElements(RankedTensorType type, ArrayRef<AffineExpr> dims);
  /// True if a reshape splits and collapses dimensions only, whatever the sizes
  /// of the symbols: padding then stays inside dimensions.
  bool isReshape(const SizeList &from, const SizeList &to) const;
  LogicalResult checkReshape(Operation *op);
  Value markSplit(Operation *op, Value value);

  /// Starts of windows keep these inside the real elements.
  void limitStarts(Operation *op, MutableArrayRef<Value> operands);
  Value limitStart(Value start, AffineExpr last);
  Value limitIndices(Value indices, int64_t vectorDim,
                     ArrayRef<AffineExpr> lasts);

  // Windows whose sizes or paddings are operands.
  LogicalResult cloneWindows(Operation *op);
  LogicalResult placeWindow(Operation *op, const HloWindow &window,
                            AffineExpr positions, StaticWindow &result);
  Value moveOperand(Value value, Value filler,
                    MutableArrayRef<StaticWindow> windows);
  Value moveResult(Value value, const SizeList &dims,
                   ArrayRef<StaticWindow> windows);
  SmallVector<NamedAttribute> windowAttributes(Operation *op, bool isReduction,
                                               ArrayRef<StaticWindow> windows);
  Value sliceAt(Value value, ArrayRef<AffineExpr> starts,
                ArrayRef<int64_t> kept);

  LogicalResult cloneConcatenate(Operation *op, int64_t axis);
  LogicalResult cloneReshape(Operation *op);
  FailureOr<Value> stacked(Operation *op);
  LogicalResult cloneExtractSlice(tensor::ExtractSliceOp op);
  LogicalResult cloneInsertSlice(tensor::InsertSliceOp op);
  LogicalResult cloneExtract(tensor::ExtractOp op);
  LogicalResult clonePad(tensor::PadOp op);
  LogicalResult cloneCreation(Operation *op, ValueRange operands);
  LogicalResult cloneTosaSlice(Operation *op);
  LogicalResult cloneTosaTile(Operation *op);
  LogicalResult cloneSlice(Operation *op);
  LogicalResult cloneRuntimeSlice(Operation *op);
  /// Gives a loop whose counter goes up to a size a constant bound.
  void boundLoop(Operation *loop, Operation *clone);
  LogicalResult clonePadding(Operation *op);
  Value crop(Value value, SizeList &from, MutableArrayRef<int64_t> low,
             MutableArrayRef<int64_t> high);
  /// True for a dynamic_update_slice whose update is padded along a dimension
  /// that it does not replace whole.
  bool updatesPart(Operation *op) const;
  LogicalResult cloneUpdate(Operation *op);
  /// `value`, a value of the variant, without padding.
  Value asReal(Value value);
  LogicalResult cloneSetDimensionSize(Operation *op);

  func::FuncOp source, variant;
  const SymbolicShapes &shapes;
  const SizeExprs &sizes;
  ArrayRef<int64_t> bucket;
  OpBuilder b;
  IRMapping map;
  /// True while the op that is cloned is of StableHLO.
  bool inHlo = false;
  SmallVector<std::pair<AffineExpr, BlockArgument>> extents;
  /// Of source values: the dimensions whose extent only a marker would tell.
  llvm::DenseMap<Value, SmallVector<int64_t>> unmarked;
  llvm::DenseMap<Value, Value> markers;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_VARIANTBUILDER_H
