// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of tensor ops with dynamic sizes.
#include "../Inference/HloShapes.h"
#include "../Inference/SourceShapes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

Value VariantBuilder::number(AffineExpr size, Type type) {
  const Location loc = source.getLoc();
  if (isa<FloatType>(type)) {
    // All whole numbers that are followed are exact in their type.
    if (auto constant = dyn_cast<AffineConstantExpr>(size))
      return arith::ConstantOp::create(
          b, loc, b.getFloatAttr(type, double(constant.getValue())));
    return arith::SIToFPOp::create(b, loc, type, number(size, b.getI32Type()));
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(size)) {
    const unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                          : type.getIntOrFloatBitWidth();
    return arith::ConstantOp::create(
        b, loc,
        b.getIntegerAttr(type, APInt(width, constant.getValue(),
                                     /*isSigned=*/true,
                                     /*implicitTrunc=*/true)));
  }
  Value real = tensor::ExtractOp::create(b, loc, extent(size), ValueRange());
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, real);
  const unsigned width = type.getIntOrFloatBitWidth();
  if (width > 32)
    return arith::ExtSIOp::create(b, loc, type, real);
  return width < 32 ? Value(arith::TruncIOp::create(b, loc, type, real)) : real;
}

bool VariantBuilder::isReshape(const SizeList &from, const SizeList &to) const {
  const AffineExpr one = sizes.constant(1);
  size_t i = 0, j = 0;
  AffineExpr a, b;
  // Invariant: the elements of from[..i] but the factor a, and of to[..j] but
  // the factor b, are those of the same leading dimensions.
  while (true) {
    while ((!a || a == one) && i < from.size())
      a = from[i++];
    while ((!b || b == one) && j < to.size())
      b = to[j++];
    if (!a || a == one || !b || b == one)
      return (!a || a == one) && (!b || b == one);
    AffineExpr quotient;
    if (a == b) {
      a = b = {};
    } else if ((quotient = sizes.exactQuotient(a, b))) {
      a = quotient;
      b = {};
    } else if ((quotient = sizes.exactQuotient(b, a))) {
      b = quotient;
      a = {};
    } else {
      // Constants may be regrouped in any way.
      auto left = dyn_cast<AffineConstantExpr>(a),
           right = dyn_cast<AffineConstantExpr>(b);
      if (!left || !right)
        return false;
      const bool isLess = left.getValue() < right.getValue();
      if (isLess ? i == from.size() : j == to.size())
        return false;
      const AffineExpr next = isLess ? from[i++] : to[j++];
      if (isDynamic(next))
        return false;
      (isLess ? a : b) = sizes.mul(isLess ? a : b, next);
    }
  }
}

/// Other reshapes than those move elements, and markers say where to. That
/// needs as many of them with padding before as after.
LogicalResult VariantBuilder::checkReshape(Operation *op) {
  const SizeList from = shapes.shape(op->getOperand(0)),
                 to = shapes.shape(op->getResult(0));
  auto count = [&](const SizeList &dims) {
    int64_t product = 1;
    for (AffineExpr size : dims)
      product *= padded(size);
    return product;
  };
  if (isReshape(from, to) || count(from) == count(to))
    return success();
  auto list = [&](const SizeList &dims) {
    return "[" +
           llvm::join(llvm::map_range(
                          dims, [&](AffineExpr e) { return sizes.text(e); }),
                      ", ") +
           "]";
  };
  return op->emitError("it reshapes ")
         << list(from) << " into " << list(to) << ", which are " << count(from)
         << " and " << count(to)
         << " elements in the bucket; a bucket whose sizes are multiples, as "
            "with 'NAME=MIN..MAX/MULTIPLE', would have as many";
}

/// A reshape with static sizes, in the dialect of the source.
Value VariantBuilder::reshaped(Value value, RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == type)
    return value;
  if (inHlo)
    return writer(value).reshape(value, type.getShape());
  const Location loc = value.getLoc();
  if (auto groups = getReassociationIndicesForReshape(from, type))
    return from.getRank() > type.getRank()
               ? Value(tensor::CollapseShapeOp::create(b, loc, type, value,
                                                       *groups))
               : Value(tensor::ExpandShapeOp::create(b, loc, type, value,
                                                     *groups));
  auto shape = arith::ConstantOp::create(
      b, loc,
      DenseIntElementsAttr::get(
          RankedTensorType::get({type.getRank()}, b.getI64Type()),
          type.getShape()));
  return tensor::ReshapeOp::create(b, loc, type, value, shape);
}

