// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of CHLO that are several ops of the device.
#include "Arithmetic.h"
#include "Converter.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

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
    Arithmetic a(op->getLoc(), b);
    Value x = b.cast(op->getLoc(), op->getOperand(0), b.builder.getF32Type());
    return b.cast(op->getLoc(), inverseErf(a, x),
                  getElementTypeOrSelf(op->getResult(0)));
  });
}

/// Evaluates a polynomial whose coefficients are given from the highest degree.
static Value polynomial(Arithmetic &a, Value x, ArrayRef<double> coefficients) {
  Value sum;
  for (double coefficient : coefficients) {
    Value number = a.number(coefficient, x);
    sum = sum ? a.binary<AddOp>(a.binary<MulOp>(x, sum), number) : number;
  }
  return sum;
}

/// The inverse of erf in single precision: M. Giles, "Approximating the erfinv
/// function", GPU Computing Gems, 2010. Infinite at 1 and -1, NaN beyond.
Value gaudi::inverseErf(Arithmetic &a, Value x) {
  static constexpr double central[] = {
      2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
      -4.39150654e-06, 0.00021858087,  -0.00125372503,
      -0.00417768164,  0.246640727,    1.50140941};
  static constexpr double tail[] = {
      -0.000200214257, 0.000100950558, 0.00134934322,
      -0.00367342844,  0.00573950773,  -0.0076224613,
      0.00943887047,   1.00167406,     2.83297682};
  // w = -log((1 - x) (1 + x)), without cancellation near 0.
  Value w =
      a.unary<NegOp>(a.unary<Log1pOp>(a.unary<NegOp>(a.binary<MulOp>(x, x))));
  Value near = a.binary<SubOp>(w, a.number(2.5, x));
  Value far = a.binary<SubOp>(a.unary<SqrtOp>(w), a.number(3, x));
  Value factor =
      a.select(a.compare(ComparePredicate::LT, w, a.number(5, x)),
               polynomial(a, near, central), polynomial(a, far, tail));
  Value isEnd =
      a.compare(ComparePredicate::EQ, a.unary<AbsOp>(x), a.number(1, x));
  Value infinity = a.number(std::numeric_limits<double>::infinity(), x);
  return a.binary<MulOp>(x, a.select(isEnd, infinity, factor));
}

Value gaudi::bitsOf(Location loc, Value x, HloBuilder &b) {
  RankedTensorType type = tensorType(x);
  Type bits = b.builder.getIntegerType(type.getElementTypeBitWidth());
  return BitcastOp::create(b.builder, loc, type.clone(bits), x);
}

Value gaudi::integerLike(Location loc, int64_t value, Value like,
                         HloBuilder &b) {
  RankedTensorType type = tensorType(like);
  SmallVector<int64_t> ones(type.getRank(), 1);
  return b.splat(loc, type.clone(ones),
                 b.builder.getIntegerAttr(type.getElementType(), value));
}

Value gaudi::totalOrder(Location loc, Value x, HloBuilder &b) {
  Arithmetic a(loc, b);
  Value bits = bitsOf(loc, x, b);
  const unsigned width = tensorType(bits).getElementTypeBitWidth();
  // The magnitude of negative numbers counts downwards.
  Value sign = a.binary<ShrOp>(bits, integerLike(loc, width - 1, bits, b));
  Value magnitude = integerLike(loc, llvm::maxIntN(width), bits, b);
  return a.binary<XorOp>(bits, a.binary<AndOp>(sign, magnitude));
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
    Location loc = op->getLoc();
    Arithmetic a(loc, b);
    Value x = op->getOperand(0), y = op->getOperand(1);
    // The bits of floats of one sign are in the order of their magnitudes.
    Value bits = bitsOf(loc, x, b), target = bitsOf(loc, y, b);
    const unsigned width = tensorType(bits).getElementTypeBitWidth();
    Value zero = b.splat(
        loc,
        tensorType(x).clone(SmallVector<int64_t>(tensorType(x).getRank(), 1)),
        b.builder.getZeroAttr(tensorType(x).getElementType()));
    // Away from zero if y lies further out on the same side.
    Value isUp = a.compare(ComparePredicate::GT, y, x);
    Value isPositive = a.compare(ComparePredicate::GT, x, zero);
    Value isOut = a.compare(ComparePredicate::EQ, isUp, isPositive);
    Value one = integerLike(loc, 1, bits, b);
    Value next =
        a.select(isOut, a.binary<AddOp>(bits, one), a.binary<SubOp>(bits, one));
    Value signOfTarget = a.binary<AndOp>(
        target, integerLike(loc, llvm::minIntN(width), bits, b));
    // Next to zero is the smallest number with the sign of y.
    next = a.select(a.compare(ComparePredicate::EQ, x, zero),
                    a.binary<OrOp>(signOfTarget, one), next);
    next = a.select(a.compare(ComparePredicate::EQ, x, y), target, next);
    Value value = BitcastOp::create(b.builder, loc, x.getType(), next);
    Value isNumber = a.binary<AndOp>(a.compare(ComparePredicate::EQ, x, x),
                                     a.compare(ComparePredicate::EQ, y, y));
    // The sum of both gives a NaN if one is.
    return a.select(isNumber, value, a.binary<AddOp>(x, y));
  });
}

HloMatch gaudi::matchSquare(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return m.refuse("it is not defined for element type 'i1'");
  return build([op](HloBuilder &b) {
    return MulOp::create(b.builder, op->getLoc(), op->getResult(0).getType(),
                         op->getOperand(0), op->getOperand(0));
  });
}

/// An infinity: x or |x| equals it.
HloMatch gaudi::matchInfinity(Operation *op, HloMatcher &m) {
  if (failed(checkFloatUnary(op, m)))
    return failure();
  return build([op](HloBuilder &b) {
    Arithmetic a(op->getLoc(), b);
    Value x = b.cast(op->getLoc(), op->getOperand(0), b.builder.getF32Type());
    if (isHlo(op, Hlo::IsInf))
      x = a.unary<AbsOp>(x);
    const double infinity = std::numeric_limits<double>::infinity();
    return a.compare(
        ComparePredicate::EQ, x,
        a.number(isHlo(op, Hlo::IsNegInf) ? -infinity : infinity, x));
  });
}
