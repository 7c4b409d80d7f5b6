// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar bodies: arithmetic and mathematical functions.
#include "Gaudi/Dialect/KernelLanguage.h"
#include "ScalarBody.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

/// Ops that a kernel has as they are; casts change types and go their own way.
static bool isKernelOp(Operation *op) {
  auto opcode = opcodeOf(op->getName());
  return opcode && op->getNumResults() == 1 && valueOperands(*opcode) > 0 &&
         !isConversion(familyOf(*opcode));
}

Value ScalarBody::emitPower(Value base, int64_t exponent) {
  OpBuilder &b = k.getBuilder();
  bool isFloat = base.getType().isF32();
  Value one = isFloat ? k.floatConstant(1.0) : k.intConstant(1, base.getType());
  if (!isFloat && exponent < 0) {
    // 1 / base^n, where base^n may wrap: only 1 and -1 have an inverse.
    auto isBase = [&](int64_t number) {
      return arith::CmpIOp::create(b, k.getLoc(), arith::CmpIPredicate::eq,
                                   base, k.intConstant(number, base.getType()));
    };
    Value zero = k.intConstant(0, base.getType());
    Value ofMinusOne = exponent % 2 ? k.intConstant(-1, base.getType()) : one;
    Value rest =
        arith::SelectOp::create(b, k.getLoc(), isBase(-1), ofMinusOne, zero);
    return arith::SelectOp::create(b, k.getLoc(), isBase(1), one, rest);
  }
  auto multiply = [&](Value x, Value y) -> Value {
    if (isFloat)
      return arith::MulFOp::create(b, k.getLoc(), x, y);
    return arith::MulIOp::create(b, k.getLoc(), x, y);
  };
  // Square and multiply: at most two products for each bit of the exponent. The
  // magnitude of the least int64 fits uint64_t only.
  uint64_t left = exponent < 0 ? uint64_t(0) - uint64_t(exponent) : exponent;
  Value result, square = base;
  for (; left != 0; left >>= 1) {
    if (left & 1)
      result = result ? multiply(result, square) : square;
    if (left > 1)
      square = multiply(square, square);
  }
  if (!result)
    return one;
  if (exponent >= 0)
    return result;
  return arith::DivFOp::create(b, k.getLoc(), one, result);
}

/// Ops without an opcode of their own, written with others.
static bool isComposed(Operation *op) {
  return isa<math::FPowIOp, math::IPowIOp, math::ClampFOp, math::IsNaNOp,
             math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(op);
}

/// Ops with two results, which kernels have or compose.
static bool hasTwoResults(Operation *op) {
  return isa<math::SincosOp, arith::AddUIExtendedOp, arith::MulSIExtendedOp,
             arith::MulUIExtendedOp>(op);
}

std::string fromlinalg::whyNoArithmetic(Operation *op) {
  StringRef name = op->getName().getStringRef();
  std::string noForm = ("'" + name + "' in the body has no kernel form").str();
  if (op->getNumRegions() != 0)
    return noForm;
  APInt exponent;
  if (isa<math::IPowIOp>(op) &&
      !matchPattern(op->getOperand(1), m_ConstantInt(&exponent)))
    return "'math.ipowi' has an exponent that is not constant";
  if (isComposed(op) || hasTwoResults(op))
    return "";
  return isKernelOp(op) ? "" : noForm;
}