bool VariantBuilder::carryUnmarked(Value from, Value to) {
  auto places = [&](Value value) {
    SmallVector<std::pair<AffineExpr, int64_t>> list;
    for (auto [dim, size] : llvm::enumerate(shapes.shape(value)))
      if (size != sizes.constant(1))
        list.push_back({size, dim});
    return list;
  };
  const auto before = places(from), after = places(to);
  if (before.size() != after.size())
    return false;
  for (auto [old, now] : llvm::zip_equal(before, after))
    if (old.first != now.first)
      return false;
  setUnmarked(to, [&](int64_t dim) {
    for (auto [old, now] : llvm::zip_equal(before, after))
      if (now.second == dim)
        return isUnmarked(from, old.second);
    return false;
  });
  return true;
}

/// Dimensions that a reshape splits one into: padded sizes that are equal do
/// not tell in which order the parts are, extents do. Where elements move, all
/// dimensions are marked.
Value VariantBuilder::markSplit(Operation *op, Value value) {
  const SizeList from = shapes.shape(op->getOperand(0)),
                 to = shapes.shape(op->getResult(0));
  if (!isReshape(from, to))
    return markAll(value, to);
  // A product of adjacent dimensions is no part of one.
  auto isCollapsed = [&](AffineExpr size) {
    for (size_t i = 0; i < from.size(); ++i) {
      AffineExpr product = from[i];
      for (size_t j = i + 1; j < from.size() && product != size; ++j)
        product = sizes.mul(product, from[j]);
      if (product == size)
        return true;
    }
    return false;
  };
  SmallVector<int64_t> parts;
  SizeList extents;
  for (auto [dim, size] : llvm::enumerate(to))
    if (isDynamic(size) && !isCollapsed(size)) {
      parts.push_back(dim);
      extents.push_back(size);
    }
  // One part alone cannot be confused with another.
  return parts.size() < 2 ? value : markDims(value, parts, extents);
}

/// The axis of a concatenation; none for other ops.
static std::optional<int64_t> concatenatedAxis(Operation *op) {
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    return concat.getDim();
  if (auto concat = dyn_cast_or_null<tosa::ConcatOp>(op))
    return concat.getAxis();
  if (!isHlo(op, Hlo::Concatenate))
    return std::nullopt;
  return numbersOf(op, "dimension").front();
}

/// A concatenation of equal sizes that the reshape divides into its operands,
/// as exporters write a stack: the operands, each with a dimension of size 1,
/// in which none has padding between it and the next.
FailureOr<Value> VariantBuilder::stacked(Operation *op) {
  Operation *concat = op->getOperand(0).getDefiningOp();
  const auto axis = concatenatedAxis(concat);
  const SizeList to = shapes.shape(op->getResult(0));
  if (!axis || !isDynamic(shapes.dim(op->getOperand(0), *axis)))
    return failure();
  SizeList part = shapes.shape(concat->getOperand(0));
  if (llvm::any_of(concat->getOperands(), [&](Value operand) {
        return shapes.shape(operand) != part;
      }))
    return failure();
  part.insert(part.begin() + *axis, sizes.constant(concat->getNumOperands()));
  if (part != to)
    return failure();
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  auto whole = cast<RankedTensorType>(*type);
  SmallVector<int64_t> one(whole.getShape());
  one[*axis] = 1;
  SmallVector<Value> parts;
  for (Value operand : concat->getOperands())
    parts.push_back(reshaped(marked(operand), whole.clone(one)));
  return inHlo ? writer(parts.front()).concatenate(parts, *axis, whole)
               : tensor::ConcatOp::create(b, op->getLoc(), whole, *axis, parts)
                     .getResult();
}

LogicalResult VariantBuilder::cloneReshape(Operation *op) {
  if (FailureOr<Value> stack = stacked(op); succeeded(stack))
    return finish(op, {*stack});
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type) || failed(checkReshape(op)))
    return failure();
  const Value from = op->getOperand(0);
  const Value value =
      carryUnmarked(from, op->getResult(0)) ? data(from) : marked(from);
  auto to = cast<RankedTensorType>(*type);
  Value result;
  if (isa<tosa::ReshapeOp>(op))
    result = tosa::ReshapeOp::create(b, op->getLoc(), to, value,
                                     shapeConstant(to.getShape()));
  else
    result = reshaped(value, to);
  return finish(op, {markSplit(op, result)});
}

