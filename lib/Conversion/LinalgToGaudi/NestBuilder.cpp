// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests as linalg.generic.
#include "NestBuilder.h"
#include "../Common/HostLoop.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

Value IndexBuilder::flat(ArrayRef<int64_t> shape, ValueRange position) {
  Value result = number(0);
  for (auto [size, index] : llvm::zip_equal(shape, position))
    result = add(multiply(result, number(size)), index);
  return result;
}

SmallVector<Value> IndexBuilder::sliceStart(Value indices, int64_t batch,
                                            ArrayRef<int64_t> dims,
                                            int64_t rank) {
  SmallVector<Value> start(rank), vector;
  for (int64_t dim = 0; dim < batch; ++dim)
    vector.push_back(loop(dim));
  const bool hasVector = tensorType(indices).getRank() > batch;
  for (auto [component, dim] : llvm::enumerate(dims)) {
    SmallVector<Value> at(vector);
    if (hasVector)
      at.push_back(number(component));
    Value index = extract(indices, at);
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
    start[dim] = index;
  }
  return start;
}

Value fromlinalg::createNest(
    OpBuilder &b, Location loc, RankedTensorType type,
    llvm::function_ref<Value(IndexBuilder &)> element) {
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  return createNest(b, loc, {},
                    {{empty, b.getMultiDimIdentityMap(type.getRank())}}, {},
                    [&](IndexBuilder &inner, ValueRange) {
                      return SmallVector<Value>{element(inner)};
                    })
      .front();
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
  // What is not reduced is parallel.
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
  return cloneBlock(b, region.front(), arguments);
}
