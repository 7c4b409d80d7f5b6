// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of ops on integers and indices: arithmetic on sizes.
#include "SizeArithmetic.h"
#include "SourceShapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gaudi;

/// Null for a comparison of unsigned numbers that may be negative.
static AffineExpr compare(arith::CmpIPredicate predicate, AffineExpr a,
                          AffineExpr b, const SizeExprs &sizes) {
  using Predicate = arith::CmpIPredicate;
  // Sizes are signed; within the numbers from 0 on both orders agree.
  static constexpr std::pair<Predicate, SizeOperator> table[] = {
      {Predicate::eq, SizeOperator::Eq},  {Predicate::ne, SizeOperator::Ne},
      {Predicate::slt, SizeOperator::Lt}, {Predicate::ult, SizeOperator::Lt},
      {Predicate::sle, SizeOperator::Le}, {Predicate::ule, SizeOperator::Le},
      {Predicate::sgt, SizeOperator::Gt}, {Predicate::ugt, SizeOperator::Gt},
      {Predicate::sge, SizeOperator::Ge}, {Predicate::uge, SizeOperator::Ge}};
  const bool isUnsigned = predicate >= Predicate::ult;
  if (isUnsigned && (sizes.range(a).low < 0 || sizes.range(b).low < 0))
    return {};
  for (auto [known, kind] : table)
    if (known == predicate)
      return applySizeOperator(kind, a, b, sizes);
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
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp, index::CastUOp, arith::UIToFPOp,
          arith::FPToUIOp>(op))
    return sizes.range(a).low >= 0 ? a : AffineExpr();
  // Floats that hold whole numbers: the length of a range is rounded in them.
  if (isa<arith::SIToFPOp, arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp,
          math::CeilOp, math::FloorOp>(op) &&
      !isFromBool)
    return a;
  // What does not fit the result's type is dropped when elements are set.
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, index::CastSOp>(
          op) &&
      !isFromBool)
    return a;
  return {};
}

/// The operator of an op on two integers; none for others, and for ops on
/// unsigned numbers where these may be negative.
static std::optional<SizeOperator> operatorOf(Operation *op,
                                              bool isNotNegative) {
  const bool isBool = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  if (isa<arith::AndIOp, index::AndOp>(op) && isBool)
    return SizeOperator::And;
  if (isa<arith::OrIOp, index::OrOp>(op) && isBool)
    return SizeOperator::Or;
  if (isa<arith::XOrIOp, index::XOrOp>(op) && isBool)
    return SizeOperator::Xor;
  // Other ops of booleans are no arithmetic on sizes.
  if (isBool)
    return std::nullopt;
  // Whole numbers in floats are exact, too.
  if (isa<arith::AddIOp, index::AddOp, arith::AddFOp>(op))
    return SizeOperator::Add;
  if (isa<arith::SubIOp, index::SubOp, arith::SubFOp>(op))
    return SizeOperator::Sub;
  if (isa<arith::MulIOp, index::MulOp, arith::MulFOp>(op))
    return SizeOperator::Mul;
  // Unsigned ops are those of signed numbers where neither is negative.
  if (isa<arith::MaxSIOp, index::MaxSOp>(op) ||
      (isNotNegative && isa<arith::MaxUIOp, index::MaxUOp>(op)))
    return SizeOperator::Max;
  if (isa<arith::MinSIOp, index::MinSOp>(op) ||
      (isNotNegative && isa<arith::MinUIOp, index::MinUOp>(op)))
    return SizeOperator::Min;
  if (isa<arith::DivSIOp, index::DivSOp>(op) ||
      (isNotNegative && isa<arith::DivUIOp, index::DivUOp>(op)))
    return SizeOperator::Div;
  if (isa<arith::FloorDivSIOp, index::FloorDivSOp>(op))
    return SizeOperator::FloorDiv;
  if (isa<arith::CeilDivSIOp, index::CeilDivSOp>(op) ||
      (isNotNegative && isa<arith::CeilDivUIOp, index::CeilDivUOp>(op)))
    return SizeOperator::CeilDiv;
  if (isa<arith::RemSIOp, index::RemSOp>(op) ||
      (isNotNegative && isa<arith::RemUIOp, index::RemUOp>(op)))
    return SizeOperator::Rem;
  return std::nullopt;
}

