// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of StableHLO ops with dynamic sizes.
#include "../Inference/HloShapes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

Value VariantBuilder::hlo(StringRef name, ValueRange operands, Type type,
                          ArrayRef<NamedAttribute> attributes) {
  OperationState state(operands.empty() ? source.getLoc()
                                        : operands.front().getLoc(),
                       ("stablehlo." + name).str());
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(attributes);
  return b.create(state)->getResult(0);
}

Value VariantBuilder::hloConstant(DenseElementsAttr values) {
  return hlo("constant", {}, values.getType(), b.getNamedAttr("value", values));
}

Value VariantBuilder::scalar(AffineExpr size, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  if (auto constant = dyn_cast<AffineConstantExpr>(size))
    return hloConstant(DenseElementsAttr::get(
        type, b.getIntegerAttr(elementType, constant.getValue())));
  Value real = extent(size);
  return real.getType() == type ? real : hlo("convert", real, type);
}

/// Elements that are sizes: constants and arguments, put together.
Value VariantBuilder::elementsAsData(Value value) {
  if (isa<tosa::shapeType>(value.getType()))
    return shapeConstant(
        llvm::map_to_vector(*shapes.elements(value),
                            [&](AffineExpr size) { return padded(size); }));
  if (!isa<ShapedType>(value.getType()))
    return number(shapes.element(value), value.getType());
  auto type = cast<RankedTensorType>(value.getType());
  // A float has at most one element that is a size.
  if (isa<FloatType>(type.getElementType())) {
    const AffineExpr element = shapes.elements(value)->front();
    if (auto constant = dyn_cast<AffineConstantExpr>(element))
      return hloConstant(DenseElementsAttr::get(
          type, Attribute(b.getFloatAttr(type.getElementType(),
                                         double(constant.getValue())))));
    Value whole = scalar(element, b.getI32Type());
    whole =
        hlo("convert", whole, RankedTensorType::get({}, type.getElementType()));
    return type.getRank() == 0 ? whole : hlo("reshape", whole, type);
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
  auto isConstant = [&](AffineExpr e) { return !isDynamic(e); };
  if (llvm::all_of(elements, isConstant)) {
    auto numbers = llvm::map_to_vector(elements, [&](AffineExpr e) {
      return APInt(type.getElementTypeBitWidth(),
                   cast<AffineConstantExpr>(e).getValue(), /*isSigned=*/true,
                   /*implicitTrunc=*/true);
    });
    return hloConstant(DenseElementsAttr::get(type, numbers));
  }
  // Several elements are put together from scalars.
  if (type.getRank() == 0)
    return scalar(elements.front(), type.getElementType());
  SmallVector<Value> parts;
  auto one = RankedTensorType::get({1}, type.getElementType());
  for (AffineExpr element : elements)
    parts.push_back(
        hlo("reshape", scalar(element, type.getElementType()), one));
  auto list =
      RankedTensorType::get({int64_t(parts.size())}, type.getElementType());
  Value joined = parts.size() == 1
                     ? parts.front()
                     : hlo("concatenate", parts, list,
                           b.getNamedAttr("dimension", b.getI64IntegerAttr(0)));
  return joined.getType() == type ? joined : hlo("reshape", joined, type);
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
                            ArrayRef<int64_t> strides) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> limits;
  for (auto [start, count, stride] : llvm::zip_equal(starts, counts, strides))
    limits.push_back(start + (count ? (count - 1) * stride + 1 : 0));
  if (llvm::all_of(starts, [](int64_t start) { return start == 0; }) &&
      limits == type.getShape() && counts == type.getShape())
    return value;
  if (!isHlo) {
    auto fixed = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(b.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(b, value.getLoc(), type.clone(counts),
                                          value, fixed(starts), fixed(counts),
                                          fixed(strides));
  }
  return hlo("slice", value, type.clone(counts),
             {b.getNamedAttr("start_indices", b.getDenseI64ArrayAttr(starts)),
              b.getNamedAttr("limit_indices", b.getDenseI64ArrayAttr(limits)),
              b.getNamedAttr("strides", b.getDenseI64ArrayAttr(strides))});
}

Value VariantBuilder::extend(Value value, int64_t dim, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  if (size <= type.getDimSize(dim))
    return value;
  SmallVector<int64_t> dims(type.getShape()), none(type.getRank(), 0),
      high(type.getRank(), 0);
  high[dim] = size - dims[dim];
  dims[dim] = size;
  Value zero = hloConstant(
      DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()),
                             b.getZeroAttr(type.getElementType())));
  return hlo(
      "pad", {value, zero}, type.clone(dims),
      {b.getNamedAttr("edge_padding_low", b.getDenseI64ArrayAttr(none)),
       b.getNamedAttr("edge_padding_high", b.getDenseI64ArrayAttr(high)),
       b.getNamedAttr("interior_padding", b.getDenseI64ArrayAttr(none))});
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
  return hlo("dynamic_update_slice", operands, type);
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
    auto wanted = cast<RankedTensorType>(*type);
    joinedValue =
        slice(joinedValue, SmallVector<int64_t>(dims.size(), 0),
              wanted.getShape(), SmallVector<int64_t>(dims.size(), 1));
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
    value = hlo("dynamic_slice", operands, type.clone(window),
                b.getNamedAttr("slice_sizes", b.getDenseI64ArrayAttr(window)));
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
  const int64_t dim = integersOf(op->getAttr("dimension")).front();
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  const auto wanted = cast<RankedTensorType>(*type);
  Value value = extend(marked(op->getOperand(0)), dim, wanted.getDimSize(dim));
  value = slice(value, SmallVector<int64_t>(wanted.getRank(), 0),
                wanted.getShape(), SmallVector<int64_t>(wanted.getRank(), 1));
  return finish(op, {markDims(value, dim, shapes.dim(op->getResult(0), dim))});
}
/// The operand that says a shape, or none.
static bool isShapeOperand(Operation *op, unsigned number) {
  const StringRef name = op->getName().stripDialect();
  if (name == "dynamic_iota")
    return number == 0;
  if (name == "dynamic_broadcast_in_dim" || name == "dynamic_reshape")
    return number == 1;
  if (name == "dynamic_gather" || name == "rng")
    return number == 2;
  if (name == "custom_call")
    return llvm::is_contained(
        integersOf(op->getAttr("indices_of_shape_operands")), int64_t(number));
  return false;
}

