// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of StableHLO ops with dynamic sizes.
#include "../Inference/HloShapes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

Value VariantBuilder::hloConstant(DenseElementsAttr values) {
  return HloWriter(b, source.getLoc()).constant(values);
}

Value VariantBuilder::hloZero(Type elementType) {
  return hloConstant(DenseElementsAttr::get(
      RankedTensorType::get({}, elementType), b.getZeroAttr(elementType)));
}

Value VariantBuilder::scalar(AffineExpr size, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  if (auto constant = dyn_cast<AffineConstantExpr>(size))
    return HloWriter(b, source.getLoc()).splat(type, constant.getValue());
  Value real = extent(size);
  return real.getType() == type ? real
                                : writer(real).convert(real, elementType);
}

/// Elements that are sizes: constants and arguments, put together.
Value VariantBuilder::elementsAsData(Value value) {
  if (isa<tosa::shapeType>(value.getType()))
    return shapeConstant(
        llvm::map_to_vector(*shapes.elements(value),
                            [&](AffineExpr size) { return padded(size); }));
  if (isa<TorchObjectType>(value.getType()))
    return torchNumber(shapes.element(value));
  if (!isa<ShapedType>(value.getType()))
    return number(shapes.element(value), value.getType());
  auto type = cast<RankedTensorType>(value.getType());
  // A float has at most one element that is a size.
  if (isa<FloatType>(type.getElementType())) {
    const AffineExpr element = shapes.elements(value)->front();
    if (auto constant = dyn_cast<AffineConstantExpr>(element))
      return HloWriter(b, source.getLoc())
          .splat(type, double(constant.getValue()));
    Value whole = scalar(element, b.getI32Type());
    whole = writer(whole).convert(whole, type.getElementType());
    return type.getRank() == 0 ? whole
                               : writer(whole).reshape(whole, type.getShape());
  }
  // Of other dialects: elements one by one.
  if (!isStablehlo(value.getDefiningOp()->getName())) {
    SmallVector<Value> numbers;
    for (AffineExpr element : *shapes.elements(value))
      numbers.push_back(number(element, type.getElementType()));
    return tensor::FromElementsOp::create(b, value.getLoc(), type, numbers);
  }
  const SizeList &elements = *shapes.elements(value);
  // Constants stay one constant.
  if (llvm::none_of(elements, [&](AffineExpr e) { return isDynamic(e); }))
    return paddedElements(value);
  // Several elements are put together from scalars.
  if (type.getRank() == 0)
    return scalar(elements.front(), type.getElementType());
  Value list = vector(elements, type.getElementType());
  return list.getType() == type ? list
                                : writer(list).reshape(list, type.getShape());
}

Value VariantBuilder::vector(ArrayRef<AffineExpr> elements, Type elementType) {
  SmallVector<Value> parts;
  for (AffineExpr element : elements) {
    Value number = scalar(element, elementType);
    parts.push_back(writer(number).reshape(number, {1}));
  }
  return parts.size() == 1
             ? parts.front()
             : writer(parts.front())
                   .concatenate(parts, 0,
                                RankedTensorType::get({int64_t(parts.size())},
                                                      elementType));
}

Value VariantBuilder::paddedElements(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  // StableHLO has no constants of type index.
  if (type.getElementType().isIndex())
    type = type.clone(b.getI64Type());
  auto numbers =
      llvm::map_to_vector(*shapes.elements(value), [&](AffineExpr e) {
        return APInt(type.getElementTypeBitWidth(), padded(e),
                     /*isSigned=*/true,
                     /*implicitTrunc=*/true);
      });
  return hloConstant(DenseElementsAttr::get(type, numbers));
}

Value VariantBuilder::slice(Value value, ArrayRef<int64_t> starts,
                            ArrayRef<int64_t> counts,
                            ArrayRef<int64_t> givenStrides) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> strides(givenStrides);
  strides.resize(starts.size(), 1);
  SmallVector<int64_t> limits;
  for (auto [start, count, stride] : llvm::zip_equal(starts, counts, strides))
    limits.push_back(start + (count ? (count - 1) * stride + 1 : 0));
  if (llvm::all_of(starts, [](int64_t start) { return start == 0; }) &&
      limits == type.getShape() && counts == type.getShape())
    return value;
  if (!inHlo) {
    auto fixed = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(b.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(b, value.getLoc(), type.clone(counts),
                                          value, fixed(starts), fixed(counts),
                                          fixed(strides));
  }
  HloWriter w = writer(value);
  return w.create(Hlo::Slice, value, type.clone(counts),
                  {w.list("start_indices", starts),
                   w.list("limit_indices", limits),
                   w.list("strides", strides)});
}

