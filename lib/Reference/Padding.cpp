// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of the ops of padded variants.
#include "Gaudi/Dialect/PaddingOps.h"
#include "Indexing.h"
#include "Models.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

ReferenceTensor evaluateValid(ValidOp, Operands operands) {
  return operands[0];
}

ReferenceTensor evaluateMask(MaskOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  const ReferenceTensor value = scalarTensor(op.getValue(), x.getElementType());
  const SmallVector<int64_t> strides = denseStrides(x.getShape());
  auto isPadding = [&](int64_t element) {
    for (auto [i, dim] : llvm::enumerate(op.getDims())) {
      const int64_t index = element / strides[dim] % x.getDim(dim);
      if (index / op.getDivisor(i) % op.getModulus(i) >=
          operands[1 + i].ints()[0])
        return true;
    }
    return false;
  };
  ReferenceTensor y = x;
  auto replace = [&](auto to, auto with) {
    for (int64_t i = 0; i < x.getCount(); ++i)
      if (isPadding(i))
        to[i] = with;
  };
  if (x.isFloat())
    replace(y.mutableFloats(), value.floats()[0]);
  else
    replace(y.mutableInts(), value.ints()[0]);
  return y;
}

} // namespace

void reference::attachPaddingModels(MLIRContext *context) {
  attach<ValidOp, evaluateValid>(context);
  attach<MaskOp, evaluateMask>(context);
}
