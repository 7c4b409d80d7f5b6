// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO ops on the bits of elements: casts between types of any width, and
// rounding to formats that no type has.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

/// Integers with the bits of the operand, signless.
static Value asIntegers(Value x, HloBuilder &b) {
  Type element = getElementTypeOrSelf(x);
  return element.isSignlessInteger() ? x : bitsOf(x, b);
}

/// Joins the elements of the last dimension into one, the first one lowest.
static Value joinElements(Operation *op, Value narrow, Type wide,
                          HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  const unsigned width = tensorType(narrow).getElementTypeBitWidth();
  const int64_t parts = wide.getIntOrFloatBitWidth() / width;
  const int64_t count = type.getNumElements();
  narrow = b.reshape(narrow, {count, parts});
  Value joined = b.pointKernel(
      op, RankedTensorType::get({count}, wide), narrow, {},
      [&](KernelBuilder &k) {
        Value bits;
        for (int64_t i = 0; i < parts; ++i) {
          Value part = k.load(0, {k.dim(0), k.cst(i)});
          part = arith::ExtUIOp::create(k.getBuilder(), k.getLoc(), wide, part);
          if (i > 0)
            part =
                k.binary<arith::ShLIOp>(part, k.intConstant(i * width, wide));
          bits = bits ? k.binary<arith::OrIOp>(bits, part) : part;
        }
        return bits;
      });
  return b.reshape(joined, type.getShape());
}

/// Splits each element into those of a new last dimension.
static Value splitElements(Operation *op, Value wide, Type narrow,
                           HloBuilder &b) {
  RankedTensorType from = tensorType(wide);
  const unsigned width = narrow.getIntOrFloatBitWidth();
  const int64_t parts = from.getElementTypeBitWidth() / width;
  const int64_t count = from.getNumElements();
  wide = b.reshape(wide, {count});
  RankedTensorType type = RankedTensorType::get({count, parts}, narrow);
  Value split = b.pointKernel(op, type, wide, {}, [&](KernelBuilder &k) {
    Type kind = from.getElementType(), i64 = k.getBuilder().getI64Type();
    Value distance =
        k.binary<arith::MulIOp>(k.index(1), k.intConstant(width, i64));
    if (kind != i64)
      distance =
          arith::TruncIOp::create(k.getBuilder(), k.getLoc(), kind, distance);
    Value part = k.binary<arith::ShRUIOp>(k.load(0, k.dim(0)), distance);
    return arith::TruncIOp::create(k.getBuilder(), k.getLoc(), narrow, part)
        .getResult();
  });
  return b.reshape(split, tensorType(op->getResult(0)).getShape());
}

/// Between types of different width, the narrow one has one more dimension.
HloMatch gaudi::matchBitcast(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  if (from.getElementType().isInteger(1) || to.getElementType().isInteger(1))
    return m.refuse("booleans have no bits that another type could have");
  const unsigned fromWidth = from.getElementTypeBitWidth();
  const unsigned toWidth = to.getElementTypeBitWidth();
  if (fromWidth == toWidth) {
    if (failed(m.checkSameShapes()))
      return failure();
    return build([op, from, to](HloBuilder &b) -> Value {
      if (from == to)
        return op->getOperand(0);
      return BitcastOp::create(b, to, op->getOperand(0));
    });
  }
  // The narrow type's last dimension holds the parts of a wide element, lowest
  // first.
  const bool isJoin = fromWidth < toWidth;
  const int64_t parts = isJoin ? toWidth / fromWidth : fromWidth / toWidth;
  RankedTensorType narrow = isJoin ? from : to, wide = isJoin ? to : from;
  SmallVector<int64_t> shape(wide.getShape());
  shape.push_back(parts);
  if (narrow.getShape() != ArrayRef<int64_t>(shape))
    return m.refuse("a bitcast between '" + spelled(from) + "' and '" +
                    spelled(to) + "' needs a last dimension of size " +
                    Twine(parts) + " in the narrower type");
  return build([op, to, isJoin, toWidth](HloBuilder &b) {
    Value bits = asIntegers(op->getOperand(0), b);
    Type integer = b.getIntegerType(toWidth);
    bits = isJoin ? joinElements(op, bits, integer, b)
                  : splitElements(op, bits, integer, b);
    if (to.getElementType() != integer)
      bits = BitcastOp::create(b, to, bits);
    return bits;
  });
}

