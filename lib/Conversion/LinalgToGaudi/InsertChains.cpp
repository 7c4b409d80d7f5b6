// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding concatenations written as chains of insertions.
//
// A chain starts from an undefined tensor. If its insertions are contiguous
// along one axis and cover it, every element of the result is one of a source,
// in the order of the offsets: a concatenation. Insertions may come in any
// order; only the last is replaced, so those before must have no other reader.
#include "InsertChains.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

InsertChains::InsertChains(Block &block) {
  for (auto op : block.getOps<tensor::InsertSliceOp>()) {
    Chain chain = extend(op);
    // Every part has elements, so the total grows with each: a chain is
    // complete at one insertion at most.
    if (chain.isCandidate &&
        chain.total == op.getDestType().getDimSize(*chain.axis))
      finish(op, chain);
    chains[op] = chain;
  }
}

InsertChains::Chain InsertChains::extend(tensor::InsertSliceOp op) const {
  Chain chain;
  if (auto before = op.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    // Known unless it is in another block: definitions come before their uses.
    auto known = chains.find(before);
    if (!before->hasOneUse() || known == chains.end() ||
        !known->second.isCandidate)
      return {};
    chain = known->second;
  } else if (!isUndefined(op.getDest())) {
    return {};
  }
  auto offsets = getConstantIntValues(op.getMixedOffsets());
  auto sizes = getConstantIntValues(op.getMixedSizes());
  auto strides = getConstantIntValues(op.getMixedStrides());
  auto type = op.getDestType();
  // Parts without elements would end a chain twice, and the size of a part
  // would not follow from its number of elements.
  if (!type.hasStaticShape() || type.getNumElements() == 0 ||
      !op.getSourceType().hasStaticShape() ||
      op.getSourceType().getNumElements() == 0)
    return {};
  if (!offsets || !sizes || !strides ||
      !llvm::all_of(*strides, [](int64_t s) { return s == 1; }))
    return {};
  // A part covers every dimension but one, the same one in the whole chain.
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if ((*sizes)[dim] == type.getDimSize(dim))
      continue;
    if (chain.axis.value_or(dim) != dim)
      return {};
    chain.axis = dim;
  }
  if (!chain.axis) // writes everything
    return {};
  chain.total += (*sizes)[*chain.axis];
  chain.isCandidate = chain.total <= type.getDimSize(*chain.axis);
  return chain;
}

/// Sizes that add up to the axis do not exclude windows that overlap: the
/// offsets must follow each other. O(n log n) in the parts of the chain, which
/// is finished once.
void InsertChains::finish(tensor::InsertSliceOp last, const Chain &chain) {
  Concat concat{*chain.axis, {}};
  for (auto op = last; op;
       op = op.getDest().getDefiningOp<tensor::InsertSliceOp>())
    concat.parts.push_back(op);
  auto offsetOf = [&](tensor::InsertSliceOp op) {
    return (*getConstantIntValues(op.getMixedOffsets()))[concat.axis];
  };
  llvm::sort(concat.parts,
             [&](tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
               return offsetOf(a) < offsetOf(b);
             });
  int64_t next = 0;
  for (tensor::InsertSliceOp op : concat.parts) {
    if (offsetOf(op) != next)
      return;
    next += (*getConstantIntValues(op.getMixedSizes()))[concat.axis];
  }
  for (tensor::InsertSliceOp op : concat.parts)
    if (op != last)
      innerParts.insert(op);
  concats[last] = std::move(concat);
}