static AffineExpr binary(Operation *op, AffineExpr a, AffineExpr b,
                         const SizeExprs &sizes) {
  if (isa<arith::CmpIOp, index::CmpOp>(op)) {
    if (!a || !b)
      return {};
    auto cmp = dyn_cast<arith::CmpIOp>(op);
    return compare(cmp ? cmp.getPredicate()
                       : arithPredicate(cast<index::CmpOp>(op).getPred()),
                   a, b, sizes);
  }
  const bool isNotNegative =
      a && b && sizes.range(a).low >= 0 && sizes.range(b).low >= 0;
  if (isa<arith::DivFOp>(op))
    return a && b && sizes.range(b).low > 0 ? sizes.exactQuotient(a, b)
                                            : AffineExpr();
  auto kind = operatorOf(op, isNotNegative);
  return kind ? applySizeOperator(*kind, a, b, sizes) : AffineExpr();
}

/// The quotient of two whole numbers in f64, rounded up or down. It is exact:
/// numbers that need more than 53 bits are not followed.
static AffineExpr roundedQuotient(Operation *op, const SymbolicShapes &shapes) {
  auto quotient = op->getOperand(0).getDefiningOp<arith::DivFOp>();
  return quotient && quotient.getType().isF64()
             ? applySizeOperator(isa<math::CeilOp>(op) ? SizeOperator::CeilDiv
                                                       : SizeOperator::FloorDiv,
                                 shapes.element(quotient.getLhs()),
                                 shapes.element(quotient.getRhs()),
                                 shapes.sizes)
             : AffineExpr();
}

/// One element of the result of an elementwise op; null if it is no expression.
static AffineExpr combine(Operation *op, ArrayRef<AffineExpr> operands,
                          const SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  if (isa<arith::SelectOp>(op))
    return selectSize(operands[0], operands[1], operands[2], sizes);
  if (isa<math::CeilOp, math::FloorOp>(op) && !operands[0])
    return roundedQuotient(op, shapes);
  if (operands.size() == 1)
    return operands[0] ? unary(op, operands[0], sizes) : AffineExpr();
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

AffineExpr gaudi::wholeSize(APFloat number, const SizeExprs &sizes) {
  APSInt whole(62, /*isUnsigned=*/false);
  bool isExact = false;
  return number.convertToInteger(whole, APFloat::rmTowardZero, &isExact) ==
                     APFloat::opOK &&
                 isExact
             ? sizes.constant(whole.getExtValue())
             : AffineExpr();
}

void gaudi::setConstant(Value result, Attribute value, SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  auto size = [&](const APInt &number) {
    if (number.getBitWidth() == 1)
      return sizes.constant(number.getZExtValue());
    // Larger numbers are no sizes, and their sums would overflow.
    return number.getSignificantBits() > 62
               ? AffineExpr()
               : sizes.constant(number.getSExtValue());
  };
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return shapes.setElements(result, {size(number.getValue())});
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return shapes.setElements(result, {wholeSize(number.getValue(), sizes)});
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (!dense || dense.getNumElements() > SymbolicShapes::maxElements)
    return;
  SizeList elements;
  for (const APInt &number : dense.getValues<APInt>())
    elements.push_back(size(number));
  shapes.setElements(result, std::move(elements));
}

LogicalResult gaudi::inferElementwise(Operation *op, SymbolicShapes &shapes) {
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    inferConstant(op, shapes);
    return success();
  }
  if (failed(inferEqualShapes(op, shapes)))
    return failure();
  inferElements(op, shapes, [&](ArrayRef<AffineExpr> operands) {
    return combine(op, operands, shapes);
  });
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

LogicalResult gaudi::inferArithmetic(Operation *op, SymbolicShapes &shapes) {
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
