// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of StableHLO ops on elements: elementwise ops, and arithmetic on sizes.
#include "HloShapes.h"
#include "SizeArithmetic.h"
#include "SourceShapes.h"

using namespace mlir;
using namespace gaudi;

/// The quotient of two whole numbers, rounded up or down, as the length of a
/// range is computed. That of f64 is exact: numbers that need more than 53
/// bits are not followed.
AffineExpr HloShapeRule::roundedQuotient(bool isUp) {
  Operation *quotient = op->getOperand(0).getDefiningOp();
  if (!isHlo(quotient, Hlo::Div) ||
      !getElementTypeOrSelf(op->getResult(0)).isF64())
    return {};
  return applySizeOperator(isUp ? SizeOperator::CeilDiv
                                : SizeOperator::FloorDiv,
                           shapes.element(quotient->getOperand(0)),
                           shapes.element(quotient->getOperand(1)), sizes);
}

/// Of floats, whole numbers are followed through what keeps them whole.
AffineExpr HloShapeRule::combineFloats(ArrayRef<AffineExpr> operands) {
  const AffineExpr a = operands.front(), b = operands.back();
  switch (hloOf(op)) {
  case Hlo::Convert:
  case Hlo::Ceil:
  case Hlo::Floor:
    return a;
  case Hlo::Mul:
    return sizes.mul(a, b);
  case Hlo::Add:
    return sizes.add(a, b);
  case Hlo::Sub:
    return sizes.sub(a, b);
  case Hlo::Div:
    // A quotient of floats is a size only if it is whole.
    return sizes.range(b).low > 0 ? sizes.exactQuotient(a, b) : AffineExpr();
  default:
    return {};
  }
}

/// The operator of an op on two integers, or on two booleans, of which only
/// `and` and `or` are followed.
static std::optional<SizeOperator> operatorOf(Operation *op) {
  static constexpr SizeOperator comparisons[] = {
      SizeOperator::Eq, SizeOperator::Ne, SizeOperator::Lt,
      SizeOperator::Le, SizeOperator::Gt, SizeOperator::Ge};
  if (auto direction = directionOf(op))
    return comparisons[unsigned(*direction)];
  const bool isBool = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  auto ifInteger = [&](SizeOperator kind) {
    return isBool ? std::nullopt : std::optional(kind);
  };
  switch (hloOf(op)) {
  case Hlo::Add:
    return ifInteger(SizeOperator::Add);
  case Hlo::Sub:
    return ifInteger(SizeOperator::Sub);
  case Hlo::Mul:
    return ifInteger(SizeOperator::Mul);
  case Hlo::Max:
    return ifInteger(SizeOperator::Max);
  case Hlo::Min:
    return ifInteger(SizeOperator::Min);
  case Hlo::Div:
    return ifInteger(SizeOperator::Div);
  case Hlo::Rem:
    return ifInteger(SizeOperator::Rem);
  case Hlo::And:
    return isBool ? std::optional(SizeOperator::And) : std::nullopt;
  case Hlo::Or:
    return isBool ? std::optional(SizeOperator::Or) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// One element of the result; null if it is no expression.
AffineExpr HloShapeRule::combine(ArrayRef<AffineExpr> operands) {
  const Hlo kind = hloOf(op);
  if (kind == Hlo::Select && operands.size() == 3)
    return selectSize(operands[0], operands[1], operands[2], sizes);
  // The quotient inside is a fraction, and no expression; rounded it is one.
  if ((kind == Hlo::Ceil || kind == Hlo::Floor) && !operands[0])
    return roundedQuotient(kind == Hlo::Ceil);
  if (llvm::is_contained(operands, AffineExpr()))
    return {};
  const Type element = getElementTypeOrSelf(op->getResult(0));
  if (isa<FloatType>(element))
    return combineFloats(operands);
  const AffineExpr a = operands[0], zero = sizes.constant(0);
  const SizeExprs::Range range = sizes.range(a);
  switch (kind) {
  case Hlo::Convert:
  case Hlo::Copy:
    return a;
  case Hlo::Neg:
    return sizes.sub(zero, a);
  // Without a known sign there is no expression.
  case Hlo::Abs:
    return range.low >= 0    ? a
           : range.high <= 0 ? sizes.sub(zero, a)
                             : AffineExpr();
  case Hlo::Sign:
    return range.low > 0                       ? sizes.constant(1)
           : range.high < 0                    ? sizes.constant(-1)
           : range.low == 0 && range.high == 0 ? zero
                                               : AffineExpr();
  case Hlo::Not:
    return element.isInteger(1) ? sizes.sub(sizes.constant(1), a)
                                : AffineExpr();
  case Hlo::Clamp: {
    if (operands.size() != 3)
      return {};
    AffineExpr low = sizes.max(a, operands[1]);
    return low ? sizes.min(low, operands[2]) : AffineExpr();
  }
  default:
    break;
  }
  auto binary = operands.size() == 2 ? operatorOf(op) : std::nullopt;
  return binary ? applySizeOperator(*binary, a, operands[1], sizes)
                : AffineExpr();
}

LogicalResult HloShapeRule::elementwise() {
  if (failed(inferEqualShapes(op, shapes)))
    return failure();
  inferElements(op, shapes, [&](ArrayRef<AffineExpr> operands) {
    return combine(operands);
  });
  return success();
}

LogicalResult HloShapeRule::constant() {
  auto number = dyn_cast_or_null<DenseFPElementsAttr>(constantOf(op));
  if (op->getNumResults() == 1 && number && number.getNumElements() == 1)
    shapes.setElements(op->getResult(0),
                       {wholeSize(number.getSplatValue<APFloat>(), sizes)});
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(constantOf(op));
  if (op->getNumResults() != 1 || !dense ||
      dense.getNumElements() > SymbolicShapes::maxElements)
    return success();
  SizeList elements;
  const bool isBool = dense.getElementType().isInteger(1);
  for (const APInt &number : dense.getValues<APInt>())
    elements.push_back(number.getSignificantBits() > 62 && !isBool
                           ? AffineExpr()
                           : sizes.constant(isBool ? number.getZExtValue()
                                                   : number.getSExtValue()));
  shapes.setElements(op->getResult(0), std::move(elements));
  return success();
}

LogicalResult HloShapeRule::dimensionSize() {
  const SmallVector<int64_t> dim = numbersOf(op, "dimension");
  const SizeList dims = shape(0);
  if (dim.size() != 1 || failed(checkDims(dim, dims.size())))
    return refuse("attribute 'dimension' must name a dimension of the operand");
  shapes.setElements(op->getResult(0), {dims[dim[0]]});
  return success();
}