/// True for ops that only place whole dimensions elsewhere: so are those
/// without an extent.
bool VariantBuilder::carryHlo(Operation *op) {
  const StringRef name = op->getName().stripDialect();
  if (name == "reshape" || name == "dynamic_reshape")
    return carryUnmarked(op->getOperand(0), op->getResult(0));
  const bool isTranspose = name == "transpose";
  if (!isTranspose && name != "broadcast_in_dim" &&
      name != "dynamic_broadcast_in_dim")
    return false;
  const SmallVector<int64_t> places = integersOf(
      op->getAttr(isTranspose ? "permutation" : "broadcast_dimensions"));
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
  const StringRef name = op->getName().stripDialect();
  if (name == "custom_call" && op->getNumResults() == 0) {
    auto target = op->getAttrOfType<StringAttr>("call_target_name");
    if (target && target.getValue() == "shape_assertion")
      return success(); // holds within the bounds
  }
  // Ops whose static form needs more than static types.
  if (name == "concatenate" && shapes.isDynamic(op->getResult(0)))
    return cloneConcatenate(op, integersOf(op->getAttr("dimension")).front());
  if (name == "real_dynamic_slice" && shapes.elements(op->getOperand(1)) &&
      !shapes.isKnown(op->getOperand(1)))
    return cloneRuntimeSlice(op);
  if (name == "real_dynamic_slice" && shapes.isKnown(op->getOperand(1)) &&
      shapes.isKnown(op->getOperand(3)))
    return cloneSlice(op);
  if ((name == "pad" && shapes.isDynamic(op->getResult(0))) ||
      (name == "dynamic_pad" &&
       llvm::all_of(op->getOperands().drop_front(2),
                    [&](Value widths) { return shapes.isKnown(widths); })))
    return clonePadding(op);
  if (name == "dynamic_update_slice" && updatesPart(op))
    return cloneUpdate(op);
  if (name == "set_dimension_size")
    return cloneSetDimensionSize(op);
  if (name == "dynamic_conv" || name == "dynamic_reduce_window")
    return cloneWindows(op);
  if (name == "reshape" || name == "dynamic_reshape")
    if (FailureOr<Value> stack = stacked(op); succeeded(stack))
      return finish(op, {*stack});
  if ((name == "reshape" || name == "dynamic_reshape") &&
      failed(checkReshape(op)))
    return failure();
  // What is broadcast or counted has no extent of its own. Elementwise ops get
  // one from another operand; all others need a marker.
  const bool isElementwise = isElementwiseHlo(op),
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
  if (name == "while")
    boundLoop(op, *clone);
  SmallVector<Value> results((*clone)->getResults());
  // Which result dimensions no operand tells: they get a marker when something
  // reads them.
  for (Value result : op->getResults()) {
    if (isCarried || !shapes.isDynamic(result))
      continue;
    SmallVector<int64_t> missing;
    const SizeList dims = shapes.shape(result);
    for (auto [dim, size] : llvm::enumerate(dims)) {
      if (!isDynamic(size))
        continue;
      bool isTold = false;
      if (isElementwise) {
        for (Value operand : op->getOperands()) {
          auto it = unmarked.find(operand);
          isTold |= shapes.shape(operand).size() == dims.size() &&
                    (it == unmarked.end() ||
                     !llvm::is_contained(it->second, int64_t(dim)));
        }
      } else {
        isTold = name != "dynamic_iota" && name != "rng";
      }
      if (!isTold)
        missing.push_back(dim);
    }
    if (!missing.empty())
      unmarked[result] = missing;
  }
  if (name == "reshape" || name == "dynamic_reshape")
    results[0] = markSplit(op, results[0]);
  if (name == "dynamic_gather" || name == "convolution" ||
      name == "reduce_window") {
    // The sizes of windows tell no extent.
    SmallVector<int64_t> changed;
    const SizeList dims = shapes.shape(op->getResult(0)),
                   from = shapes.shape(op->getOperand(0));
    for (auto [dim, size] : llvm::enumerate(dims))
      if (isDynamic(size) && !llvm::is_contained(from, size) &&
          (name != "dynamic_gather" ||
           !llvm::is_contained(shapes.shape(op->getOperand(1)), size)))
        changed.push_back(dim);
    for (Value &result : results)
      result = markDims(
          result, changed,
          llvm::map_to_vector(changed, [&](int64_t dim) { return dims[dim]; }));
  }
  return finish(op, results);
}
