// Rules of ops on integers and indices: arithmetic on sizes.
#include "SourceShapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace mlir::gaudi;

/// A comparison that has the same outcome for all sizes.
static AffineExpr compare(arith::CmpIPredicate predicate, AffineExpr a,
                          AffineExpr b, const SizeExprs &sizes) {
  using Predicate = arith::CmpIPredicate;
  const SizeExprs::Range difference = sizes.range(sizes.sub(a, b));
  auto known = [&](bool isTrue, bool isFalse) {
    return isTrue    ? sizes.constant(1)
           : isFalse ? sizes.constant(0)
                     : AffineExpr();
  };
  const bool isUnsigned = predicate >= Predicate::ult;
  if (isUnsigned && (sizes.range(a).low < 0 || sizes.range(b).low < 0))
    return {};
  switch (predicate) {
  case Predicate::eq:
    return known(difference.low == 0 && difference.high == 0,
                 difference.low > 0 || difference.high < 0);
  case Predicate::ne:
    return known(difference.low > 0 || difference.high < 0,
                 difference.low == 0 && difference.high == 0);
  case Predicate::slt:
  case Predicate::ult:
    return known(difference.high < 0, difference.low >= 0);
  case Predicate::sle:
  case Predicate::ule:
    return known(difference.high <= 0, difference.low > 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return known(difference.low > 0, difference.high <= 0);
  case Predicate::sge:
  case Predicate::uge:
    return known(difference.low >= 0, difference.high < 0);
  }
  llvm_unreachable("all predicates");
}

/// The predicate of the same name in the dialect index.
static arith::CmpIPredicate arithPredicate(index::IndexCmpPredicate predicate) {
  return *arith::symbolizeCmpIPredicate(
      index::stringifyIndexCmpPredicate(predicate));
}

static AffineExpr unary(Operation *op, AffineExpr a, const SizeExprs &sizes) {
  const bool isFromBool = getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
  // A true bit is -1 as a signed number.
  if (isa<arith::ExtSIOp, index::CastSOp>(op) && isFromBool)
    return sizes.sub(sizes.constant(0), a);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp, index::CastUOp>(op))
    return sizes.range(a).low >= 0 ? a : AffineExpr();
  // What does not fit the result's type is dropped when elements are set.
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, index::CastSOp>(
          op) &&
      !isFromBool)
    return a;
  return {};
}

static AffineExpr binary(Operation *op, AffineExpr a, AffineExpr b,
                         const SizeExprs &sizes) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp.getPredicate(), a, b, sizes);
  if (auto cmp = dyn_cast<index::CmpOp>(op))
    return compare(arithPredicate(cmp.getPred()), a, b, sizes);
  if (isa<arith::AddIOp, index::AddOp>(op))
    return getElementTypeOrSelf(op->getResult(0)).isInteger(1)
               ? AffineExpr()
               : sizes.add(a, b);
  if (isa<arith::SubIOp, index::SubOp>(op))
    return sizes.sub(a, b);
  if (isa<arith::MulIOp, index::MulOp>(op))
    return sizes.mul(a, b);
  if (getElementTypeOrSelf(op->getResult(0)).isInteger(1)) {
    if (isa<arith::AndIOp, index::AndOp>(op))
      return sizes.min(a, b);
    if (isa<arith::OrIOp, index::OrOp>(op))
      return sizes.max(a, b);
    if (isa<arith::XOrIOp, index::XOrOp>(op))
      return a == b ? sizes.constant(0)
             : b == sizes.constant(1)
                 ? sizes.sub(b, a)
                 : (a == sizes.constant(1) ? sizes.sub(a, b) : AffineExpr());
    return {};
  }
  const bool isNotNegative = sizes.range(a).low >= 0 && sizes.range(b).low >= 0;
  if (isa<arith::MaxSIOp, index::MaxSOp>(op) ||
      (isNotNegative && isa<arith::MaxUIOp, index::MaxUOp>(op)))
    return sizes.max(a, b);
  if (isa<arith::MinSIOp, index::MinSOp>(op) ||
      (isNotNegative && isa<arith::MinUIOp, index::MinUOp>(op)))
    return sizes.min(a, b);
  // Quotients of what is not negative round down, whatever the op.
  if (!isNotNegative || sizes.range(b).low < 1)
    return {};
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, index::DivSOp,
          index::DivUOp, index::FloorDivSOp>(op))
    return sizes.floorDiv(a, b);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, index::CeilDivSOp,
          index::CeilDivUOp>(op))
    return sizes.ceilDiv(a, b);
  if (isa<arith::RemSIOp, arith::RemUIOp, index::RemSOp, index::RemUOp>(op))
    return sizes.mod(a, b);
  return {};
}

