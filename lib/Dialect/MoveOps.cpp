// Data movement: verifiers and folders.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::gaudi;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Splats stay splats under any movement.
static OpFoldResult foldSplat(Attribute operand, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(operand);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  auto permutation = getPermutation();
  int64_t rank = from.getRank();
  if (from.getElementType() != to.getElementType())
    return emitOpError("operand has element type ")
           << from.getElementType() << " but the result has "
           << to.getElementType();
  if (int64_t(permutation.size()) != rank || to.getRank() != rank ||
      !isPermutationVector(permutation))
    return emitOpError("permutation [") << permutation << "] is not one of the "
                                        << rank << " dimensions of the operand";
  for (int64_t i = 0; i < rank; ++i)
    if (to.getDimSize(i) != from.getDimSize(permutation[i]))
      return emitOpError("result dimension ")
             << i << " has size " << to.getDimSize(i)
             << " but operand dimension " << permutation[i] << " has size "
             << from.getDimSize(permutation[i]);
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(llvm::enumerate(getPermutation()), [](auto entry) {
        return int64_t(entry.index()) == entry.value();
      }))
    return getOperand();
  return foldSplat(adaptor.getOperand(), getType());
}

namespace {
/// transpose(transpose(x)) is one transpose, or none.
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> merged;
    for (int64_t dim : op.getPermutation())
      merged.push_back(inner.getPermutation()[dim]);
    Location loc = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    rewriter.replaceOp(op, TransposeOp::create(rewriter, loc, op.getType(),
                                               inner.getOperand(), merged));
    return success();
  }
};

/// A transpose that only moves unit dimensions keeps the order of the bytes.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    int64_t last = -1;
    for (int64_t dim : op.getPermutation()) {
      if (tensorType(op.getOperand()).getDimSize(dim) == 1)
        continue;
      if (dim < last)
        return failure();
      last = dim;
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeTransposes, TransposeToReshape>(context);
}

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("operand has element type ")
           << from.getElementType() << " but the result has "
           << to.getElementType();
  if (int64_t(getDims().size()) != from.getRank())
    return emitOpError("has ")
           << getDims().size() << " dims but the operand has rank "
           << from.getRank();
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= last || dim >= to.getRank())
      return emitOpError("dims [")
             << getDims() << "] must ascend within [0, " << to.getRank() << ")";
    last = dim;
    if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(dim))
      return emitOpError("operand dimension ")
             << i << " has size " << from.getDimSize(i)
             << " but result dimension " << dim << " has size "
             << to.getDimSize(dim);
  }
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return foldSplat(adaptor.getOperand(), getType());
}

//===----------------------------------------------------------------------===//
// Fill
//===----------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  if (getValue().getType() != getType().getElementType())
    return emitOpError("value has type ")
           << getValue().getType() << " but the result has element type "
           << getType().getElementType();
  return success();
}

OpFoldResult FillOp::fold(FoldAdaptor) {
  if (!getType().hasStaticShape())
    return {};
  return DenseElementsAttr::get(cast<ShapedType>(getType()),
                                Attribute(getValue()));
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::verify() {
  auto to = getType();
  int64_t axis = getAxis();
  if (getOperands().empty())
    return emitOpError("must have an operand");
  if (axis < 0 || axis >= to.getRank())
    return emitOpError("axis ")
           << axis << " is outside of [0, " << to.getRank() << ")";
  int64_t total = 0;
  for (auto [i, operand] : llvm::enumerate(getOperands())) {
    auto from = tensorType(operand);
    bool same = to.getRank() == from.getRank() &&
                to.getElementType() == from.getElementType();
    for (int64_t d = 0; same && d < from.getRank(); ++d)
      same = d == axis || to.getDimSize(d) == from.getDimSize(d);
    if (!same)
      return emitOpError("operand ")
             << i << " has type " << from << " but the result has type " << to
             << "; only dimension " << axis << " may differ";
    total += from.getDimSize(axis);
  }
  if (total != to.getDimSize(axis))
    return emitOpError("operands have ")
           << total << " elements along axis " << axis << " but the result has "
           << to.getDimSize(axis);
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getNumOperands() == 1)
    return getOperand(0);
  return {};
}

//===----------------------------------------------------------------------===//
// InsertSlice
//===----------------------------------------------------------------------===//

LogicalResult InsertSliceOp::verify() {
  auto source = tensorType(getSource()), dest = tensorType(getDest());
  int64_t rank = dest.getRank();
  if (source.getElementType() != dest.getElementType())
    return emitOpError("source has element type ")
           << source.getElementType() << " but dest has "
           << dest.getElementType();
  if (source.getRank() != rank || int64_t(getOffsets().size()) != rank ||
      int64_t(getStrides().size()) != rank)
    return emitOpError("dest has rank ")
           << rank << "; expected as many offsets (got " << getOffsets().size()
           << "), strides (got " << getStrides().size()
           << ") and source dimensions (got " << source.getRank() << ")";
  for (int64_t i = 0; i < rank; ++i) {
    int64_t offset = getOffsets()[i], stride = getStrides()[i];
    if (stride < 1)
      return emitOpError("stride ")
             << i << " is " << stride << "; expected 1 or more";
    if (!isWindowInside(offset, source.getDimSize(i), stride,
                        dest.getDimSize(i)))
      return emitOpError("window of dimension ")
             << i << " runs from " << offset << " to "
             << lastPosition(offset, source.getDimSize(i), stride)
             << ", outside of [0, " << dest.getDimSize(i) << ")";
  }
  return success();
}

OpFoldResult InsertSliceOp::fold(FoldAdaptor) {
  // A window that covers everything leaves nothing of dest.
  if (getSource().getType() == getType())
    return getSource();
  return {};
}
