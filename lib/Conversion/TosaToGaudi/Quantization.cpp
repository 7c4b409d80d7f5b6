// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA ops of integer networks that have no op of their own in gaudi and
// become elementwise kernels: rescale, table, mul with shift, rounding shift,
// negate with zero points, apply_scale.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A shift or multiplier. It is usually a constant and becomes part of the
/// kernel; else the kernel loads it. Emits the i64 number.
struct ScaleOperand {
  std::optional<int64_t> constant;
  unsigned input = 0; // which scalar of the body, when not constant

  Value emit(KernelBuilder &k, ValueRange in) const {
    Type i64 = k.getBuilder().getI64Type();
    if (constant)
      return k.intConstant(*constant, i64);
    return extendInt(k, in[input], i64, /*isUnsigned=*/false);
  }
};
} // namespace

/// Adds `value`, a vector along the last dimension or one number, to `inputs`
/// unless it is one constant number.
static ScaleOperand addScaleOperand(TosaBuilder &b, Value value, int64_t rank,
                                    SmallVectorImpl<Value> &inputs) {
  if (tensorType(value).getNumElements() == 1)
    if (std::optional<SmallVector<int64_t>> numbers = constantInts(value))
      return {numbers->front(), 0};
  if (tensorType(value).getNumElements() == 1 && rank == 0)
    value = b.reshape(value, {});
  inputs.push_back(b.withRank(value, rank));
  return {std::nullopt, unsigned(inputs.size() - 1)};
}

/// `value` (i64) truncated to the kernel type of `type`.
static Value narrowTo(KernelBuilder &k, Value value, Type type) {
  if (type.isInteger(64))
    return value;
  return arith::TruncIOp::create(k.getBuilder(), k.getLoc(), kernelType(type),
                                 value);
}

static bool readsUnsigned(Value tensor, bool attribute) {
  return attribute || getElementTypeOrSelf(tensor).isUnsignedInteger();
}

static Value createRescale(tosa::RescaleOp op, TosaBuilder &b,
                           TosaMatcher::ZeroPoints zeroPoints, bool inUnsigned,
                           bool outUnsigned) {
  RankedTensorType result = tensorType(op.getOutput());
  SmallVector<Value> inputs{op.getInput()};
  ScaleOperand multiplier =
      addScaleOperand(b, op.getMultiplier(), result.getRank(), inputs);
  ScaleOperand shift =
      addScaleOperand(b, op.getShift(), result.getRank(), inputs);
  // INEXACT_ROUND leaves the rounding to the implementation: single.
  bool doubleRound = op.getScale32() &&
                     op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  return b.elementwiseKernel(
      op, result, inputs, {}, [&](KernelBuilder &k, ValueRange in) {
        Type i64 = k.getBuilder().getI64Type();
        Value value = extendInt(k, in[0], i64, inUnsigned);
        value = addNumber(k, value, -zeroPoints.first);
        Value factor = multiplier.emit(k, in);
        // 32 bits of value times 32 of multiplier: the product fits i64.
        value = scaleInt(k, value, factor, shift.emit(k, in), doubleRound);
        value = addNumber(k, value, zeroPoints.second);
        return saturateTo(k, value, result.getElementType(), outUnsigned);
      });
}

static TosaMatch matchRescale(tosa::RescaleOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Int)))
    return failure();
  bool inUnsigned = readsUnsigned(op.getInput(), op.getInputUnsigned());
  bool outUnsigned = readsUnsigned(op.getOutput(), op.getOutputUnsigned());
  auto zeroPoints = m.zeroPoints({op.getInputZp(), "input_zp", inUnsigned},
                                 {op.getOutputZp(), "output_zp", outUnsigned});
  RankedTensorType result = tensorType(op.getOutput());
  if (failed(zeroPoints) ||
      failed(m.checkElementwise(
          result, {op.getInput(), op.getMultiplier(), op.getShift()})))
    return failure();
  return build([=, zeroPoints = *zeroPoints](TosaBuilder &b) {
    return createRescale(op, b, zeroPoints, inUnsigned, outUnsigned);
  });
}