Value VariantBuilder::shrink(Value value, ArrayRef<int64_t> shape) {
  return slice(value, SmallVector<int64_t>(shape.size(), 0), shape);
}

/// A dynamic_update_slice: the tensor, what is written, its starts.
Value VariantBuilder::updated(ValueRange operands) {
  return writer(operands.front())
      .create(Hlo::DynamicUpdateSlice, operands, operands.front().getType());
}

Value VariantBuilder::extend(Value value, int64_t dim, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  if (size <= type.getDimSize(dim))
    return value;
  SmallVector<int64_t> dims(type.getShape()), none(type.getRank(), 0),
      high(type.getRank(), 0);
  high[dim] = size - dims[dim];
  dims[dim] = size;
  return writer(value).pad(value, hloZero(type.getElementType()), none, high,
                           none, type.clone(dims));
}

Value VariantBuilder::writeAt(Value into, Value update, int64_t dim,
                              AffineExpr offset) {
  auto type = cast<RankedTensorType>(into.getType());
  SmallVector<Value> operands{into, update};
  Value zero;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i == dim) {
      operands.push_back(scalar(offset, b.getI32Type()));
      continue;
    }
    if (!zero)
      zero = scalar(sizes.constant(0), b.getI32Type());
    operands.push_back(zero);
  }
  return updated(operands);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Operands follow each other without padding between them: each is written at
/// its real offset, over the padding of those before.
LogicalResult VariantBuilder::cloneConcatenate(Operation *op, int64_t axis) {
  const Value result = op->getResult(0);
  FailureOr<Type> type = staticType(result, op);
  if (failed(type))
    return failure();
  const SizeList dims = shapes.shape(result);
  AffineExpr offset = sizes.constant(0);
  int64_t room = cast<RankedTensorType>(*type).getDimSize(axis);
  bool isInPlace = true;
  int64_t joined = 0;
  SmallVector<Value> operands;
  // Room for each operand at its largest offset; whether all are where a plain
  // concatenation puts them.
  for (Value operand : op->getOperands()) {
    isInPlace &= offset == sizes.constant(joined);
    operands.push_back(marked(operand));
    const int64_t size =
        cast<RankedTensorType>(operands.back().getType()).getDimSize(axis);
    room = std::max(room, padded(offset) + size);
    offset = sizes.add(offset, shapes.dim(operand, axis));
    joined += size;
  }
  // Without real offsets before padding, the op is as it was.
  Value joinedValue;
  if (isInPlace) {
    FailureOr<Operation *> clone = cloneWith(op, operands);
    if (failed(clone))
      return failure();
    joinedValue = (*clone)->getResult(0);
  } else {
    joinedValue = extend(operands.front(), axis, room);
    offset = shapes.dim(op->getOperand(0), axis);
    // In order: each write covers the padding of the one before.
    for (auto [source, operand] :
         llvm::drop_begin(llvm::zip_equal(op->getOperands(), operands))) {
      joinedValue = writeAt(joinedValue, operand, axis, offset);
      offset = sizes.add(offset, shapes.dim(source, axis));
    }
    joinedValue = shrink(joinedValue, cast<RankedTensorType>(*type).getShape());
  }
  return finish(op, {markDims(joinedValue, axis, dims[axis])});
}

