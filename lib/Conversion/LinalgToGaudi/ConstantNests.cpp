// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests in f64 that read no data (positions of a triangle, frequencies of a
// rotary embedding): computed here, in f64, since the device cannot.
#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

/// Larger results would make the recipe grow more than their computation costs.
static constexpr int64_t maxFolded = 1 << 16;

static bool isDouble(Value value) {
  return getElementTypeOrSelf(value.getType()).isF64();
}

/// True if f64 is computed, not only moved by a cast.
static bool computesDouble(linalg::GenericOp op) {
  return llvm::any_of(op->getOperands(), isDouble) ||
         llvm::any_of(op->getResults(), isDouble);
}

namespace {

/// What one point of a nest yields. Folding may change the ops of `body`.
class Point {
public:
  Point(Block *body, ArrayRef<int64_t> position)
      : body(body), position(position) {}

  void set(Value value, Attribute attribute) { values[value] = attribute; }

  /// The attributes of the yielded values, or none if an op does not fold.
  std::optional<SmallVector<Attribute>> evaluate() {
    for (Operation &op : body->without_terminator())
      if (!fold(&op))
        return std::nullopt;
    SmallVector<Attribute> yielded;
    for (Value value : body->getTerminator()->getOperands()) {
      yielded.push_back(attributeOf(value));
      if (!yielded.back())
        return std::nullopt;
    }
    return yielded;
  }

private:
  Attribute attributeOf(Value value) {
    if (auto known = values.find(value); known != values.end())
      return known->second;
    Attribute constant;
    matchPattern(value, m_Constant(&constant));
    return constant;
  }

  bool fold(Operation *op) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      set(op->getResult(0), IntegerAttr::get(IndexType::get(op->getContext()),
                                             position[index.getDim()]));
      return true;
    }
    if (op->getNumRegions() != 0 || op->getNumResults() != 1)
      return false;
    if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
      set(narrow.getOut(), rounded(narrow));
      return bool(values[narrow.getOut()]);
    }
    SmallVector<OpFoldResult> results;
    // The first time may only exchange the operands.
    for (int attempt = 0; attempt < 2 && results.empty(); ++attempt) {
      auto operands = llvm::map_to_vector(
          op->getOperands(), [&](Value value) { return attributeOf(value); });
      if (failed(op->fold(operands, results)))
        return false;
    }
    if (results.size() != 1)
      return false;
    auto attribute = dyn_cast<Attribute>(results.front());
    if (!attribute)
      attribute = attributeOf(cast<Value>(results.front()));
    set(op->getResult(0), attribute);
    return bool(attribute);
  }

  /// Upstream folds only what is exact.
  Attribute rounded(arith::TruncFOp op) {
    auto type = dyn_cast<FloatType>(op.getType());
    auto wide = dyn_cast_or_null<FloatAttr>(attributeOf(op.getIn()));
    return type && wide ? roundedTo(wide, type) : FloatAttr();
  }

  Block *body;
  ArrayRef<int64_t> position;
  DenseMap<Value, Attribute> values;
};

struct FoldDoubleNest : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !isStatic(op) || !computesDouble(op) ||
        op.getNumParallelLoops() != op.getNumLoops())
      return failure();
    // All inputs known, and no accumulator that starts from a tensor's
    // elements.
    SmallVector<DenseElementsAttr> inputs;
    for (Value input : op.getInputs())
      if (!matchPattern(input, m_Constant(&inputs.emplace_back())))
        return failure();
    for (BlockArgument init : op.getRegionOutputArgs())
      if (!init.use_empty())
        return failure();
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    const int64_t points = computeProduct(extents);
    // The evaluation takes time in proportion to the points.
    if (points <= 0 || points > maxFolded ||
        !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation(/*allowZeroInResults=*/true);
        }))
      return failure();
    SmallVector<SmallVector<Attribute>> results(op.getNumResults());
    for (auto [number, result] : llvm::enumerate(results)) {
      auto type = cast<RankedTensorType>(op.getResult(number).getType());
      // Each point stores one element of each result.
      if (type.getNumElements() != points ||
          !type.getElementType().isIntOrFloat())
        return failure();
      result.resize(points);
    }
    // A copy, since evaluation sets arguments of the body.
    OwningOpRef<linalg::GenericOp> copy(op.clone());
    const SmallVector<int64_t> strides = computeStrides(extents);
    for (int64_t at = 0; at < points; ++at) {
      SmallVector<int64_t> position = delinearize(at, strides);
      Point point(copy->getBody(), position);
      for (auto [operand, elements] :
           llvm::zip_equal(op.getDpsInputOperands(), inputs))
        point.set(
            copy->getBody()->getArgument(operand->getOperandNumber()),
            elements.getValues<Attribute>()[placeOf(op, *operand, position)]);
      auto yielded = point.evaluate();
      if (!yielded)
        return failure();
      for (auto [number, value] : llvm::enumerate(*yielded))
        results[number][placeOf(op, *op.getDpsInitOperand(number), position)] =
            value;
    }
    // A map like (d0, d1) -> (d0, 0) leaves elements as they were.
    for (ArrayRef<Attribute> result : results)
      if (llvm::is_contained(result, Attribute()))
        return failure();
    remarkPassed(op, "fold-double",
                 "computed in f64 at compile time: it reads no data");
    SmallVector<Value> constants;
    for (auto [result, elements] : llvm::zip_equal(op.getResults(), results))
      constants.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(cast<ShapedType>(result.getType()),
                                 elements)));
    rewriter.replaceOp(op, constants);
    return success();
  }

private:
  /// The row-major position of the element of `operand` at a point.
  static int64_t placeOf(linalg::GenericOp op, OpOperand &operand,
                         ArrayRef<int64_t> position) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    int64_t place = 0;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      place = place * size + (dim ? position[dim.getPosition()] : 0);
    }
    return place;
  }
};

} // namespace

void fromlinalg::populateConstantNests(RewritePatternSet &patterns) {
  patterns.add<FoldDoubleNest>(patterns.getContext());
}
