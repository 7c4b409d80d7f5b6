// Cloning a function for one bucket.
#include "VariantBuilder.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "HloShapes.h"

using namespace mlir;
using namespace mlir::gaudi;

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
  const unsigned number = variant.getNumArguments();
  AffineMap value = AffineMap::get(0, sizes.getSymbols().size(), size);
  [[maybe_unused]] LogicalResult inserted =
      variant.insertArgument(number, RankedTensorType::get({}, b.getI32Type()),
                             b.getDictionaryAttr(b.getNamedAttr(
                                 extentAttrName, AffineMapAttr::get(value))),
                             source.getLoc());
  assert(succeeded(inserted) && "functions of the dialect take any arguments");
  extents.push_back({size, variant.getArgument(number)});
  return variant.getArgument(number);
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

FailureOr<Operation *> VariantBuilder::cloneWith(Operation *op,
                                                 ValueRange operands) {
  IRMapping own;
  for (auto [from, to] : llvm::zip_equal(op->getOperands(), operands))
    own.map(from, to);
  // One value may be two operands with two meanings.
  Operation *clone = op->cloneWithoutRegions(own);
  clone->setOperands(operands);
  b.insert(clone);
  for (auto [from, to] :
       llvm::zip_equal(op->getResults(), clone->getResults())) {
    FailureOr<Type> type = staticType(from, op);
    if (failed(type))
      return failure();
    to.setType(*type);
  }
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
  return clone;
}

LogicalResult VariantBuilder::cloneOp(Operation *op) {
  // What is computed of sizes is written where it is read.
  if (op->getNumResults() > 0 && op->getNumOperands() > 0 &&
      op->getNumRegions() == 0 &&
      llvm::all_of(op->getResults(),
                   [&](Value result) { return shapes.isKnown(result); }))
    return success();
  if (isStablehlo(op->getName()))
    return cloneHlo(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(data(operand));
  FailureOr<Operation *> clone = cloneWith(op, operands);
  if (failed(clone))
    return failure();
  return finish(op, llvm::to_vector_of<Value>((*clone)->getResults()));
}

LogicalResult VariantBuilder::cloneBlock(Block &from) {
  for (Operation &op : from)
    if (failed(cloneOp(&op)))
      return failure();
  return success();
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
  if (succeeded(cloneBlock(source.front())))
    return variant;
  variant.erase();
  return {};
}
