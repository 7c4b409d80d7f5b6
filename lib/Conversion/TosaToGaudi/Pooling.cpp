// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA pooling. Integer averages follow TOSA's reciprocal scale and run as a
// kernel; everything else is gaudi.tpc.pool.
#include "Windows.h"

using namespace mlir;
using namespace gaudi;

/// [top, bottom, left, right] to the low and the high pads of H, W.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
splitPads(ArrayRef<int64_t> pad) {
  return {{pad[0], pad[2]}, {pad[1], pad[3]}};
}

template <typename Tosa>
static Value createPool(Tosa op, TosaBuilder &b, PoolKind kind,
                        bool ignoreNan) {
  auto [low, high] = splitPads(op.getPad());
  return PoolOp::create(b, op.getOutput().getType(), kind, op.getInput(),
                        "NHWC", op.getKernel(), op.getStride(),
                        ArrayRef<int64_t>{1, 1}, low, high,
                        /*count_include_pad=*/false, ignoreNan);
}

static TosaMatch matchMaxPool(tosa::MaxPool2dOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  return build([op](TosaBuilder &b) mutable {
    return createPool(op, b, PoolKind::Max,
                      ignoresNan(op.getNanMode(), op.getInput().getType()));
  });
}

/// How many of the window's steps along `dim` are inside at position `index`.
static Value countInside(KernelBuilder &k, const WindowDim &dim, Value index) {
  Type i64 = index.getType();
  Value first = addNumber(
      k, k.binary<arith::MulIOp>(index, k.intConstant(dim.stride, i64)),
      -dim.padLow);
  Value end = addNumber(k, first, dim.kernel);
  end = k.binary<arith::MinSIOp>(end, k.intConstant(dim.size, i64));
  first = k.binary<arith::MaxSIOp>(first, k.intConstant(0, i64));
  return k.binary<arith::SubIOp>(end, first);
}

/// TOSA's reciprocal_scale: sum / count as a multiplication and a shift, with
///   multiplier = ((2^30 + 1) << n) / count, n = the bits of count - 1,
/// to be shifted out again with 30 more.
static Value divideByCount(KernelBuilder &k, Value sum, Value count) {
  Type i64 = count.getType();
  // 64 - clz(count - 1) is the number of bits of count - 1, 0 for one element.
  Value leading = k.unary<math::CountLeadingZerosOp>(addNumber(k, count, -1));
  Value bits = k.binary<arith::SubIOp>(k.intConstant(64, i64), leading);
  Value numerator =
      k.binary<arith::ShLIOp>(k.intConstant((int64_t(1) << 30) + 1, i64), bits);
  Value multiplier = k.binary<arith::DivSIOp>(numerator, count);
  Value shift = addNumber(k, bits, 30);
  return scaleInt(k, sum, multiplier, shift, /*doubleRound=*/false);
}

static Value integerAverage(tosa::AvgPool2dOp op, TosaBuilder &b,
                            TosaMatcher::ZeroPoints zeroPoints) {
  RankedTensorType result = tensorType(op.getOutput());
  Type type = result.getElementType();
  bool isUnsigned = type.isUnsignedInteger();
  ArrayRef<int64_t> in = tensorType(op.getInput()).getShape();
  ArrayRef<int64_t> out = result.getShape();
  ArrayRef<int64_t> kernel = op.getKernel(), stride = op.getStride();
  WindowDim h{in[1], out[1], kernel[0], stride[0], 1, op.getPad()[0]};
  WindowDim w{in[2], out[2], kernel[1], stride[1], 1, op.getPad()[2]};

  KernelBuilder k =
      b.kernel(op, result, op.getInput(),
               {out[0], out[1], out[2], out[3], kernel[0], kernel[1]}, 4);
  Type i64 = b.getI64Type();
  // Padding reads as the zero point and so adds nothing to the sum.
  auto pad = b.getIntegerAttr(kernelType(type), zeroPoints.first);
  SmallVector<Value> sum =
      k.loop({4, 5}, KernelReduce::Add, k.intConstant(0, i64), [&](ValueRange) {
        Value value = k.load(
            0,
            {k.dim(0), h.position(k.dim(1), k.dim(4)),
             w.position(k.dim(2), k.dim(5)), k.dim(3)},
            {Boundary::Inside, h.boundary(), w.boundary(), Boundary::Inside},
            pad);
        // Sums in 64 bits: a window of any size cannot overflow them.
        value = extendInt(k, value, i64, isUnsigned);
        return SmallVector<Value>{addNumber(k, value, -zeroPoints.first)};
      });
  // Positions in the padding do not count.
  Value rows = countInside(k, h, k.index(1));
  Value columns = countInside(k, w, k.index(2));
  Value count = k.binary<arith::MulIOp>(rows, columns);
  Value mean = divideByCount(k, sum[0], count);
  mean = addNumber(k, mean, zeroPoints.second);
  k.store(saturateTo(k, mean, type, isUnsigned), 0,
          {k.dim(0), k.dim(1), k.dim(2), k.dim(3)});
  return k.finish()->getResult(0);
}

static TosaMatch matchAvgPool(tosa::AvgPool2dOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  Type type = getElementTypeOrSelf(op.getOutput());
  bool isUnsigned = type.isUnsignedInteger();
  auto zeroPoints = m.zeroPoints({op.getInputZp(), "input_zp", isUnsigned},
                                 {op.getOutputZp(), "output_zp", isUnsigned});
  if (failed(zeroPoints))
    return failure();
  return build([op, type, zeroPoints = *zeroPoints](TosaBuilder &b) mutable {
    return isFloatElement(type)
               ? createPool(op, b, PoolKind::Avg, /*ignoreNan=*/false)
               : integerAverage(op, b, zeroPoints);
  });
}

void gaudi::addPoolingPatterns(TosaPatterns &p) {
  p.add<tosa::MaxPool2dOp>(matchMaxPool);
  p.add<tosa::AvgPool2dOp>(matchAvgPool);
}
