// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic inside kernels: widening, saturation and TOSA's scaling.
#include "Converter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

Value gaudi::extendInt(KernelBuilder &k, Value value, Type to,
                       bool isUnsigned) {
  if (value.getType() == to)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(k.getBuilder(), k.getLoc(), to, value);
  return arith::ExtSIOp::create(k.getBuilder(), k.getLoc(), to, value);
}

Value gaudi::saturateTo(KernelBuilder &k, Value value, Type type,
                        bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 64)
    return value;
  int64_t low = isUnsigned ? 0 : -(int64_t(1) << (width - 1));
  int64_t high = (int64_t(1) << (isUnsigned ? width : width - 1)) - 1;
  Type i64 = value.getType();
  value = k.binary<arith::MaxSIOp>(value, k.intConstant(low, i64));
  value = k.binary<arith::MinSIOp>(value, k.intConstant(high, i64));
  return arith::TruncIOp::create(k.getBuilder(), k.getLoc(),
                                 IntegerType::get(type.getContext(), width),
                                 value);
}

Value gaudi::compareInt(KernelBuilder &k, arith::CmpIPredicate predicate,
                        Value a, Value b) {
  return arith::CmpIOp::create(k.getBuilder(), k.getLoc(), predicate, a, b);
}

Value gaudi::addNumber(KernelBuilder &k, Value value, int64_t number) {
  if (number == 0)
    return value;
  return k.binary<arith::AddIOp>(value, k.intConstant(number, value.getType()));
}

/// 2^(shift-1), the half of what is shifted out: added before the shift, it
/// rounds to nearest, halves up. TOSA's shifts are from 2 to 62.
static Value roundingHalf(KernelBuilder &k, Value shift) {
  Type i64 = shift.getType();
  APInt number;
  if (matchPattern(shift, m_ConstantInt(&number))) {
    int64_t bits = number.getSExtValue();
    int64_t half = bits > 0 && bits < 64 ? int64_t(1) << (bits - 1) : 0;
    return k.intConstant(half, i64);
  }
  Value one = k.intConstant(1, i64);
  return k.binary<arith::ShLIOp>(one, addNumber(k, shift, -1));
}

/// +-2^30 by the sign of `value` if `shift` is over 31, else 0; null if the
/// shift is a constant that asks for nothing.
static Value secondRounding(KernelBuilder &k, Value value, Value shift) {
  Type i64 = value.getType();
  APInt number;
  bool isConstant = matchPattern(shift, m_ConstantInt(&number));
  if (isConstant && number.sle(31))
    return {};
  Value zero = k.intConstant(0, i64);
  Value down = k.intConstant(-(int64_t(1) << 30), i64);
  Value up = k.intConstant(int64_t(1) << 30, i64);
  Value extra =
      k.select(compareInt(k, arith::CmpIPredicate::slt, value, zero), down, up);
  if (isConstant)
    return extra;
  Value longest = k.intConstant(31, i64);
  return k.select(compareInt(k, arith::CmpIPredicate::sgt, shift, longest),
                  extra, zero);
}

Value gaudi::scaleInt(KernelBuilder &k, Value value, Value multiplier,
                      Value shift, bool doubleRound) {
  Value round = roundingHalf(k, shift);
  if (doubleRound)
    if (Value extra = secondRounding(k, value, shift))
      round = k.binary<arith::AddIOp>(round, extra);
  Value product = k.binary<arith::MulIOp>(value, multiplier);
  return k.binary<arith::ShRSIOp>(k.binary<arith::AddIOp>(product, round),
                                  shift);
}
