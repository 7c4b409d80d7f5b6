// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of the dialect shape, which torch-mlir writes around StableHLO ops.
#include "SourceShapes.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

/// Shapes are aligned at their last sizes; a size of 1 takes the other.
static void inferBroadcast(shape::BroadcastOp op, SymbolicShapes &shapes) {
  const AffineExpr one = shapes.sizes.constant(1);
  SizeList result;
  for (Value operand : op.getShapes()) {
    const SizeList *list = shapes.elements(operand);
    if (!list)
      return;
    if (list->size() > result.size())
      result.insert(result.begin(), list->size() - result.size(), one);
    const size_t lead = result.size() - list->size();
    for (auto [i, size] : llvm::enumerate(*list)) {
      AffineExpr &have = result[lead + i];
      if (have == one)
        have = size;
      else if (size != one && size != have)
        have = {};
    }
  }
  shapes.setElements(op.getResult(), std::move(result));
}

LogicalResult gaudi::inferShape(Operation *op, SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  auto list = [&](unsigned operand) {
    return shapes.elements(op->getOperand(operand));
  };
  auto set = [&](SizeList elements) {
    shapes.setElements(op->getResult(0), std::move(elements));
    return success();
  };
  // Shapes are values here: their elements are sizes.
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](shape::ShapeOfOp) {
        return set(shapes.shape(op->getOperand(0)));
      })
      .Case([&](shape::ConstShapeOp constant) {
        setConstant(op->getResult(0), constant.getShape(), shapes);
        return success();
      })
      .Case([&](shape::ConstSizeOp constant) {
        setConstant(op->getResult(0), constant.getValueAttr(), shapes);
        return success();
      })
      .Case([&](shape::BroadcastOp broadcast) {
        inferBroadcast(broadcast, shapes);
        return success();
      })
      .Case<shape::ToExtentTensorOp, shape::FromExtentTensorOp,
            shape::SizeToIndexOp, shape::IndexToSizeOp, shape::ValueAsShapeOp>(
          [&](auto) { return list(0) ? set(*list(0)) : success(); })
      .Case([&](shape::FromExtentsOp) {
        SizeList elements;
        for (Value operand : op->getOperands())
          elements.push_back(shapes.element(operand));
        return set(std::move(elements));
      })
      .Case([&](shape::NumElementsOp) {
        if (!shapes.isKnown(op->getOperand(0)))
          return success();
        AffineExpr count = sizes.constant(1);
        for (AffineExpr size : *list(0))
          count = sizes.mul(count, size);
        return set({count});
      })
      .Case<shape::GetExtentOp, shape::DimOp>([&](auto) {
        const bool isDim = isa<shape::DimOp>(op);
        auto index = dyn_cast_or_null<AffineConstantExpr>(
            shapes.element(op->getOperand(1)));
        const SizeList all = isDim     ? shapes.shape(op->getOperand(0))
                             : list(0) ? *list(0)
                                       : SizeList();
        const bool isInside = index && index.getValue() >= 0 &&
                              index.getValue() < int64_t(all.size());
        return isInside ? set({all[index.getValue()]}) : success();
      })
      .Case([&](shape::AssumingOp assuming) -> LogicalResult {
        Block &body = assuming.getDoRegion().front();
        if (failed(shapes.inferBlock(body)))
          return failure();
        for (auto [value, result] : llvm::zip_equal(
                 body.getTerminator()->getOperands(), op->getResults())) {
          if (isa<RankedTensorType>(result.getType()) &&
              failed(shapes.setShape(result, shapes.shape(value))))
            return failure();
          if (const SizeList *elements = shapes.elements(value))
            shapes.setElements(result, *elements);
        }
        return success();
      })
      .Default([](Operation *) { return success(); });
}
