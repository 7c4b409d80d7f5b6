// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of the dialects tensor and shape.
#include "SizeArithmetic.h"
#include "SourceShapes.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

SizeList gaudi::mixedSizes(ArrayRef<OpFoldResult> values,
                           const SymbolicShapes &shapes) {
  return llvm::map_to_vector<6>(values, [&](OpFoldResult value) {
    if (auto known = getConstantIntValue(value))
      return shapes.sizes.constant(*known);
    auto dynamic = dyn_cast<Value>(value);
    return dynamic ? shapes.element(dynamic) : AffineExpr();
  });
}

namespace {
/// The rules of one op.
struct TensorRule {
  SymbolicShapes &shapes;
  const SizeExprs &sizes = shapes.sizes;

  /// The sizes that operands say for the dynamic dimensions of the result.
  LogicalResult dynamicSizes(Value result, ValueRange operands) {
    SizeList dims;
    size_t next = 0;
    for (int64_t size : cast<RankedTensorType>(result.getType()).getShape())
      dims.push_back(ShapedType::isDynamic(size)
                         ? shapes.element(operands[next++])
                         : sizes.constant(size));
    return shapes.setShape(result, std::move(dims));
  }

  LogicalResult dim(tensor::DimOp op) {
    auto index =
        dyn_cast_or_null<AffineConstantExpr>(shapes.element(op.getIndex()));
    const SizeList dims = shapes.shape(op.getSource());
    if (!index)
      return op.emitError("the number of its dimension is not a constant");
    if (index.getValue() < 0 || index.getValue() >= int64_t(dims.size()))
      return op.emitError("its dimension ")
             << index.getValue() << " is none of type "
             << op.getSource().getType();
    shapes.setElements(op.getResult(), {dims[index.getValue()]});
    return success();
  }

  LogicalResult sameValue(Operation *op) {
    if (auto elements = shapes.elements(op->getOperand(0)))
      shapes.setElements(op->getResult(0), *elements);
    if (!isa<RankedTensorType>(op->getResult(0).getType()) ||
        !isa<RankedTensorType>(op->getOperand(0).getType()))
      return success();
    return shapes.setShape(op->getResult(0), shapes.shape(op->getOperand(0)));
  }

  LogicalResult fromElements(tensor::FromElementsOp op) {
    shapes.setElements(op.getResult(),
                       mixedSizes(getAsOpFoldResult(op.getElements()), shapes));
    return success();
  }

  LogicalResult extract(tensor::ExtractOp op) {
    const SizeList *elements = shapes.elements(op.getTensor());
    auto type = op.getTensor().getType();
    if (!elements || !type.hasStaticShape())
      return success();
    int64_t place = 0;
    for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
      auto known = dyn_cast_or_null<AffineConstantExpr>(shapes.element(index));
      if (!known || known.getValue() < 0 ||
          known.getValue() >= type.getDimSize(dim))
        return success();
      place = place * type.getDimSize(dim) + known.getValue();
    }
    if (place < int64_t(elements->size()))
      shapes.setElements(op.getResult(), {(*elements)[place]});
    return success();
  }