/// Starts that are constant make a slice, others a dynamic slice.
FailureOr<Value> VariantBuilder::takeWindow(Operation *op, Value value,
                                            const SizeList &starts,
                                            const SizeList &dims,
                                            const SizeList &strides) {
  SmallVector<int64_t> counts, fixedStarts, fixedCounts, fixedStrides;
  bool isFixed = true;
  for (auto [i, start] : llvm::enumerate(starts)) {
    auto stride = dyn_cast<AffineConstantExpr>(strides[i]);
    if (!stride)
      return op->emitError("the stride of dimension ")
             << i << " is " << sizes.text(strides[i])
             << "; strides must be constants";
    counts.push_back(padded(dims[i]));
    // A window that moves is read with a stride of 1 and cut afterwards.
    const bool isConstant = !isDynamic(start);
    isFixed &= isConstant;
    // A padded slice at a start below that of the bucket may reach further
    // than the operand does.
    const int64_t span =
        counts[i] ? (counts[i] - 1) * stride.getValue() + 1 : 0;
    value = extend(value, i, padded(start) + span);
    fixedStarts.push_back(isConstant ? padded(start) : 0);
    fixedCounts.push_back(isConstant ? counts[i] : span);
    fixedStrides.push_back(isConstant ? stride.getValue() : 1);
  }
  // Constant dimensions are whole in the dynamic slice and cut by the static
  // one.
  if (!isFixed) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> window(type.getShape());
    SmallVector<Value> operands{value};
    for (auto [i, start] : llvm::enumerate(starts)) {
      operands.push_back(
          scalar(isDynamic(start) ? start : sizes.constant(0), b.getI32Type()));
      if (!isDynamic(start))
        continue;
      window[i] = fixedCounts[i];
      fixedStrides[i] = cast<AffineConstantExpr>(strides[i]).getValue();
      fixedCounts[i] = counts[i];
    }
    value = writer(value).dynamicSlice(operands, window);
  }
  return slice(value, fixedStarts, fixedCounts, fixedStrides);
}

LogicalResult VariantBuilder::cloneSlice(Operation *op) {
  const SizeList starts = *shapes.elements(op->getOperand(1)),
                 strides = *shapes.elements(op->getOperand(3)),
                 dims = shapes.shape(op->getResult(0)),
                 from = shapes.shape(op->getOperand(0));
  if (failed(staticType(op->getResult(0), op)))
    return failure();
  FailureOr<Value> taken =
      takeWindow(op, marked(op->getOperand(0)), starts, dims, strides);
  if (failed(taken))
    return failure();
  return finish(op, {markChanged(*taken, dims, from)});
}

/// The sizes are real ones: the marker says them.
LogicalResult VariantBuilder::cloneSetDimensionSize(Operation *op) {
  const int64_t dim = numbersOf(op, "dimension").front();
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  const auto wanted = cast<RankedTensorType>(*type);
  Value value = extend(marked(op->getOperand(0)), dim, wanted.getDimSize(dim));
  value = shrink(value, wanted.getShape());
  return finish(op, {markDims(value, dim, shapes.dim(op->getResult(0), dim))});
}

bool gaudi::isShapeOperand(Operation *op, unsigned number) {
  switch (hloOf(op)) {
  case Hlo::DynamicIota:
    return number == 0;
  case Hlo::DynamicBroadcastInDim:
  case Hlo::DynamicReshape:
    return number == 1;
  case Hlo::DynamicGather:
  case Hlo::Rng:
    return number == 2;
  case Hlo::CustomCall:
    return llvm::is_contained(numbersOf(op, "indices_of_shape_operands"),
                              int64_t(number));
  default:
    return false;
  }
}

/// True for ops that only place whole dimensions elsewhere: so are those
/// without an extent.
bool VariantBuilder::carryHlo(Operation *op) {
  if (isHlo(op, Hlo::Reshape, Hlo::DynamicReshape))
    return carryUnmarked(op->getOperand(0), op->getResult(0));
  const bool isTranspose = isHlo(op, Hlo::Transpose);
  if (!isTranspose &&
      !isHlo(op, Hlo::BroadcastInDim, Hlo::DynamicBroadcastInDim))
    return false;
  const SmallVector<int64_t> places =
      numbersOf(op, isTranspose ? "permutation" : "broadcast_dimensions");
  const Value from = op->getOperand(0), to = op->getResult(0);
  setUnmarked(to, [&](int64_t dim) {
    if (isTranspose)
      return isUnmarked(from, places[dim]);
    for (auto [old, now] : llvm::enumerate(places))
      if (now == dim && shapes.dim(from, old) == shapes.dim(to, dim))
        return isUnmarked(from, old);
    // A dimension that the broadcast makes has no padding.
    return true;
  });
  return true;
}

