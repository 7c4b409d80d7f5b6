// TOSA ops of integer networks that have no op of their own in gaudi and
// become elementwise kernels: rescale, table, mul with shift, rounding shift,
// negate with zero points, apply_scale.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Shift and multiplier operands are constants as a rule and become part of
/// the kernel; else the kernel loads them. Emits the i64 number.
namespace {
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
static ScaleOperand addScaleOperand(TosaConverter &c, Location loc, Value value,
                                    int64_t rank,
                                    SmallVectorImpl<Value> &inputs) {
  if (tensorType(value).getNumElements() == 1)
    if (std::optional<SmallVector<int64_t>> numbers = constantInts(value))
      return {numbers->front(), 0};
  if (tensorType(value).getNumElements() == 1 && rank == 0)
    value = c.reshape(loc, value, {});
  inputs.push_back(c.withRank(loc, value, rank));
  return {std::nullopt, unsigned(inputs.size() - 1)};
}

static bool readsUnsigned(Value tensor, bool attribute) {
  return attribute || getElementTypeOrSelf(tensor).isUnsignedInteger();
}

static FailureOr<Value> convertRescale(tosa::RescaleOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Int)))
    return failure();
  bool inUnsigned = readsUnsigned(op.getInput(), op.getInputUnsigned());
  bool outUnsigned = readsUnsigned(op.getOutput(), op.getOutputUnsigned());
  FailureOr<int64_t> inZp =
      c.zeroPoint(op, op.getInputZp(), "input_zp", inUnsigned);
  if (failed(inZp))
    return failure();
  FailureOr<int64_t> outZp =
      c.zeroPoint(op, op.getOutputZp(), "output_zp", outUnsigned);
  if (failed(outZp))
    return failure();

  RankedTensorType result = tensorType(op.getOutput());
  SmallVector<Value> inputs{op.getInput()};
  ScaleOperand multiplier = addScaleOperand(c, op.getLoc(), op.getMultiplier(),
                                            result.getRank(), inputs);
  ScaleOperand shift =
      addScaleOperand(c, op.getLoc(), op.getShift(), result.getRank(), inputs);
  // INEXACT_ROUND leaves the rounding to the implementation: single.
  bool doubleRound = op.getScale32() &&
                     op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  return c.elementwiseKernel(
      op, result, inputs, {}, [&](KernelBuilder &k, ValueRange in) {
        Type i64 = k.getBuilder().getI64Type();
        Value value = extendInt(k, in[0], i64, inUnsigned);
        value = addNumber(k, value, -*inZp);
        Value factor = multiplier.emit(k, in);
        value = scaleInt(k, value, factor, shift.emit(k, in), doubleRound);
        value = addNumber(k, value, *outZp);
        return saturateTo(k, value, result.getElementType(), outUnsigned);
      });
}

/// apply_scale on tensors (on scalars it belongs to the body of another op).
static FailureOr<Value> convertApplyScale(tosa::ApplyScaleOp op,
                                          TosaConverter &c) {
  auto result = dyn_cast<RankedTensorType>(op.getOutput().getType());
  if (!result)
    return c.fail(op, "a scalar in the body of another op; expected tensors");
  bool doubleRound = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  return c.elementwiseKernel(
      op, result, {op.getValue(), op.getMultiplier(), op.getShift()}, {},
      [&](KernelBuilder &k, ValueRange in) -> Value {
        Type i64 = k.getBuilder().getI64Type();
        SmallVector<Value> wide;
        for (Value number : in)
          wide.push_back(extendInt(k, number, i64, /*isUnsigned=*/false));
        Value value = scaleInt(k, wide[0], wide[1], wide[2], doubleRound);
        if (result.getElementType().isInteger(64))
          return value;
        return arith::TruncIOp::create(k.getBuilder(), k.getLoc(),
                                       kernelType(result.getElementType()),
                                       value);
      });
}

static FailureOr<Value> convertMul(tosa::MulOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Number)))
    return failure();
  Type from = getElementTypeOrSelf(op.getInput1());
  RankedTensorType result = tensorType(op.getOutput());
  Type to = result.getElementType();
  bool hasShift = from.isInteger(32) && !isZeroConstant(op.getShift());
  if (!hasShift) {
    // i8 and i16 products are i32.
    Value lhs = c.castTo(op.getLoc(), op.getInput1(), to);
    Value rhs = c.castTo(op.getLoc(), op.getInput2(), to);
    return MulOp::create(c.builder, op.getLoc(), result, lhs, rhs).getResult();
  }
  SmallVector<Value> inputs{op.getInput1(), op.getInput2()};
  ScaleOperand shift =
      addScaleOperand(c, op.getLoc(), op.getShift(), result.getRank(), inputs);
  return c.elementwiseKernel(
      op, result, inputs, {}, [&](KernelBuilder &k, ValueRange in) -> Value {
        Type i64 = k.getBuilder().getI64Type();
        Value lhs = extendInt(k, in[0], i64, /*isUnsigned=*/false);
        Value rhs = extendInt(k, in[1], i64, /*isUnsigned=*/false);
        Value value =
            scaleInt(k, lhs, rhs, shift.emit(k, in), /*doubleRound=*/false);
        return arith::TruncIOp::create(k.getBuilder(), k.getLoc(),
                                       kernelType(to), value);
      });
}

