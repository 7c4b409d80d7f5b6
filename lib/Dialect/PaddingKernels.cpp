// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of the mask.
#include "Gaudi/Dialect/PaddingOps.h"
#include "PointwiseKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

FailureOr<Operation *> MaskOp::buildKernel(OpBuilder &builder) {
  const Type i64 = builder.getI64Type();
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        Value padding;
        for (auto [i, dim] : llvm::enumerate(getDims())) {
          const int64_t size = getType().getDimSize(dim);
          Value index = k.index(dim);
          // Indices are not negative: truncating division is the floor.
          if (getDivisor(i) != 1)
            index = k.binary<arith::DivSIOp>(index,
                                             k.intConstant(getDivisor(i), i64));
          if (getModulus(i) < llvm::divideCeilSigned(size, getDivisor(i)))
            index = k.binary<arith::RemSIOp>(index,
                                             k.intConstant(getModulus(i), i64));
          // Input 0 is the operand.
          Value extent =
              arith::ExtSIOp::create(builder, getLoc(), i64, k.load(1 + i, {}));
          Value past = arith::CmpIOp::create(
              builder, getLoc(), arith::CmpIPredicate::sge, index, extent);
          padding = padding ? k.binary<arith::OrIOp>(padding, past) : past;
        }
        k.setElementType(getType().getElementType());
        Value element = k.load(0, k.dims(getType().getRank()));
        return padding ? k.select(padding, k.constant(getValueAttr()), element)
                       : element;
      });
}
