// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of LayoutOpInterface, attached when the dialect is loaded, and what
// they share.
#ifndef GAUDI_DIALECT_LAYOUTS_LAYOUTS_H
#define GAUDI_DIALECT_LAYOUTS_LAYOUTS_H

#include "Gaudi/Dialect/DimMap.h"

namespace gaudi {
void attachLayouts(MLIRContext &context);
void attachMatrixLayouts(MLIRContext &context);
void attachVectorLayouts(MLIRContext &context);
void attachMoveLayouts(MLIRContext &context);
void attachKernelLayouts(MLIRContext &context);

/// `order` for every tensor of `op`.
Orders sameOrders(Operation *op, ArrayRef<int64_t> order);
/// The orders that follow from that of one tensor by the op's map: all others
/// have the dimensions of factors that they share with it in its sequence, in
/// the places of these dimensions, so that lanes stay contiguous.
Orders followingOrders(Operation *op, unsigned tensor, ArrayRef<int64_t> order);
/// Gives the results the types of tensors stored in `orders`.
void setStoredResults(Operation *op, const Orders &orders);

/// The dimension of the stored tensor that is dimension `dim` of the tensor.
int64_t storedDim(ArrayRef<int64_t> order, int64_t dim);
/// The same of each of `dims`, ascending.
SmallVector<int64_t> storedDims(ArrayRef<int64_t> order,
                                ArrayRef<int64_t> dims);

/// The model of an op whose tensors follow from one of them. `ordersWith(op,
/// tensor, order)` gives the orders of all, if there are any; `remap(op,
/// orders)` changes the attributes. The order that is asked for and the one of
/// the answer may differ in dimensions of size 1: then the op takes these only
/// where they are in the answer.
template <typename Op, auto ordersWith, auto remap>
struct FollowingLayout
    : LayoutOpInterface::ExternalModel<FollowingLayout<Op, ordersWith, remap>,
                                       Op> {
  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    return ordersWith(cast<Op>(op), tensor, order);
  }
  void applyOrders(Operation *op, const Orders &orders) const {
    remap(cast<Op>(op), orders);
    setStoredResults(op, orders);
  }
};

/// The model of an op whose tensors have one rank and one order; `remap(op,
/// order)` changes the attributes.
template <typename Op, auto remap>
struct SharedLayout
    : LayoutOpInterface::ExternalModel<SharedLayout<Op, remap>, Op> {
  std::optional<Orders> getOrdersWith(Operation *op, unsigned,
                                      ArrayRef<int64_t> order) const {
    return sameOrders(op, order);
  }
  bool acceptsOrders(Operation *op, const Orders &orders) const {
    assert(orders.size() == op->getNumOperands() + op->getNumResults() &&
           "one order per tensor");
    return llvm::all_equal(orders);
  }
  void applyOrders(Operation *op, const Orders &orders) const {
    remap(cast<Op>(op), orders.front());
    setStoredResults(op, orders);
  }
};

/// No attribute names a dimension.
template <typename Op> void remapNothing(Op, ArrayRef<int64_t>) {}
/// The attribute `axis` names one.
template <typename Op> void remapAxis(Op op, ArrayRef<int64_t> order) {
  op.setAxis(storedDim(order, op.getAxis()));
}
/// The attribute `dims` is a list of dimensions.
template <typename Op> void remapDims(Op op, ArrayRef<int64_t> order) {
  op.setDims(storedDims(order, op.getDims()));
}

/// Attaches the model of an op whose tensors have one order.
template <typename Op, auto remap> void attachShared(MLIRContext &context) {
  Op::template attachInterface<SharedLayout<Op, remap>>(context);
}
template <typename Op, auto ordersWith, auto remap>
void attachFollowing(MLIRContext &context) {
  Op::template attachInterface<FollowingLayout<Op, ordersWith, remap>>(context);
}
} // namespace gaudi

#endif // GAUDI_DIALECT_LAYOUTS_LAYOUTS_H