LogicalResult VariantBuilder::cloneExtractSlice(tensor::ExtractSliceOp op) {
  const SizeList starts = mixedSizes(op.getMixedOffsets(), shapes),
                 dims = mixedSizes(op.getMixedSizes(), shapes),
                 strides = mixedSizes(op.getMixedStrides(), shapes);
  if (llvm::is_contained(starts, AffineExpr()) ||
      llvm::is_contained(strides, AffineExpr()))
    return op.emitError("it starts at an offset, or has a stride, that is no "
                        "expression over the symbols of the function");
  FailureOr<Type> type = staticType(op.getResult(), op);
  FailureOr<Value> taken =
      takeWindow(op, marked(op.getSource()), starts, dims, strides);
  if (failed(type) || failed(taken))
    return failure();
  Value result = reshaped(*taken, cast<RankedTensorType>(*type));
  // Along the other dimensions padding starts where it did in the source.
  SmallVector<int64_t> changed;
  SizeList extents;
  const SizeList from = shapes.shape(op.getSource());
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t to = 0;
  for (auto [dim, size] : llvm::enumerate(dims)) {
    if (dropped.test(dim))
      continue;
    if (size != from[dim]) {
      changed.push_back(to);
      extents.push_back(size);
    }
    ++to;
  }
  return finish(op, {markDims(result, changed, extents)});
}

/// True where the elements of a value come before what is padding.
Value VariantBuilder::realElements(RankedTensorType type,
                                   ArrayRef<AffineExpr> dims) {
  auto counts = RankedTensorType::get(type.getShape(), b.getI32Type());
  Value all;
  for (auto [dim, size] : llvm::enumerate(dims)) {
    if (!isDynamic(size))
      continue;
    HloWriter w(b, source.getLoc());
    Value at = w.create(Hlo::Iota, {}, counts, w.number("iota_dimension", dim));
    Value real = extent(size);
    Value limit = writer(real).broadcast(real, counts.getShape(), {});
    Value isReal = w.compare(ComparePredicate::LT, at, limit);
    all = all ? w.binary(Hlo::And, all, isReal) : isReal;
  }
  return all;
}

FailureOr<Value> VariantBuilder::writeWindow(Operation *op, Value into,
                                             const SizeList &intoDims,
                                             Value update,
                                             const SizeList &starts,
                                             const SizeList &dims) {
  auto type = cast<RankedTensorType>(into.getType()),
       window = cast<RankedTensorType>(update.getType());
  // The padding of the update may overwrite what is padding only.
  SizeList blended(dims);
  bool isClean = true, isFixed = true;
  for (auto [i, size] : llvm::enumerate(dims)) {
    if (sizes.add(starts[i], size) == intoDims[i])
      blended[i] = sizes.constant(0);
    isClean &= !isDynamic(blended[i]);
    isFixed &= !isDynamic(starts[i]);
    into = extend(into, i, padded(starts[i]) + window.getDimSize(i));
  }
  auto extended = cast<RankedTensorType>(into.getType());
  SmallVector<Value> operands{into};
  for (AffineExpr start : starts)
    operands.push_back(scalar(start, b.getI32Type()));
  if (!isClean) {
    Value old = writer(into).dynamicSlice(operands, window.getShape());
    Value isReal = realElements(window, blended);
    update = writer(isReal).select(isReal, update, old);
  }
  if (isFixed && extended == type && window == type)
    return update;
  operands.insert(operands.begin() + 1, update);
  return shrink(updated(operands), type.getShape());
}

LogicalResult VariantBuilder::cloneInsertSlice(tensor::InsertSliceOp op) {
  const SizeList starts = mixedSizes(op.getMixedOffsets(), shapes),
                 dims = mixedSizes(op.getMixedSizes(), shapes),
                 strides = mixedSizes(op.getMixedStrides(), shapes),
                 into = shapes.shape(op.getDest());
  if (llvm::is_contained(starts, AffineExpr()) ||
      llvm::is_contained(dims, AffineExpr()))
    return op.emitError("it writes at an offset, or has a size, that is no "
                        "expression over the symbols of the function");
  for (auto [i, stride] : llvm::enumerate(strides))
    if (stride != sizes.constant(1))
      return op.emitError("it writes into dimension ")
             << i << " with a stride other than 1, which has no static form";
  Value update = marked(op.getSource());
  SmallVector<int64_t> window =
      llvm::map_to_vector(dims, [&](AffineExpr size) { return padded(size); });
  update =
      reshaped(update, cast<RankedTensorType>(update.getType()).clone(window));
  FailureOr<Value> written =
      writeWindow(op, data(op.getDest()), into, update, starts, dims);
  if (failed(written))
    return failure();
  return finish(op, {markAll(*written, into)});
}

Value VariantBuilder::markChanged(Value value, const SizeList &dims,
                                  const SizeList &from) {
  SmallVector<int64_t> changed;
  SizeList extents;
  for (auto [i, size] : llvm::enumerate(dims))
    if (size != from[i]) {
      changed.push_back(i);
      extents.push_back(size);
    }
  return markDims(value, changed, extents);
}

