// Models of data movement, views, constants and padding.
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"
#include "Strided.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;

ReferenceTensor reference::readStrided(const ReferenceTensor &x,
                                       ArrayRef<int64_t> shape,
                                       const SmallVector<int64_t> &strides,
                                       int64_t offset) {
  ReferenceTensor y(shape, x.getElementType());
  auto move = [&](auto to, auto from) {
    walkStrided<1>(shape, {strides}, {offset},
                   [&](int64_t i, const std::array<int64_t, 1> &at) {
                     to[i] = from[at[0]];
                   });
  };
  if (x.isFloat())
    move(y.mutableFloats(), x.floats());
  else
    move(y.mutableInts(), x.ints());
  return y;
}

void reference::writeStrided(ReferenceTensor &y, const ReferenceTensor &x,
                             const SmallVector<int64_t> &strides,
                             int64_t offset) {
  auto move = [&](auto to, auto from) {
    walkStrided<1>(x.getShape(), {strides}, {offset},
                   [&](int64_t i, const std::array<int64_t, 1> &at) {
                     to[at[0]] = from[i];
                   });
  };
  if (x.isFloat())
    move(y.mutableFloats(), x.floats());
  else
    move(y.mutableInts(), x.ints());
}

namespace {

ReferenceTensor filled(ArrayRef<int64_t> shape, const ReferenceTensor &scalar) {
  return readStrided(scalar, shape, SmallVector<int64_t>(shape.size(), 0), 0);
}

/// Strides and start of the window `offsets + i * steps`, of `sizes` elements,
/// on a tensor.
struct Window {
  SmallVector<int64_t> strides;
  int64_t offset = 0;

  Window(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes,
         ArrayRef<int64_t> offsets, ArrayRef<int64_t> steps)
      : strides(denseStrides(shape)) {
    for (size_t d = 0; d < shape.size(); ++d) {
      offset += offsets[d] * strides[d];
      // Only a second element bounds the step.
      if (sizes[d] > 1)
        strides[d] *= steps[d];
    }
  }
};

LogicalResult evaluateConstant(ConstantOp op, Operands, Results &results) {
  FailureOr<ReferenceTensor> value = ReferenceTensor::fromAttribute(
      op.getValue(), [&] { return op.emitOpError(); });
  if (failed(value))
    return failure();
  results.push_back(*value);
  return success();
}

LogicalResult evaluateFill(FillOp op, Operands, Results &results) {
  const RankedTensorType type = cast<RankedTensorType>(op.getType());
  results.push_back(filled(type.getShape(),
                           scalarTensor(op.getValue(), type.getElementType())));
  return success();
}

LogicalResult evaluateTranspose(TransposeOp op, Operands operands,
                                Results &results) {
  const SmallVector<int64_t> from = denseStrides(operands[0].getShape());
  SmallVector<int64_t> strides;
  for (int64_t dim : op.getPermutation())
    strides.push_back(from[dim]);
  results.push_back(
      readStrided(operands[0], op.getType().getShape(), strides, 0));
  return success();
}

LogicalResult evaluateBroadcast(BroadcastOp op, Operands operands,
                                Results &results) {
  const ArrayRef<int64_t> shape = op.getType().getShape();
  const SmallVector<int64_t> from = repeatingStrides(operands[0].getShape());
  SmallVector<int64_t> strides(shape.size(), 0);
  for (auto [dim, stride] : llvm::zip(op.getDims(), from))
    strides[dim] = stride;
  results.push_back(readStrided(operands[0], shape, strides, 0));
  return success();
}

LogicalResult evaluateCopy(CopyOp, Operands operands, Results &results) {
  results.push_back(operands[0]);
  return success();
}

LogicalResult evaluateConcat(ConcatOp op, Operands operands, Results &results) {
  ReferenceTensor y = emptyResult(op);
  const SmallVector<int64_t> strides = denseStrides(y.getShape());
  int64_t start = 0;
  for (const ReferenceTensor &part : operands) {
    writeStrided(y, part, strides, start * strides[op.getAxis()]);
    start += part.getDim(op.getAxis());
  }
  results.push_back(y);
  return success();
}

LogicalResult evaluateInsertSlice(InsertSliceOp op, Operands operands,
                                  Results &results) {
  ReferenceTensor y = operands[1];
  const Window window(y.getShape(), operands[0].getShape(), op.getOffsets(),
                      op.getStrides());
  writeStrided(y, operands[0], window.strides, window.offset);
  results.push_back(y);
  return success();
}

LogicalResult evaluateReshape(ReshapeOp op, Operands operands,
                              Results &results) {
  results.push_back(operands[0].reshaped(op.getType().getShape()));
  return success();
}

LogicalResult evaluateBitcast(BitcastOp op, Operands operands,
                              Results &results) {
  results.push_back(*ReferenceTensor::fromBytes(
      cast<RankedTensorType>(op.getType()), operands[0].toBytes()));
  return success();
}

LogicalResult evaluateSlice(SliceOp op, Operands operands, Results &results) {
  const Window window(operands[0].getShape(), op.getType().getShape(),
                      op.getOffsets(), op.getStrides());
  results.push_back(readStrided(operands[0], op.getType().getShape(),
                                window.strides, window.offset));
  return success();
}

LogicalResult evaluateSplit(SplitOp op, Operands operands, Results &results) {
  const SmallVector<int64_t> strides = denseStrides(operands[0].getShape());
  int64_t start = 0;
  for (Value part : op.getResults()) {
    const ArrayRef<int64_t> shape =
        cast<RankedTensorType>(part.getType()).getShape();
    results.push_back(readStrided(operands[0], shape, strides,
                                  start * strides[op.getAxis()]));
    start += shape[op.getAxis()];
  }
  return success();
}

LogicalResult evaluatePad(PadOp op, Operands operands, Results &results) {
  const ReferenceTensor &x = operands[0];
  const ArrayRef<int64_t> shape = op.getType().getShape();
  const SmallVector<int64_t> strides = denseStrides(shape);
  if (op.getMode() == PadMode::Constant) {
    ReferenceTensor y =
        filled(shape, scalarTensor(*op.getValue(), x.getElementType()));
    int64_t offset = 0;
    for (auto [low, stride] : llvm::zip(op.getLow(), strides))
      offset += low * stride;
    writeStrided(y, x, strides, offset);
    results.push_back(y);
    return success();
  }
  const SmallVector<int64_t> from = denseStrides(x.getShape());
  results.push_back(x.gathered(shape, [&](int64_t element) {
    int64_t source = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t index = element / strides[d] % shape[d] - op.getLow()[d];
      source += std::clamp<int64_t>(index, 0, x.getDim(d) - 1) * from[d];
    }
    return source;
  }));
  return success();
}

