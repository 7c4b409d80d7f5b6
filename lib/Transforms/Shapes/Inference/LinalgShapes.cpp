// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of structured ops, and of ops that write into destinations.
#include "Gaudi/Conversion/LinalgExt.h"
#include "SourceShapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace gaudi;

/// The sizes of loops, and the operands that say them.
static SizeList loopSizes(linalg::LinalgOp op, const SymbolicShapes &shapes,
                          SmallVector<Value> &from) {
  SizeList loops(op.getNumLoops());
  from.resize(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    const SizeList dims = shapes.shape(operand.get());
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, size] : llvm::zip(map.getResults(), dims))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && size && !loops[dim.getPosition()]) {
        loops[dim.getPosition()] = size;
        from[dim.getPosition()] = operand.get();
      }
  }
  return loops;
}

SizeList gaudi::loopSizes(linalg::LinalgOp op, const SymbolicShapes &shapes) {
  SmallVector<Value> from;
  return ::loopSizes(op, shapes, from);
}

/// All operands must agree in the sizes of the loops.
static LogicalResult inferLoops(linalg::LinalgOp op, SymbolicShapes &shapes) {
  SmallVector<Value> from;
  const SizeList loops = ::loopSizes(op, shapes, from);
  for (OpOperand &operand : op->getOpOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, size] :
         llvm::zip(map.getResults(), shapes.shape(operand.get())))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && size) {
        const unsigned loop = dim.getPosition();
        if (!shapes.merge(op, loops[loop], size, from[loop], operand.get()))
          return failure();
      }
  }
  for (Block &block : op->getRegion(0)) {
    for (Operation &inner : block)
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        if (loops[index.getDim()] == shapes.sizes.constant(1))
          shapes.setElements(index.getResult(), {shapes.sizes.constant(0)});
    if (failed(shapes.inferBlock(block)))
      return failure();
  }
  return success();
}

LogicalResult gaudi::inferStructured(Operation *op, SymbolicShapes &shapes) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    if (failed(inferLoops(structured, shapes)))
      return failure();
  // Results are what is left in the destinations, of which there are as many,
  // the last operands.
  auto writer = dyn_cast<DestinationStyleOpInterface>(op);
  if (!writer &&
      !isa_and_nonnull<tmtensor::TMTensorDialect,
                       linalgext::IreeLinalgExtDialect>(op->getDialect()))
    return success();
  const unsigned count = op->getNumResults(), operands = op->getNumOperands();
  for (unsigned i = 0; i < count && count <= operands; ++i) {
    Value init = writer ? writer.getTiedOpOperand(op->getResult(i))->get()
                        : op->getOperand(operands - count + i);
    if (isa<RankedTensorType>(op->getResult(i).getType()) &&
        failed(shapes.setShape(op->getResult(i), shapes.shape(init))))
      return failure();
  }
  return success();
}

Value gaudi::withoutIndexCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::TruncIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The size that the condition compares with 1; null if it does not.
static AffineExpr comparedWithOne(Value condition,
                                  const SymbolicShapes &shapes) {
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || cmp.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  const AffineExpr one = shapes.sizes.constant(1),
                   lhs = shapes.element(cmp.getLhs()),
                   rhs = shapes.element(cmp.getRhs());
  return rhs == one ? lhs : lhs == one ? rhs : AffineExpr();
}

std::optional<int64_t> gaudi::countedLoop(Value index,
                                          const SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  index = withoutIndexCasts(index);
  if (auto counter = index.getDefiningOp<linalg::IndexOp>())
    return counter.getDim();
  auto select = index.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  // Decided for all sizes within the bounds.
  if (auto known = dyn_cast_or_null<AffineConstantExpr>(
          shapes.element(select.getCondition())))
    return countedLoop(known.getValue() ? select.getTrueValue()
                                        : select.getFalseValue(),
                       shapes);
  // size == 1 ? 0 : counter is the counter of a loop of that size: alone, it is
  // 0 anyway.
  auto counter = withoutIndexCasts(select.getFalseValue())
                     .getDefiningOp<linalg::IndexOp>();
  const AffineExpr size = comparedWithOne(select.getCondition(), shapes);
  if (!counter || !size ||
      shapes.element(select.getTrueValue()) != sizes.constant(0))
    return std::nullopt;
  auto op = counter->getParentOfType<linalg::LinalgOp>();
  if (!op || loopSizes(op, shapes)[counter.getDim()] != size)
    return std::nullopt;
  return counter.getDim();
}
