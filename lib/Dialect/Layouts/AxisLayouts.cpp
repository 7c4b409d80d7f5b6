// Orders of ops along dimensions that an attribute names: reductions, gathers,
// library kernels.
#include "Layouts.h"

using namespace mlir;
using namespace mlir::gaudi;

/// The orders of a reduction over `dims`. With kept dimensions, which have size
/// 1, operand and result have one order. Else the result has the operand's
/// without the reduced ones; and these stay where they are if the result's
/// order is given. Sums may be added in another sequence, which rounds f32
/// otherwise.
static Orders reductionOrders(Operation *op, ArrayRef<int64_t> dims,
                              bool keepsDims, unsigned tensor,
                              ArrayRef<int64_t> order) {
  if (keepsDims)
    return sameOrders(op, order);
  const int64_t rank = typeOfTensor(op, 0).getRank();
  SmallVector<int64_t> kept, number(rank); // of a kept one in the result
  for (int64_t dim = 0; dim < rank; ++dim) {
    number[dim] = kept.size();
    if (!llvm::is_contained(dims, dim))
      kept.push_back(dim);
  }
  Order operand, result;
  if (tensor == 0) {
    operand = Order(order);
    for (int64_t dim : order)
      if (!llvm::is_contained(dims, dim))
        result.push_back(number[dim]);
  } else {
    operand = identityOrder(rank);
    result = Order(order);
    for (auto [slot, dim] : llvm::zip_equal(kept, order))
      operand[slot] = kept[dim];
  }
  return {operand, result};
}

static std::optional<Orders> reduceOrders(ReduceOp op, unsigned tensor,
                                          ArrayRef<int64_t> order) {
  return reductionOrders(op, op.getDims(), op.getKeepDims(), tensor, order);
}

static std::optional<Orders> argReduceOrders(ArgReduceOp op, unsigned tensor,
                                             ArrayRef<int64_t> order) {
  return reductionOrders(op, {int64_t(op.getAxis())}, op.getKeepDims(), tensor,
                         order);
}

/// An op whose attributes name dimensions of its first operand.
template <typename Op, auto remap>
static void remapFirst(Op op, const Orders &orders) {
  remap(op, orders.front());
}

/// `data` has the dimensions b.., o.., axis, r.., `indices` b.., i.., and the
/// result b.., o.., i.., r..: the batch dimensions stay in front, the others of
/// data go anywhere, and those of the indices stay together.
static std::optional<Orders> gatherOrders(GatherOp op, unsigned tensor,
                                          ArrayRef<int64_t> order) {
  const int64_t axis = op.getAxis(), batch = op.getBatchDims();
  const int64_t own = tensorType(op.getIndices()).getRank() - batch;
  // True for a dimension of the result that the indices bring.
  auto isOwn = [&](int64_t dim) { return dim >= axis && dim < axis + own; };
  if (llvm::any_of(order.take_front(batch),
                   [&](int64_t dim) { return dim >= batch; }))
    return std::nullopt;
  Order data, indices(order.take_front(batch));
  if (tensor == 0) {
    data = Order(order);
  } else if (tensor == 1) {
    data = Order(order.take_front(batch));
    llvm::append_range(data,
                       llvm::seq(batch, tensorType(op.getData()).getRank()));
    indices = Order(order);
  } else {
    for (auto [slot, dim] : llvm::enumerate(order)) {
      if (!isOwn(dim)) {
        data.push_back(dim < axis ? dim : dim + 1 - own);
        continue;
      }
      if (int64_t(indices.size()) == batch)
        data.push_back(axis);
      else if (!isOwn(order[slot - 1]))
        return std::nullopt;
      indices.push_back(dim - axis + batch);
    }
    // Without dimensions of the indices nothing says where the axis is.
    if (own == 0)
      data.insert(data.begin() + axis, axis);
  }
  if (tensor == 0)
    llvm::append_range(indices, llvm::seq(batch, batch + own));
  Order result;
  for (int64_t dim : data)
    if (dim != axis)
      result.push_back(dim < axis ? dim : dim - 1 + own);
    else
      for (int64_t index : ArrayRef(indices).drop_front(batch))
        result.push_back(index - batch + axis);
  return Orders{data, indices, result};
}

static void remapIota(IotaOp op, ArrayRef<int64_t> order) {
  op.setDim(storedDim(order, op.getDim()));
}

void mlir::gaudi::attachAxisLayouts(MLIRContext &context) {
  attachFollowing<ReduceOp, reduceOrders,
                  remapFirst<ReduceOp, remapDims<ReduceOp>>>(context);
  attachFollowing<ArgReduceOp, argReduceOrders,
                  remapFirst<ArgReduceOp, remapAxis<ArgReduceOp>>>(context);
  attachFollowing<GatherOp, gatherOrders,
                  remapFirst<GatherOp, remapAxis<GatherOp>>>(context);
  attachShared<GatherElementsOp, remapAxis<GatherElementsOp>>(context);
  // Updates that write one element differ along the axis only, so that their
  // sequence does not depend on the order.
  attachShared<ScatterElementsOp, remapAxis<ScatterElementsOp>>(context);
  attachShared<CumulativeSumOp, remapAxis<CumulativeSumOp>>(context);
  attachShared<SortOp, remapAxis<SortOp>>(context);
  attachShared<TopKOp, remapAxis<TopKOp>>(context);
  attachShared<ReverseOp, remapDims<ReverseOp>>(context);
  attachShared<IotaOp, remapIota>(context);
}
