// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts of windows that StableHLO moves back into the tensor.
//
// A window that would reach past the end begins at the last position where it
// does not: at the end of the real elements, not of the padding.
#include "../Inference/HloShapes.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "VariantBuilder.h"

using namespace mlir;
using namespace gaudi;

/// `start`, a number, is at most `last`.
Value VariantBuilder::limitStart(Value start, AffineExpr last) {
  Value limit = scalar(last, getElementTypeOrSelf(start.getType()));
  return writer(start).binary(Hlo::Min, start, limit);
}

/// The indices of a gather: along `vectorDim` one number per dimension of
/// `starts`. Without that dimension each index is a number.
Value VariantBuilder::limitIndices(Value indices, int64_t vectorDim,
                                   ArrayRef<AffineExpr> lasts) {
  auto type = cast<RankedTensorType>(indices.getType());
  // Only from above: the gather itself moves indices below 0.
  Value limits = vector(lasts, type.getElementType());
  SmallVector<int64_t> places;
  if (vectorDim < type.getRank())
    places.push_back(vectorDim);
  else
    limits = writer(limits).reshape(limits, {});
  limits = writer(limits).broadcast(limits, type.getShape(), places);
  return writer(indices).binary(Hlo::Min, indices, limits);
}

void VariantBuilder::limitStarts(Operation *op,
                                 MutableArrayRef<Value> operands) {
  const bool isUpdate = isHlo(op, Hlo::DynamicUpdateSlice),
             isGather = isHlo(op, Hlo::Gather, Hlo::DynamicGather);
  if (!isUpdate && !isGather && !isHlo(op, Hlo::DynamicSlice))
    return;
  const SizeList from = shapes.shape(op->getOperand(0));
  if (isGather) {
    SizeList window;
    if (isHlo(op, Hlo::Gather))
      for (int64_t size : numbersOf(op, "slice_sizes"))
        window.push_back(sizes.constant(size));
    else if (const SizeList *given = shapes.elements(op->getOperand(2)))
      window = *given;
    const auto starts = numbersOf(op, "dimension_numbers", "start_index_map");
    const auto vector = numbersOf(op, "dimension_numbers", "index_vector_dim");
    bool isPadded = window.size() == from.size();
    SmallVector<AffineExpr> lasts;
    for (int64_t dim : starts)
      isPadded &= dim >= 0 && dim < int64_t(from.size());
    if (!isPadded)
      return; // the import says what is wrong with it
    for (int64_t dim : starts)
      lasts.push_back(sizes.sub(from[dim], window[dim]));
    if (llvm::any_of(lasts, [&](AffineExpr last) { return isDynamic(last); }))
      operands[1] =
          limitIndices(operands[1], vector.empty() ? 0 : vector.front(), lasts);
    // The static window is larger than the real one: where that may begin, it
    // must have room.
    for (int64_t dim : starts)
      if (isDynamic(window[dim]) && window[dim] != from[dim]) {
        auto type = cast<RankedTensorType>(operands[0].getType());
        operands[0] = extend(operands[0], dim,
                             type.getDimSize(dim) + padded(window[dim]));
      }
    return;
  }
  const unsigned first = isUpdate ? 2 : 1;
  const SizeList window =
      shapes.shape(isUpdate ? op->getOperand(1) : op->getResult(0));
  for (auto [dim, size] : llvm::enumerate(from)) {
    const unsigned number = first + dim;
    const AffineExpr last = sizes.sub(size, window[dim]);
    const SizeList *start = shapes.elements(op->getOperand(number));
    if (isDynamic(last) &&
        !(start && start->front() && sizes.isAtLeast(last, start->front())))
      operands[number] = limitStart(operands[number], last);
  }
}

bool VariantBuilder::updatesPart(Operation *op) const {
  for (auto [whole, part] : llvm::zip_equal(shapes.shape(op->getOperand(0)),
                                            shapes.shape(op->getOperand(1))))
    if (isDynamic(part) && whole != part)
      return true;
  return false;
}

