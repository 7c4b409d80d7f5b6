// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by any comparison, for the front ends.
#ifndef GAUDI_LIB_CONVERSION_COMMON_MERGESORT_H
#define GAUDI_LIB_CONVERSION_COMMON_MERGESORT_H

#include "Gaudi/Dialect/KernelBuilder.h"

namespace gaudi {

/// Whether the elements `a`, one per operand, come before the elements `b`. An
/// i1, computed inside a kernel; a strict weak order.
using ComesBefore =
    llvm::function_ref<Value(KernelBuilder &k, ValueRange a, ValueRange b)>;

/// Sorts `operands`, tensors of one shape, along `axis` by merging sorted runs
/// of doubling length; equal elements keep their order. Each of the log2(n)
/// kernels finds the element of each position by a binary search. Adds their
/// number to `numKernels`.
SmallVector<Value> mergeSort(OpBuilder &builder, Location loc,
                             ValueRange operands, int64_t axis,
                             ComesBefore comesBefore, StringRef label,
                             unsigned &numKernels);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_MERGESORT_H
