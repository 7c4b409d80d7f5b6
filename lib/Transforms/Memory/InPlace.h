// When a TPC kernel may write a result over one of its operands.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace mlir::gaudi {

/// True if result `result`, which starts at the same byte as operand `operand`
/// and whose elements have the same size, can take its place: every element is
/// read only by the point that stores there, and not after that. Strides are
/// in elements.
bool mayWriteInPlace(KernelOp kernel, unsigned operand,
                     ArrayRef<int64_t> operandStrides, unsigned result,
                     ArrayRef<int64_t> resultStrides);

} // namespace mlir::gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_INPLACE_H
