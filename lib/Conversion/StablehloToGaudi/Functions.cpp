// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of CHLO that are several ops of the device.
#include "../Common/SpecialFunctions.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

static LogicalResult checkFloatUnary(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (!isFloatElement(type))
    return m.refuse("it is not defined for element type '" + spelled(type) +
                    "'");
  return success();
}

HloMatch gaudi::matchErfInv(Operation *op, HloMatcher &m) {
  if (failed(checkFloatUnary(op, m)))
    return failure();
  return build([op](HloBuilder &b) {
    Value x = b.cast(op->getOperand(0), b.getF32Type());
    Formula f(b, tensorType(x));
    return b.cast(inverseErf(f, x), getElementTypeOrSelf(op->getResult(0)));
  });
}

Value gaudi::bitsOf(Value x, HloBuilder &b) {
  RankedTensorType type = tensorType(x);
  Type bits = b.getIntegerType(type.getElementTypeBitWidth());
  return BitcastOp::create(b, type.clone(bits), x);
}

Value gaudi::totalOrder(Value x, HloBuilder &b) {
  Value bits = bitsOf(x, b);
  const unsigned width = tensorType(bits).getElementTypeBitWidth();
  // The magnitude of negative numbers counts downwards.
  Value sign = b.binary<ShrOp>(bits, b.integer(width - 1, bits));
  Value magnitude = b.integer(llvm::maxIntN(width), bits);
  return b.binary<XorOp>(bits, b.binary<AndOp>(sign, magnitude));
}

/// The neighbour of x in the direction of y, by its bits. NaN if either is.
HloMatch gaudi::matchNextAfter(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  if (op->getOperand(0).getType() != op->getOperand(1).getType() ||
      op->getOperand(0).getType() != op->getResult(0).getType() ||
      !isFloatElement(getElementTypeOrSelf(op->getOperand(0))))
    return m.refuse("operands and result must have one float type");
  return build([op](HloBuilder &b) {
    Value x = op->getOperand(0), y = op->getOperand(1);
    // The bits of floats of one sign are in the order of their magnitudes.
    Value bits = bitsOf(x, b), target = bitsOf(y, b);
    const unsigned width = tensorType(bits).getElementTypeBitWidth();
    Value zero = b.splat(
        tensorType(x).clone(SmallVector<int64_t>(tensorType(x).getRank(), 1)),
        b.getZeroAttr(tensorType(x).getElementType()));
    // Away from zero if y lies further out on the same side.
    Value isUp = b.compare(ComparePredicate::GT, y, x);
    Value isPositive = b.compare(ComparePredicate::GT, x, zero);
    Value isOut = b.compare(ComparePredicate::EQ, isUp, isPositive);
    Value one = b.integer(1, bits);
    Value next =
        b.select(isOut, b.binary<AddOp>(bits, one), b.binary<SubOp>(bits, one));
    Value signOfTarget =
        b.binary<AndOp>(target, b.integer(llvm::minIntN(width), bits));
    // Next to zero is the smallest number with the sign of y.
    next = b.select(b.compare(ComparePredicate::EQ, x, zero),
                    b.binary<OrOp>(signOfTarget, one), next);
    next = b.select(b.compare(ComparePredicate::EQ, x, y), target, next);
    Value value = BitcastOp::create(b, x.getType(), next);
    Value isNumber = b.binary<AndOp>(b.compare(ComparePredicate::EQ, x, x),
                                     b.compare(ComparePredicate::EQ, y, y));
    // The sum of both gives a NaN if one is.
    return b.select(isNumber, value, b.binary<AddOp>(x, y));
  });
}

HloMatch gaudi::matchSquare(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return m.refuse("it is not defined for element type 'i1'");
  return build([op](HloBuilder &b) {
    return MulOp::create(b, op->getResult(0).getType(), op->getOperand(0),
                         op->getOperand(0));
  });
}

/// An infinity: x or |x| equals it.
HloMatch gaudi::matchInfinity(Operation *op, HloMatcher &m) {
  if (failed(checkFloatUnary(op, m)))
    return failure();
  return build([op](HloBuilder &b) {
    Value x = b.cast(op->getOperand(0), b.getF32Type());
    if (isHlo(op, Hlo::IsInf))
      x = b.unary<AbsOp>(x);
    const double infinity = std::numeric_limits<double>::infinity();
    return b.compare(
        ComparePredicate::EQ, x,
        b.number(isHlo(op, Hlo::IsNegInf) ? -infinity : infinity, x));
  });
}
