// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer matrix products and convolutions as TPC kernels: zero points are
// subtracted first, sums run in the result's type, the bias is added last.
#include "Products.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// An operand of an integer product: its type and its zero point.
struct QuantizedOperand {
  Type type;
  int64_t zeroPoint;

  bool isUnsigned() const { return type.isUnsignedInteger(); }
  /// What a load outside the tensor gives, so that it counts as zero.
  TypedAttr pad() const {
    return IntegerAttr::get(kernelType(type), zeroPoint);
  }
  /// The number an element stands for, in type `acc`.
  Value number(KernelBuilder &k, Value element, Type acc) const {
    return addNumber(k, extendInt(k, element, acc, isUnsigned()), -zeroPoint);
  }
};

struct QuantizedPair {
  QuantizedOperand lhs, rhs;
};
} // namespace

/// Fails if a zero point is not constant or the accumulator, which has the type
/// of the result, is narrower than what it adds up.
static FailureOr<QuantizedPair>
matchOperands(TosaMatcher &m, Value lhs, TosaMatcher::Quantized lhsZero,
              Value rhs, TosaMatcher::Quantized rhsZero, Type acc) {
  Type a = getElementTypeOrSelf(lhs), b = getElementTypeOrSelf(rhs);
  lhsZero.isUnsigned = a.isUnsignedInteger();
  rhsZero.isUnsigned = b.isUnsignedInteger();
  auto zeroPoints = m.zeroPoints(lhsZero, rhsZero);
  if (failed(zeroPoints))
    return failure();
  unsigned width = acc.getIntOrFloatBitWidth();
  if (a.getIntOrFloatBitWidth() > width || b.getIntOrFloatBitWidth() > width)
    return m.refuse("the result is narrower than the operands");
  return QuantizedPair{{a, zeroPoints->first}, {b, zeroPoints->second}};
}

static Value createIntegerMatMul(tosa::MatMulOp op, TosaBuilder &b,
                                 const QuantizedPair &factors) {
  RankedTensorType result = tensorType(op.getOutput());
  ArrayRef<int64_t> out = result.getShape();
  int64_t depth = tensorType(op.getA()).getDimSize(2);
  Type acc = kernelType(result.getElementType());
  KernelBuilder k = b.kernel(op, result, {op.getA(), op.getB()},
                             {out[0], out[1], out[2], depth}, 3);
  SmallVector<Value> sum =
      k.loop({3}, KernelReduce::Add, k.intConstant(0, acc), [&](ValueRange) {
        Value lhs = k.load(0, {k.dim(0), k.dim(1), k.dim(3)});
        Value rhs = k.load(1, {k.dim(0), k.dim(3), k.dim(2)});
        lhs = factors.lhs.number(k, lhs, acc);
        rhs = factors.rhs.number(k, rhs, acc);
        return SmallVector<Value>{k.binary<arith::MulIOp>(lhs, rhs)};
      });
  k.store(sum[0], 0, {k.dim(0), k.dim(1), k.dim(2)});
  return k.finish()->getResult(0);
}

TosaMatch gaudi::matchIntegerMatMul(tosa::MatMulOp op, TosaMatcher &m) {
  auto factors = matchOperands(m, op.getA(), {op.getAZp(), "a_zp", false},
                               op.getB(), {op.getBZp(), "b_zp", false},
                               getElementTypeOrSelf(op.getOutput()));
  if (failed(factors))
    return failure();
  return build([op, factors = *factors](TosaBuilder &b) {
    return createIntegerMatMul(op, b, factors);
  });
}

/// Where a transposed convolution reads along one spatial dimension, for the
/// result position in kernel dimension `p` and the step in `step`: the input
/// index, or -1 (a pad) where no input element falls.
static Value transposedIndex(KernelBuilder &k, const WindowDim &dim, unsigned p,
                             unsigned step) {
  Type i64 = k.getBuilder().getI64Type();
  Value zero = k.intConstant(0, i64);
  Value stride = k.intConstant(dim.stride, i64);
  Value position = addNumber(k, k.index(p), dim.padLow);
  Value spread = k.binary<arith::SubIOp>(position, k.index(step));
  // The input elements are `stride` apart in the result; others are zeros. The
  // remainder of a negative number may be 0 as well, hence the second test.
  Value hits = compareInt(k, arith::CmpIPredicate::eq,
                          k.binary<arith::RemSIOp>(spread, stride), zero);
  Value inside = compareInt(k, arith::CmpIPredicate::sge, spread, zero);
  Value isRead = k.binary<arith::AndIOp>(hits, inside);
  Value index = k.binary<arith::DivSIOp>(spread, stride);
  return k.select(isRead, index, k.intConstant(-1, i64));
}

namespace {
/// Builds the kernel of one integer convolution. Index space: N, result
/// spatial, output channels (depthwise: channel and multiplier), then
/// sequential: window, input channels (not if depthwise).
class IntegerConvKernel {
public:
  IntegerConvKernel(const ConvProblem &conv, const QuantizedPair &factors)
      : conv(conv), factors(factors),
        depthwise(conv.form == ConvForm::Depthwise),
        spatial(conv.window.size()), filter(tensorType(conv.weight).getShape()),
        acc(kernelType(conv.result.getElementType())) {
    space.assign(conv.result.getShape().drop_back().begin(),
                 conv.result.getShape().drop_back().end());
    if (depthwise)
      space.append({filter[2], filter[3]});
    else
      space.push_back(conv.result.getShape().back());
    numParallel = space.size();
    for (const WindowDim &dim : conv.window)
      space.push_back(dim.kernel);
    if (!depthwise)
      space.push_back(filter.back());
  }