Value ScalarBody::emitComposed(Operation *op, ValueRange in) {
  OpBuilder &b = k.getBuilder();
  Location loc = k.getLoc();
  auto absolute = [&] { return math::AbsFOp::create(b, loc, in[0]); };
  auto infinity = [&] {
    return k.floatConstant(std::numeric_limits<double>::infinity());
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  };
  if (isa<math::FPowIOp, math::IPowIOp>(op)) {
    APInt exponent;
    // A constant exponent is a chain of products.
    if (matchPattern(op->getOperand(1), m_ConstantInt(&exponent)))
      return emitPower(in[0], exponent.getSExtValue());
    Value power = arith::SIToFPOp::create(b, loc, b.getF32Type(), in[1]);
    return math::PowFOp::create(b, loc, in[0], power);
  }
  if (isa<math::ClampFOp>(op)) {
    Value low = arith::MaximumFOp::create(b, loc, in[0], in[1]);
    return arith::MinimumFOp::create(b, loc, low, in[2]);
  }
  if (isa<math::IsNaNOp>(op))
    return compare(arith::CmpFPredicate::UNO, in[0], in[0]);
  // A narrow float is infinite or finite as its f32 value is, but its smallest
  // normal number is its own.
  if (isa<math::IsInfOp>(op))
    return compare(arith::CmpFPredicate::OEQ, absolute(), infinity());
  if (isa<math::IsFiniteOp>(op))
    return compare(arith::CmpFPredicate::OLT, absolute(), infinity());
  assert(isa<math::IsNormalOp>(op) && "isComposed lists all");
  auto type = cast<FloatType>(op->getOperand(0).getType());
  double smallest = APFloat::getSmallestNormalized(type.getFloatSemantics())
                        .convertToDouble();
  Value magnitude = absolute();
  Value finite = compare(arith::CmpFPredicate::OLT, magnitude, infinity());
  Value normal =
      compare(arith::CmpFPredicate::OGE, magnitude, k.floatConstant(smallest));
  return arith::AndIOp::create(b, loc, finite, normal);
}

/// Arithmetic of single bits, as logic; null for other ops. Sums are modulo 2;
/// as a signed number, true is -1, so the signed maximum is the and.
static Value emitBitLogic(OpBuilder &b, Location loc, Operation *op,
                          ValueRange in) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isInteger(1))
    return {};
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return arith::XOrIOp::create(b, loc, in[0], in[1]);
  if (isa<arith::MulIOp, arith::MinUIOp, arith::MaxSIOp>(op))
    return arith::AndIOp::create(b, loc, in[0], in[1]);
  if (isa<arith::MaxUIOp, arith::MinSIOp>(op))
    return arith::OrIOp::create(b, loc, in[0], in[1]);
  return {};
}

Value ScalarBody::emitArithmetic(Operation *op, unsigned result) {
  OpBuilder &b = k.getBuilder();
  Location loc = op->getLoc();
  SmallVector<Value> in;
  for (Value operand : op->getOperands())
    in.push_back(known(operand));
  if (isComposed(op))
    return emitComposed(op, in);
  if (isa<math::SincosOp>(op))
    return result == 0 ? math::SinOp::create(b, loc, in[0]).getResult()
                       : math::CosOp::create(b, loc, in[0]).getResult();
  // The carry: the sum is less than an operand if it has wrapped.
  if (isa<arith::AddUIExtendedOp>(op)) {
    Value sum = arith::AddIOp::create(b, loc, in[0], in[1]);
    return result == 0 ? sum
                       : arith::CmpIOp::create(
                             b, loc, arith::CmpIPredicate::ult, sum, in[0])
                             .getResult();
  }
  if (isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op)) {
    OperationState state(loc, op->getName());
    state.addOperands(in);
    state.addTypes({in[0].getType(), in[0].getType()});
    Operation *both = b.create(state);
    // The other half is known, too, and need not be multiplied again.
    map(op->getResult(1 - result), both->getResult(1 - result));
    return both->getResult(result);
  }
  if (Value logic = emitBitLogic(b, loc, op, in))
    return logic;
  // All others are one scalar op, in the types of kernels.
  OperationState state(loc, op->getName());
  state.addOperands(in);
  state.addTypes(scalarTypeOf(op->getResult(0).getType()));
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    state.addAttribute("predicate", cmp.getPredicateAttr());
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    state.addAttribute("predicate", cmp.getPredicateAttr());
  return b.create(state)->getResult(0);
}
