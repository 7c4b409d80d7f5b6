// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tensors joined without copies in a launch: slices that follow each
// other are a larger slice, and constants are joined when they are compiled.
#include "JoinedTensors.h"

#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace gaudi {

int64_t sizeAlong(Value tensor, int64_t axis) {
  return tensorType(tensor).getDimSize(axis);
}

RankedTensorType resized(Value like, int64_t axis, int64_t size) {
  RankedTensorType type = tensorType(like);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  return type.clone(shape);
}

Window windowOf(Value value, int64_t axis) {
  Window window{value, 0};
  for (;;) {
    Operation *op = window.tensor.getDefiningOp();
    if (auto split = dyn_cast_or_null<SplitOp>(op);
        split && int64_t(split.getAxis()) == axis) {
      window.first +=
          (*split.getIndexMap(cast<OpResult>(window.tensor)))[axis].offset;
      window.tensor = split.getOperand();
      continue;
    }
    auto slice = dyn_cast_or_null<SliceOp>(op);
    if (!slice)
      return window;
    RankedTensorType from = tensorType(slice.getOperand());
    // Only what is whole in all other dimensions is a window along the axis.
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (slice.getStrides()[dim] != 1 ||
          (dim != axis &&
           from.getDimSize(dim) != tensorType(window.tensor).getDimSize(dim)))
        return window;
    window.first += slice.getOffsets()[axis];
    window.tensor = slice.getOperand();
  }
}

Value windowIn(OpBuilder &builder, Location loc, const Window &window,
               int64_t axis, int64_t count) {
  if (sizeAlong(window.tensor, axis) == count)
    return window.tensor;
  RankedTensorType type = resized(window.tensor, axis, count);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[axis] = window.first;
  return SliceOp::create(builder, loc, type, window.tensor, offsets, strides);
}

namespace {
/// The constant that `value` is, through ops that only move it.
ElementsAttr constantOf(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constant.getValue();
  auto moved = value.getDefiningOp<ReindexOpInterface>();
  if (!moved)
    return {};
  const auto result = cast<OpResult>(value);
  RankedTensorType type = tensorType(value);
  ElementsAttr from = constantOf(moved.getViewSource(result));
  auto values = from ? ConstantValues::of(from) : std::nullopt;
  // A bitcast has other elements; a broadcast may have many more.
  if (!values || from.getElementType() != type.getElementType() ||
      type.getNumElements() > values->size())
    return {};
  if (IndexMap map = moved.getIndexMap(result))
    return values->rearranged(type.getShape(), *map);
  return isFoldable(type) ? values->toDense().reshape(type) : ElementsAttr();
}

/// Booleans have more than one form of bytes.
ElementsAttr concatenatedBooleans(ArrayRef<ConstantValues> parts, int64_t outer,
                                  RankedTensorType type) {
  SmallVector<bool> values;
  for (int64_t i = 0; i < outer; ++i)
    for (const ConstantValues &part : parts) {
      const int64_t run = part.size() / outer;
      for (int64_t n = 0; n < run; ++n)
        values.push_back(part.bits(i * run + n) != 0);
    }
  return DenseElementsAttr::get(type, values);
}

/// The constants one after the other along `axis`, or null.
ElementsAttr concatenated(ArrayRef<Value> values, int64_t axis,
                          RankedTensorType type) {
  SmallVector<ElementsAttr> attributes; // keep the bytes alive
  SmallVector<ConstantValues> parts;
  for (Value value : values) {
    attributes.push_back(constantOf(value));
    auto part = attributes.back() ? ConstantValues::of(attributes.back())
                                  : std::nullopt;
    if (!part || part->size() == 0)
      return {};
    parts.push_back(*part);
  }
  const int64_t outer =
      ShapedType::getNumElements(type.getShape().take_front(axis));
  if (type.getElementType().isInteger(1))
    return concatenatedBooleans(parts, outer, type);
  const int64_t width = type.getElementTypeBitWidth() / 8;
  auto blob = HeapAsmResourceBlob::allocate(type.getNumElements() * width,
                                            alignof(int64_t),
                                            /*dataIsMutable=*/true);
  char *to = blob.getMutableData().data();
  for (int64_t i = 0; i < outer; ++i)
    for (const ConstantValues &part : parts) {
      const int64_t run = part.size() / outer;
      for (int64_t n = 0; n < run; ++n, to += width)
        std::memcpy(to,
                    part.bytes().data() +
                        (part.isSplat() ? 0 : (i * run + n) * width),
                    size_t(width));
    }
  if (type.getNumElements() <= maxFoldedElements)
    return DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  return DenseResourceElementsAttr::get(type, "grouped_weights",
                                        std::move(blob));
}

} // namespace

Value joined(OpBuilder &builder, Location loc, ArrayRef<Value> values,
             int64_t axis) {
  const int64_t size = sizeAlong(values.front(), axis);
  const Window first = windowOf(values.front(), axis);
  bool follow = first.tensor != values.front();
  for (auto [i, value] : llvm::enumerate(values)) {
    const Window window = windowOf(value, axis);
    follow &= window.tensor == first.tensor &&
              window.first == first.first + int64_t(i) * size;
  }
  const int64_t count = int64_t(values.size()) * size;
  if (follow)
    return windowIn(builder, loc, first, axis, count);
  RankedTensorType type = resized(values.front(), axis, count);
  if (ElementsAttr constant = concatenated(values, axis, type))
    return ConstantOp::create(builder, loc, constant);
  // Vectors with dimensions of size 1, as biases are.
  SmallVector<Value> vectors;
  for (Value value : values) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape ||
        reshape.getOperand().getType().getShape() != ArrayRef<int64_t>{size})
      return {};
    vectors.push_back(reshape.getOperand());
  }
  Value vector = joined(builder, loc, vectors, 0);
  return vector ? ReshapeOp::create(builder, loc, type, vector) : Value();
}

} // namespace gaudi
