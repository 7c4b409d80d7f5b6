// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that compute their results element by element, for the front ends.
#ifndef GAUDI_LIB_CONVERSION_COMMON_POINTKERNEL_H
#define GAUDI_LIB_CONVERSION_COMMON_POINTKERNEL_H

#include "FrontEndBuilder.h"
#include "Gaudi/Dialect/KernelBuilder.h"

namespace gaudi {

/// The elements of one point, one per result.
using PointValues = llvm::function_ref<SmallVector<Value>(KernelBuilder &)>;

/// A kernel that computes `results`, which have one shape, element by element.
/// Its first dimensions are those of the results, `loops` follow and are
/// sequential: none is 0, and all are at most maxKernelDims. `point` is called
/// inside. `label` says what the kernel is.
SmallVector<Value> pointKernel(FrontEndBuilder &b, StringRef label,
                               TypeRange results, ValueRange inputs,
                               ArrayRef<int64_t> loops, PointValues point);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_POINTKERNEL_H
