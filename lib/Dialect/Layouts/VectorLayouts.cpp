// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of the ops of the vector cores, and of optimizers.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Layouts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Operands have the rank of the result; a dimension of size 1, which may be
/// broadcast, moves like the others.
struct ElementwiseLayout
    : LayoutOpInterface::ExternalModel<ElementwiseLayout, LayoutOpInterface> {
  std::optional<Orders> getOrdersWith(Operation *op, unsigned,
                                      ArrayRef<int64_t> order) const {
    return sameOrders(op, order);
  }
  bool acceptsOrders(Operation *, const Orders &orders) const {
    return llvm::all_equal(orders);
  }
  void applyOrders(Operation *op, const Orders &orders) const {
    setStoredResults(op, orders);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Dimensions that an attribute names
//===----------------------------------------------------------------------===//

/// Sums may be added in another sequence, which rounds f32 otherwise. With a
/// kept axis, which has size 1, operand and result have one order.
static std::optional<Orders> argReduceOrders(ArgReduceOp op, unsigned tensor,
                                             ArrayRef<int64_t> order) {
  return op.getKeepDims() ? sameOrders(op, order)
                          : followingOrders(op, tensor, order);
}

/// An op whose attributes name dimensions of its first operand.
template <typename Op, auto remap>
static void remapFirst(Op op, const Orders &orders) {
  remap(op, orders.front());
}

namespace {
/// `data` has the dimensions b.., o.., axis, r.., `indices` b.., i.., and the
/// result b.., o.., i.., r... The batch dimensions stay first, the others of
/// data go anywhere, and those of the indices stay together in the result.
struct GatherForm {
  int64_t axis, batch, own; ///< own: how many dimensions the indices bring
  int64_t dataRank;

  explicit GatherForm(GatherOp op)
      : axis(op.getAxis()), batch(op.getBatchDims()),
        own(tensorType(op.getIndices()).getRank() - batch),
        dataRank(tensorType(op.getData()).getRank()) {}

  /// True for a dimension of the result that the indices bring.
  bool isOwn(int64_t dim) const { return dim >= axis && dim < axis + own; }
  bool isBatch(int64_t dim) const { return dim < batch; }

  std::optional<Orders> ordersWith(unsigned tensor,
                                   ArrayRef<int64_t> order) const {
    if (!llvm::all_of(order.take_front(batch),
                      [&](int64_t dim) { return isBatch(dim); }))
      return std::nullopt;
    Order data(order.take_front(batch)), indices(data);
    auto others = order.drop_front(batch);
    llvm::append_range(tensor == 0 ? data : indices,
                       tensor == 2 ? ArrayRef<int64_t>() : others);
    if (tensor == 0)
      llvm::append_range(indices, llvm::seq(batch, batch + own));
    else if (tensor == 1)
      llvm::append_range(data, llvm::seq(batch, dataRank));
    else if (!splitResult(others, data, indices))
      return std::nullopt;

    Order result;
    for (int64_t dim : data)
      if (dim != axis)
        result.push_back(dim < axis ? dim : dim - 1 + own);
      else
        for (int64_t index : ArrayRef(indices).drop_front(batch))
          result.push_back(index - batch + axis);
    return Orders{data, indices, result};
  }

  /// Adds the dimensions of data and indices that `order`, that of the result
  /// without the batch, has; false if those of the indices are torn apart.
  bool splitResult(ArrayRef<int64_t> order, Order &data, Order &indices) const {
    bool isInside = false;
    for (int64_t dim : order) {
      const bool wasInside = std::exchange(isInside, isOwn(dim));
      if (!isInside)
        data.push_back(dim < axis ? dim : dim + 1 - own);
      else if (wasInside)
        indices.push_back(dim - axis + batch);
      else if (int64_t(indices.size()) != batch)
        return false;
      else {
        data.push_back(axis);
        indices.push_back(dim - axis + batch);
      }
    }
    // Without dimensions of the indices nothing says where the axis is.
    if (own == 0)
      data.insert(data.begin() + axis, axis);
    return true;
  }

  /// `order` with dimensions of size 1 where they do no harm: those of the
  /// batch first, those of the indices with the others of the indices.
  Order withUnitsAside(unsigned tensor, ArrayRef<int64_t> shape,
                       ArrayRef<int64_t> order) const {
    auto isOwnHere = [&](int64_t dim) { return tensor == 2 && isOwn(dim); };
    auto isUnit = [&](int64_t dim) { return shape[dim] == 1; };
    Order arranged, ownUnits, otherUnits;
    for (int64_t dim : llvm::make_filter_range(order, isUnit))
      (isBatch(dim)     ? arranged
       : isOwnHere(dim) ? ownUnits
                        : otherUnits)
          .push_back(dim);
    for (int64_t dim : order) {
      if (isUnit(dim))
        continue;
      if (isOwnHere(dim))
        arranged.append(std::exchange(ownUnits, {}));
      arranged.push_back(dim);
    }
    arranged.append(ownUnits);
    arranged.append(otherUnits);
    return arranged;
  }
};
} // namespace

static std::optional<Orders> gatherOrders(GatherOp op, unsigned tensor,
                                          ArrayRef<int64_t> order) {
  const GatherForm form(op);
  if (auto orders = form.ordersWith(tensor, order))
    return orders;
  return form.ordersWith(
      tensor,
      form.withUnitsAside(tensor, typeOfTensor(op, tensor).getShape(), order));
}

static void remapIota(IotaOp op, ArrayRef<int64_t> order) {
  op.setDim(storedDim(order, op.getDim()));
}

/// Entries of `dims` go with extents: they move, but not among each other.
static void remapMask(MaskOp op, ArrayRef<int64_t> order) {
  op.setDims(llvm::map_to_vector(
      op.getDims(), [&](int64_t dim) { return storedDim(order, dim); }));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The letters of `layout` move; windows have their entries by letter, and the
/// order of the elements in them does not depend on the layout.
template <typename Op> static void remapLayout(Op op, ArrayRef<int64_t> order) {
  std::string layout;
  for (int64_t dim : order)
    layout.push_back(op.getLayout()[dim]);
  op.setLayout(layout);
}

static void remapPad(PadOp op, ArrayRef<int64_t> order) {
  op.setLow(applyPermutation(op.getLow(), order));
  op.setHigh(applyPermutation(op.getHigh(), order));
}

/// H and W are the two dimensions in the middle. N and C are treated alike, so
/// they may be exchanged: without a batch, C before H and W is such a
/// form.
static std::optional<Orders> resizeOrders(ResizeOp op, unsigned tensor,
                                          ArrayRef<int64_t> order) {
  const ArrayRef<int64_t> shape = typeOfTensor(op, tensor).getShape();
  const Order normal = normalOrder(shape, order);
  for (const Order &form : {Order{0, 1, 2, 3}, Order{3, 1, 2, 0}})
    if (normalOrder(shape, form) == normal)
      return sameOrders(op, form);
  return std::nullopt;
}

static void remapResize(ResizeOp, const Orders &) {}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

namespace {
/// The tensors of a parameter have one order; parameters do not depend on each
/// other. Scalars hold one element, so that theirs has no effect. Norms add the
/// elements of a tensor in their stored order, which rounds: then there is
/// none.
template <typename Op>
struct OptimizerLayout
    : LayoutOpInterface::ExternalModel<OptimizerLayout<Op>, Op> {
  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
    if (isIdentityOrder(order) || !parameterOf(map.of(tensor)))
      return identityOrders(op);
    if (map.readsWhole())
      return std::nullopt;
    return followingOrders(op, tensor, order);
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
    llvm::SmallDenseMap<unsigned, const Order *> first; // by parameter
    for (const DimMap::Access &access : map.accesses) {
      const Order &order = orders[access.tensor];
      const auto own = parameterOf(access);
      if (own && (*first.try_emplace(*own, &order).first->second != order ||
                  (map.readsWhole() && !isIdentityOrder(order))))
        return false;
    }
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    setStoredResults(op, orders);
  }

private:
  /// The first factor of the tensor's parameter; none of a scalar.
  static std::optional<unsigned> parameterOf(const DimMap::Access &access) {
    return access.dims.empty() ? std::nullopt
                               : DimMap::factorOf(access.dims.front());
  }
};
} // namespace

template <typename... Ops>
static void attachOptimizerLayouts(MLIRContext &context) {
  (Ops::template attachInterface<OptimizerLayout<Ops>>(context), ...);
}

void gaudi::attachVectorLayouts(MLIRContext &context) {
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>())
      name.attachInterface<ElementwiseLayout>();
  attachFollowing<ReduceOp, followingOrders,
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
  attachFollowing<MaskOp, followingOrders, remapFirst<MaskOp, remapMask>>(
      context);
  attachShared<PoolOp, remapLayout<PoolOp>>(context);
  attachShared<PoolGradOp, remapLayout<PoolGradOp>>(context);
  attachShared<PadOp, remapPad>(context);
  attachFollowing<ResizeOp, resizeOrders, remapResize>(context);
  attachOptimizerLayouts<FusedAdamWOp, FusedSGDOp, FusedAdagradOp, FusedLambOp,
                         FusedEmaOp>(context);
}
