// Rules of StableHLO ops on elements: elementwise ops, and arithmetic on sizes.
#include "HloShapes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::gaudi;

AffineExpr HloShapeRule::compare(AffineExpr a, AffineExpr b) {
  auto direction = op->getAttrOfType<StringAttr>("comparison_direction");
  const SizeExprs::Range difference = sizes.range(sizes.sub(a, b));
  auto known = [&](bool isTrue, bool isFalse) {
    return isTrue    ? sizes.constant(1)
           : isFalse ? sizes.constant(0)
                     : AffineExpr();
  };
  const bool isZero = difference.low == 0 && difference.high == 0,
             isNotZero = difference.low > 0 || difference.high < 0;
  const StringRef name = direction ? direction.getValue() : "";
  if (name == "EQ")
    return known(isZero, isNotZero);
  if (name == "NE")
    return known(isNotZero, isZero);
  if (name == "GE")
    return known(difference.low >= 0, difference.high < 0);
  if (name == "GT")
    return known(difference.low > 0, difference.high <= 0);
  if (name == "LE")
    return known(difference.high <= 0, difference.low > 0);
  if (name == "LT")
    return known(difference.high < 0, difference.low >= 0);
  return {};
}

/// One element of the result; null if it is no expression.
AffineExpr HloShapeRule::combine(StringRef name,
                                 ArrayRef<AffineExpr> operands) {
  if (name == "select" && operands.size() == 3) {
    // Equal branches need no predicate.
    if (operands[1] == operands[2])
      return operands[1];
    auto predicate = dyn_cast_or_null<AffineConstantExpr>(operands[0]);
    return predicate ? operands[predicate.getValue() ? 1 : 2] : AffineExpr();
  }
  if (llvm::is_contained(operands, AffineExpr()))
    return {};
  const AffineExpr a = operands[0];
  const SizeExprs::Range range = sizes.range(a);
  // Of floats, whole numbers are followed through what keeps them whole.
  if (isa<FloatType>(getElementTypeOrSelf(op->getResult(0)))) {
    const bool isSame = name == "convert" || name == "ceil" ||
                        name == "floor" || name == "reshape";
    return isSame ? a
           : name == "divide" && range.low >= 0 &&
                   operands[1] == sizes.constant(1)
               ? a
               : AffineExpr();
  }
  if (operands.size() == 1) {
    if (name == "convert" || name == "copy" || name == "optimization_barrier")
      return a;
    if (name == "negate")
      return sizes.sub(sizes.constant(0), a);
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
  if (name == "add")
    return sizes.add(a, b);
  if (name == "subtract")
    return sizes.sub(a, b);
  if (name == "multiply")
    return sizes.mul(a, b);
  if (name == "maximum")
    return sizes.max(a, b);
  if (name == "minimum")
    return sizes.min(a, b);
  // Quotients round towards zero, which is down for what is not negative.
  if ((name == "divide" || name == "remainder") && range.low >= 0 &&
      sizes.range(b).low > 0)
    return name == "divide" ? sizes.floorDiv(a, b) : sizes.mod(a, b);
  if (getElementTypeOrSelf(op->getResult(0)).isInteger(1)) {
    if (name == "and")
      return sizes.min(a, b);
    if (name == "or")
      return sizes.max(a, b);
  }
  return {};
}

LogicalResult HloShapeRule::elementwise() {
  const StringRef name = op->getName().stripDialect();
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SizeList dims(type.getRank());
    Value from;
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (!tensor || tensor.getRank() != type.getRank())
        continue; // scalars of select and clamp
      for (auto [have, size] : llvm::zip_equal(dims, shapes.shape(operand))) {
        if (have && size && have != size) {
          (void)shapes.merge(op, have, size, from, operand);
          return failure();
        }
        have = have ? have : size;
      }
      from = operand;
    }
    if (failed(shapes.setShape(result, dims)))
      return failure();
  }
  if (op->getNumResults() != 1)
    return success();
  SmallVector<const SizeList *> operands;
  size_t count = 0;
  for (Value operand : op->getOperands()) {
    const SizeList *list = shapes.elements(operand);
    if (!list && name != "select")
      return success();
    operands.push_back(list);
    count = std::max(count, list ? list->size() : 0);
  }
  SizeList elements;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<AffineExpr> parts;
    for (const SizeList *list : operands)
      parts.push_back(!list               ? AffineExpr()
                      : list->size() == 1 ? list->front()
                      : i < list->size()  ? (*list)[i]
                                          : AffineExpr());
    elements.push_back(combine(name, parts));
  }
  shapes.setElements(op->getResult(0), std::move(elements));
  return success();
}

LogicalResult HloShapeRule::constant() {
  auto number = dyn_cast_or_null<DenseFPElementsAttr>(op->getAttr("value"));
  if (op->getNumResults() == 1 && number && number.getNumElements() == 1 &&
      number.getElementType().isF64() &&
      number.getSplatValue<APFloat>().isExactlyValue(1.0))
    shapes.setElements(op->getResult(0), {sizes.constant(1)});
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
