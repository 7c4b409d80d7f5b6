// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes at run-time positions, and padding that cuts, as loop nests
// and slices. The generic kernel checks every position that it reads: one that
// is outside, which linalg leaves undefined, stops the launch.
#include "Gaudi/Dialect/PaddedIndices.h"
#include "NestBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

/// Replaces `op` by a nest over its result.
static void replaceByNest(IRRewriter &rewriter, Operation *op,
                          llvm::function_ref<Value(IndexBuilder &)> element) {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, createNest(rewriter, op->getLoc(),
                                    tensorType(op->getResult(0)), element));
}

template <typename Op> static bool hasConstantOffsets(Op op) {
  return getConstantIntValues(op.getMixedOffsets()) &&
         getConstantIntValues(op.getMixedStrides());
}

static void readSlice(IRRewriter &rewriter, tensor::ExtractSliceOp op) {
  if (hasConstantOffsets(op))
    return;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  replaceByNest(rewriter, op, [&](IndexBuilder &b) {
    SmallVector<Value> position;
    int64_t next = 0;
    for (auto [dim, offset, stride] :
         llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
      Value at = dropped[dim] ? b.number(0) : b.loop(next++);
      if (getConstantIntValue(stride) != 1)
        at = b.multiply(at, b.value(stride));
      if (getConstantIntValue(offset) != 0)
        at = b.add(at, b.value(offset));
      position.push_back(at);
    }
    return b.extract(op.getSource(), position);
  });
}

/// Every element reads both tensors: the source inside the window, or at an
/// element of it that is not used. Between the elements that a stride of more
/// than 1 skips, dest stays.
static void writeSlice(IRRewriter &rewriter, tensor::InsertSliceOp op) {
  auto strides = getConstantIntValues(op.getMixedStrides());
  auto sizes = getConstantIntValues(op.getMixedSizes());
  auto whole = op.getDestType();
  // A constant window is a slice of gaudi; only others come here.
  if (hasConstantOffsets(op) || !strides || !sizes || whole.getRank() == 0 ||
      llvm::any_of(*strides, [](int64_t stride) { return stride < 1; }))
    return;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  replaceByNest(rewriter, op, [&](IndexBuilder &b) {
    SmallVector<Value> from, at;
    Value isInside;
    for (auto [dim, offset, size, stride] :
         llvm::enumerate(op.getMixedOffsets(), *sizes, *strides)) {
      // The position relative to the window decides whether it is covered.
      Value index = b.loop(dim), start = b.value(offset);
      Value relative = arith::SubIOp::create(b.b, b.loc, index, start);
      const int64_t reach = (size - 1) * stride;
      Value covers = b.isWithin(relative, reach);
      if (stride > 1) {
        Value step = b.number(stride);
        Value rest = arith::RemSIOp::create(b.b, b.loc, relative, step);
        covers = b.both(covers,
                        b.compare(arith::CmpIPredicate::eq, rest, b.number(0)));
        relative = arith::DivSIOp::create(b.b, b.loc, relative, step);
      }
      isInside = b.both(isInside, covers);
      // A window that leaves the tensor makes all reads of it invalid: at its
      // start if that is negative, else at its end.
      Value end = b.add(start, b.number(reach));
      Value outside = b.select(
          b.compare(arith::CmpIPredicate::slt, start, b.number(0)), start, end);
      at.push_back(
          b.select(b.isWithin(start, whole.getDimSize(dim) - reach - 1), index,
                   outside));
      // Where it is not covered, element 0 is read, and not used.
      if (!dropped[dim])
        from.push_back(b.select(covers, relative, b.number(0)));
    }
    Value old = b.extract(op.getDest(), at);
    return b.select(isInside, b.extract(op.getSource(), from), old);
  });
}

/// One element at a run-time position.
static void writeElement(IRRewriter &rewriter, tensor::InsertOp op) {
  auto whole = tensorType(op.getResult());
  if (llvm::all_of(op.getIndices(),
                   [](Value v) { return matchPattern(v, m_Constant()); }))
    return;
  replaceByNest(rewriter, op, [&](IndexBuilder &b) {
    SmallVector<Value> at;
    Value isHere;
    for (auto [dim, position] : llvm::enumerate(op.getIndices())) {
      Value index = b.loop(dim);
      isHere =
          b.both(isHere, b.compare(arith::CmpIPredicate::eq, index, position));
      // A position outside is read, which stops the launch.
      at.push_back(b.select(b.isWithin(position, whole.getDimSize(dim) - 1),
                            index, position));
    }
    return b.select(isHere, op.getScalar(), b.extract(op.getDest(), at));
  });
}

/// Null dimensions of `position` get the loops from number `next` on, of which
/// the others have one, too, if `keepsDims`.
static void fillWithLoops(IndexBuilder &b, SmallVector<Value> &position,
                          int64_t next, bool keepsDims) {
  for (Value &index : position) {
    if (!index)
      index = b.loop(next++);
    else if (keepsDims)
      ++next;
  }
}

/// Several dimensions of the source are indexed by the components of a vector.
static void readGather(IRRewriter &rewriter, tensor::GatherOp op) {
  ArrayRef<int64_t> dims = op.getGatherDims();
  Type element = tensorType(op.getIndices()).getElementType();
  if (dims.size() == 1 &&
      (element.isIndex() || element.isInteger(32) || element.isInteger(64)))
    return; // gaudi.tpc.gather
  const int64_t rank = tensorType(op.getSource()).getRank();
  const int64_t batch = tensorType(op.getIndices()).getRank() - 1;
  const bool keepsDims = tensorType(op.getResult()).getRank() == batch + rank;
  replaceByNest(rewriter, op, [&](IndexBuilder &b) {
    SmallVector<Value> position =
        b.sliceStart(op.getIndices(), batch, dims, rank);
    fillWithLoops(b, position, batch, keepsDims);
    return b.extract(op.getSource(), position);
  });
}