/// Rounds the mantissas in `bits` to `kept` of their `mantissa` bits, to
/// nearest even. A carry out of the mantissa is the next exponent.
static Value roundMantissa(Value bits, unsigned mantissa, unsigned kept,
                           HloBuilder &b) {
  auto integer = [&](int64_t value) { return b.integer(value, bits); };
  const unsigned dropped = mantissa - kept;
  const int64_t unit = int64_t(1) << dropped;
  Value last = b.binary<AndOp>(b.binary<ShrLogicalOp>(bits, integer(dropped)),
                               integer(1));
  Value bias = b.binary<AddOp>(last, integer((unit >> 1) - 1));
  return b.binary<AndOp>(b.binary<AddOp>(bits, bias), integer(-unit));
}

/// Exponents beyond those of a format of `kept` bits become infinity, those
/// below zero: the format has no subnormal numbers.
static Value limitExponent(Value bits, unsigned mantissa, unsigned exponent,
                           unsigned kept, HloBuilder &b) {
  const unsigned width = tensorType(bits).getElementTypeBitWidth();
  auto integer = [&](int64_t value) { return b.integer(value, bits); };
  const int64_t bias = (int64_t(1) << (exponent - 1)) - 1;
  const int64_t reduced = (int64_t(1) << (kept - 1)) - 1;
  const int64_t all = ((int64_t(1) << exponent) - 1) << mantissa;
  Value size = b.binary<AndOp>(bits, integer(all));
  Value sign = b.binary<AndOp>(bits, integer(llvm::minIntN(width)));
  Value isLarge = b.compare(ComparePredicate::GT, size,
                            integer((bias + reduced) << mantissa));
  Value isSmall = b.compare(ComparePredicate::LE, size,
                            integer((bias - reduced) << mantissa));
  Value infinity = b.binary<OrOp>(sign, integer(all));
  return b.select(isSmall, sign, b.select(isLarge, infinity, bits));
}

HloMatch gaudi::matchReducePrecision(Operation *op, HloMatcher &m) {
  RankedTensorType type = tensorType(op->getResult(0));
  auto format = dyn_cast<FloatType>(type.getElementType());
  if (op->getOperand(0).getType() != type || !format)
    return m.refuse("operand and result must have one float type");
  auto exponent = m.integer("exponent_bits", 1, 64);
  auto mantissa = m.integer("mantissa_bits", 0, 64);
  if (failed(exponent) || failed(mantissa))
    return failure();
  // Fraction bits and exponent bits of the type itself.
  const unsigned fraction =
      APFloat::semanticsPrecision(format.getFloatSemantics()) - 1;
  const unsigned range = format.getWidth() - 1 - fraction;
  if ((*mantissa < fraction || *exponent < range) &&
      !APFloat::semanticsHasInf(format.getFloatSemantics()))
    return m.refuse("the element type has no infinity, which an overflow "
                    "gives; convert to bf16 first");
  return build([=, keptMantissa = *mantissa,
                keptExponent = *exponent](HloBuilder &b) -> Value {
    Value x = op->getOperand(0);
    // Bits that the type lacks need not be rounded away.
    const bool rounds = keptMantissa < fraction, limits = keptExponent < range;
    if (!rounds && !limits)
      return x;
    // 8 and 7 bits are bf16: two conversions.
    if (format.isF32() && keptExponent == 8 && keptMantissa == 7)
      return b.cast(b.cast(x, b.getBF16Type()), format);
    Value bits = bitsOf(x, b);
    if (rounds)
      bits = roundMantissa(bits, fraction, keptMantissa, b);
    if (limits)
      bits = limitExponent(bits, fraction, range, keptExponent, b);
    Value rounded = BitcastOp::create(b, type, bits);
    // Rounding the bits of a NaN may give an infinity.
    return b.select(b.compare(ComparePredicate::EQ, x, x), rounded, x);
  });
}