/// apply_scale on tensors; on scalars it belongs to the body of another op.
static TosaMatch matchApplyScale(tosa::ApplyScaleOp op, TosaMatcher &m) {
  auto result = cast<RankedTensorType>(op.getOutput().getType());
  SmallVector<Value> inputs{op.getValue(), op.getMultiplier(), op.getShift()};
  if (failed(m.checkElementwise(result, inputs)))
    return failure();
  bool doubleRound = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  return build([=](TosaBuilder &b) {
    return b.elementwiseKernel(
        op, result, inputs, {}, [&](KernelBuilder &k, ValueRange in) -> Value {
          Type i64 = k.getBuilder().getI64Type();
          SmallVector<Value> wide;
          for (Value number : in)
            wide.push_back(extendInt(k, number, i64, /*isUnsigned=*/false));
          Value value = scaleInt(k, wide[0], wide[1], wide[2], doubleRound);
          return narrowTo(k, value, result.getElementType());
        });
  });
}

/// Only i32 products are shifted.
static bool hasShift(tosa::MulOp op) {
  return getElementTypeOrSelf(op.getInput1()).isInteger(32) &&
         !isZeroConstant(op.getShift());
}

static Value createMul(tosa::MulOp op, TosaBuilder &b) {
  RankedTensorType result = tensorType(op.getOutput());
  Type to = result.getElementType();
  if (!hasShift(op)) {
    // i8 and i16 products are i32.
    Value lhs = b.cast(op.getInput1(), to);
    Value rhs = b.cast(op.getInput2(), to);
    return MulOp::create(b, result, lhs, rhs);
  }
  SmallVector<Value> inputs{op.getInput1(), op.getInput2()};
  ScaleOperand shift =
      addScaleOperand(b, op.getShift(), result.getRank(), inputs);
  return b.elementwiseKernel(
      op, result, inputs, {}, [&](KernelBuilder &k, ValueRange in) -> Value {
        Type i64 = k.getBuilder().getI64Type();
        Value lhs = extendInt(k, in[0], i64, /*isUnsigned=*/false);
        Value rhs = extendInt(k, in[1], i64, /*isUnsigned=*/false);
        Value value =
            scaleInt(k, lhs, rhs, shift.emit(k, in), /*doubleRound=*/false);
        return narrowTo(k, value, to);
      });
}

static TosaMatch matchMul(tosa::MulOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  if (hasShift(op) && failed(m.checkElementwise(
                          tensorType(op.getOutput()),
                          {op.getInput1(), op.getInput2(), op.getShift()})))
    return failure();
  return build([op](TosaBuilder &b) { return createMul(op, b); });
}

static TosaMatch matchArithmeticRightShift(tosa::ArithmeticRightShiftOp op,
                                           TosaMatcher &m) {
  RankedTensorType result = tensorType(op.getOutput());
  SmallVector<Value> inputs{op.getInput1(), op.getInput2()};
  if (failed(m.checkElements(Elements::Int)) ||
      (op.getRound() && failed(m.checkElementwise(result, inputs))))
    return failure();
  // The last bit shifted out is added; a shift by 0 loses none.
  auto shiftAndRound = [](KernelBuilder &k, ValueRange in) {
    Type type = in[0].getType();
    Value one = k.intConstant(1, type), zero = k.intConstant(0, type);
    Value last =
        k.binary<arith::ShRSIOp>(in[0], k.binary<arith::SubIOp>(in[1], one));
    Value shifts = compareInt(k, arith::CmpIPredicate::sgt, in[1], zero);
    Value carry = k.select(shifts, k.binary<arith::AndIOp>(last, one), zero);
    return k.binary<arith::AddIOp>(k.binary<arith::ShRSIOp>(in[0], in[1]),
                                   carry);
  };
  return build([=](TosaBuilder &b) mutable -> Value {
    if (!op.getRound())
      return ShrOp::create(b, result, inputs[0], inputs[1]);
    return b.elementwiseKernel(op, result, inputs, {}, shiftAndRound);
  });
}

