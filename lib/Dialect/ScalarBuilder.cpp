// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar computations of TPC kernels.
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

Value ScalarBuilder::floatConstant(double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value ScalarBuilder::intConstant(int64_t value, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value ScalarBuilder::constant(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return floatConstant(number.getValueAsDouble());
  auto integer = llvm::cast<IntegerAttr>(value);
  Type type = kernelType(value.getType());
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, integer.getValue()));
}

/// The op for the element type: integers are signless, the op orders them.
template <typename Float, typename Unsigned, typename Signed>
static Value numeric(ScalarBuilder &s, Type element, Value a, Value b) {
  if (isFloatElement(element))
    return s.binary<Float>(a, b);
  return isUnsignedElement(element) ? s.binary<Unsigned>(a, b)
                                    : s.binary<Signed>(a, b);
}

Value ScalarBuilder::add(Value a, Value b) {
  return isFloat() ? binary<arith::AddFOp>(a, b) : binary<arith::AddIOp>(a, b);
}
Value ScalarBuilder::sub(Value a, Value b) {
  return isFloat() ? binary<arith::SubFOp>(a, b) : binary<arith::SubIOp>(a, b);
}
Value ScalarBuilder::mul(Value a, Value b) {
  return isFloat() ? binary<arith::MulFOp>(a, b) : binary<arith::MulIOp>(a, b);
}
Value ScalarBuilder::div(Value a, Value b) {
  return numeric<arith::DivFOp, arith::DivUIOp, arith::DivSIOp>(
      *this, elementType, a, b);
}
Value ScalarBuilder::rem(Value a, Value b) {
  return numeric<arith::RemFOp, arith::RemUIOp, arith::RemSIOp>(
      *this, elementType, a, b);
}
Value ScalarBuilder::max(Value a, Value b) {
  return numeric<arith::MaximumFOp, arith::MaxUIOp, arith::MaxSIOp>(
      *this, elementType, a, b);
}
Value ScalarBuilder::min(Value a, Value b) {
  return numeric<arith::MinimumFOp, arith::MinUIOp, arith::MinSIOp>(
      *this, elementType, a, b);
}
Value ScalarBuilder::abs(Value a) {
  if (isFloat())
    return unary<math::AbsFOp>(a);
  return isUnsigned() ? a : unary<math::AbsIOp>(a);
}
Value ScalarBuilder::neg(Value a) {
  if (isFloat())
    return unary<arith::NegFOp>(a);
  return binary<arith::SubIOp>(intConstant(0, a.getType()), a);
}
Value ScalarBuilder::sign(Value a) {
  if (isFloat()) {
    Value zero = floatConstant(0);
    Value unit = binary<math::CopySignOp>(floatConstant(1), a);
    Value nonzero =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE, a, zero);
    // NaN is unordered with zero and falls through as itself, as does zero.
    return arith::SelectOp::create(builder, loc, nonzero, unit, a);
  }
  Value one = intConstant(1, a.getType());
  if (isUnsigned())
    return min(a, one);
  return max(min(a, one), intConstant(-1, a.getType()));
}
Value ScalarBuilder::bitNot(Value a) {
  return binary<arith::XOrIOp>(a, intConstant(-1, a.getType()));
}
Value ScalarBuilder::reciprocal(Value a) {
  return binary<arith::DivFOp>(floatConstant(1), a);
}
Value ScalarBuilder::sigmoid(Value a) {
  Value exp = unary<math::ExpOp>(unary<arith::NegFOp>(a));
  return reciprocal(binary<arith::AddFOp>(floatConstant(1), exp));
}

Value ScalarBuilder::compare(ComparePredicate predicate, Value a, Value b) {
  if (isFloat()) {
    static constexpr arith::CmpFPredicate table[] = {
        arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
        arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
        arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return arith::CmpFOp::create(builder, loc, table[unsigned(predicate)], a,
                                 b);
  }
  static constexpr arith::CmpIPredicate signedTable[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
      arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  static constexpr arith::CmpIPredicate unsignedTable[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
      arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  auto &table = isUnsigned() ? unsignedTable : signedTable;
  return arith::CmpIOp::create(builder, loc, table[unsigned(predicate)], a, b);
}

Value ScalarBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value ScalarBuilder::clamp(Value a, TypedAttr low, TypedAttr high,
                           bool ignoreNan) {
  Value lowValue = constant(low), highValue = constant(high);
  if (isFloat() && ignoreNan)
    return binary<arith::MinNumFOp>(binary<arith::MaxNumFOp>(a, lowValue),
                                    highValue);
  return min(max(a, lowValue), highValue);
}

Value ScalarBuilder::rounded(Value a, Type type) {
  if (type.isF32())
    return a;
  Value narrow = arith::TruncFOp::create(builder, loc, type, a);
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), narrow);
}

Value ScalarBuilder::roundTo(ValueRange in, Type target, FloatRounding rounding,
                             bool flush, FloatAttr saturate) {
  Value value = in[0];
  if (saturate) {
    const double most = saturate.getValueAsDouble();
    value = min(max(value, floatConstant(-most)), floatConstant(most));
  }
  return KernelRoundToOp::create(builder, loc, builder.getF32Type(), value,
                                 in.size() > 1 ? in[1] : Value(), target,
                                 rounding, flush);
}

Value ScalarBuilder::cast(Value a, Type target, RoundingMode rounding) {
  Type source = elementType;
  Type to = kernelType(target);
  // To a boolean: whether it is not 0, not the lowest bit. NaN is not 0.
  if (target.isInteger(1) && !source.isInteger(1)) {
    if (isFloat())
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, a,
                                   floatConstant(0));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a,
                                 intConstant(0, a.getType()));
  }
  if (isFloat()) {
    if (isFloatElement(target))
      return a; // the store rounds
    // The conversions below truncate; a value that is whole stays as it is.
    if (rounding == RoundingMode::NearestEven)
      a = unary<math::RoundEvenOp>(a);
    if (isUnsignedElement(target))
      return arith::FPToUIOp::create(builder, loc, to, a);
    return arith::FPToSIOp::create(builder, loc, to, a);
  }
  if (isFloatElement(target)) {
    if (isUnsigned())
      return arith::UIToFPOp::create(builder, loc, to, a);
    return arith::SIToFPOp::create(builder, loc, to, a);
  }
  unsigned from = a.getType().getIntOrFloatBitWidth();
  unsigned width = to.getIntOrFloatBitWidth();
  if (from == width)
    return a;
  if (from > width)
    return arith::TruncIOp::create(builder, loc, to, a);
  // The sign of the source decides, whatever the sign of the target.
  if (isUnsigned())
    return arith::ExtUIOp::create(builder, loc, to, a);
  return arith::ExtSIOp::create(builder, loc, to, a);
}
