// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of StableHLO ops on elements: elementwise ops, and arithmetic on sizes.
#include "Gaudi/Conversion/Stablehlo.h"
#include "HloShapes.h"
#include "SizeArithmetic.h"
#include "SourceShapes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gaudi;

AffineExpr HloShapeRule::compare(AffineExpr a, AffineExpr b) {
  auto direction = op->getAttrOfType<StringAttr>("comparison_direction");
  auto kind = llvm::StringSwitch<std::optional<SizeOperator>>(
                  direction ? direction.getValue() : "")
                  .Case("EQ", SizeOperator::Eq)
                  .Case("NE", SizeOperator::Ne)
                  .Case("GE", SizeOperator::Ge)
                  .Case("GT", SizeOperator::Gt)
                  .Case("LE", SizeOperator::Le)
                  .Case("LT", SizeOperator::Lt)
                  .Default(std::nullopt);
  return kind ? applySizeOperator(*kind, a, b, sizes) : AffineExpr();
}

/// The quotient of two whole numbers, rounded up or down, as the length of a
/// range is computed. That of f64 is exact: numbers that need more than 53
/// bits are not followed.
AffineExpr HloShapeRule::roundedQuotient(bool isUp) {
  Operation *quotient = op->getOperand(0).getDefiningOp();
  if (!quotient || !isStablehlo(quotient->getName()) ||
      quotient->getName().stripDialect() != "divide" ||
      !getElementTypeOrSelf(op->getResult(0)).isF64())
    return {};
  return applySizeOperator(isUp ? SizeOperator::CeilDiv
                                : SizeOperator::FloorDiv,
                           shapes.element(quotient->getOperand(0)),
                           shapes.element(quotient->getOperand(1)), sizes);
}

/// One element of the result; null if it is no expression.
AffineExpr HloShapeRule::combine(StringRef name,
                                 ArrayRef<AffineExpr> operands) {
  if (name == "select" && operands.size() == 3)
    return selectSize(operands[0], operands[1], operands[2], sizes);
  // The quotient inside is a fraction, and no expression; rounded it is one.
  if ((name == "ceil" || name == "floor") && !operands[0])
    return roundedQuotient(name == "ceil");
  if (llvm::is_contained(operands, AffineExpr()))
    return {};
  const AffineExpr a = operands[0];
  const SizeExprs::Range range = sizes.range(a);
  // Of floats, whole numbers are followed through what keeps them whole.
  if (isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
    if (name == "convert" || name == "ceil" || name == "floor" ||
        name == "reshape")
      return a;
    if (operands.size() != 2)
      return {};
    // A quotient of floats is a size only if it is whole.
    return name == "multiply"   ? sizes.mul(a, operands[1])
           : name == "add"      ? sizes.add(a, operands[1])
           : name == "subtract" ? sizes.sub(a, operands[1])
           : name == "divide" && sizes.range(operands[1]).low > 0
               ? sizes.exactQuotient(a, operands[1])
               : AffineExpr();
  }
  if (operands.size() == 1) {
    if (name == "convert" || name == "copy" || name == "optimization_barrier")
      return a;
    if (name == "negate")
      return sizes.sub(sizes.constant(0), a);
    // Without a known sign there is no expression.
    if (name == "abs")
      return range.low >= 0    ? a
             : range.high <= 0 ? sizes.sub(sizes.constant(0), a)
                               : AffineExpr();
    if (name == "sign")
      return range.low > 0                       ? sizes.constant(1)
             : range.high < 0                    ? sizes.constant(-1)
             : range.low == 0 && range.high == 0 ? sizes.constant(0)
                                                 : AffineExpr();
    if (name == "not" && getElementTypeOrSelf(op->getResult(0)).isInteger(1))
      return sizes.sub(sizes.constant(1), a);
    return {};
  }
  const AffineExpr b = operands[1];
  if (name == "clamp" && operands.size() == 3) {
    AffineExpr low = sizes.max(a, b);
    return low ? sizes.min(low, operands[2]) : AffineExpr();
  }
  if (operands.size() != 2)
    return {};
  if (name == "compare")
    return compare(a, b);
  // Of booleans only `and` and `or` are followed.
  const bool isBool = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  auto kind = llvm::StringSwitch<std::optional<SizeOperator>>(name)
                  .Case("add", SizeOperator::Add)
                  .Case("subtract", SizeOperator::Sub)
                  .Case("multiply", SizeOperator::Mul)
                  .Case("maximum", SizeOperator::Max)
                  .Case("minimum", SizeOperator::Min)
                  .Case("divide", SizeOperator::Div)
                  .Case("remainder", SizeOperator::Rem)
                  .Default(std::nullopt);
  if (isBool)
    kind = name == "and"  ? std::optional(SizeOperator::And)
           : name == "or" ? std::optional(SizeOperator::Or)
                          : std::nullopt;
  return kind ? applySizeOperator(*kind, a, b, sizes) : AffineExpr();
}

LogicalResult HloShapeRule::elementwise() {
  if (failed(inferEqualShapes(op, shapes)))
    return failure();
  const StringRef name = op->getName().stripDialect();
  inferElements(op, shapes, [&](ArrayRef<AffineExpr> operands) {
    return combine(name, operands);
  });
  return success();
}

LogicalResult HloShapeRule::constant() {
  auto number = dyn_cast_or_null<DenseFPElementsAttr>(op->getAttr("value"));
  if (op->getNumResults() == 1 && number && number.getNumElements() == 1)
    shapes.setElements(op->getResult(0),
                       {wholeSize(number.getSplatValue<APFloat>(), sizes)});
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
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
  const SmallVector<int64_t> dim = integersOf(op->getAttr("dimension"));
  const SizeList dims = shape(0);
  if (dim.size() != 1 || failed(checkDims(dim, dims.size())))
    return refuse("attribute 'dimension' must name a dimension of the operand");
  shapes.setElements(op->getResult(0), {dims[dim[0]]});
  return success();
}
