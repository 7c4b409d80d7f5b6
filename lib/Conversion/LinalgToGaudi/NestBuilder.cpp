// Nests as linalg.generic.
#include "NestBuilder.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

Value fromlinalg::createNest(
    OpBuilder &b, Location loc, RankedTensorType type,
    llvm::function_ref<Value(IndexBuilder &)> element) {
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, TypeRange(type), ValueRange(), ValueRange(empty),
             ArrayRef(b.getMultiDimIdentityMap(type.getRank())), parallel,
             [&](OpBuilder &inner, Location at, ValueRange) {
               IndexBuilder scalars(inner, at);
               linalg::YieldOp::create(inner, at, element(scalars));
             })
      .getResult(0);
}

SmallVector<Value> fromlinalg::createNest(OpBuilder &b, Location loc,
                                          ArrayRef<Access> inputs,
                                          ArrayRef<Access> outputs,
                                          ArrayRef<int64_t> reduced,
                                          NestBody body) {
  assert(!outputs.empty() && "a nest has a result");
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (const Access &input : inputs) {
    ins.push_back(input.tensor);
    maps.push_back(input.map);
  }
  for (const Access &output : outputs) {
    outs.push_back(output.tensor);
    maps.push_back(output.map);
  }
  SmallVector<utils::IteratorType> iterators(maps.front().getNumDims(),
                                             utils::IteratorType::parallel);
  for (int64_t dim : reduced)
    iterators[dim] = utils::IteratorType::reduction;
  return SmallVector<Value>(
      linalg::GenericOp::create(
          b, loc, ValueRange(outs).getTypes(), ins, outs, maps, iterators,
          [&](OpBuilder &inner, Location at, ValueRange elements) {
            IndexBuilder scalars(inner, at);
            linalg::YieldOp::create(inner, at, body(scalars, elements));
          })
          .getResults());
}

SmallVector<Value> fromlinalg::cloneBody(OpBuilder &b, Region &region,
                                         ValueRange arguments) {
  IRMapping scalars;
  scalars.map(region.getArguments(), arguments);
  for (Operation &op : region.front().without_terminator())
    b.clone(op, scalars);
  SmallVector<Value> values;
  for (Value value : region.front().getTerminator()->getOperands())
    values.push_back(scalars.lookupOrDefault(value));
  return values;
}