LogicalResult evaluateReverse(ReverseOp op, Operands operands,
                              Results &results) {
  SmallVector<int64_t> strides = denseStrides(operands[0].getShape());
  int64_t offset = 0;
  for (int64_t dim : op.getDims()) {
    offset += (operands[0].getDim(dim) - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  results.push_back(
      readStrided(operands[0], operands[0].getShape(), strides, offset));
  return success();
}

LogicalResult evaluateIota(IotaOp op, Operands, Results &results) {
  ReferenceTensor y = emptyResult(op);
  const AxisView axis(y.getShape(), op.getDim());
  for (int64_t i = 0; i < y.getCount(); ++i) {
    const int64_t index = i / axis.inner % axis.size;
    if (y.isFloat())
      y.mutableFloats()[i] =
          roundTo(y.getElementType(), static_cast<double>(index));
    else
      y.mutableInts()[i] = wrapTo(y.getElementType(), index);
  }
  results.push_back(y);
  return success();
}
} // namespace

void reference::attachMoveModels(MLIRContext *context) {
  attach<ConstantOp, evaluateConstant>(context);
  attach<FillOp, evaluateFill>(context);
  attach<TransposeOp, evaluateTranspose>(context);
  attach<BroadcastOp, evaluateBroadcast>(context);
  attach<CopyOp, evaluateCopy>(context);
  attach<ConcatOp, evaluateConcat>(context);
  attach<InsertSliceOp, evaluateInsertSlice>(context);
  attach<ReshapeOp, evaluateReshape>(context);
  attach<BitcastOp, evaluateBitcast>(context);
  attach<SliceOp, evaluateSlice>(context);
  attach<SplitOp, evaluateSplit>(context);
  attach<PadOp, evaluatePad>(context);
  attach<ReverseOp, evaluateReverse>(context);
  attach<IotaOp, evaluateIota>(context);
}
