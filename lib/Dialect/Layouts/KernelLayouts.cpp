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

namespace {
struct KernelLayout : LayoutOpInterface::ExternalModel<KernelLayout, KernelOp> {
  bool hasIndependentOrders(Operation *) const { return true; }

  /// All tensors have the dimensions that they share with this one in its
  /// order, so that lanes stay contiguous. The kernel needs none of it.
  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    return followingOrders(op, tensor, order);
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
