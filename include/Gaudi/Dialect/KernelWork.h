// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting the scalar ops of kernels for the device-time model.
#ifndef GAUDI_DIALECT_KERNELWORK_H
#define GAUDI_DIALECT_KERNELWORK_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Timing/Describe.h"

namespace gaudi {

/// Counts the instructions that a recipe has for a scalar op on operands that
/// vary with `dims` each; gives the dimensions that its results vary with.
/// Equal values have one `number`; `second` is the second operand if it is a
/// constant.
uint64_t countScalar(timing::KernelCounter &counter, OperationName name,
                     TypeRange operands, ArrayRef<uint64_t> dims, Type result,
                     uint64_t number, std::optional<float> second);

/// The number if it is an f32, as instructions have it.
std::optional<float> constantOf(FloatAttr value);

/// Counts the instruction that copies into a loop's body a value to combine
/// that is not computed there.
void countCopyIntoLoop(timing::KernelCounter &counter, Type type, uint64_t dims,
                       uint64_t number);

} // namespace gaudi

#endif // GAUDI_DIALECT_KERNELWORK_H
