// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops in C++, without the arithmetic ones of GaudiDialect.h.
#ifndef GAUDI_DIALECT_ELEMENTWISEOPS_H
#define GAUDI_DIALECT_ELEMENTWISEOPS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {
/// The gaudi.tpc op that applies a scalar op to tensors of its result's type,
/// if there is one.
std::optional<OperationName> elementwiseOpOf(Operation *scalar);
} // namespace gaudi

#define GET_OP_CLASSES
#include "Gaudi/Dialect/ElementwiseOps.h.inc"

#endif // GAUDI_DIALECT_ELEMENTWISEOPS_H
