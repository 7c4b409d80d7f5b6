// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second step of the patterns of StableHLO and TOSA: builds, before the op
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
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_FRONTENDBUILDER_H
