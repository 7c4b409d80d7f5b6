// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movement: verifiers and folders.
#include "Checks.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gaudi;

LogicalResult gaudi::verifyPlacement(Operation *op) {
  auto placeable = cast<PlaceableOpInterface>(op);
  Engine engine = cast<EngineOpInterface>(op).getEngine();
  // Only the matrix engine of some devices transposes; none of them copies.
  bool isTranspose = placeable.getMovement() == Movement::Transpose;
  if (engine == Engine::Unplaced || engine == Engine::TPC ||
      engine == Engine::DMA || (isTranspose && engine == Engine::MME))
    return success();
  return op->emitOpError("has engine ")
         << stringifyEngine(engine) << "; expected "
         << (isTranspose ? "mme, tpc or dma" : "tpc or dma");
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  auto permutation = getPermutation();
  int64_t rank = from.getRank();
  if (failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  if (int64_t(permutation.size()) != rank || to.getRank() != rank ||
      !isPermutationVector(permutation))
    return failAt(emitOpError("permutation [")
                      << permutation << "] is not one of the " << rank
                      << " dimensions of the operand",
                  getOperand(), "operand");
  for (int64_t i = 0; i < rank; ++i)
    if (to.getDimSize(i) != from.getDimSize(permutation[i]))
      return failAt(emitOpError("result dimension ")
                        << i << " has size " << to.getDimSize(i)
                        << " but operand dimension " << permutation[i]
                        << " has size " << from.getDimSize(permutation[i]),
                    getOperand(), "operand");
  return success();
}

// The map goes from the result to the operand: the inverse of `permutation`,
// which names the operand's dimension for each of the result.
IndexMap TransposeOp::getIndexMap(OpResult) {
  SmallVector<StridedIndex> map(getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(getPermutation()))
    map[dim].dim = i;
  return map;
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation()))
    return getOperand();
  return foldSplat(adaptor.getOperand(), getType());
}

namespace {
/// transpose(transpose(x)) is one transpose.
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> merged =
        applyPermutation(inner.getPermutation(), op.getPermutation());
    Location loc = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    rewriter.replaceOp(op, TransposeOp::create(rewriter, loc, op.getType(),
                                               inner.getOperand(), merged));
    return success();
  }
};

/// A transpose that only moves unit dimensions keeps the order of the elements.
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
  if (failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  if (int64_t(getDims().size()) != from.getRank())
    return failAt(emitOpError("has ")
                      << getDims().size() << " dims but the operand has rank "
                      << from.getRank(),
                  getOperand(), "operand");
  if (failed(verifyAscending(*this, getDims(), getResult(), "result")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(dim))
      return failAt(emitOpError("operand dimension ")
                        << i << " has size " << from.getDimSize(i)
                        << " but result dimension " << dim << " has size "
                        << to.getDimSize(dim),
                    getOperand(), "operand");
  return success();
}

IndexMap BroadcastOp::getIndexMap(OpResult) {
  SmallVector<StridedIndex> map;
  for (auto [dim, size] :
       llvm::zip_equal(getDims(), tensorType(getOperand()).getShape()))
    map.push_back({size == 1 ? StridedIndex::none : dim});
  return map;
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (haveOneStaticType(getOperand(), getResult()))
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
  return verifyConcatenation(*this, getResult(), getOperands(), getAxis(),
                             "result", "operand");
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
  return verifyStridedWindow(*this, getDest(), getSource(), getOffsets(),
                             getStrides(), "dest", "source");
}

OpFoldResult InsertSliceOp::fold(FoldAdaptor) {
  if (isWholeWindow(getDest(), getSource(), getOffsets()))
    return getSource();
  return {};
}