static TosaMatch matchNegate(tosa::NegateOp op, TosaMatcher &m) {
  RankedTensorType result = tensorType(op.getOutput());
  Type type = result.getElementType();
  bool isUnsigned = type.isUnsignedInteger();
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  auto zeroPoints = m.zeroPoints({op.getInput1Zp(), "input1_zp", isUnsigned},
                                 {op.getOutputZp(), "output_zp", isUnsigned});
  if (failed(zeroPoints))
    return failure();
  // Narrow integers saturate; for i32 and i64 the minimum has no negative
  // within TOSA, so they may wrap.
  bool wide = type.isInteger(32) || type.isInteger(64);
  bool isPlain = isFloatElement(type) ||
                 (wide && zeroPoints->first == 0 && zeroPoints->second == 0);
  if (!isPlain && failed(m.checkElementwise(result, op.getInput1())))
    return failure();
  int64_t offset = zeroPoints->first + zeroPoints->second;
  return build([=](TosaBuilder &b) mutable -> Value {
    if (isPlain)
      return NegOp::create(b, result, op.getInput1());
    return b.elementwiseKernel(
        op, result, op.getInput1(), {}, [&](KernelBuilder &k, ValueRange in) {
          Type i64 = k.getBuilder().getI64Type();
          Value value = extendInt(k, in[0], i64, isUnsigned);
          value = k.binary<arith::SubIOp>(k.intConstant(offset, i64), value);
          return saturateTo(k, value, type, isUnsigned);
        });
  });
}

/// The body of a table lookup. i8 reads an entry; for i16, 9 bits choose the
/// entry and 7 bits interpolate to the next one.
static Value emitLookup(KernelBuilder &k, Value in, Type from, Type entryType,
                        Type to) {
  auto entry = [&](Value position, Type type) {
    Value entry = k.loadAt(1, {k.cst(0)}, {0}, position, {Boundary::Clamp});
    return extendInt(k, entry, type, entryType.isUnsignedInteger());
  };
  Type i64 = k.getBuilder().getI64Type();
  bool isUnsigned = from.isUnsignedInteger();
  // The smallest value reads entry 0.
  int64_t lowest = isUnsigned ? 0 : from.isInteger(8) ? -128 : -32768;
  Value offset = addNumber(k, extendInt(k, in, i64, isUnsigned), -lowest);
  if (from.isInteger(8))
    return entry(offset, to);
  Value seven = k.intConstant(7, i64);
  Value position = k.binary<arith::ShRSIOp>(offset, seven);
  Value fraction = k.binary<arith::AndIOp>(offset, k.intConstant(127, i64));
  Value base = entry(position, i64);
  Value next = entry(addNumber(k, position, 1), i64);
  Value slope = k.binary<arith::SubIOp>(next, base);
  Value whole = k.binary<arith::ShLIOp>(base, seven);
  Value sum =
      k.binary<arith::AddIOp>(whole, k.binary<arith::MulIOp>(slope, fraction));
  return narrowTo(k, sum, to);
}

static TosaMatch matchTable(tosa::TableOp op, TosaMatcher &m) {
  Type from = getElementTypeOrSelf(op.getInput1());
  RankedTensorType result = tensorType(op.getOutput());
  Type to = kernelType(result.getElementType());
  int64_t entries = tensorType(op.getTable()).getNumElements();
  int64_t expected = from.isInteger(8) ? 256 : 513;
  if (!from.isInteger(8) && !from.isInteger(16))
    return m.refuse("expected an i8 or i16 input");
  if (entries != expected)
    return m.refuse("expected " + Twine(expected) +
                    " entries in 'table' but got " + Twine(entries));
  Type entryType = getElementTypeOrSelf(op.getTable());
  if (entryType.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return m.refuse("expected the entries of 'table' to be no wider than the "
                    "result");
  if (failed(m.checkElementwise(result, op.getInput1())))
    return failure();
  return build([=](TosaBuilder &b) mutable {
    return b.elementwiseKernel(op, result, op.getInput1(), op.getTable(),
                               [&](KernelBuilder &k, ValueRange in) {
                                 return emitLookup(k, in[0], from, entryType,
                                                   to);
                               });
  });
}

void gaudi::addQuantizationPatterns(TosaPatterns &p) {
  p.add<tosa::RescaleOp>(matchRescale);
  p.add<tosa::ApplyScaleOp>(matchApplyScale);
  p.add<tosa::MulOp>(matchMul);
  p.add<tosa::ArithmeticRightShiftOp>(matchArithmeticRightShift);
  p.add<tosa::NegateOp>(matchNegate);
  p.add<tosa::TableOp>(matchTable);
}