/// Updates go to positions of the flattened tensor, which a nest computes; a
/// vector of indices that is outside gets one that is, which stops the launch.
/// Booleans are moved as i8.
static void writeScatter(IRRewriter &rewriter, tensor::ScatterOp op) {
  auto update = tensorType(op.getSource()), whole = tensorType(op.getResult());
  // The conversion reports it.
  if (whole.getElementType().isIndex() || !whyUnsupported(op).empty())
    return;
  if (update.getNumElements() == 0) {
    remarkPassed(op, "no-work", "replaced: it has no elements to write");
    return rewriter.replaceOp(op, op.getDest());
  }
  ArrayRef<int64_t> dims = op.getScatterDims();
  const int64_t rank = whole.getRank();
  const int64_t batch = tensorType(op.getIndices()).getRank() - 1;
  const bool keepsDims = update.getRank() == batch + rank;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Type i64 = rewriter.getI64Type();
  Value targets =
      createNest(rewriter, loc, update.clone(i64), [&](IndexBuilder &b) {
        SmallVector<Value> at =
            b.sliceStart(op.getIndices(), batch, dims, rank);
        // Checked before the sum over the dimensions, in which an error could
        // hide.
        Value isValid;
        for (int64_t dim : dims)
          isValid =
              b.both(isValid, b.isWithin(at[dim], whole.getDimSize(dim) - 1));
        fillWithLoops(b, at, batch, keepsDims);
        Value flat =
            b.select(isValid, b.flat(whole.getShape(), at), b.number(-1));
        return arith::IndexCastOp::create(b.b, loc, i64, flat).getResult();
      });
  Type element = whole.getElementType();
  Type moved = element.isInteger(1) ? rewriter.getI8Type() : element;
  // The library scatters along one axis: all tensors flat.
  auto flatten = [&](Value tensor) {
    return reshapeTo(rewriter, loc, tensor,
                     {tensorType(tensor).getNumElements()});
  };
  Value dest = castTo(rewriter, loc, flatten(op.getDest()), moved);
  Value source = castTo(rewriter, loc, flatten(op.getSource()), moved);
  Value result = ScatterElementsOp::create(rewriter, loc, dest.getType(), dest,
                                           flatten(targets), source,
                                           /*axis=*/0, /*accumulate=*/false);
  setPaddedIndices(result.getDefiningOp());
  result = castTo(rewriter, loc, result, element);
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, result, whole.getShape()));
}

/// A tensor of which the padding left nothing: all elements are the padding.
static void replaceByPadding(IRRewriter &rewriter, tensor::PadOp op) {
  Value value = op.getConstantPaddingValue();
  if (!value)
    return; // it depends on the position
  Operation *made = value.getDefiningOp();
  if (made && op->isProperAncestor(made))
    value = rewriter.clone(*made)->getResult(0);
  remarkPassed(op, "no-work",
               "replaced by its padding: the cut leaves no element");
  rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, value, op.getResultType());
}

/// Negative padding is a slice before the rest of it.
static void cutPadding(IRRewriter &rewriter, tensor::PadOp op) {
  auto low = getConstantIntValues(op.getMixedLowPad());
  auto high = getConstantIntValues(op.getMixedHighPad());
  auto isNegative = [](int64_t size) { return size < 0; };
  if (!low || !high ||
      (llvm::none_of(*low, isNegative) && llvm::none_of(*high, isNegative)))
    return;
  rewriter.setInsertionPoint(op);
  auto from = op.getSourceType();
  SmallVector<OpFoldResult> offsets, sizes, strides, lows, highs;
  for (auto [size, below, above] :
       llvm::zip_equal(from.getShape(), *low, *high)) {
    int64_t first = std::max<int64_t>(0, -below);
    int64_t left = size - first - std::max<int64_t>(0, -above);
    // Nothing of the source is left: the result is padding.
    if (left < 1)
      return replaceByPadding(rewriter, op);
    offsets.push_back(rewriter.getIndexAttr(first));
    sizes.push_back(rewriter.getIndexAttr(left));
    strides.push_back(rewriter.getIndexAttr(1));
    lows.push_back(rewriter.getIndexAttr(std::max<int64_t>(0, below)));
    highs.push_back(rewriter.getIndexAttr(std::max<int64_t>(0, above)));
  }
  Value cut = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), op.getSource(), offsets, sizes, strides);
  // The cut alone may be all.
  if (cut.getType() == op.getResultType())
    return rewriter.replaceOp(op, cut);
  auto pad = tensor::PadOp::create(rewriter, op.getLoc(), op.getResultType(),
                                   cut, lows, highs, op.getNofold());
  pad.getRegion().takeBody(op.getRegion());
  rewriter.replaceOp(op, pad.getResult());
}

// Nested ops, such as loops that were not unrolled, stay as they are
// for the error that names them.
void fromlinalg::writeIndexedAsNests(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::InsertOp,
            tensor::GatherOp, tensor::ScatterOp, tensor::PadOp>(op) &&
        isa<func::FuncOp>(op->getParentOp()) && isStatic(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : ops) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      readSlice(rewriter, slice);
    else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      writeSlice(rewriter, slice);
    else if (auto insert = dyn_cast<tensor::InsertOp>(op))
      writeElement(rewriter, insert);
    else if (auto gather = dyn_cast<tensor::GatherOp>(op))
      readGather(rewriter, gather);
    else if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
      writeScatter(rewriter, scatter);
    else
      cutPadding(rewriter, cast<tensor::PadOp>(op));
  }
}
