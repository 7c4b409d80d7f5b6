// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of structured ops with dynamic sizes.
#include "../Inference/SourceShapes.h"
#include "Gaudi/Conversion/LinalgExt.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gaudi;

void VariantBuilder::setUnmarked(Value result,
                                 llvm::function_ref<bool(int64_t)> isUntold) {
  SmallVector<int64_t> missing;
  for (auto [dim, size] : llvm::enumerate(shapes.shape(result)))
    if (isDynamic(size) && isUntold(dim))
      missing.push_back(dim);
  if (!missing.empty())
    unmarked[result] = missing;
}

bool VariantBuilder::isUnmarked(Value value, int64_t dim) const {
  auto it = unmarked.find(value);
  return it != unmarked.end() && llvm::is_contained(it->second, dim);
}

/// The loops whose number of iterations an operand tells: the extent along
/// them reaches the result. A sum of counters (of a window) tells none.
static void addToldLoops(ArrayRef<AffineExpr> indices,
                         llvm::function_ref<bool(int64_t)> isUnmarked,
                         llvm::SmallBitVector &told,
                         llvm::SmallBitVector &windows) {
  for (auto [dim, expr] : llvm::enumerate(indices)) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (!isUnmarked(dim))
        told.set(loop.getPosition());
      continue;
    }
    expr.walk([&](AffineExpr part) {
      if (auto loop = dyn_cast<AffineDimExpr>(part))
        windows.set(loop.getPosition());
    });
  }
}

/// The tensor whose elements an op without inputs reads at the counters and
/// yields, as torch-mlir writes an expand that changes nothing.
std::optional<Value> VariantBuilder::forwarded(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 0 || op->getNumResults() != 1)
    return std::nullopt;
  auto extract = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != op.getBlock() ||
      !op.getIndexingMapsArray().front().isIdentity() ||
      shapes.shape(extract.getTensor()) != shapes.shape(op->getResult(0)))
    return std::nullopt;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
    if (countedLoop(index, shapes) != std::optional<int64_t>(dim))
      return std::nullopt;
  return marked(extract.getTensor());
}

/// True if the body reads a tensor at positions that are data. What pads the
/// loops must be known then: its positions are any.
static bool readsAtData(linalg::LinalgOp op, const SymbolicShapes &shapes) {
  return op
      ->walk([&](tensor::ExtractOp extract) {
        return llvm::all_of(extract.getIndices(),
                            [&](Value index) {
                              return shapes.isKnown(index) ||
                                     countedLoop(index, shapes) ||
                                     isOfSizes(index, shapes,
                                               /*withCounters=*/true);
                            })
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

LogicalResult VariantBuilder::cloneStructured(linalg::LinalgOp op) {
  if (std::optional<Value> same = forwarded(op))
    return finish(op, {*same});
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  // Loops of which an operand tells the extent, and those that are windows.
  llvm::SmallBitVector told(op.getNumLoops()), windows(op.getNumLoops());
  const bool marksAll = readsAtData(op, shapes);
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    const Value value = operand.get();
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    const bool isInput = op.isDpsInput(&operand);
    // Along a parallel loop padding stays padding, whatever the operand holds
    // there; what is reduced must have an extent.
    bool needsMarker = false;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      const bool isParallel =
          isa<AffineConstantExpr>(expr) ||
          (loop && kinds[loop.getPosition()] == utils::IteratorType::parallel);
      needsMarker |=
          isInput && (marksAll || !isParallel) && isUnmarked(value, dim);
    }
    operands.push_back(needsMarker ? marked(value) : data(value));
    // An initial value that reductions start at says no more than the result.
    if (!isInput && (op.getNumReductionLoops() > 0 ||
                     !op.payloadUsesValueFromOperand(&operand)))
      continue;
    addToldLoops(
        map.getResults(),
        [&](int64_t dim) { return !needsMarker && isUnmarked(value, dim); },
        told, windows);
  }
  // So does a tensor that the body reads at the counters.
  op->walk([&](tensor::ExtractOp extract) {
    SmallVector<AffineExpr> indices;
    for (Value index : extract.getIndices()) {
      auto loop = countedLoop(index, shapes);
      indices.push_back(loop ? b.getAffineDimExpr(*loop)
                             : b.getAffineConstantExpr(0));
    }
    const SizeList dims = shapes.shape(extract.getTensor()),
                   loops = loopSizes(op, shapes);
    for (auto [index, size] : llvm::zip_equal(indices, dims))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && loops[loop.getPosition()] != size)
        index = b.getAffineConstantExpr(0);
    addToldLoops(indices, [](int64_t) { return false; }, told, windows);
  });
  FailureOr<Operation *> clone = cloneWith(op, operands);
  if (failed(clone))
    return failure();
  SmallVector<Value> results((*clone)->getResults());
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    OpOperand *init = op.getDpsInitOperand(number);
    const AffineMap map = op.getMatchingIndexingMap(init);
    auto loopOf = [&](int64_t dim) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
      return loop ? int64_t(loop.getPosition()) : -1;
    };
    SmallVector<int64_t> positions;
    SizeList extents;
    const SizeList dims = shapes.shape(result);
    for (auto [dim, size] : llvm::enumerate(dims))
      if (const int64_t loop = loopOf(dim); loop >= 0 && isDynamic(size) &&
                                            windows.test(loop) &&
                                            !told.test(loop)) {
        positions.push_back(dim);
        extents.push_back(size);
      }
    results[number] = markDims(results[number], positions, extents);
    setUnmarked(result, [&](int64_t dim) {
      const int64_t loop = loopOf(dim);
      return loop < 0 || (!told.test(loop) && !windows.test(loop));
    });
  }
  return finish(op, results);
}

