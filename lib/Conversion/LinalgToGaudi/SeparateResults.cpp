// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of a nest that do not vary along a parallel dimension, as nests of
// their own. torch-mlir counts the elements of a pooling window in the nest
// that sums them: the sums vary along batch and channels, the count does not.
#include "Nest.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// One result of a nest, the dimensions it does not vary along, and the part of
/// the body that computes it.
class Separable {
public:
  Separable(linalg::GenericOp op, unsigned number) : op(op), number(number) {
    AffineMap map = outputMap();
    varying.resize(op.getNumLoops(), false);
    for (unsigned dim = 0; dim < varying.size(); ++dim)
      varying[dim] = map.isFunctionOfDim(dim);
  }

  /// True if iterations along a parallel dimension write the same element, but
  /// all of them the same value.
  bool isOverwritten();
  /// The nest over the dimensions of the result alone.
  Value separate(OpBuilder &b);

private:
  AffineMap outputMap() {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  }
  Value yielded() { return op.getBlock()->getTerminator()->getOperand(number); }
  bool isParallel(unsigned dim) {
    return op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel;
  }
  /// Collects what the yielded value depends on; fails if that varies along a
  /// parallel dimension that the result does not have, or reads a result.
  LogicalResult collect(Value value);

  linalg::GenericOp op;
  unsigned number;
  SmallVector<bool> varying; ///< By loop dimension.
  llvm::SetVector<Operation *> slice;
  llvm::SetVector<unsigned> inputs; ///< That the slice reads.
};
} // namespace

LogicalResult Separable::collect(Value value) {
  // A value must not depend on a parallel loop that its result lacks.
  auto missesParallel = [&](unsigned dim) {
    return isParallel(dim) && !varying[dim];
  };
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() != op.getBlock())
        continue;
      // An accumulator would make the value depend on the order of steps.
      const unsigned i = argument.getArgNumber();
      if (i >= unsigned(op.getNumDpsInputs()))
        return failure();
      AffineMap map = op.getIndexingMapsArray()[i];
      for (unsigned dim = 0; dim < varying.size(); ++dim)
        if (missesParallel(dim) && map.isFunctionOfDim(dim))
          return failure();
      inputs.insert(i);
      continue;
    }
    // From outside of the body, or visited.
    Operation *made = next.getDefiningOp();
    if (made->getBlock() != op.getBlock() || slice.contains(made))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(made))
      if (missesParallel(index.getDim()))
        return failure();
    if (made->getNumRegions() != 0)
      return failure();
    slice.insert(made);
    llvm::append_range(worklist, made->getOperands());
  }
  return success();
}

bool Separable::isOverwritten() {
  AffineMap map = outputMap();
  if (!map.isProjectedPermutation())
    return false;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  bool misses = false;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (extent == 0)
      return false;
    misses |= isParallel(dim) && !varying[dim] && extent > 1;
  }
  return misses && succeeded(collect(yielded()));
}

// The value does not depend on the parallel dimensions that are left out, so
// any index of them gives it. Along a reduction the last step overwrites the
// others.
Value Separable::separate(OpBuilder &b) {
  Location loc = op.getLoc();
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // The loops that are left get numbers of their own; those left out are at
  // their last step.
  SmallVector<AffineExpr> replacements;
  SmallVector<int64_t> position(extents.size(), -1);
  int64_t rank = 0;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (varying[dim])
      position[dim] = rank++;
    replacements.push_back(varying[dim] ? b.getAffineDimExpr(position[dim])
                                        : b.getAffineConstantExpr(extent - 1));
  }
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  auto addMap = [&](AffineMap map) {
    maps.push_back(
        map.replaceDimsAndSymbols(replacements, {}, unsigned(rank), 0));
  };
  for (unsigned input : inputs) {
    operands.push_back(op.getInputs()[input]);
    addMap(op.getIndexingMapsArray()[input]);
  }
  addMap(outputMap());
  Value init = op.getDpsInits()[number];
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto nest = linalg::GenericOp::create(
      b, loc, TypeRange(init.getType()), operands, ValueRange(init), maps,
      parallel, [&](OpBuilder &inner, Location at, ValueRange arguments) {
        IRMapping mapping;
        for (auto [input, argument] : llvm::zip(inputs, arguments))
          mapping.map(op.getBlock()->getArgument(input), argument);
        // Only the ops that the value needs.
        for (Operation &old : *op.getBlock()) {
          if (!slice.contains(&old))
            continue;
          auto index = dyn_cast<linalg::IndexOp>(old);
          if (!index) {
            inner.clone(old, mapping);
            continue;
          }
          const unsigned dim = index.getDim();
          Value value =
              varying[dim]
                  ? linalg::IndexOp::create(inner, at, position[dim])
                        .getResult()
                  : arith::ConstantIndexOp::create(inner, at, extents[dim] - 1)
                        .getResult();
          mapping.map(index.getResult(), value);
        }
        linalg::YieldOp::create(inner, at, mapping.lookupOrDefault(yielded()));
      });
  return nest.getResult(0);
}

