// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs functions on tensors in the orders of their callers.
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Dialect/Signature.h"
#include "Strided.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gaudi;

/// `x` in memory of this order; none: as it is.
static ReferenceTensor storedAs(const ReferenceTensor &x,
                                ArrayRef<int64_t> order) {
  if (order.empty() || isIdentityOrder(order))
    return x;
  assert(int64_t(order.size()) == x.getRank() && "an order of its dimensions");
  SmallVector<int64_t> strides, shape;
  int64_t stride = x.getCount();
  SmallVector<int64_t> dense;
  for (int64_t size : x.getShape())
    dense.push_back(stride = size == 0 ? 0 : stride / size);
  for (int64_t dim : order) {
    strides.push_back(dense[dim]);
    shape.push_back(x.getDim(dim));
  }
  return reference::readStrided(x, shape, strides, 0);
}

FailureOr<SmallVector<ReferenceTensor>>
gaudi::storedArguments(func::FuncOp function,
                       ArrayRef<ReferenceTensor> inputs) {
  SmallVector<ReferenceTensor> stored(inputs);
  for (unsigned i = 0; i < function.getNumArguments() && i < inputs.size();
       ++i) {
    const Type type = callersArgumentType(function, i);
    if (inputs[i].getType() != type)
      return function.emitError() << "expected input " << i << " of type "
                                  << type << " but got " << inputs[i].getType();
    stored[i] = storedAs(inputs[i], argumentPermutation(function, i));
  }
  return stored;
}

FailureOr<SmallVector<ReferenceTensor>>
gaudi::evaluateForCallers(func::FuncOp function,
                          ArrayRef<ReferenceTensor> inputs,
                          EvaluationObserver observer, const Noise *noise) {
  auto stored = storedArguments(function, inputs);
  if (failed(stored))
    return failure();
  auto results = evaluateFunction(function, *stored, observer, noise);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    if (ArrayRef<int64_t> order = resultPermutation(function, i);
        !order.empty())
      result = storedAs(result, inverseOrder(order));
  return results;
}