static FailureOr<Value>
convertArithmeticRightShift(tosa::ArithmeticRightShiftOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Int)))
    return failure();
  RankedTensorType result = tensorType(op.getOutput());
  if (!op.getRound())
    return ShrOp::create(c.builder, op.getLoc(), result, op.getInput1(),
                         op.getInput2())
        .getResult();
  // The last bit shifted out is added; a shift by 0 loses none.
  return c.elementwiseKernel(
      op, result, {op.getInput1(), op.getInput2()}, {},
      [&](KernelBuilder &k, ValueRange in) {
        Type type = in[0].getType();
        Value one = k.intConstant(1, type), zero = k.intConstant(0, type);
        Value last = k.binary<arith::ShRSIOp>(
            in[0], k.binary<arith::SubIOp>(in[1], one));
        Value shifts = arith::CmpIOp::create(
            k.getBuilder(), k.getLoc(), arith::CmpIPredicate::sgt, in[1], zero);
        Value carry =
            k.select(shifts, k.binary<arith::AndIOp>(last, one), zero);
        return k.binary<arith::AddIOp>(k.binary<arith::ShRSIOp>(in[0], in[1]),
                                       carry);
      });
}

static FailureOr<Value> convertNegate(tosa::NegateOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Number)))
    return failure();
  RankedTensorType result = tensorType(op.getOutput());
  Type type = result.getElementType();
  bool isUnsigned = type.isUnsignedInteger();
  FailureOr<int64_t> inZp =
      c.zeroPoint(op, op.getInput1Zp(), "input1_zp", isUnsigned);
  if (failed(inZp))
    return failure();
  FailureOr<int64_t> outZp =
      c.zeroPoint(op, op.getOutputZp(), "output_zp", isUnsigned);
  if (failed(outZp))
    return failure();
  // Narrow integers saturate; for i32 and i64 the minimum has no negative
  // within TOSA, so they may wrap.
  bool wide = type.isInteger(32) || type.isInteger(64);
  if (isFloatElement(type) || (wide && *inZp == 0 && *outZp == 0))
    return NegOp::create(c.builder, op.getLoc(), result, op.getInput1())
        .getResult();
  return c.elementwiseKernel(
      op, result, op.getInput1(), {}, [&](KernelBuilder &k, ValueRange in) {
        Type i64 = k.getBuilder().getI64Type();
        Value value = extendInt(k, in[0], i64, isUnsigned);
        value =
            k.binary<arith::SubIOp>(k.intConstant(*inZp + *outZp, i64), value);
        return saturateTo(k, value, type, isUnsigned);
      });
}

static FailureOr<Value> convertTable(tosa::TableOp op, TosaConverter &c) {
  Type from = getElementTypeOrSelf(op.getInput1());
  RankedTensorType result = tensorType(op.getOutput());
  Type to = kernelType(result.getElementType());
  int64_t entries = tensorType(op.getTable()).getNumElements();
  int64_t expected = from.isInteger(8) ? 256 : 513;
  if (!from.isInteger(8) && !from.isInteger(16))
    return c.fail(op, "expected an i8 or i16 input");
  if (entries != expected)
    return c.fail(op, "expected " + Twine(expected) +
                          " entries in 'table' but got " + Twine(entries));

  Type entryType = getElementTypeOrSelf(op.getTable());
  if (entryType.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return c.fail(op, "expected the entries of 'table' to be no wider than "
                      "the result");

  bool isUnsigned = from.isUnsignedInteger();
  auto lookup = [&](KernelBuilder &k, Value position, Type type) {
    Value entry = k.loadAt(1, {k.cst(0)}, {0}, position, {Boundary::Clamp});
    return extendInt(k, entry, type, entryType.isUnsignedInteger());
  };
  return c.elementwiseKernel(
      op, result, op.getInput1(), op.getTable(),
      [&](KernelBuilder &k, ValueRange in) -> Value {
        Type i64 = k.getBuilder().getI64Type();
        // The smallest value reads entry 0.
        int64_t lowest = isUnsigned ? 0 : from.isInteger(8) ? -128 : -32768;
        Value offset =
            addNumber(k, extendInt(k, in[0], i64, isUnsigned), -lowest);
        if (from.isInteger(8))
          return lookup(k, offset, to);
        // 9 bits choose the entry, 7 bits interpolate to the next one.
        Value seven = k.intConstant(7, i64);
        Value position = k.binary<arith::ShRSIOp>(offset, seven);
        Value fraction =
            k.binary<arith::AndIOp>(offset, k.intConstant(127, i64));
        Value base = lookup(k, position, i64);
        Value next = lookup(k, addNumber(k, position, 1), i64);
        Value slope = k.binary<arith::SubIOp>(next, base);
        Value whole = k.binary<arith::ShLIOp>(base, seven);
        Value sum = k.binary<arith::AddIOp>(
            whole, k.binary<arith::MulIOp>(slope, fraction));
        if (to.isInteger(64))
          return sum;
        return arith::TruncIOp::create(k.getBuilder(), k.getLoc(), to, sum);
      });
}

void mlir::gaudi::addQuantizationHandlers(TosaHandlers &h) {
  h.add<tosa::RescaleOp>(convertRescale);
  h.add<tosa::ApplyScaleOp>(convertApplyScale);
  h.add<tosa::MulOp>(convertMul);
  h.add<tosa::ArithmeticRightShiftOp>(convertArithmeticRightShift);
  h.add<tosa::NegateOp>(convertNegate);
  h.add<tosa::TableOp>(convertTable);
}
