// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter with any region.
//
// The device's library writes or adds elements at positions of a flat tensor.
// A region that adds a function of the update to the current element, or that
// does not look at the current element, is that of the function's values. For
// any other region each element visits all updates.
#include "ExtOps.h"
#include "Gaudi/Dialect/PaddedIndices.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// A region (update, current) as far as the library computes it.
struct Combiner {
  /// What is written or added: a value of the region, which does not depend on
  /// the current element.
  Value value;
  bool accumulates;
};

/// The shapes of a scatter.
struct ScatterShape {
  RankedTensorType whole, updates;
  int64_t batch;  ///< Leading dimensions of the updates.
  int64_t window; ///< Others: the last dimensions of the whole.
};
} // namespace

/// True if `value` is computed from `argument`.
static bool dependsOn(Value value, BlockArgument argument) {
  SmallVector<Value> pending{value};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (next == argument)
      return true;
    Operation *op = next.getDefiningOp();
    if (op && op->getBlock() == argument.getOwner() && seen.insert(next).second)
      llvm::append_range(pending, op->getOperands());
  }
  return false;
}

static std::optional<Combiner> combinerOf(Region &region) {
  // Inner regions may read anything.
  if (llvm::any_of(region.front(),
                   [](Operation &op) { return op.getNumRegions() != 0; }))
    return std::nullopt;
  Value result = region.front().getTerminator()->getOperand(0);
  BlockArgument current = region.getArgument(1);
  if (!dependsOn(result, current))
    return Combiner{result, false};
  Operation *sum = result.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) ||
      result.getType().isInteger(1))
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (sum->getOperand(i) == current &&
        !dependsOn(sum->getOperand(1 - i), current))
      return Combiner{sum->getOperand(1 - i), true};
  return std::nullopt;
}

/// For each element of the updates its position in the flattened whole;
/// `outside` for those of a slice that leaves it. If it `wraps`, negative
/// indices count from the end.
static Value createTargets(OpBuilder &b, const ExtOp &op,
                           const ScatterShape &shape,
                           ArrayRef<int64_t> dimensionMap, bool wraps,
                           int64_t outside) {
  Value indices = op.inputs[1];
  const int64_t rank = shape.whole.getRank();
  Type i64 = b.getI64Type();
  auto type = RankedTensorType::get(shape.updates.getShape(), i64);
  return createNest(b, op.loc(), type, [&](IndexBuilder &inner) {
    SmallVector<Value> at =
        inner.sliceStart(indices, shape.batch, dimensionMap, rank);
    Value isInside;
    for (int64_t dim : dimensionMap) {
      const int64_t extent = shape.whole.getDimSize(dim);
      if (wraps) {
        Value isNegative =
            inner.compare(arith::CmpIPredicate::slt, at[dim], inner.number(0));
        Value fromEnd = inner.add(at[dim], inner.number(extent));
        at[dim] = inner.select(isNegative, fromEnd, at[dim]);
      }
      // A slice must be inside as a whole: an index may be at most extent -
      // size.
      const int64_t windowDim = dim - (rank - shape.window);
      const int64_t size =
          windowDim < 0 ? 1 : shape.updates.getDimSize(shape.batch + windowDim);
      isInside = inner.both(isInside, inner.isWithin(at[dim], extent - size));
    }
    // Positions within the slice are added to where it starts.
    for (int64_t dim = 0; dim < shape.window; ++dim) {
      Value &index = at[rank - shape.window + dim];
      Value within = inner.loop(shape.batch + dim);
      index = index ? inner.add(index, within) : within;
    }
    if (op.inputs.size() == 3) { // a mask
      SmallVector<Value> batch;
      for (int64_t dim = 0; dim < shape.batch; ++dim)
        batch.push_back(inner.loop(dim));
      isInside = inner.both(isInside, inner.extract(op.inputs[2], batch));
    }
    Value flat = inner.flat(shape.whole.getShape(), at);
    // The library does not write to what is outside.
    if (isInside)
      flat = inner.select(isInside, flat, inner.number(outside));
    return arith::IndexCastOp::create(inner.b, inner.loc, i64, flat)
        .getResult();
  });
}

/// The function of the region applied to each update, as the element type that
/// the library moves.
static Value createUpdates(OpBuilder &b, const ExtOp &op,
                           const Combiner &combiner) {
  Value updates = op.inputs[0];
  if (combiner.value == op.body->getArgument(0))
    return updates;
  auto type = tensorType(updates);
  AffineMap all = b.getMultiDimIdentityMap(type.getRank());
  Value empty = tensor::EmptyOp::create(b, op.loc(), type, ValueRange());
  auto body = [&](IndexBuilder &inner, ValueRange elements) {
    // The current element is not read: any value will do.
    IRMapping scalars;
    scalars.map(op.body->getArguments(), ValueRange{elements[0], elements[0]});
    for (Operation &scalar : op.body->front().without_terminator())
      inner.b.clone(scalar, scalars);
    return SmallVector<Value>{scalars.lookupOrDefault(combiner.value)};
  };
  return createNest(b, op.loc(), {{updates, all}}, {{empty, all}}, {}, body)
      .front();
}

