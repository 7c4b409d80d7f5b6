// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds nests and the scalars of their bodies.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NESTBUILDER_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NESTBUILDER_H

#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace gaudi::fromlinalg {

/// Scalars of a body, as `index`.
class IndexBuilder {
public:
  IndexBuilder(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value value(OpFoldResult from) {
    if (auto constant = getConstantIntValue(from))
      return number(*constant);
    return cast<Value>(from);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value multiply(Value x, Value y) {
    return arith::MulIOp::create(b, loc, x, y);
  }
  Value loop(int64_t dim) { return linalg::IndexOp::create(b, loc, dim); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  /// 0 <= x <= last.
  Value isWithin(Value x, int64_t last) {
    return both(compare(arith::CmpIPredicate::sge, x, number(0)),
                compare(arith::CmpIPredicate::sle, x, number(last)));
  }
  /// Null stands for true.
  Value both(Value x, Value y) {
    return x ? arith::AndIOp::create(b, loc, x, y).getResult() : y;
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value extract(Value tensor, ValueRange position) {
    return tensor::ExtractOp::create(b, loc, tensor, position);
  }

  /// The number of an element in row-major order.
  Value flat(ArrayRef<int64_t> shape, ValueRange position);
  /// The position of a slice in a tensor of `rank` dimensions, of which `dims`
  /// are indexed by the components of a vector; null in the others. The first
  /// `batch` loops choose the vector.
  SmallVector<Value> sliceStart(Value indices, int64_t batch,
                                ArrayRef<int64_t> dims, int64_t rank);

  OpBuilder &b;
  Location loc;
};

/// A nest over a new tensor of `type`; `element` gives one element.
Value createNest(OpBuilder &b, Location loc, RankedTensorType type,
                 llvm::function_ref<Value(IndexBuilder &)> element);

/// One operand of a nest and how it is accessed.
struct Access {
  Value tensor;
  AffineMap map;
};
using NestBody =
    llvm::function_ref<SmallVector<Value>(IndexBuilder &, ValueRange)>;
/// Any nest; the loops in `reduced` are reductions. `body` takes the elements
/// of inputs and outputs and gives those of the results.
SmallVector<Value> createNest(OpBuilder &b, Location loc,
                              ArrayRef<Access> inputs, ArrayRef<Access> outputs,
                              ArrayRef<int64_t> reduced, NestBody body);

/// The values that the region yields for these arguments.
SmallVector<Value> cloneBody(OpBuilder &b, Region &region,
                             ValueRange arguments);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NESTBUILDER_H