Value VariantBuilder::markAll(Value value, const SizeList &dims) {
  return markDims(value, llvm::to_vector(llvm::seq<int64_t>(0, dims.size())),
                  dims);
}

/// Constant widths stay a pad. Others are a write into what is filled with the
/// value.
LogicalResult VariantBuilder::clonePad(tensor::PadOp op) {
  const SizeList low = mixedSizes(op.getMixedLowPad(), shapes),
                 high = mixedSizes(op.getMixedHighPad(), shapes);
  FailureOr<Type> type = staticType(op.getResult(), op);
  if (failed(type))
    return failure();
  Value value = marked(op.getSource());
  auto isConstant = [](AffineExpr e) { return isa<AffineConstantExpr>(e); };
  if (llvm::all_of(low, isConstant) && llvm::all_of(high, isConstant)) {
    auto fixed = [&](const SizeList &widths) {
      return llvm::map_to_vector(widths, [&](AffineExpr e) -> OpFoldResult {
        return b.getIndexAttr(cast<AffineConstantExpr>(e).getValue());
      });
    };
    auto pad = tensor::PadOp::create(b, op.getLoc(), *type, value, fixed(low),
                                     fixed(high), op.getNofold());
    if (failed(cloneRegions(op, pad)))
      return failure();
    return finish(op, {pad.getResult()});
  }
  // The value must be one: it fills a tensor before the write.
  Value filler = op.getConstantPaddingValue();
  if (!filler)
    return op.emitError("its widths depend on symbols and its value on the "
                        "position; only a value that is the same everywhere "
                        "has a static form");
  Value filled = tensor::SplatOp::create(b, op.getLoc(), data(filler), *type);
  FailureOr<Value> written =
      writeWindow(op, filled, shapes.shape(op.getResult()), value, low,
                  shapes.shape(op.getSource()));
  if (failed(written))
    return failure();
  return finish(op, {markAll(*written, shapes.shape(op.getResult()))});
}

/// Operands that say sizes are left out; what remains has no extent.
LogicalResult VariantBuilder::cloneCreation(Operation *op,
                                            ValueRange operands) {
  setUnmarked(op->getResult(0), [](int64_t) { return true; });
  return cloneAs(op, operands);
}

/// At padded positions of a loop, an index that is computed of counters and
/// sizes may lie outside the tensor. It is cut off there; at real positions
/// that changes nothing.
LogicalResult VariantBuilder::cloneExtract(tensor::ExtractOp op) {
  Value tensor = marked(op.getTensor());
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> operands{tensor};
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    Value at = data(index);
    if (type.getDimSize(dim) > 0 && !shapes.isKnown(index) &&
        !countedLoop(index, shapes) &&
        isOfSizes(index, shapes, /*withCounters=*/true)) {
      // Past the real elements the launch would stop.
      const AffineExpr size = shapes.dim(op.getTensor(), dim);
      Value first = number(sizes.constant(0), b.getIndexType()),
            last = number(sizes.sub(size, sizes.constant(1)), b.getIndexType());
      at = arith::MinSIOp::create(b, op.getLoc(), at, last);
      at = arith::MaxSIOp::create(b, op.getLoc(), at, first);
    }
    operands.push_back(at);
  }
  return cloneAs(op, operands);
}

LogicalResult VariantBuilder::cloneTensor(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::EmptyOp, tensor::GenerateOp>(
          [&](auto) { return cloneCreation(op, {}); })
      .Case([&](tensor::SplatOp splat) {
        return cloneCreation(op, data(splat.getInput()));
      })
      .Case([&](tensor::CastOp cast) {
        // Sizes agree, so that only the type says less or more.
        if (auto it = unmarked.find(cast.getSource()); it != unmarked.end()) {
          SmallVector<int64_t> dims = it->second;
          unmarked[cast.getResult()] = dims;
        }
        return finish(op, {data(cast.getSource())});
      })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ReshapeOp>(
          [&](auto) { return cloneReshape(op); })
      .Case([&](tensor::ExtractSliceOp slice) {
        return cloneExtractSlice(slice);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return shapes.isDynamic(slice.getResult()) ||
                       !slice.getOffsets().empty() || !slice.getSizes().empty()
                   ? cloneInsertSlice(slice)
                   : cloneMarked(op);
      })
      .Case([&](tensor::PadOp pad) { return clonePad(pad); })
      .Case([&](tensor::ExtractOp extract) { return cloneExtract(extract); })
      .Case([&](tensor::ConcatOp concat) {
        return shapes.isDynamic(concat.getResult())
                   ? cloneConcatenate(op, concat.getDim())
                   : cloneMarked(op);
      })
      // Most ops keep their form, with static types.
      .Default([&](Operation *) { return cloneMarked(op); });
}
