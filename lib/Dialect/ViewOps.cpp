// Constants and views: verifiers, layouts, folders.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::gaudi;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource && !isa<DenseElementsAttr>(getValue()))
    return emitOpError("value must be a dense or dense_resource attribute");
  if (resource) {
    // A resource without its blob names weights that are not in the file.
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return emitOpError("refers to resource '")
             << resource.getRawHandle().getKey()
             << "', whose data is not in the file; pass the tensor as an "
                "argument instead";
    int64_t bits = getType().getElementTypeBitWidth();
    int64_t bytes = bits == 1 ? (getType().getNumElements() + 7) / 8
                              : getType().getNumElements() * bits / 8;
    if (int64_t(blob->getData().size()) != bytes &&
        int64_t(blob->getData().size()) !=
            getType().getNumElements() *
                elementBytes(getType().getElementType()))
      return emitOpError("resource '")
             << resource.getRawHandle().getKey() << "' has "
             << blob->getData().size() << " bytes but " << getType()
             << " needs " << bytes;
  }
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("operand has element type ")
           << from.getElementType() << " but the result has "
           << to.getElementType();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("operand ") << from << " has " << from.getNumElements()
                                   << " elements but the result " << to
                                   << " has " << to.getNumElements();
  return success();
}

Value ReshapeOp::getViewSource(OpResult) { return getOperand(); }

std::optional<StridedLayout>
ReshapeOp::getViewLayout(OpResult, const StridedLayout &source) {
  auto strides = reshapeStrides(tensorType(getOperand()).getShape(),
                                source.strides, getType().getShape());
  if (!strides)
    return std::nullopt;
  return StridedLayout{source.offset, *strides};
}

/// Reshapes, broadcasts or slices of a splat are splats.
static OpFoldResult foldSplat(Attribute operand, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(operand);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto splat = foldSplat(adaptor.getOperand(), getType()))
    return splat;
  if (!getType().hasStaticShape())
    return {};
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand()))
    return dense.reshape(getType());
  if (auto resource =
          dyn_cast_or_null<DenseResourceElementsAttr>(adaptor.getOperand()))
    return DenseResourceElementsAttr::get(getType(), resource.getRawHandle());
  return {};
}

namespace {
/// reshape(reshape(x)) reads x directly.
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    Location loc = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    auto merged =
        ReshapeOp::create(rewriter, loc, op.getType(), inner.getOperand());
    rewriter.replaceOp(op, merged);
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes>(context);
}

//===----------------------------------------------------------------------===//
// Bitcast
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getShape() != to.getShape())
    return emitOpError("operand has type ")
           << from << " but the result has type " << to
           << "; expected equal shapes";
  if (from.getElementTypeBitWidth() != to.getElementTypeBitWidth())
    return emitOpError("operand elements have ")
           << from.getElementTypeBitWidth() << " bits but the result's have "
           << to.getElementTypeBitWidth();
  return success();
}

Value BitcastOp::getViewSource(OpResult) { return getOperand(); }

std::optional<StridedLayout>
BitcastOp::getViewLayout(OpResult, const StridedLayout &source) {
  return source;
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  int64_t rank = from.getRank();
  if (from.getElementType() != to.getElementType())
    return emitOpError("operand has element type ")
           << from.getElementType() << " but the result has "
           << to.getElementType();
  if (to.getRank() != rank || int64_t(getOffsets().size()) != rank ||
      int64_t(getStrides().size()) != rank)
    return emitOpError("operand has rank ")
           << rank << "; expected as many offsets (got " << getOffsets().size()
           << "), strides (got " << getStrides().size()
           << ") and result dimensions (got " << to.getRank() << ")";
  for (int64_t i = 0; i < rank; ++i) {
    int64_t offset = getOffsets()[i], stride = getStrides()[i];
    if (stride < 1)
      return emitOpError("stride ")
             << i << " is " << stride << "; expected 1 or more";
    if (to.isDynamicDim(i) || from.isDynamicDim(i))
      continue;
    if (!isWindowInside(offset, to.getDimSize(i), stride, from.getDimSize(i)))
      return emitOpError("window of dimension ")
             << i << " runs from " << offset << " to "
             << lastPosition(offset, to.getDimSize(i), stride)
             << ", outside of [0, " << from.getDimSize(i) << ")";
  }
  return success();
}

Value SliceOp::getViewSource(OpResult) { return getOperand(); }

std::optional<StridedLayout>
SliceOp::getViewLayout(OpResult, const StridedLayout &source) {
  StridedLayout layout = source;
  for (size_t i = 0; i < layout.strides.size(); ++i) {
    layout.offset += getOffsets()[i] * source.strides[i];
    layout.strides[i] = source.strides[i] * getStrides()[i];
  }
  return layout;
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return foldSplat(adaptor.getOperand(), getType());
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::verify() {
  auto from = tensorType(getOperand());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= from.getRank())
    return emitOpError("axis ")
           << axis << " is outside of [0, " << from.getRank() << ")";
  if (getNumResults() == 0)
    return emitOpError("must have a result");
  int64_t total = 0;
  for (auto [i, result] : llvm::enumerate(getResults())) {
    auto to = tensorType(result);
    bool same = to.getRank() == from.getRank() &&
                to.getElementType() == from.getElementType();
    for (int64_t d = 0; same && d < from.getRank(); ++d)
      same = d == axis || to.getDimSize(d) == from.getDimSize(d);
    if (!same)
      return emitOpError("result ")
             << i << " has type " << to << " but the operand has type " << from
             << "; only dimension " << axis << " may differ";
    total += to.getDimSize(axis);
  }
  if (total != from.getDimSize(axis))
    return emitOpError("results have ")
           << total << " elements along axis " << axis
           << " but the operand has " << from.getDimSize(axis);
  return success();
}

Value SplitOp::getViewSource(OpResult) { return getOperand(); }

std::optional<StridedLayout>
SplitOp::getViewLayout(OpResult result, const StridedLayout &source) {
  StridedLayout layout = source;
  for (unsigned i = 0; i < result.getResultNumber(); ++i)
    layout.offset += tensorType(getResult(i)).getDimSize(getAxis()) *
                     source.strides[getAxis()];
  return layout;
}
