// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose points are the elements of the op's result.
#ifndef GAUDI_LIB_DIALECT_POINTWISEKERNEL_H
#define GAUDI_LIB_DIALECT_POINTWISEKERNEL_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"

namespace gaudi {

/// The kernel that stores `point` at each element of the op's only result; an
/// error on the op if the result has more dimensions than a kernel. `inputs`
/// are what `point` may load.
FailureOr<Operation *>
buildPointwise(Operation *op, OpBuilder &builder, ValueRange inputs,
               llvm::function_ref<Value(KernelBuilder &)> point);

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_POINTWISEKERNEL_H
