// Integer matrix products and convolutions as TPC kernels: zero points are
// subtracted first, sums run in the result's type, the bias is added last.
#include "Products.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// An operand of an integer product: its type and its zero point.
struct QuantizedOperand {
  Type type;
  int64_t zeroPoint;

  bool isUnsigned() const { return type.isUnsignedInteger(); }
  /// What a load outside of the tensor gives, so that it counts as zero.
  TypedAttr pad() const {
    return IntegerAttr::get(kernelType(type), zeroPoint);
  }
  /// The number an element stands for, in type `acc`.
  Value number(KernelBuilder &k, Value element, Type acc) const {
    return addNumber(k, extendInt(k, element, acc, isUnsigned()), -zeroPoint);
  }
};
} // namespace

static FailureOr<QuantizedOperand> readOperand(Operation *op, Value tensor,
                                               Value zeroPoint, StringRef name,
                                               TosaConverter &c) {
  Type type = getElementTypeOrSelf(tensor);
  FailureOr<int64_t> number =
      c.zeroPoint(op, zeroPoint, name, type.isUnsignedInteger());
  if (failed(number))
    return failure();
  return QuantizedOperand{type, *number};
}

/// The accumulator must hold what it adds up.
static LogicalResult checkWidths(Operation *op, Type lhs, Type rhs, Type acc,
                                 TosaConverter &c) {
  unsigned width = acc.getIntOrFloatBitWidth();
  if (lhs.getIntOrFloatBitWidth() <= width &&
      rhs.getIntOrFloatBitWidth() <= width)
    return success();
  return c.fail(op, "the result is narrower than the operands");
}

FailureOr<Value> mlir::gaudi::convertIntegerMatMul(tosa::MatMulOp op,
                                                   TosaConverter &c) {
  FailureOr<QuantizedOperand> a =
      readOperand(op, op.getA(), op.getAZp(), "a_zp", c);
  if (failed(a))
    return failure();
  FailureOr<QuantizedOperand> b =
      readOperand(op, op.getB(), op.getBZp(), "b_zp", c);
  if (failed(b))
    return failure();
  RankedTensorType result = tensorType(op.getOutput());
  if (failed(checkWidths(op, a->type, b->type, result.getElementType(), c)))
    return failure();

  ArrayRef<int64_t> out = result.getShape();
  int64_t depth = tensorType(op.getA()).getDimSize(2);
  Type acc = kernelType(result.getElementType());
  KernelBuilder k = c.kernel(op, result, {op.getA(), op.getB()},
                             {out[0], out[1], out[2], depth}, 3);
  SmallVector<Value> sum =
      k.loop({3}, KernelReduce::Add, k.intConstant(0, acc), [&](ValueRange) {
        Value lhs = k.load(0, {k.dim(0), k.dim(1), k.dim(3)});
        Value rhs = k.load(1, {k.dim(0), k.dim(3), k.dim(2)});
        lhs = a->number(k, lhs, acc);
        rhs = b->number(k, rhs, acc);
        return SmallVector<Value>{k.binary<arith::MulIOp>(lhs, rhs)};
      });
  k.store(sum[0], 0, {k.dim(0), k.dim(1), k.dim(2)});
  return k.finish()->getResult(0);
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
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(k.getBuilder(), k.getLoc(), predicate, a, b);
  };
  Value hits = compare(arith::CmpIPredicate::eq,
                       k.binary<arith::RemSIOp>(spread, stride), zero);
  Value inside = compare(arith::CmpIPredicate::sge, spread, zero);
  Value isRead = k.binary<arith::AndIOp>(hits, inside);
  Value index = k.binary<arith::DivSIOp>(spread, stride);
  return k.select(isRead, index, k.intConstant(-1, i64));
}

/// Index space: N, result spatial, output channels (depthwise: channel and
/// multiplier), then sequential: window, input channels.
FailureOr<Value> mlir::gaudi::convertIntegerConv(const ConvProblem &conv,
                                                 TosaConverter &c) {
  FailureOr<QuantizedOperand> input =
      readOperand(conv.op, conv.input, conv.inputZp, "input_zp", c);
  if (failed(input))
    return failure();
  FailureOr<QuantizedOperand> weight =
      readOperand(conv.op, conv.weight, conv.weightZp, "weight_zp", c);
  if (failed(weight))
    return failure();
  if (failed(checkWidths(conv.op, input->type, weight->type,
                         conv.result.getElementType(), c)) ||
      failed(checkWidths(conv.op, getElementTypeOrSelf(conv.bias),
                         getElementTypeOrSelf(conv.bias),
                         conv.result.getElementType(), c)))
    return failure();

  bool depthwise = conv.form == ConvForm::Depthwise;
  unsigned spatial = conv.window.size();
  ArrayRef<int64_t> filter = tensorType(conv.weight).getShape();
  SmallVector<int64_t> space(conv.result.getShape().drop_back());
  if (depthwise)
    space.append({filter[2], filter[3]});
  else
    space.push_back(conv.result.getShape().back());
  unsigned numParallel = space.size();
  for (const WindowDim &dim : conv.window)
    space.push_back(dim.kernel);
  if (!depthwise)
    space.push_back(filter.back());
  SmallVector<int64_t> loopDims;
  for (unsigned dim = numParallel; dim < space.size(); ++dim)
    loopDims.push_back(dim);

  bool hasBias = !isZeroConstant(conv.bias);
  SmallVector<Value> operands{conv.input, conv.weight};
  if (hasBias)
    operands.push_back(conv.bias);

  Type acc = kernelType(conv.result.getElementType());
  KernelBuilder k =
      c.kernel(conv.op, conv.result, operands, space, numParallel);
  AffineExpr channel = k.dim(spatial + 1);
  AffineExpr outChannel =
      depthwise ? channel * filter[3] + k.dim(spatial + 2) : channel;
  AffineExpr inChannel = depthwise ? channel : k.dim(space.size() - 1);

  auto loadInput = [&]() -> Value {
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
    position.push_back(inChannel);
    boundary.push_back(Boundary::Inside);
    if (!llvm::is_contained(boundary, Boundary::Pad))
      return k.load(0, position);
    if (dynamicDims.empty())
      return k.load(0, position, boundary, input->pad());
    return k.loadAt(0, position, dynamicDims, indices, boundary, input->pad());
  };
  auto loadWeight = [&]() -> Value {
    SmallVector<AffineExpr> position;
    if (!depthwise)
      position.push_back(outChannel);
    for (unsigned i = 0; i < spatial; ++i)
      position.push_back(k.dim(numParallel + i));
    position.push_back(inChannel);
    if (depthwise)
      position.push_back(k.dim(spatial + 2));
    return k.load(1, position);
  };

  SmallVector<Value> sum = k.loop(
      loopDims, KernelReduce::Add, k.intConstant(0, acc), [&](ValueRange) {
        Value x = input->number(k, loadInput(), acc);
        Value w = weight->number(k, loadWeight(), acc);
        return SmallVector<Value>{k.binary<arith::MulIOp>(x, w)};
      });
  Value total = sum[0];
  if (hasBias) {
    bool one = tensorType(conv.bias).getNumElements() == 1;
    Value bias = k.load(2, {one ? k.cst(0) : outChannel});
    total = k.binary<arith::AddIOp>(
        total, extendInt(k, bias, acc, /*isUnsigned=*/false));
  }
  SmallVector<AffineExpr> position;
  for (unsigned dim = 0; dim <= spatial; ++dim)
    position.push_back(k.dim(dim));
  position.push_back(outChannel);
  k.store(total, 0, position);
  return k.finish()->getResult(0);
}
