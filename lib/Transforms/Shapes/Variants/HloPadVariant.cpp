// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of StableHLO pads of dynamic sizes.
#include "../Inference/HloShapes.h"
#include "VariantBuilder.h"

using namespace mlir;
using namespace gaudi;

/// A negative padding takes elements away: real ones.
Value VariantBuilder::crop(Value value, SizeList &from,
                           MutableArrayRef<int64_t> low,
                           MutableArrayRef<int64_t> high) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> starts, counts, cropped;
  SmallVector<AffineExpr> extents;
  for (auto [dim, size] : llvm::enumerate(from)) {
    // Static dimensions are cut by the pad itself.
    const int64_t begin = isDynamic(size) ? std::max<int64_t>(-low[dim], 0) : 0,
                  end = isDynamic(size) ? std::max<int64_t>(-high[dim], 0) : 0;
    starts.push_back(begin);
    counts.push_back(std::max<int64_t>(type.getDimSize(dim) - begin - end, 0));
    if (begin == 0 && end == 0)
      continue;
    low[dim] += begin;
    high[dim] += end;
    size = sizes.sub(size, sizes.constant(begin + end));
    cropped.push_back(dim);
    extents.push_back(size);
  }
  if (cropped.empty())
    return value;
  return markDims(slice(value, starts, counts), cropped, extents);
}

/// Dimensions whose padding varies get it after the others: the padding value
/// instead of what is not real.
LogicalResult VariantBuilder::clonePadding(Operation *op) {
  const SizeList low = paddingOf(op, 0, shapes),
                 high = paddingOf(op, 1, shapes),
                 inner = paddingOf(op, 2, shapes),
                 dims = shapes.shape(op->getResult(0));
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  SmallVector<int64_t> wanted(cast<RankedTensorType>(*type).getShape()), varied;
  SmallVector<int64_t> fixed[3];
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    const bool varies = isDynamic(low[dim]) || isDynamic(high[dim]);
    auto refuse = [&](const char *what, AffineExpr size) {
      return op->emitError("its ")
             << what << " padding of dimension " << dim << " is "
             << sizes.text(size)
             << "; a padding that varies must not be negative, and has no "
                "interior padding beside it: give the model constants there";
    };
    // A varying position between elements has no static form.
    if (isDynamic(inner[dim]) || (varies && inner[dim] != sizes.constant(0)))
      return refuse("interior", inner[dim]);
    // Negative padding that varies would cut real elements.
    if (varies && sizes.range(low[dim]).low < 0)
      return refuse("low", low[dim]);
    if (varies)
      varied.push_back(dim);
    // Varying padding is written after the fixed one.
    for (auto [list, part] :
         {std::pair{&fixed[0], low[dim]}, std::pair{&fixed[1], high[dim]},
          std::pair{&fixed[2], inner[dim]}})
      list->push_back(varies ? 0 : padded(part));
  }
  SizeList from = shapes.shape(op->getOperand(0));
  Value filler = data(op->getOperand(1)),
        value = crop(marked(op->getOperand(0)), from, fixed[0], fixed[1]);
  auto isZero = [](ArrayRef<int64_t> numbers) {
    return llvm::all_of(numbers, [](int64_t number) { return number == 0; });
  };
  // Where padding varies, the tensor keeps its own size for now.
  SmallVector<int64_t> room(wanted);
  auto part = cast<RankedTensorType>(value.getType());
  for (int64_t dim : varied)
    room[dim] = part.getDimSize(dim);
  part = part.clone(room);
  if (!llvm::all_of(fixed, isZero))
    value =
        writer(value).pad(value, filler, fixed[0], fixed[1], fixed[2], part);
  if (varied.empty()) {
    // The static size does not tell which elements are between others.
    SmallVector<int64_t> spread;
    SmallVector<AffineExpr> spreadSizes;
    for (size_t dim = 0; dim < dims.size(); ++dim)
      if (fixed[2][dim] != 0) {
        spread.push_back(dim);
        spreadSizes.push_back(dims[dim]);
      }
    return finish(op, {markDims(value, spread, spreadSizes)});
  }
  SmallVector<AffineExpr> starts(dims.size(), sizes.constant(0)), extents,
      real(starts);
  // Room for the padded tensor at the largest low padding.
  for (int64_t dim : varied) {
    room[dim] = std::max(wanted[dim], padded(low[dim]) + room[dim]);
    starts[dim] = low[dim];
    real[dim] = from[dim];
    extents.push_back(dims[dim]);
  }
  auto filled = [&](RankedTensorType shape) {
    return writer(filler).broadcast(filler, shape.getShape(), {});
  };
  // What is not real becomes padding before it is moved.
  if (Value isReal = realElements(part, real))
    value = writer(isReal).select(isReal, value, filled(part));
  SmallVector<Value> operands{filled(part.clone(room)), value};
  for (AffineExpr start : starts)
    operands.push_back(scalar(start, b.getI32Type()));
  // At its real start, into a tensor of padding.
  if (part.getShape() != ArrayRef<int64_t>(room))
    value = updated(operands);
  value = shrink(markDims(value, varied, extents), wanted);
  return finish(op, {markDims(value, varied, extents)});
}