Value VariantBuilder::asReal(Value value) {
  SmallVector<int64_t> dims;
  SmallVector<Value> whole;
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape())) {
    dims.push_back(dim);
    whole.push_back(extent(sizes.constant(size)));
  }
  return ValidOp::create(b, value.getLoc(), value.getType(), value, dims,
                         whole);
}

/// The static update is larger than the real one: it has the elements of the
/// operand where it is not real, and the operand has room for them.
LogicalResult VariantBuilder::cloneUpdate(Operation *op) {
  const SizeList dims = shapes.shape(op->getOperand(0)),
                 part = shapes.shape(op->getOperand(1));
  Value into = marked(op->getOperand(0)), update = marked(op->getOperand(1));
  auto type = cast<RankedTensorType>(into.getType()),
       window = cast<RankedTensorType>(update.getType());
  SmallVector<AffineExpr> partial, known;
  SmallVector<int64_t> places;
  SmallVector<Value> operands{into, update};
  // Dimensions that are written in part, with a dynamic size.
  for (auto [i, size] : llvm::enumerate(part)) {
    const bool isPartial = isDynamic(size) && size != dims[i];
    partial.push_back(isPartial ? size : sizes.constant(0));
    operands.push_back(data(op->getOperand(2 + i)));
    // Room behind the tensor, so that a start at its end does not move the
    // window.
    if (isPartial)
      into = extend(into, i, type.getDimSize(i) + window.getDimSize(i));
    if (isDynamic(dims[i])) {
      places.push_back(i);
      known.push_back(dims[i]);
    }
  }
  limitStarts(op, operands);
  SmallVector<Value> reading{into};
  llvm::append_range(reading, ArrayRef<Value>(operands).drop_front(2));
  // The elements that are there now, for the places where the update is not
  // real.
  Value old = writer(into).dynamicSlice(reading, window.getShape());
  operands[0] = into;
  // All of it may be read: it is part of what is written.
  Value isReal = realElements(window, partial);
  operands[1] = asReal(writer(isReal).select(isReal, update, old));
  return finish(op, {markDims(shrink(updated(operands), type.getShape()),
                              places, known)});
}

/// A real_dynamic_slice that starts at data: the program keeps it inside the
/// real elements.
LogicalResult VariantBuilder::cloneRuntimeSlice(Operation *op) {
  const SizeList starts = *shapes.elements(op->getOperand(1)),
                 dims = shapes.shape(op->getResult(0)),
                 from = shapes.shape(op->getOperand(0));
  const SizeList *strides = shapes.elements(op->getOperand(3));
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  Value value = marked(op->getOperand(0)), vector = data(op->getOperand(1));
  auto counts = cast<RankedTensorType>(*type).getShape();
  const Type index = getElementTypeOrSelf(vector.getType());
  SmallVector<Value> operands{value};
  for (auto [i, start] : llvm::enumerate(starts)) {
    // dynamic_slice has no strides. Where data gives the start, a padded window
    // could reach beyond the real elements: its size must be constant.
    if (!strides || (*strides)[i] != sizes.constant(1) ||
        (!start && isDynamic(dims[i])))
      return op->emitError("along dimension ")
             << i
             << " its start index is data-dependent; its stride must be 1 and "
                "its size a "
             << "constant there";
    // Where the window starts at a size, dynamic_slice must not move it: the
    // operand gets room for all of the padded window.
    if (start) {
      operands[0] = extend(operands[0], i, padded(start) + counts[i]);
      operands.push_back(scalar(start, index));
      continue;
    }
    Value one = slice(vector, {int64_t(i)}, {1});
    operands.push_back(writer(one).reshape(one, {}));
  }
  Value taken = writer(operands.front()).dynamicSlice(operands, counts);
  return finish(op, {markChanged(taken, dims, from)});
}
