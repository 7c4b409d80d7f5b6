// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cloning a function for one bucket.
#include "VariantBuilder.h"
#include "../Inference/SourceShapes.h"
#include "../Symbols/Extents.h"
#include "Gaudi/Conversion/LinalgExt.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gaudi;

FailureOr<Type> VariantBuilder::staticType(Value value, Operation *reporter) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || (type.hasStaticShape() && !shapes.isDynamic(value)))
    return value.getType();
  SmallVector<int64_t> dims;
  for (AffineExpr size : shapes.shape(value)) {
    dims.push_back(padded(size));
    if (dims.back() < 0 || dims.back() > maxSymbolSize)
      return reporter->emitError("dimension ")
             << dims.size() - 1 << " of type " << type << " has the size "
             << sizes.text(size) << " = " << dims.back()
             << " in the bucket; sizes are from 0 to " << maxSymbolSize;
  }
  // An encoding says bounds, which are those of the symbols.
  return Type(RankedTensorType::get(dims, type.getElementType()));
}

Value VariantBuilder::extent(AffineExpr size) {
  for (auto &[known, argument] : extents)
    if (known == size)
      return argument;
  const BlockArgument argument =
      addExtent(variant, size, sizes.getSymbols().size());
  extents.push_back({size, argument});
  return argument;
}

Value VariantBuilder::markDims(Value value, ArrayRef<int64_t> dims,
                               ArrayRef<AffineExpr> dimExtents) {
  SmallVector<int64_t> marked;
  SmallVector<Value> values;
  for (auto [dim, size] : llvm::zip_equal(dims, dimExtents)) {
    if (!isDynamic(size))
      continue;
    marked.push_back(dim);
    values.push_back(extent(size));
  }
  if (marked.empty())
    return value;
  return ValidOp::create(b, value.getLoc(), value.getType(), value, marked,
                         values);
}

Value VariantBuilder::marked(Value value) {
  auto it = unmarked.find(value);
  if (it == unmarked.end() || it->second.empty())
    return data(value);
  if (Value known = markers.lookup(value))
    return known;
  SizeList all = shapes.shape(value), wanted;
  for (int64_t dim : it->second)
    wanted.push_back(all[dim]);
  Value inner = data(value);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(inner);
  return markers[value] = markDims(inner, it->second, wanted);
}

Value VariantBuilder::data(Value value) {
  if (Value known = map.lookupOrNull(value))
    return known;
  assert(shapes.isKnown(value) && "only such ops are left out");
  // It depends on arguments only. At the start it dominates all uses.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&variant.front());
  Value result = elementsAsData(value);
  map.map(value, result);
  return result;
}

LogicalResult VariantBuilder::finish(Operation *op, ArrayRef<Value> results) {
  for (auto [from, to] : llvm::zip_equal(op->getResults(), results))
    map.map(from, to);
  return success();
}

LogicalResult VariantBuilder::cloneRegions(Operation *op, Operation *clone) {
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), clone->getRegions())) {
    for (Block &block : from) {
      Block *copy = new Block();
      to.push_back(copy);
      map.map(&block, copy);
      for (BlockArgument argument : block.getArguments()) {
        FailureOr<Type> type = staticType(argument, op);
        if (failed(type))
          return failure();
        map.map(argument, copy->addArgument(*type, argument.getLoc()));
      }
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(copy);
      if (failed(cloneBlock(block)))
        return failure();
    }
  }
  return success();
}

FailureOr<Operation *> VariantBuilder::cloneWith(Operation *op,
                                                 ValueRange operands) {
  // One value may be two operands with two meanings.
  Operation *clone = op->cloneWithoutRegions();
  clone->setOperands(operands);
  b.insert(clone);
  for (auto [from, to] :
       llvm::zip_equal(op->getResults(), clone->getResults())) {
    FailureOr<Type> type = staticType(from, op);
    if (failed(type))
      return failure();
    to.setType(*type);
  }
  if (failed(cloneRegions(op, clone)))
    return failure();
  return clone;
}

/// Witnesses go: shapes that do not broadcast had no expression. What they
/// guard stays.
LogicalResult VariantBuilder::cloneShape(Operation *op) {
  auto assuming = dyn_cast<shape::AssumingOp>(op);
  if (!assuming)
    return success();
  Block &body = assuming.getDoRegion().front();
  if (failed(cloneBlock(body)))
    return failure();
  SmallVector<Value> results;
  for (auto [value, result] :
       llvm::zip_equal(body.getTerminator()->getOperands(), op->getResults())) {
    const Value inner = value;
    setUnmarked(result, [&](int64_t dim) { return isUnmarked(inner, dim); });
    results.push_back(data(value));
  }
  return finish(op, results);
}