  Value build(TosaBuilder &b);

private:
  AffineExpr outChannel(KernelBuilder &k) const {
    AffineExpr channel = k.dim(spatial + 1);
    return depthwise ? channel * filter[3] + k.dim(spatial + 2) : channel;
  }
  AffineExpr inChannel(KernelBuilder &k) const {
    return k.dim(depthwise ? spatial + 1 : space.size() - 1);
  }
  Value loadInput(KernelBuilder &k) const;
  Value loadWeight(KernelBuilder &k) const;

  const ConvProblem &conv;
  const QuantizedPair &factors;
  bool depthwise;
  unsigned spatial, numParallel = 0;
  ArrayRef<int64_t> filter;
  Type acc;
  SmallVector<int64_t> space;
};
} // namespace

/// The input element under the current step of the window, or its zero point
/// in the padding. A transposed convolution divides positions by the stride,
/// which is not affine, so its indices are computed.
Value IntegerConvKernel::loadInput(KernelBuilder &k) const {
  SmallVector<AffineExpr> position{k.dim(0)};
  SmallVector<Boundary> boundary{Boundary::Inside};
  SmallVector<int64_t> dynamicDims;
  SmallVector<Value> indices;
  for (auto [i, dim] : llvm::enumerate(conv.window)) {
    if (conv.form == ConvForm::Transposed) {
      position.push_back(k.cst(0));
      boundary.push_back(Boundary::Pad);
      dynamicDims.push_back(i + 1);
      indices.push_back(transposedIndex(k, dim, i + 1, numParallel + i));
      continue;
    }
    position.push_back(dim.position(k.dim(i + 1), k.dim(numParallel + i)));
    boundary.push_back(dim.boundary());
  }
  position.push_back(inChannel(k));
  boundary.push_back(Boundary::Inside);
  if (!llvm::is_contained(boundary, Boundary::Pad))
    return k.load(0, position);
  TypedAttr pad = factors.lhs.pad();
  return dynamicDims.empty()
             ? k.load(0, position, boundary, pad)
             : k.loadAt(0, position, dynamicDims, indices, boundary, pad);
}

Value IntegerConvKernel::loadWeight(KernelBuilder &k) const {
  SmallVector<AffineExpr> position;
  if (!depthwise)
    position.push_back(outChannel(k));
  for (unsigned i = 0; i < spatial; ++i)
    position.push_back(k.dim(numParallel + i));
  position.push_back(inChannel(k));
  if (depthwise)
    position.push_back(k.dim(spatial + 2));
  return k.load(1, position);
}

Value IntegerConvKernel::build(TosaBuilder &b) {
  SmallVector<Value> operands{conv.input, conv.weight};
  bool hasBias = !isZeroConstant(conv.bias);
  if (hasBias)
    operands.push_back(conv.bias);
  KernelBuilder k =
      b.kernel(conv.op, conv.result, operands, space, numParallel);
  auto loopDims =
      llvm::to_vector(llvm::seq<int64_t>(numParallel, space.size()));
  SmallVector<Value> sum = k.loop(
      loopDims, KernelReduce::Add, k.intConstant(0, acc), [&](ValueRange) {
        Value x = factors.lhs.number(k, loadInput(k), acc);
        Value w = factors.rhs.number(k, loadWeight(k), acc);
        return SmallVector<Value>{k.binary<arith::MulIOp>(x, w)};
      });
  Value total = sum[0];
  // A bias of one element is for all channels.
  if (hasBias) {
    bool one = tensorType(conv.bias).getNumElements() == 1;
    Value bias = k.load(2, {one ? k.cst(0) : outChannel(k)});
    total = k.binary<arith::AddIOp>(
        total, extendInt(k, bias, acc, /*isUnsigned=*/false));
  }
  SmallVector<AffineExpr> position;
  for (unsigned dim = 0; dim <= spatial; ++dim)
    position.push_back(k.dim(dim));
  position.push_back(outChannel(k));
  k.store(total, 0, position);
  return k.finish()->getResult(0);
}

TosaMatch gaudi::matchIntegerConv(const ConvProblem &conv, TosaMatcher &m) {
  Type acc = conv.result.getElementType();
  auto factors =
      matchOperands(m, conv.input, {conv.inputZp, "input_zp", false},
                    conv.weight, {conv.weightZp, "weight_zp", false}, acc);
  if (failed(factors))
    return failure();
  if (getElementTypeOrSelf(conv.bias).getIntOrFloatBitWidth() >
      acc.getIntOrFloatBitWidth())
    return m.refuse("the result is narrower than the operands");
  return gaudi::build([conv, factors = *factors](TosaBuilder &b) {
    return IntegerConvKernel(conv, factors).build(b);
  });
}
