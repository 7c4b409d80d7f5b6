// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the front ends of StableHLO, TOSA and torch build with, before the op
// that is being converted and at its location.
#ifndef GAUDI_LIB_CONVERSION_COMMON_FRONTENDBUILDER_H
#define GAUDI_LIB_CONVERSION_COMMON_FRONTENDBUILDER_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace gaudi {

class FrontEndBuilder : public ImplicitLocOpBuilder {
public:
  explicit FrontEndBuilder(MLIRContext *context)
      : ImplicitLocOpBuilder(UnknownLoc::get(context), context) {}

  void moveTo(Operation *op) {
    setInsertionPoint(op);
    setLoc(op->getLoc());
  }

  /// Kernels created so far.
  unsigned numKernels = 0;

  /// The value itself if it has the shape already.
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    RankedTensorType type = tensorType(value);
    if (type.getShape() == shape)
      return value;
    return ReshapeOp::create(*this, type.clone(shape), value);
  }
  /// The value itself if it has the element type already.
  Value cast(Value value, Type elementType) {
    RankedTensorType type = tensorType(value);
    if (type.getElementType() == elementType)
      return value;
    return CastOp::create(*this, type.clone(elementType), value);
  }
  /// The value itself if the permutation changes nothing.
  Value transpose(Value value, ArrayRef<int64_t> permutation) {
    if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      return value;
    RankedTensorType type = tensorType(value);
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(type.getDimSize(dim));
    return TransposeOp::create(*this, type.clone(shape), value, permutation);
  }
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_FRONTENDBUILDER_H