/// `op` without the results in `gone`, whose values the body no longer yields.
/// Where one of them alone bounds a loop, their outputs stay as inputs that
/// nothing reads.
static void dropResults(IRRewriter &rewriter, linalg::GenericOp op,
                        const llvm::SmallBitVector &gone) {
  SmallVector<Value> inits;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray(), keptMaps;
  const unsigned numInputs = op.getNumDpsInputs();
  keptMaps.append(maps.begin(), maps.begin() + numInputs);
  SmallVector<Value> yields, shapes;
  SmallVector<AffineMap> shapeMaps;
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  llvm::BitVector arguments(body->getNumArguments());
  // The init of a result that goes may be the only tensor with a loop's size.
  for (auto [i, init] : llvm::enumerate(op.getDpsInits())) {
    if (gone[i]) {
      arguments.set(numInputs + i);
      shapes.push_back(init);
      shapeMaps.push_back(maps[numInputs + i]);
      continue;
    }
    inits.push_back(init);
    keptMaps.push_back(maps[numInputs + i]);
    yields.push_back(yield->getOperand(i));
  }
  yield->setOperands(yields);
  body->eraseArguments(arguments);
  SmallVector<Value> inputs(op.getInputs());
  // Without it the loop bounds could not be inferred.
  if (!inversePermutation(concatAffineMaps(keptMaps, op.getContext()))) {
    keptMaps.insert(keptMaps.begin() + numInputs, shapeMaps.begin(),
                    shapeMaps.end());
    for (auto [i, shape] : llvm::enumerate(shapes))
      body->insertArgument(unsigned(numInputs + i),
                           getElementTypeOrSelf(shape.getType()), op.getLoc());
    llvm::append_range(inputs, shapes);
  }
  auto kept =
      linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(inits), inputs,
                                inits, keptMaps, op.getIteratorTypesArray());
  kept.getRegion().takeBody(op.getRegion());
  // The operands of the new op are a prefix of the old ones, so the body fits.
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    if (!gone[i])
      result.replaceAllUsesWith(kept.getResult(next++));
}

static void separateResults(IRRewriter &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  llvm::SmallBitVector gone(op.getNumDpsInits());
  const unsigned numInputs = op.getNumDpsInputs();
  for (unsigned i = 0; i < gone.size(); ++i) {
    Separable result(op, i);
    // Other results may read what is written here; then it stays.
    if (!op.getBlock()->getArgument(numInputs + i).use_empty() ||
        !result.isOverwritten())
      continue;
    op.getResult(i).replaceAllUsesWith(result.separate(rewriter));
    gone.set(i);
    remarkPassed(op, "separate-result",
                 "made result " + Twine(i).str() +
                     ", which does not vary along a parallel dimension, a "
                     "nest of its own");
  }
  if (gone.none())
    return;
  if (!gone.all())
    dropResults(rewriter, op, gone);
  rewriter.eraseOp(op);
}

void fromlinalg::separateResults(ModuleOp module) {
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) {
    if (isStatic(op) && op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::GenericOp op : ops)
    ::separateResults(rewriter, op);
}
