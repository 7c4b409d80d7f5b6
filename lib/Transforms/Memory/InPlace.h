// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the points of a TPC kernel go over the bytes of its operands.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// True if result `result`, which starts at the same byte as operand `operand`
/// and whose elements have the same size, can take its place: every element is
/// read only by the point that stores there, and not after that. Strides are
/// in elements.
bool mayWriteInPlace(KernelOp kernel, unsigned operand,
                     ArrayRef<int64_t> operandStrides, unsigned result,
                     ArrayRef<int64_t> resultStrides);

/// True if point p, counted in the order in which result 0 is stored, reads
/// nothing of operand `operand` but the elements [p * n, (p + 1) * n) for some
/// n: the kernel can work on the first part of a tensor before the rest is
/// there.
bool readsInOrder(KernelOp kernel, unsigned operand,
                  ArrayRef<int64_t> operandStrides,
                  ArrayRef<int64_t> resultStrides);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H
