// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of kernels and tensors, for the compiler, the recipe format and the
// runtime alike.
#ifndef GAUDI_KERNEL_LIMITS_H
#define GAUDI_KERNEL_LIMITS_H

#include <cstdint>

namespace gaudi::kernel {

/// Dimensions of a tensor.
inline constexpr unsigned maxRank = 8;
/// Parallel dimensions of an index space: the rank of the TPC's hardware.
inline constexpr unsigned maxParallelDims = 5;
/// Dimensions of a kernel, parallel and sequential.
inline constexpr unsigned maxKernelDims = 10;
/// Operands of a kernel in a recipe, inputs and outputs.
inline constexpr unsigned maxKernelOperands = 1024;
/// Accesses of a kernel in a recipe.
inline constexpr unsigned maxKernelAccesses = 4096;
/// Instructions a kernel may execute, over all points and loops.
inline constexpr uint64_t maxKernelWork = uint64_t(1) << 40;
/// Elements of a tensor that a library kernel takes.
inline constexpr int64_t maxTensorElements = int64_t(1) << 40;
/// Extents and affine indices of a kernel in a recipe. Far from the ends of
/// int64: sums of a few of them do not overflow.
inline constexpr int64_t maxIndex = int64_t(1) << 48;

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_LIMITS_H