LogicalResult VariantBuilder::cloneAs(Operation *op, ValueRange operands) {
  FailureOr<Operation *> clone = cloneWith(op, operands);
  return failed(clone)
             ? failure()
             : finish(op, llvm::to_vector_of<Value>((*clone)->getResults()));
}

LogicalResult VariantBuilder::cloneMarked(Operation *op) {
  return cloneAs(op, llvm::map_to_vector(op->getOperands(), [&](Value operand) {
                   return marked(operand);
                 }));
}

LogicalResult VariantBuilder::cloneOp(Operation *op) {
  if (isa<shape::AssumingYieldOp>(op))
    return success();
  // What is computed of sizes is written where it is read.
  if (op->getNumResults() > 0 && op->getNumOperands() > 0 &&
      op->getNumRegions() == 0 &&
      llvm::all_of(op->getResults(),
                   [&](Value result) { return shapes.isKnown(result); }))
    return success();
  // StableHLO constants and ops are made by name, those of other dialects by
  // class.
  llvm::SaveAndRestore<bool> dialect(inHlo, isStablehlo(op->getName()));
  if (inHlo)
    return cloneHlo(op);
  if (isTorchOp(op))
    return cloneTorch(op);
  if (cloneCounter(op))
    return success();
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    if (isOfSizes(assertion.getArg(), shapes) || // holds within the bounds
        guardsExtract(assertion, assertion.getArg(), shapes))
      return success();
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return cloneTensor(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return cloneStructured(structured);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return clonePack(pack);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return cloneUnpack(unpack);
  if (isa_and_nonnull<tmtensor::TMTensorDialect,
                      linalgext::IreeLinalgExtDialect>(op->getDialect()))
    return cloneLinalgExt(op);
  if (isa_and_nonnull<shape::ShapeDialect>(op->getDialect()))
    return cloneShape(op);
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return cloneTosa(op);
  // Elementwise ops take padding along; all others need extents.
  if (!op->hasTrait<OpTrait::Elementwise>())
    return cloneMarked(op);
  for (Value result : op->getResults())
    setUnmarked(result, [&](int64_t dim) {
      return llvm::all_of(op->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) ||
               isUnmarked(operand, dim);
      });
    });
  return cloneAs(op, llvm::map_to_vector(op->getOperands(), [&](Value operand) {
                   return data(operand);
                 }));
}

LogicalResult VariantBuilder::cloneBlock(Block &from) {
  for (Operation &op : from)
    if (failed(cloneOp(&op)))
      return failure();
  return success();
}

void VariantBuilder::eraseDead() {
  variant.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isDeadHlo(op) || isOpTriviallyDead(op))
      op->erase();
  });
  for (auto &[size, argument] : llvm::reverse(extents))
    if (argument.use_empty())
      (void)variant.eraseArgument(argument.getArgNumber());
}

func::FuncOp VariantBuilder::build(StringRef name) {
  SmallVector<Type> inputs, outputs;
  Operation *end = source.front().getTerminator();
  for (BlockArgument argument : source.getArguments()) {
    FailureOr<Type> type = staticType(argument, source);
    if (failed(type))
      return {};
    inputs.push_back(*type);
  }
  for (Value value : end->getOperands()) {
    FailureOr<Type> type = staticType(value, end);
    if (failed(type))
      return {};
    outputs.push_back(*type);
  }
  variant = func::FuncOp::create(source.getLoc(), name,
                                 b.getFunctionType(inputs, outputs));
  variant->setDiscardableAttrs(llvm::to_vector(source->getDiscardableAttrs()));
  variant->removeAttr(boxesAttrName);
  variant->setAttr(bucketAttrName, b.getDenseI64ArrayAttr(bucket));
  variant->setAttr(bucketOfAttrName,
                   FlatSymbolRefAttr::get(source.getSymNameAttr()));
  // Names and sizes stay: callers see the same arguments.
  if (ArrayAttr attributes = source.getAllArgAttrs())
    variant.setAllArgAttrs(attributes);
  if (ArrayAttr attributes = source.getAllResultAttrs())
    variant.setAllResultAttrs(attributes);
  Block *body = variant.addEntryBlock();
  for (auto [from, to] :
       llvm::zip_equal(source.getArguments(), body->getArguments())) {
    to.setLoc(from.getLoc());
    map.map(from, to);
  }
  b.setInsertionPointToEnd(body);
  // An op without a static form has reported itself.
  if (failed(cloneBlock(source.front()))) {
    variant.erase();
    return {};
  }
  eraseDead();
  return variant;
}
