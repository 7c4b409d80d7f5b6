// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA ops that move elements: shapes, slices, pads, gathers, resize.
#include "Converter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

static TosaMatch matchIdentity(tosa::IdentityOp op, TosaMatcher &) {
  return build([op](TosaBuilder &) mutable { return op.getInput1(); });
}

/// The operand `shape` repeats what the static result type says.
static TosaMatch matchReshape(tosa::ReshapeOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    return b.reshape(op.getInput1(), tensorType(op.getOutput()).getShape());
  });
}

static TosaMatch matchTranspose(tosa::TransposeOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    SmallVector<int64_t> permutation(op.getPerms());
    return TransposeOp::create(b, op.getOutput().getType(), op.getInput1(),
                               permutation);
  });
}

static TosaMatch matchConcat(tosa::ConcatOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable -> Value {
    if (op.getInput1().size() == 1)
      return op.getInput1().front();
    return ConcatOp::create(b, op.getOutput().getType(), op.getInput1(),
                            op.getAxis());
  });
}

static TosaMatch matchReverse(tosa::ReverseOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    return ReverseOp::create(b, op.getOutput().getType(), op.getInput1(),
                             {int64_t(op.getAxis())});
  });
}

static TosaMatch matchSlice(tosa::SliceOp op, TosaMatcher &m) {
  FailureOr<SmallVector<int64_t>> start = m.shape(op.getStart(), "start");
  if (failed(start))
    return failure();
  return build([op, start = *start](TosaBuilder &b) mutable {
    SmallVector<int64_t> strides(start.size(), 1);
    return SliceOp::create(b, op.getOutput().getType(), op.getInput1(), start,
                           strides);
  });
}

/// Every tiled dimension [size] becomes [multiple, size], of which the first is
/// a broadcast; collapsed, they are one dimension again.
static TosaMatch matchTile(tosa::TileOp op, TosaMatcher &m) {
  RankedTensorType input = tensorType(op.getInput1());
  RankedTensorType result = tensorType(op.getOutput());
  if (input == result)
    return build([op](TosaBuilder &) mutable { return op.getInput1(); });
  SmallVector<int64_t> tiled, dims;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    int64_t size = input.getDimSize(dim), to = result.getDimSize(dim);
    if (size == 0 || to % size != 0)
      return m.refuse("expected result dimension " + Twine(dim) +
                      " to be a multiple of " + Twine(size) + " but got " +
                      Twine(to));
    // A dimension of size 1 is broadcast itself.
    if (to != size && size != 1)
      tiled.push_back(to / size);
    dims.push_back(tiled.size());
    tiled.push_back(size == 1 ? to : size);
  }
  return build([=](TosaBuilder &b) mutable {
    Value value =
        BroadcastOp::create(b, result.clone(tiled), op.getInput1(), dims);
    return b.reshape(value, result.getShape());
  });
}

/// The scalar attribute of a constant of one element.
static TypedAttr constantScalar(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1)
    return {};
  return cast<TypedAttr>(*elements.getValues<Attribute>().begin());
}

static Value createPad(tosa::PadOp op, TosaBuilder &b, ArrayRef<int64_t> low,
                       ArrayRef<int64_t> high) {
  RankedTensorType result = tensorType(op.getOutput());
  if (TypedAttr value = constantScalar(op.getPadConst()))
    return PadOp::create(b, result, PadMode::Constant, op.getInput1(), low,
                         high, value);
  // A value known only at run time: the input is inserted into a filled tensor.
  Value scalar = b.reshape(op.getPadConst(), {});
  Value filled = BroadcastOp::create(b, result, scalar, ArrayRef<int64_t>{});
  SmallVector<int64_t> strides(low.size(), 1);
  return InsertSliceOp::create(b, result, op.getInput1(), filled, low, strides);
}

static TosaMatch matchPad(tosa::PadOp op, TosaMatcher &m) {
  FailureOr<SmallVector<int64_t>> padding = m.shape(op.getPadding(), "padding");
  if (failed(padding))
    return failure();
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i + 1 < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  for (int64_t number : *padding)
    if (number < 0)
      return m.refuse("expected 'padding' to be 0 or more but got " +
                      Twine(number));
  return build([op, low, high](TosaBuilder &b) mutable {
    return createPad(op, b, low, high);
  });
}

static TosaMatch matchGather(tosa::GatherOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    return GatherOp::create(b, op.getOutput().getType(), op.getValues(),
                            op.getIndices(), /*axis=*/1,
                            /*batch_dims=*/1);
  });
}

static TosaMatch matchScatter(tosa::ScatterOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    return ScatterOp::create(b, op.getValuesOut().getType(), op.getValuesIn(),
                             op.getIndices(), op.getInput());
  });
}

static TosaMatch matchResize(tosa::ResizeOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  FailureOr<SmallVector<int64_t>> scale = m.shape(op.getScale(), "scale");
  if (failed(scale))
    return failure();
  FailureOr<SmallVector<int64_t>> offset = m.shape(op.getOffset(), "offset");
  if (failed(offset))
    return failure();
  // `border` only serves to compute the size of the result.
  return build([op, scale = *scale, offset = *offset](TosaBuilder &b) mutable {
    ResizeMode mode = op.getMode() == tosa::ResizeMode::BILINEAR
                          ? ResizeMode::Bilinear
                          : ResizeMode::Nearest;
    return ResizeOp::create(b, op.getOutput().getType(), mode, op.getInput(),
                            scale, offset);
  });
}

void gaudi::addDataMovementPatterns(TosaPatterns &p) {
  p.add<tosa::IdentityOp>(matchIdentity);
  p.add<tosa::ReshapeOp>(matchReshape);
  p.add<tosa::TransposeOp>(matchTranspose);
  p.add<tosa::ConcatOp>(matchConcat);
  p.add<tosa::ReverseOp>(matchReverse);
  p.add<tosa::SliceOp>(matchSlice);
  p.add<tosa::TileOp>(matchTile);
  p.add<tosa::PadOp>(matchPad);
  p.add<tosa::GatherOp>(matchGather);
  p.add<tosa::ScatterOp>(matchScatter);
  p.add<tosa::ResizeOp>(matchResize);
}
