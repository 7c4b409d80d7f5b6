// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of StableHLO ops, which are not registered.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H

#include "SymbolicShapes.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace gaudi {

/// The integers of an attribute: an array, a dense attribute or one number.
inline SmallVector<int64_t> integersOf(Attribute attribute) {
  SmallVector<int64_t> numbers;
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    llvm::append_range(numbers, array.asArrayRef());
  else if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    for (const APInt &number : dense.getValues<APInt>())
      numbers.push_back(number.getSExtValue());
  else if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    numbers.push_back(number.getValue().getSExtValue());
  return numbers;
}

/// The same for a field of a dictionary attribute, such as
/// `dot_dimension_numbers`.
inline SmallVector<int64_t> integersOf(Operation *op, StringRef dictionary,
                                       StringRef field) {
  auto fields = op->getAttrOfType<DictionaryAttr>(dictionary);
  return integersOf(fields ? fields.get(field) : Attribute());
}

/// True if each element of the result depends on those at its place only.
bool isElementwiseHlo(Operation *op);
bool isElementwiseHloName(StringRef name);

/// A window that slides along one dimension. Null: not known.
struct HloWindow {
  int64_t from, to; ///< dimensions of the first operand and of the result
  AffineExpr size, window, stride, dilation, windowDilation, low, high;

  /// The size of the result; null if a part is.
  AffineExpr positions(const SizeExprs &sizes) const;
};

/// The windows of a convolution or window reduction; none if its dimension
/// numbers do not fit its operands.
std::optional<SmallVector<HloWindow>> windowsOf(Operation *op,
                                                const SymbolicShapes &shapes);

/// The rule for one op: reads its operands, sets shapes and elements of its
/// results.
class HloShapeRule {
public:
  HloShapeRule(Operation *op, SymbolicShapes &shapes)
      : op(op), shapes(shapes), sizes(shapes.sizes) {}

  LogicalResult elementwise();
  LogicalResult likeOperand();
  LogicalResult constant();
  LogicalResult shapeOperand(unsigned number);
  LogicalResult dynamicReshape();
  LogicalResult reshape();
  LogicalResult broadcastInDim();
  LogicalResult transpose();
  LogicalResult concatenate();
  LogicalResult pad();
  LogicalResult dynamicPad();
  LogicalResult slice();
  LogicalResult dynamicSlice();
  LogicalResult realDynamicSlice();
  LogicalResult dimensionSize();
  LogicalResult setDimensionSize();
  LogicalResult dotGeneral();
  LogicalResult dot();
  LogicalResult convolution();
  LogicalResult reduce();
  LogicalResult reduceWindow();
  LogicalResult gather();
  LogicalResult indexSelect();
  LogicalResult topK();
  LogicalResult batchNorm();
  LogicalResult controlFlow();
  LogicalResult customCall();

private:
  LogicalResult likeFirstOperand();
  LogicalResult refuse(const Twine &why) { return op->emitError() << why; }
  SizeList shape(unsigned operand) {
    return operand < op->getNumOperands()
               ? shapes.shape(op->getOperand(operand))
               : SizeList();
  }
  LogicalResult set(unsigned result, SizeList dims) {
    return shapes.setShape(op->getResult(result), std::move(dims));
  }
  /// Dimensions that attributes name; fails unless all are below `rank`.
  LogicalResult checkDims(ArrayRef<int64_t> dims, size_t rank);
  SizeList integers(StringRef name, size_t count, int64_t absent);
  AffineExpr combine(StringRef name, ArrayRef<AffineExpr> operands);
  AffineExpr compare(AffineExpr a, AffineExpr b);
  AffineExpr roundedQuotient(bool isUp);

  Operation *op;
  SymbolicShapes &shapes;
  const SizeExprs &sizes;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H
