// TOSA ops that move elements: shapes, slices, pads, gathers, resize.
#include "Converter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;

static FailureOr<Value> convertIdentity(tosa::IdentityOp op, TosaConverter &) {
  return op.getInput1();
}

static FailureOr<Value> convertReshape(tosa::ReshapeOp op, TosaConverter &c) {
  // The operand `shape` says again what the static result type says.
  return c.reshape(op.getLoc(), op.getInput1(),
                   tensorType(op.getOutput()).getShape());
}

static FailureOr<Value> convertTranspose(tosa::TransposeOp op,
                                         TosaConverter &c) {
  SmallVector<int64_t> permutation(op.getPerms());
  return TransposeOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                             op.getInput1(), permutation)
      .getResult();
}

static FailureOr<Value> convertConcat(tosa::ConcatOp op, TosaConverter &c) {
  if (op.getInput1().size() == 1)
    return op.getInput1().front();
  return ConcatOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                          op.getInput1(), op.getAxis())
      .getResult();
}

static FailureOr<Value> convertReverse(tosa::ReverseOp op, TosaConverter &c) {
  return ReverseOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                           op.getInput1(), {int64_t(op.getAxis())})
      .getResult();
}

static FailureOr<Value> convertSlice(tosa::SliceOp op, TosaConverter &c) {
  FailureOr<SmallVector<int64_t>> start = c.shape(op, op.getStart(), "start");
  if (failed(start))
    return failure();
  SmallVector<int64_t> strides(start->size(), 1);
  return SliceOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                         op.getInput1(), *start, strides)
      .getResult();
}

/// Every repeated dimension [size] becomes [multiple, size], of which the
/// first is a broadcast; together they are one dimension again.
static FailureOr<Value> convertTile(tosa::TileOp op, TosaConverter &c) {
  RankedTensorType input = tensorType(op.getInput1());
  RankedTensorType result = tensorType(op.getOutput());
  if (input == result)
    return op.getInput1();
  SmallVector<int64_t> repeated, dims;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    int64_t size = input.getDimSize(dim), to = result.getDimSize(dim);
    if (size == 0 || to % size != 0)
      return c.fail(op, "expected result dimension " + Twine(dim) +
                            " to be a multiple of " + Twine(size) +
                            " but got " + Twine(to));
    if (to != size && size != 1)
      repeated.push_back(to / size);
    dims.push_back(repeated.size());
    repeated.push_back(size == 1 ? to : size);
  }
  Value value = BroadcastOp::create(
      c.builder, op.getLoc(), result.clone(repeated), op.getInput1(), dims);
  return c.reshape(op.getLoc(), value, result.getShape());
}

/// The scalar attribute of a constant of one element.
static TypedAttr constantScalar(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1)
    return {};
  return cast<TypedAttr>(*elements.getValues<Attribute>().begin());
}

static FailureOr<Value> convertPad(tosa::PadOp op, TosaConverter &c) {
  FailureOr<SmallVector<int64_t>> padding =
      c.shape(op, op.getPadding(), "padding");
  if (failed(padding))
    return failure();
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i + 1 < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  for (int64_t number : *padding)
    if (number < 0)
      return c.fail(op, "expected 'padding' to be 0 or more but got " +
                            Twine(number));
  RankedTensorType result = tensorType(op.getOutput());
  if (TypedAttr value = constantScalar(op.getPadConst()))
    return PadOp::create(c.builder, op.getLoc(), result, PadMode::Constant,
                         op.getInput1(), low, high, value)
        .getResult();
  // A border known only at run time: the window is put into a filled tensor.
  Value scalar = c.reshape(op.getLoc(), op.getPadConst(), {});
  Value filled = BroadcastOp::create(c.builder, op.getLoc(), result, scalar,
                                     ArrayRef<int64_t>{});
  SmallVector<int64_t> strides(low.size(), 1);
  return InsertSliceOp::create(c.builder, op.getLoc(), result, op.getInput1(),
                               filled, low, strides)
      .getResult();
}

static FailureOr<Value> convertGather(tosa::GatherOp op, TosaConverter &c) {
  return GatherOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                          op.getValues(), op.getIndices(), /*axis=*/1,
                          /*batch_dims=*/1)
      .getResult();
}

static FailureOr<Value> convertScatter(tosa::ScatterOp op, TosaConverter &c) {
  return ScatterOp::create(c.builder, op.getLoc(), op.getValuesOut().getType(),
                           op.getValuesIn(), op.getIndices(), op.getInput())
      .getResult();
}

static FailureOr<Value> convertResize(tosa::ResizeOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Number)))
    return failure();
  FailureOr<SmallVector<int64_t>> scale = c.shape(op, op.getScale(), "scale");
  if (failed(scale))
    return failure();
  FailureOr<SmallVector<int64_t>> offset =
      c.shape(op, op.getOffset(), "offset");
  if (failed(offset))
    return failure();
  ResizeMode mode = op.getMode() == tosa::ResizeMode::BILINEAR
                        ? ResizeMode::Bilinear
                        : ResizeMode::Nearest;
  // `border` only serves to compute the size of the result.
  return ResizeOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                          mode, op.getInput(), *scale, *offset)
      .getResult();
}

void mlir::gaudi::addDataMovementHandlers(TosaHandlers &h) {
  h.add<tosa::IdentityOp>(convertIdentity);
  h.add<tosa::ReshapeOp>(convertReshape);
  h.add<tosa::TransposeOp>(convertTranspose);
  h.add<tosa::ConcatOp>(convertConcat);
  h.add<tosa::ReverseOp>(convertReverse);
  h.add<tosa::SliceOp>(convertSlice);
  h.add<tosa::TileOp>(convertTile);
  h.add<tosa::PadOp>(convertPad);
  h.add<tosa::GatherOp>(convertGather);
  h.add<tosa::ScatterOp>(convertScatter);
  h.add<tosa::ResizeOp>(convertResize);
}
