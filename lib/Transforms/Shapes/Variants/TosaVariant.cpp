// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of TOSA ops with dynamic sizes.
#include "../Inference/SourceShapes.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

Value VariantBuilder::shapeConstant(ArrayRef<int64_t> numbers) {
  const int64_t count = numbers.size();
  return tosa::ConstShapeOp::create(
      b, source.getLoc(), tosa::shapeType::get(b.getContext(), count),
      DenseIntElementsAttr::get(
          RankedTensorType::get({count}, b.getIndexType()), numbers));
}

LogicalResult VariantBuilder::cloneTosaSlice(Operation *op) {
  auto slice = cast<tosa::SliceOp>(op);
  const SizeList dims = shapes.shape(slice.getOutput()),
                 from = shapes.shape(slice.getInput1());
  if (!shapes.isKnown(slice.getStart()))
    return op->emitError("it starts at an offset that is no expression over "
                         "the symbols of the function");
  FailureOr<Value> taken = takeWindow(op, marked(slice.getInput1()),
                                      *shapes.elements(slice.getStart()), dims,
                                      SizeList(dims.size(), sizes.constant(1)));
  if (failed(taken))
    return failure();
  return finish(op, {markChanged(*taken, dims, from)});
}

/// Copies along a dimension whose extent is not full do not follow each other.
LogicalResult VariantBuilder::cloneTosaTile(Operation *op) {
  auto tile = cast<tosa::TileOp>(op);
  if (!shapes.isKnown(tile.getMultiples()))
    return op->emitError("one of its multiples is no expression over the "
                         "symbols of the function");
  const SizeList times = *shapes.elements(tile.getMultiples()),
                 from = shapes.shape(tile.getInput1());
  for (auto [i, size] : llvm::enumerate(from))
    if (isDynamic(size) && times[i] != sizes.constant(1))
      return op->emitError("it repeats dimension ")
             << i << " of size " << sizes.text(size)
             << "; a dimension that is padded has no repeated form";
  FailureOr<Type> type = staticType(tile.getOutput(), op);
  if (failed(type))
    return failure();
  auto fixed = llvm::map_to_vector(
      times, [&](AffineExpr number) { return padded(number); });
  Value tiled = tosa::TileOp::create(
      b, op->getLoc(), *type, marked(tile.getInput1()), shapeConstant(fixed));
  return finish(op, {markChanged(tiled, shapes.shape(tile.getOutput()), from)});
}

LogicalResult VariantBuilder::cloneTosa(Operation *op) {
  if (op->getNumResults() == 1 && shapes.isDynamic(op->getResult(0))) {
    if (isa<tosa::SliceOp>(op))
      return cloneTosaSlice(op);
    if (isa<tosa::TileOp>(op))
      return cloneTosaTile(op);
    if (isa<tosa::ReshapeOp>(op))
      return cloneReshape(op);
    if (auto concat = dyn_cast<tosa::ConcatOp>(op))
      return cloneConcatenate(op, concat.getAxis());
  }
  if (failed(cloneMarked(op)))
    return failure();
  // The sizes of windows tell no extent.
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
          tosa::TransposeConv2DOp, tosa::AvgPool2dOp, tosa::MaxPool2dOp,
          tosa::ResizeOp, tosa::RFFT2dOp, tosa::FFT2dOp>(op))
    for (Value result : op->getResults())
      map.map(result, markChanged(data(result), shapes.shape(result),
                                  shapes.shape(op->getOperand(0))));
  return success();
}
