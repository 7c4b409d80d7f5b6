// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which orders a product of matrices has its tensors.
#ifndef GAUDI_DIALECT_MATRIXORDERS_H
#define GAUDI_DIALECT_MATRIXORDERS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

// Tensors of a product are counted: 0 is lhs, 1 rhs, 2 the result.

/// In which order the tensor is stored, after its transpose flag.
Order orderOf(GemmOp op, unsigned tensor);

/// The matrices that the tensor holds, after its flag: the tensor's own type if
/// it has no order.
RankedTensorType matricesOf(GemmOp op, unsigned tensor);

/// In which order the tensor holds [b.., m, k], [b.., k, n] or [b.., m, n]: its
/// flag and its order in one.
Order storageOf(GemmOp op, unsigned tensor);

/// Sets flags and orders to what storageOf shall give for the three tensors, in
/// canonical form: flags say whether columns come before rows, orders keep rows
/// before columns, and an order that changes nothing is left out. A result
/// whose columns come first is the product of the exchanged operands.
void setStorage(GemmOp op, ArrayRef<Order> storage);

bool hasOrders(GemmOp op);

} // namespace gaudi

#endif // GAUDI_DIALECT_MATRIXORDERS_H