/// Whole tiles of what is padded. The last real one is filled up with the
/// padding value, as that of the source is.
LogicalResult VariantBuilder::clonePack(linalg::PackOp op) {
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  const SizeList from = shapes.shape(op.getSource()),
                 tiles = mixedSizes(op.getMixedTiles(), shapes);
  Value value = marked(op.getSource());
  SizeList masked(from.size(), sizes.constant(0));
  SmallVector<OpFoldResult> fixed;
  for (auto [dim, tile] : llvm::zip_equal(op.getInnerDimsPos(), tiles)) {
    auto number = dyn_cast_or_null<AffineConstantExpr>(tile);
    if (!number || number.getValue() < 1)
      return op->emitError("the tile of dimension ")
             << dim << " is not a constant";
    fixed.push_back(b.getIndexAttr(number.getValue()));
    // Padded to whole tiles, of which the last may be partial in real sizes.
    if (!isDynamic(from[dim]))
      continue;
    value =
        extend(value, dim, llvm::alignTo(padded(from[dim]), number.getValue()));
    masked[dim] = from[dim];
  }
  std::optional<Value> filler;
  auto whole = cast<RankedTensorType>(value.getType());
  // Without a padding value the op fills nothing up.
  if (Value padding = op.getPaddingValue()) {
    filler = data(padding);
    if (Value isReal = realElements(whole, masked)) {
      Value filled = tensor::SplatOp::create(b, op.getLoc(), *filler, whole);
      value = writer(isReal).select(isReal, value, filled);
    }
  }
  auto tensor = cast<RankedTensorType>(*type);
  Value into = tensor::EmptyOp::create(b, op.getLoc(), tensor.getShape(),
                                       tensor.getElementType());
  auto pack =
      linalg::PackOp::create(b, op.getLoc(), value, into, op.getInnerDimsPos(),
                             fixed, filler, op.getOuterDimsPerm());
  return finish(op,
                {markAll(pack->getResult(0), shapes.shape(op->getResult(0)))});
}

LogicalResult VariantBuilder::cloneUnpack(linalg::UnPackOp op) {
  FailureOr<Type> type = staticType(op->getResult(0), op);
  if (failed(type))
    return failure();
  SmallVector<OpFoldResult> fixed;
  for (AffineExpr tile : mixedSizes(op.getMixedTiles(), shapes)) {
    auto number = dyn_cast_or_null<AffineConstantExpr>(tile);
    if (!number)
      return op->emitError("one of its tiles is not a constant");
    fixed.push_back(b.getIndexAttr(number.getValue()));
  }
  auto tensor = cast<RankedTensorType>(*type);
  Value into = tensor::EmptyOp::create(b, op.getLoc(), tensor.getShape(),
                                       tensor.getElementType());
  auto unpack = linalg::UnPackOp::create(b, op.getLoc(), marked(op.getSource()),
                                         into, op.getInnerDimsPos(), fixed,
                                         op.getOuterDimsPerm());
  return finish(
      op, {markAll(unpack->getResult(0), shapes.shape(op->getResult(0)))});
}

/// Ops of torch-mlir and IREE: destinations that are written only need no
/// marker.
LogicalResult VariantBuilder::cloneLinalgExt(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(operand.getDefiningOp<tensor::EmptyOp>() ||
                               operand.getDefiningOp<linalg::FillOp>()
                           ? data(operand)
                           : marked(operand));
  return cloneAs(op, operands);
}

/// A select that is the counter of a loop within the bounds.
bool VariantBuilder::cloneCounter(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || isa<ShapedType>(select.getType()) ||
      !op->getParentOfType<linalg::LinalgOp>())
    return false;
  std::optional<int64_t> loop = countedLoop(select.getResult(), shapes);
  if (!loop)
    return false;
  Value counter = linalg::IndexOp::create(b, op->getLoc(), *loop);
  if (!select.getType().isIndex())
    counter =
        arith::IndexCastOp::create(b, op->getLoc(), select.getType(), counter);
  map.map(select.getResult(), counter);
  return true;
}
