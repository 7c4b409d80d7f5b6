// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of generic kernels: each access names its position by dimension.
#include "Layouts.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

/// The position of `map`, with the entries where the stored tensor has them.
static AffineMap storedPosition(AffineMap map, ArrayRef<int64_t> order) {
  assert(map.getNumResults() == order.size() && "one index per dimension");
  auto entries = llvm::map_to_vector(
      order, [&](int64_t dim) { return map.getResult(dim); });
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), entries,
                        map.getContext());
}

static void remapLoad(KernelLoadOp load, ArrayRef<int64_t> order) {
  load.setMap(storedPosition(load.getMap(), order));
  if (auto rules = load.getBoundary())
    load.setBoundaryAttr(ArrayAttr::get(
        load.getContext(), applyPermutation(rules->getValue(), order)));
  if (load.getIndices().empty())
    return;
  // The values that index are listed by ascending dimension.
  SmallVector<int64_t> dims;
  SmallVector<Value> indices;
  for (auto [slot, dim] : llvm::enumerate(order))
    if (Value index = load.getDynamicIndex(dim)) {
      dims.push_back(slot);
      indices.push_back(index);
    }
  load.setDynamicDims(dims);
  load.getIndicesMutable().assign(indices);
}

static void remapStore(KernelStoreOp store, ArrayRef<int64_t> order) {
  store.setMap(storedPosition(store.getMap(), order));
}

/// The kernel dimension that each dimension of a tensor is read or written
/// along, -1 where that is none alone; nothing if two accesses differ.
static std::optional<SmallVector<int64_t>> loopsOf(BlockArgument tensor) {
  std::optional<SmallVector<int64_t>> loops;
  for (Operation *user : tensor.getUsers()) {
    auto load = dyn_cast<KernelLoadOp>(user);
    AffineMap map = load ? load.getMap() : cast<KernelStoreOp>(user).getMap();
    SmallVector<int64_t> here;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      here.push_back(dim ? int64_t(dim.getPosition()) : -1);
    }
    if (loops && *loops != here)
      return std::nullopt;
    loops = std::move(here);
  }
  return loops;
}

/// The order of a tensor with `loops` in which those of `sequence` follow each
/// other as there: the shared dimensions change places among themselves.
static Order orderAlong(ArrayRef<int64_t> loops, ArrayRef<int64_t> sequence) {
  SmallVector<int64_t> slots, dims;
  for (auto [dim, loop] : llvm::enumerate(loops))
    if (llvm::is_contained(sequence, loop))
      slots.push_back(int64_t(dim));
  for (int64_t loop : sequence)
    for (int64_t slot : slots)
      if (loops[slot] == loop && !llvm::is_contained(dims, slot))
        dims.push_back(slot);
  Order order = identityOrder(int64_t(loops.size()));
  for (auto [slot, dim] : llvm::zip_equal(slots, dims))
    order[slot] = dim;
  return order;
}

namespace {
struct KernelLayout : LayoutOpInterface::ExternalModel<KernelLayout, KernelOp> {
  bool hasIndependentOrders(Operation *) const { return true; }

  /// All tensors have the dimensions that they share with this one in its
  /// order, so that lanes stay contiguous. The kernel needs none of it.
  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    Orders orders = identityOrders(op);
    orders[tensor] = Order(order);
    Block &body = cast<KernelOp>(op).getBody().front();
    const auto loops = loopsOf(body.getArgument(tensor));
    if (!loops)
      return orders;
    SmallVector<int64_t> sequence; // of kernel dimensions
    for (int64_t dim : order)
      if ((*loops)[dim] >= 0)
        sequence.push_back((*loops)[dim]);
    for (auto [other, argument] : llvm::enumerate(body.getArguments()))
      if (other != tensor)
        if (const auto mine = loopsOf(argument))
          orders[other] = orderAlong(*mine, sequence);
    return orders;
  }

  bool acceptsOrders(Operation *, const Orders &) const { return true; }

  void applyOrders(Operation *op, const Orders &orders) const {
    auto kernel = cast<KernelOp>(op);
    setStoredResults(op, orders);
    // Arguments of the body have the numbers of the tensors.
    for (auto [argument, order] :
         llvm::zip_equal(kernel.getBody().getArguments(), orders)) {
      if (isIdentityOrder(order))
        continue;
      argument.setType(storedType(tensorType(argument), order));
      for (Operation *access : argument.getUsers())
        if (auto load = dyn_cast<KernelLoadOp>(access))
          remapLoad(load, order);
        else
          remapStore(cast<KernelStoreOp>(access), order);
    }
  }
};
} // namespace

void gaudi::attachKernelLayouts(MLIRContext &context) {
  KernelOp::attachInterface<KernelLayout>(context);
}