/// Each element visits all updates and takes those that go there, in order.
static Value visitUpdates(OpBuilder &b, const ExtOp &op, Value whole,
                          Value targets, Value updates) {
  assert(tensorType(targets).getRank() == 1 && "flat positions");
  AffineMap at = AffineMap::get(2, 0, b.getAffineDimExpr(0));
  AffineMap other = AffineMap::get(2, 0, b.getAffineDimExpr(1));
  auto visit = [&](IndexBuilder &inner, ValueRange elements) {
    Value position = arith::IndexCastOp::create(inner.b, inner.loc,
                                                b.getI64Type(), inner.loop(0));
    Value hits = inner.compare(arith::CmpIPredicate::eq, elements[0], position);
    Value next =
        cloneBody(inner.b, *op.body, {elements[1], elements[2]}).front();
    return SmallVector<Value>{inner.select(hits, next, elements[2])};
  };
  const Value result =
      createNest(b, op.loc(), {{targets, other}, {updates, other}},
                 {{whole, at}}, {1}, visit)
          .front();
  setPaddedIndices(result.getDefiningOp());
  return result;
}

SmallVector<Value> fromlinalg::expandScatter(OpBuilder &b, const ExtOp &op,
                                             ArrayRef<int64_t> dimensionMap,
                                             bool ofPyTorch) {
  Location loc = op.loc();
  ScatterShape shape{op.resultType(0), tensorType(op.inputs[0]), 0, 0};
  auto batch = indexBatchRank(tensorType(op.inputs[1]), shape.updates,
                              dimensionMap.size(), shape.whole.getRank());
  assert(batch && "verified");
  shape.batch = *batch;
  shape.window = shape.updates.getRank() - *batch;
  const int64_t size = shape.whole.getNumElements();
  const int64_t count = shape.updates.getNumElements();
  // One element more takes what is left out. The library stops at a negative
  // position; a masked update is left out in any case.
  const bool hasSpare = !ofPyTorch || op.inputs.size() == 3;
  Value targets = createTargets(b, op, shape, dimensionMap, ofPyTorch,
                                hasSpare ? size : -1);
  targets = reshapeTo(b, loc, targets, {count});
  Value whole = reshapeTo(b, loc, op.outputs[0], {size});
  auto combiner = combinerOf(*op.body);
  if (!combiner) {
    remarkMissed(op.op, "raise",
                 "generic kernel: the region neither adds to the current "
                 "element nor replaces it, so that each of " +
                     Twine(size) + " elements visits all " + Twine(count) +
                     " updates");
    // The library's gather stops at a position outside.
    if (!hasSpare)
      targets = GatherElementsOp::create(
          b, loc, targets.getType(),
          createIota(b, loc, RankedTensorType::get({size}, b.getI64Type()), 0),
          targets,
          /*axis=*/0);
    Value result = visitUpdates(b, op, whole, targets,
                                reshapeTo(b, loc, op.inputs[0], {count}));
    return {reshapeTo(b, loc, result, shape.whole.getShape())};
  }
  Type element = shape.whole.getElementType();
  // The library moves numbers: bits go as bytes.
  Type moved = element.isInteger(1) ? Type(b.getI8Type()) : element;
  Value updates = castTo(b, loc, createUpdates(b, op, *combiner), moved);
  updates = reshapeTo(b, loc, updates, {count});
  whole = castTo(b, loc, whole, moved);
  auto type = RankedTensorType::get({size}, moved), longer = type;
  if (hasSpare) {
    longer = type.clone(ArrayRef<int64_t>{size + 1});
    Value spare = splat(b, loc, {1}, zeroOf(moved));
    whole = ConcatOp::create(b, loc, longer, ValueRange{whole, spare}, 0);
    setPaddedIndices(whole.getDefiningOp());
  }
  Value result = ScatterElementsOp::create(b, loc, longer, whole, targets,
                                           updates, 0, combiner->accumulates);
  setPaddedIndices(result.getDefiningOp());
  if (hasSpare) {
    result = SliceOp::create(b, loc, type, result, ArrayRef<int64_t>{0},
                             ArrayRef<int64_t>{1});
    setPaddedIndices(result.getDefiningOp());
  }
  result = castTo(b, loc, result, element);
  remarkPassed(op.op, "raise", "raised to gaudi.tpc.scatter_elements");
  return {reshapeTo(b, loc, result, shape.whole.getShape())};
}
