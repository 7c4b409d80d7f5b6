// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of StableHLO ops, which are not registered.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H

#include "Gaudi/Conversion/StablehloOps.h"
#include "SymbolicShapes.h"

namespace gaudi {

/// The integers of an attribute; none if it has none.
inline SmallVector<int64_t> numbersOf(Operation *op, StringRef name) {
  return integersOf(op->getAttr(name)).value_or(SmallVector<int64_t>());
}

/// The same for a field of a dictionary attribute, such as
/// `dot_dimension_numbers`.
inline SmallVector<int64_t> numbersOf(Operation *op, StringRef dictionary,
                                      StringRef field) {
  auto fields = op->getAttrOfType<DictionaryAttr>(dictionary);
  return integersOf(fields ? fields.get(field) : Attribute())
      .value_or(SmallVector<int64_t>());
}

/// True if each element of the result depends on those at its place only.
bool isElementwise(Hlo op);

/// The low (0), high (1) or interior (2) padding of each dimension of a pad.
SizeList paddingOf(Operation *op, unsigned number,
                   const SymbolicShapes &shapes);

/// True for the operand that says the shape of a result.
bool isShapeOperand(Operation *op, unsigned number);

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

  /// The types of its results say all.
  LogicalResult none() { return success(); }
  LogicalResult elementwise();
  LogicalResult likeOperand();
  LogicalResult constant();
  LogicalResult shapeOperand();
  LogicalResult dynamicReshape();
  LogicalResult reshape();
  LogicalResult broadcastInDim();
  LogicalResult transpose();
  LogicalResult concatenate();
  LogicalResult pad();
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
  AffineExpr combine(ArrayRef<AffineExpr> operands);
  AffineExpr combineFloats(ArrayRef<AffineExpr> operands);
  AffineExpr roundedQuotient(bool isUp);

  Operation *op;
  SymbolicShapes &shapes;
  const SizeExprs &sizes;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_HLOSHAPES_H