LogicalResult VariantBuilder::cloneHlo(Operation *op) {
  // Ops whose static form needs more than static types.
  const Hlo kind = hloOf(op);
  switch (kind) {
  case Hlo::CustomCall:
    if (op->getNumResults() == 0 &&
        wordOf(op, "call_target_name") == "shape_assertion")
      return success(); // holds within the bounds
    break;
  case Hlo::Concatenate:
    if (shapes.isDynamic(op->getResult(0)))
      return cloneConcatenate(op, numbersOf(op, "dimension").front());
    break;
  case Hlo::RealDynamicSlice:
    if (shapes.elements(op->getOperand(1)) &&
        !shapes.isKnown(op->getOperand(1)))
      return cloneRuntimeSlice(op);
    if (shapes.isKnown(op->getOperand(1)) && shapes.isKnown(op->getOperand(3)))
      return cloneSlice(op);
    break;
  case Hlo::Pad:
  case Hlo::DynamicPad:
    if (kind == Hlo::Pad
            ? shapes.isDynamic(op->getResult(0))
            : llvm::all_of(op->getOperands().drop_front(2), [&](Value widths) {
                return shapes.isKnown(widths);
              }))
      return clonePadding(op);
    break;
  case Hlo::DynamicUpdateSlice:
    if (updatesPart(op))
      return cloneUpdate(op);
    break;
  case Hlo::SetDimensionSize:
    return cloneSetDimensionSize(op);
  case Hlo::DynamicConv:
  case Hlo::DynamicReduceWindow:
    return cloneWindows(op);
  case Hlo::Reshape:
  case Hlo::DynamicReshape:
    if (FailureOr<Value> stack = stacked(op); succeeded(stack))
      return finish(op, {*stack});
    if (failed(checkReshape(op)))
      return failure();
    break;
  default:
    break;
  }
  return cloneInPlace(op, kind);
}

/// What is broadcast or counted has no extent of its own. Elementwise ops get
/// one from another operand; all others need a marker.
LogicalResult VariantBuilder::cloneInPlace(Operation *op, Hlo kind) {
  const bool isElementwise = gaudi::isElementwise(kind),
             isEnd = op->getNumResults() == 0, isCarried = carryHlo(op);
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    operands.push_back(isShapeOperand(op, i) && shapes.isKnown(operand)
                           ? paddedElements(operand)
                       : isElementwise || isEnd || isCarried ? data(operand)
                                                             : marked(operand));
  // Starts are limited to real elements before the op is cloned.
  limitStarts(op, operands);
  FailureOr<Operation *> clone = cloneWith(op, operands);
  if (failed(clone))
    return failure();
  if (kind == Hlo::While)
    boundLoop(op, *clone);
  SmallVector<Value> results((*clone)->getResults());
  // Which result dimensions no operand tells: they get a marker when something
  // reads them.
  for (Value result : op->getResults()) {
    if (isCarried || !shapes.isDynamic(result))
      continue;
    const size_t rank = shapes.shape(result).size();
    setUnmarked(result, [&](int64_t dim) {
      if (!isElementwise)
        return kind == Hlo::DynamicIota || kind == Hlo::Rng;
      return llvm::all_of(op->getOperands(), [&](Value operand) {
        return shapes.shape(operand).size() != rank || isUnmarked(operand, dim);
      });
    });
  }
  if (kind == Hlo::Reshape || kind == Hlo::DynamicReshape)
    results[0] = markSplit(op, results[0]);
  if (kind == Hlo::DynamicGather || kind == Hlo::Convolution ||
      kind == Hlo::ReduceWindow) {
    // The sizes of windows tell no extent.
    SmallVector<int64_t> changed;
    const SizeList dims = shapes.shape(op->getResult(0)),
                   from = shapes.shape(op->getOperand(0));
    for (auto [dim, size] : llvm::enumerate(dims))
      if (isDynamic(size) && !llvm::is_contained(from, size) &&
          (kind != Hlo::DynamicGather ||
           !llvm::is_contained(shapes.shape(op->getOperand(1)), size)))
        changed.push_back(dim);
    for (Value &result : results)
      result = markDims(
          result, changed,
          llvm::map_to_vector(changed, [&](int64_t dim) { return dims[dim]; }));
  }
  return finish(op, results);
}
