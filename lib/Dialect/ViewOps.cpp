// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and views: verifiers, layouts, folders.
#include "Checks.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  return success(ConstantValues::of(getValue(), [&] {
                   return emitOpError();
                 }).has_value());
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return failAt(emitOpError("operand ")
                      << from << " has " << from.getNumElements()
                      << " elements but the result " << to << " has "
                      << to.getNumElements(),
                  getOperand(), "operand");
  return success();
}

IndexMap ReshapeOp::getIndexMap(OpResult) { return std::nullopt; }

std::optional<StridedLayout>
ReshapeOp::getViewLayout(OpResult, const StridedLayout &source) {
  auto strides = reshapeStrides(tensorType(getOperand()).getShape(),
                                source.strides, getType().getShape());
  if (!strides)
    return std::nullopt;
  return StridedLayout{source.offset, *strides};
}

// Elements stay in row-major order, so a constant keeps its bytes and gets
// another type; a resource shares its blob.
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (haveOneStaticType(getOperand(), getResult()))
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
/// reshape(reshape(x)) is one reshape.
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

/// reshape(broadcast(x)) is broadcast(reshape(x)) where no dimension of the
/// result mixes elements of x with repetitions. Readers see a broadcast then,
/// which they read through their index maps, and nothing is copied.
struct ReshapeBeforeBroadcast : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
    RankedTensorType to = op.getType();
    if (!inner || !to.hasStaticShape() || to.getNumElements() == 0)
      return failure();
    RankedTensorType from = tensorType(inner.getOperand());
    if (!from.hasStaticShape())
      return failure();
    // The strides at which the broadcast reads x: 0 where it repeats. If the
    // reshape has strides too, its dimensions with one other than 0 must be
    // those of x in row-major order.
    SmallVector<int64_t> strides(inner.getType().getRank(), 0);
    for (auto [dim, size, stride] : llvm::zip_equal(
             inner.getDims(), from.getShape(), computeStrides(from.getShape())))
      strides[dim] = size == 1 ? 0 : stride;
    auto reshaped =
        reshapeStrides(inner.getType().getShape(), strides, to.getShape());
    if (!reshaped)
      return failure();
    SmallVector<int64_t> dims, sizes;
    for (auto [dim, stride] : llvm::enumerate(*reshaped))
      if (stride != 0 && to.getDimSize(dim) != 1) {
        dims.push_back(dim);
        sizes.push_back(to.getDimSize(dim));
      }
    SmallVector<int64_t> rowMajor = computeStrides(sizes);
    for (auto [dim, stride] : llvm::zip_equal(dims, rowMajor))
      if ((*reshaped)[dim] != stride)
        return failure();
    assert(ShapedType::getNumElements(sizes) == from.getNumElements() &&
           "strides that differ from 0 reach every element of x");
    Value source = rewriter.createOrFold<ReshapeOp>(
        op.getLoc(), RankedTensorType::get(sizes, to.getElementType()),
        inner.getOperand());
    Location loc = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    rewriter.replaceOp(op,
                       BroadcastOp::create(rewriter, loc, to, source, dims));
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes, ReshapeBeforeBroadcast>(context);
}

//===----------------------------------------------------------------------===//
// Bitcast
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getShape() != to.getShape())
    return failAt(emitOpError("operand has type ")
                      << from << " but the result has type " << to
                      << "; expected equal shapes",
                  getOperand(), "operand");
  if (from.getElementTypeBitWidth() != to.getElementTypeBitWidth())
    return failAt(emitOpError("operand elements have ")
                      << from.getElementTypeBitWidth()
                      << " bits but the result's have "
                      << to.getElementTypeBitWidth(),
                  getOperand(), "operand");
  return success();
}

IndexMap BitcastOp::getIndexMap(OpResult) {
  return identityMap(getType().getRank());
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
  return verifyStridedWindow(*this, getOperand(), getResult(), getOffsets(),
                             getStrides(), "operand", "result");
}

IndexMap SliceOp::getIndexMap(OpResult) {
  SmallVector<StridedIndex> map = identityMap(getType().getRank());
  for (auto [index, size, offset, stride] :
       llvm::zip_equal(map, getType().getShape(), getOffsets(), getStrides())) {
    index.offset = offset;
    // The verifier bounds the stride by the operand's size only where there is
    // a second element; without one, the stride has no effect.
    index.stride = size > 1 ? stride : 1;
  }
  return map;
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (isWholeWindow(getOperand(), getResult(), getOffsets()))
    return getOperand();
  return foldSplat(adaptor.getOperand(), getType());
}

//===----------------------------------------------------------------------===//
// Split
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::verify() {
  return verifyConcatenation(*this, getOperand(), getResults(), getAxis(),
                             "operand", "result");
}

IndexMap SplitOp::getIndexMap(OpResult result) {
  SmallVector<StridedIndex> map =
      identityMap(tensorType(getOperand()).getRank());
  // The slice begins where those of the results before it end.
  for (Value before : getResults().take_front(result.getResultNumber()))
    map[getAxis()].offset += tensorType(before).getDimSize(getAxis());
  return map;
}
