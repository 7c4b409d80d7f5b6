// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions seen through reshapes, slices, splits, broadcasts and transposes.
#include "Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// The op if its results hold elements of its operand with their type: not a
/// bitcast, which a kernel cannot read through.
static ReindexOpInterface reindexOp(Operation *op) {
  auto reindex = dyn_cast_or_null<ReindexOpInterface>(op);
  if (!reindex || getElementTypeOrSelf(op->getOperand(0)) !=
                      getElementTypeOrSelf(op->getResult(0)))
    return {};
  return reindex;
}

// A kernel reads a transpose at no cost in bytes, too, but across the order in
// which memory is contiguous: gaudi-place-permutations has decided about those.
Value gaudi::fusion::viewSource(Value tensor) {
  return isa_and_nonnull<TransposeOp>(tensor.getDefiningOp())
             ? Value()
             : moveSource(tensor);
}

Value gaudi::fusion::moveSource(Value tensor) {
  ReindexOpInterface op = reindexOp(tensor.getDefiningOp());
  return op ? op.getViewSource(cast<OpResult>(tensor)) : Value();
}

Value gaudi::fusion::rootOf(Value tensor) {
  while (Value source = viewSource(tensor))
    tensor = source;
  return tensor;
}

ValueRange gaudi::fusion::viewsMadeBy(Operation *user) {
  if (reindexOp(user) && !isa<TransposeOp>(user))
    return user->getResults();
  return {};
}

Reindexed gaudi::fusion::positionInSource(Value tensor,
                                          ArrayRef<Affine> position,
                                          ArrayRef<int64_t> extents,
                                          SmallVectorImpl<Affine> &result) {
  auto shapeOf = [](Value value) { return tensorType(value).getShape(); };
  auto op = tensor.getDefiningOp<ReindexOpInterface>();
  if (!op) {
    result.assign(position.begin(), position.end());
    return Reindexed();
  }
  // Without a map the elements keep their row-major order (a reshape): the
  // position is taken apart into the digits of the other shape.
  IndexMap map = op.getIndexMap(cast<OpResult>(tensor));
  if (!map) {
    Value source = op.getViewSource(cast<OpResult>(tensor));
    result.assign(shapeOf(source).size(), Affine());
    return reshapePosition(position, shapeOf(tensor), shapeOf(source), extents,
                           result);
  }
  result.clear();
  for (const StridedIndex &index : *map) {
    Affine &form = result.emplace_back(index.offset);
    if (index.dim != StridedIndex::none)
      form.add(position[index.dim], index.stride);
  }
  return {true, std::nullopt};
}

Reindexed gaudi::fusion::positionInResult(Operation *op,
                                          ArrayRef<Affine> position,
                                          ArrayRef<int64_t> extents,
                                          SmallVectorImpl<Affine> &result) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    result.clear();
    for (int64_t dim : transpose.getPermutation())
      result.push_back(position[dim]);
    return {true, std::nullopt};
  }
  auto reshape = cast<ReshapeOp>(op);
  result.assign(reshape.getType().getRank(), Affine());
  return reshapePosition(position, reshape.getOperand().getType().getShape(),
                         reshape.getType().getShape(), extents, result);
}
