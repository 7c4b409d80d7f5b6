// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of data movement, views, constants and padding.
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"
#include "Strided.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

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
  withElements(y, move, x);
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
  withElements(y, move, x);
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

ReferenceTensor evaluateFill(FillOp op, Operands) {
  const RankedTensorType type = cast<RankedTensorType>(op.getType());
  return filled(type.getShape(),
                scalarTensor(op.getValue(), type.getElementType()));
}

ReferenceTensor evaluateTranspose(TransposeOp op, Operands operands) {
  const SmallVector<int64_t> from = denseStrides(operands[0].getShape());
  SmallVector<int64_t> strides;
  for (int64_t dim : op.getPermutation())
    strides.push_back(from[dim]);
  return readStrided(operands[0], op.getType().getShape(), strides, 0);
}

ReferenceTensor evaluateBroadcast(BroadcastOp op, Operands operands) {
  const ArrayRef<int64_t> shape = op.getType().getShape();
  const SmallVector<int64_t> from = repeatingStrides(operands[0].getShape());
  SmallVector<int64_t> strides(shape.size(), 0);
  for (auto [dim, stride] : llvm::zip(op.getDims(), from))
    strides[dim] = stride;
  return readStrided(operands[0], shape, strides, 0);
}

ReferenceTensor evaluateCopy(CopyOp, Operands operands) { return operands[0]; }

ReferenceTensor evaluateConcat(ConcatOp op, Operands operands) {
  ReferenceTensor y = emptyResult(op);
  const SmallVector<int64_t> strides = denseStrides(y.getShape());
  int64_t start = 0;
  for (const ReferenceTensor &part : operands) {
    writeStrided(y, part, strides, start * strides[op.getAxis()]);
    start += part.getDim(op.getAxis());
  }
  return y;
}

ReferenceTensor evaluateInsertSlice(InsertSliceOp op, Operands operands) {
  ReferenceTensor y = operands[1];
  const Window window(y.getShape(), operands[0].getShape(), op.getOffsets(),
                      op.getStrides());
  writeStrided(y, operands[0], window.strides, window.offset);
  return y;
}

ReferenceTensor evaluateReshape(ReshapeOp op, Operands operands) {
  return operands[0].reshaped(op.getType().getShape());
}

ReferenceTensor evaluateBitcast(BitcastOp op, Operands operands) {
  return *ReferenceTensor::fromBytes(cast<RankedTensorType>(op.getType()),
                                     operands[0].toBytes());
}

ReferenceTensor evaluateSlice(SliceOp op, Operands operands) {
  const Window window(operands[0].getShape(), op.getType().getShape(),
                      op.getOffsets(), op.getStrides());
  return readStrided(operands[0], op.getType().getShape(), window.strides,
                     window.offset);
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

ReferenceTensor evaluatePad(PadOp op, Operands operands) {
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
    return y;
  }
  // Positions outside repeat the nearest element.
  const SmallVector<int64_t> from = denseStrides(x.getShape());
  return x.gathered(shape, [&](int64_t element) {
    int64_t source = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t index = element / strides[d] % shape[d] - op.getLow()[d];
      source += std::clamp<int64_t>(index, 0, x.getDim(d) - 1) * from[d];
    }
    return source;
  });
}

ReferenceTensor evaluateReverse(ReverseOp op, Operands operands) {
  SmallVector<int64_t> strides = denseStrides(operands[0].getShape());
  int64_t offset = 0;
  for (int64_t dim : op.getDims()) {
    offset += (operands[0].getDim(dim) - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  return readStrided(operands[0], operands[0].getShape(), strides, offset);
}

ReferenceTensor evaluateIota(IotaOp op, Operands) {
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
  return y;
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