/// One element of the result of an elementwise op; null if it is no expression.
static AffineExpr combine(Operation *op, ArrayRef<AffineExpr> operands,
                          const SizeExprs &sizes) {
  if (isa<arith::SelectOp>(op)) {
    if (operands[1] == operands[2])
      return operands[1];
    auto condition = dyn_cast_or_null<AffineConstantExpr>(operands[0]);
    return condition ? operands[condition.getValue() ? 1 : 2] : AffineExpr();
  }
  if (llvm::is_contained(operands, AffineExpr()))
    return {};
  if (operands.size() == 1)
    return unary(op, operands[0], sizes);
  return operands.size() == 2 ? binary(op, operands[0], operands[1], sizes)
                              : AffineExpr();
}

static void inferConstant(Operation *op, SymbolicShapes &shapes) {
  Attribute value;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    value = constant.getValue();
  else if (auto constant = dyn_cast<index::ConstantOp>(op))
    value = constant.getValueAttr();
  setConstant(op->getResult(0), value, shapes);
}

void mlir::gaudi::setConstant(Value result, Attribute value,
                              SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  auto size = [&](const APInt &number) {
    if (number.getBitWidth() == 1)
      return sizes.constant(number.getZExtValue());
    return number.getSignificantBits() > 62
               ? AffineExpr()
               : sizes.constant(number.getSExtValue());
  };
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return shapes.setElements(result, {size(number.getValue())});
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (!dense || dense.getNumElements() > SymbolicShapes::maxElements)
    return;
  SizeList elements;
  for (const APInt &number : dense.getValues<APInt>())
    elements.push_back(size(number));
  shapes.setElements(result, std::move(elements));
}

/// Results have the shape of all operands that are tensors of their rank.
static LogicalResult inferTensors(Operation *op, SymbolicShapes &shapes) {
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SizeList dims = shapes.shape(result);
    Value from = result;
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (!tensor || tensor.getRank() != type.getRank())
        continue; // the condition of a select may be a scalar
      for (auto [have, size] : llvm::zip_equal(dims, shapes.shape(operand))) {
        const AffineExpr both = shapes.merge(op, have, size, from, operand);
        if (have && size && !both)
          return failure();
        have = both;
      }
      from = operand;
    }
    if (failed(shapes.setShape(result, std::move(dims))))
      return failure();
  }
  return success();
}

LogicalResult mlir::gaudi::inferElementwise(Operation *op,
                                            SymbolicShapes &shapes) {
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    inferConstant(op, shapes);
    return success();
  }
  if (failed(inferTensors(op, shapes)))
    return failure();
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return success();
  SmallVector<const SizeList *> operands;
  size_t count = 0;
  for (Value operand : op->getOperands()) {
    const SizeList *list = shapes.elements(operand);
    if (!list && !isa<arith::SelectOp>(op))
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
    elements.push_back(combine(op, parts, shapes.sizes));
  }
  shapes.setElements(op->getResult(0), std::move(elements));
  return success();
}

/// affine.apply, affine.min and affine.max.
static void inferAffine(Operation *op, AffineMap map, SymbolicShapes &shapes) {
  SmallVector<AffineExpr> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(shapes.element(operand));
    if (!operands.back())
      return;
  }
  const SizeExprs &sizes = shapes.sizes;
  const ArrayRef<AffineExpr> all(operands);
  AffineExpr value;
  for (AffineExpr expr : map.getResults()) {
    AffineExpr next = sizes.normal(expr.replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims())));
    if (value)
      next = isa<affine::AffineMinOp>(op) ? sizes.min(value, next)
                                          : sizes.max(value, next);
    value = next;
    if (!value)
      return;
  }
  shapes.setElements(op->getResult(0), {value});
}

LogicalResult mlir::gaudi::inferArithmetic(Operation *op,
                                           SymbolicShapes &shapes) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    inferAffine(op, apply.getAffineMap(), shapes);
    return success();
  }
  if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
    inferAffine(op, min.getAffineMap(), shapes);
    return success();
  }
  if (auto max = dyn_cast<affine::AffineMaxOp>(op)) {
    inferAffine(op, max.getAffineMap(), shapes);
    return success();
  }
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    return checkAssertion(assertion, assertion.getArg(), assertion.getMsg(),
                          shapes);
  return inferElementwise(op, shapes);
}
