// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What models of layouts share.
#include "Layouts.h"

using namespace mlir;
using namespace gaudi;

static constexpr unsigned noFactor = ~0u;

Orders gaudi::sameOrders(Operation *op, ArrayRef<int64_t> order) {
  return Orders(op->getNumOperands() + op->getNumResults(), Order(order));
}

/// The factor that each dimension of a tensor is along, none where that is no
/// factor alone; nothing if two accesses differ.
static std::optional<SmallVector<unsigned>>
factorsOf(Operation *op, const DimMap &map, unsigned tensor) {
  // A kernel reads and writes dimensions of size 1 at 0: they stay.
  auto kernel = dyn_cast<KernelOp>(op);
  const size_t count =
      kernel ? kernel.getIndexSpace().size() : map.factors.size();
  std::optional<SmallVector<unsigned>> factors;
  for (const DimMap::Access &access : map.accesses) {
    if (access.tensor != tensor)
      continue;
    SmallVector<unsigned> own;
    for (const DimMap::Dim &dim : access.dims) {
      const bool isAlong =
          dim.terms.size() == 1 && dim.offset == 0 &&
          dim.terms[0].factor < count &&
          (dim.terms[0].stride == 1 || (dim.terms[0].stride == 0 && !kernel));
      own.push_back(isAlong ? dim.terms[0].factor : noFactor);
    }
    if (factors && *factors != own)
      return std::nullopt;
    factors = std::move(own);
  }
  return factors;
}

Orders gaudi::followingOrders(Operation *op, unsigned tensor,
                              ArrayRef<int64_t> order) {
  const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
  Orders orders = identityOrders(op);
  orders[tensor] = Order(order);
  const auto factors = factorsOf(op, map, tensor);
  for (unsigned other = 0; factors && other < orders.size(); ++other) {
    const auto own = other == tensor ? std::nullopt : factorsOf(op, map, other);
    if (!own)
      continue;
    SmallVector<int64_t> slots, dims;
    for (auto [dim, factor] : llvm::enumerate(*own))
      if (factor != noFactor && llvm::is_contained(*factors, factor))
        slots.push_back(int64_t(dim));
    for (int64_t dim : order)
      for (int64_t slot : slots)
        if ((*own)[slot] == (*factors)[dim] && !llvm::is_contained(dims, slot))
          dims.push_back(slot);
    for (auto [slot, dim] : llvm::zip_equal(slots, dims))
      orders[other][slot] = dim;
  }
  return orders;
}

void gaudi::setStoredResults(Operation *op, const Orders &orders) {
  assert(orders.size() == op->getNumOperands() + op->getNumResults() &&
         "one order per tensor");
  for (OpResult result : op->getResults()) {
    const unsigned tensor = op->getNumOperands() + result.getResultNumber();
    result.setType(storedType(tensorType(result), orders[tensor]));
  }
}

int64_t gaudi::storedDim(ArrayRef<int64_t> order, int64_t dim) {
  const auto *slot = llvm::find(order, dim);
  assert(slot != order.end() && "a dimension of the tensor");
  return slot - order.begin();
}

SmallVector<int64_t> gaudi::storedDims(ArrayRef<int64_t> order,
                                       ArrayRef<int64_t> dims) {
  auto stored = llvm::map_to_vector(
      dims, [&](int64_t dim) { return storedDim(order, dim); });
  llvm::sort(stored);
  return stored;
}

void gaudi::attachLayouts(MLIRContext &context) {
  attachMatrixLayouts(context);
  attachVectorLayouts(context);
  attachMoveLayouts(context);
  attachKernelLayouts(context);
}