  LogicalResult extractSlice(tensor::ExtractSliceOp op) {
    SizeList all = mixedSizes(op.getMixedSizes(), shapes), dims;
    const llvm::SmallBitVector dropped = op.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(all))
      if (!dropped.test(i))
        dims.push_back(size);
    const SizeList *elements = shapes.elements(op.getSource());
    const SizeList starts = mixedSizes(op.getMixedOffsets(), shapes);
    if (elements && starts.size() == 1) {
      auto from = dyn_cast_or_null<AffineConstantExpr>(starts[0]);
      auto count = dyn_cast_or_null<AffineConstantExpr>(all[0]);
      if (from && count && from.getValue() >= 0 && count.getValue() >= 0 &&
          op.hasUnitStride() &&
          from.getValue() + count.getValue() <= int64_t(elements->size()))
        shapes.setElements(op.getResult(),
                           SizeList(ArrayRef<AffineExpr>(*elements).slice(
                               from.getValue(), count.getValue())));
    }
    return shapes.setShape(op.getResult(), std::move(dims));
  }

  LogicalResult concat(tensor::ConcatOp op) {
    auto dims = concatenatedSizes(op, op.getInputs(), op.getDim(), shapes);
    if (failed(dims))
      return failure();
    // A list of sizes has one dimension; the list is known if all parts are.
    SizeList elements;
    bool isFollowed = dims->size() == 1;
    for (Value operand : op.getInputs()) {
      const SizeList *list = shapes.elements(operand);
      isFollowed &= list != nullptr;
      if (list)
        llvm::append_range(elements, *list);
    }
    if (isFollowed)
      shapes.setElements(op.getResult(), std::move(elements));
    return shapes.setShape(op.getResult(), std::move(*dims));
  }

  LogicalResult pad(tensor::PadOp op) {
    if (failed(shapes.inferBlock(op.getRegion().front())))
      return failure();
    return shapes.setShape(op.getResult(),
                           paddedSizes(shapes.shape(op.getSource()),
                                       mixedSizes(op.getMixedLowPad(), shapes),
                                       mixedSizes(op.getMixedHighPad(), shapes),
                                       sizes));
  }

  LogicalResult generate(tensor::GenerateOp op) {
    if (failed(shapes.inferBlock(op.getBody().front())))
      return failure();
    return dynamicSizes(op.getResult(), op.getDynamicExtents());
  }

  LogicalResult collapse(tensor::CollapseShapeOp op) {
    const SizeList from = shapes.shape(op.getSrc());
    SizeList dims;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      AffineExpr size = sizes.constant(1);
      for (int64_t dim : group)
        size = size && from[dim] ? sizes.mul(size, from[dim]) : AffineExpr();
      dims.push_back(size);
    }
    if (const SizeList *elements = shapes.elements(op.getSrc()))
      shapes.setElements(op.getResult(), *elements);
    return shapes.setShape(op.getResult(), std::move(dims));
  }

  LogicalResult expand(tensor::ExpandShapeOp op) {
    if (const SizeList *elements = shapes.elements(op.getSrc()))
      shapes.setElements(op.getResult(), *elements);
    return shapes.setShape(op.getResult(),
                           mixedSizes(op.getMixedOutputShape(), shapes));
  }

  LogicalResult reshape(tensor::ReshapeOp op) {
    const SizeList *given = shapes.elements(op.getShape());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type)
      return success(); // reported for having no rank
    if (const SizeList *elements = shapes.elements(op.getSource()))
      shapes.setElements(op.getResult(), *elements);
    return shapes.setShape(op.getResult(),
                           given && given->size() == size_t(type.getRank())
                               ? *given
                               : SizeList(type.getRank()));
  }

  /// Dimensions of the indices but the last, then those of the source.
  LogicalResult gather(tensor::GatherOp op) {
    SizeList dims = shapes.shape(op.getIndices());
    dims.pop_back();
    const bool isReduced = op.getResultType().getRank() <
                           int64_t(dims.size()) + op.getSourceType().getRank();
    for (auto [i, size] : llvm::enumerate(shapes.shape(op.getSource()))) {
      const bool isGathered =
          llvm::is_contained(op.getGatherDims(), int64_t(i));
      if (!isGathered)
        dims.push_back(size);
      else if (!isReduced)
        dims.push_back(sizes.constant(1));
    }
    return shapes.setShape(op.getResult(), std::move(dims));
  }
};
} // namespace

LogicalResult gaudi::inferTensor(Operation *op, SymbolicShapes &shapes) {
  TensorRule rule{shapes};
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::DimOp op) { return rule.dim(op); })
      .Case([&](tensor::RankOp op) {
        if (auto type = dyn_cast<RankedTensorType>(op.getTensor().getType()))
          shapes.setElements(op.getResult(),
                             {shapes.sizes.constant(type.getRank())});
        return success();
      })
      .Case([&](tensor::EmptyOp op) {
        return rule.dynamicSizes(op.getResult(), op.getDynamicSizes());
      })
      .Case([&](tensor::SplatOp op) {
        if (AffineExpr element = shapes.element(op.getInput());
            element && op.getType().hasStaticShape() &&
            op.getType().getNumElements() <= SymbolicShapes::maxElements)
          shapes.setElements(op.getResult(),
                             SizeList(op.getType().getNumElements(), element));
        return rule.dynamicSizes(op.getResult(), op.getDynamicSizes());
      })
      .Case<tensor::CastOp, tensor::BitcastOp>(
          [&](auto op) { return rule.sameValue(op); })
      .Case([&](tensor::FromElementsOp op) { return rule.fromElements(op); })
      .Case([&](tensor::ExtractOp op) { return rule.extract(op); })
      .Case([&](tensor::ExtractSliceOp op) { return rule.extractSlice(op); })
      .Case([&](tensor::ConcatOp op) { return rule.concat(op); })
      .Case([&](tensor::PadOp op) { return rule.pad(op); })
      .Case([&](tensor::GenerateOp op) { return rule.generate(op); })
      .Case([&](tensor::CollapseShapeOp op) { return rule.collapse(op); })
      .Case([&](tensor::ExpandShapeOp op) { return rule.expand(op); })
      .Case([&](tensor::ReshapeOp op) { return rule.reshape(op); })
      .Case([&](tensor::GatherOp op) { return rule.gather(op); })
      // They have the shape of the tensor that they write into.
      .Case<tensor::InsertSliceOp, tensor::InsertOp, tensor::ScatterOp>(
          [&](auto op) {
            return shapes.setShape(op.getResult(), shapes.shape(op.getDest()));
          })
      .Default([](Operation *) { return success(); });
}
