// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a tensor is stored.
//
// A tensor that the program has as `x` is stored in `order` if memory holds
// gaudi.transpose of x by the permutation `order`: dimension i of the stored
// tensor is dimension order[i] of x.
#ifndef GAUDI_DIALECT_ORDER_H
#define GAUDI_DIALECT_ORDER_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace gaudi {
class LayoutOpInterface;

using Order = llvm::SmallVector<int64_t, 6>;
/// Of an op: one order per operand, then one per result.
using Orders = llvm::SmallVector<Order, 4>;

Order identityOrder(int64_t rank);
bool isIdentityOrder(llvm::ArrayRef<int64_t> order);
Order inverseOrder(llvm::ArrayRef<int64_t> order);
/// Stored in `first`, and this in `second`: result[i] = first[second[i]].
Order composeOrders(llvm::ArrayRef<int64_t> first,
                    llvm::ArrayRef<int64_t> second);
/// The transpose that makes `to` of a tensor stored in `from`.
Order orderBetween(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
/// The type of the stored tensor.
RankedTensorType storedType(RankedTensorType type,
                            llvm::ArrayRef<int64_t> order);
/// The same bytes in one form: dimensions of size 1 stand where the identity
/// has them as far as the order of the others allows. Two orders have equal
/// bytes if and only if their normal forms are equal.
Order normalOrder(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order);
/// True if a transpose by `order` moves no bytes: it only moves dimensions of
/// size 1, or the tensor has no elements.
bool isFreeOrder(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order);

/// Orders that leave all tensors of `op` as they are.
Orders identityOrders(Operation *op);
/// True if `orders` are those that follow from the order of one tensor.
bool followFromOne(LayoutOpInterface op, const Orders &orders);

} // namespace gaudi

#endif // GAUDI_DIALECT_ORDER_H
