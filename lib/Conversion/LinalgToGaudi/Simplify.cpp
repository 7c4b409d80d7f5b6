// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of what front ends write around the types of the device:
// comparisons in f64, tensors that forget their sizes for one op, buffers, and
// nests that write a window of their result.
#include "../Common/Table.h"
#include "Nest.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;
using arith::CmpFPredicate;

namespace {

/// A comparison with a number.
struct Comparison {
  CmpFPredicate predicate;
  APFloat number;
};

} // namespace

/// A comparison in `type` that answers for all its values as `wide` does. If
/// `type` does not have the number c, it lies between two neighbours a < c < b:
/// v < c and v <= c are v < b, v > c and v >= c are v > a, and no v equals c.
static Comparison narrowed(const Comparison &wide, FloatType type) {
  Comparison result = wide;
  bool losesInfo = false;
  // a and b are the neighbours of the constant c in the narrow type, a below.
  APFloat &low = result.number;
  low.convert(type.getFloatSemantics(), APFloat::rmTowardNegative, &losesInfo);
  // Exact: the comparison is the same.
  if (!losesInfo || low.isNaN())
    return result;
  switch (wide.predicate) {
  case CmpFPredicate::OGE:
    result.predicate = CmpFPredicate::OGT;
    break;
  case CmpFPredicate::UGE:
    result.predicate = CmpFPredicate::UGT;
    break;
  case CmpFPredicate::OLT:
  case CmpFPredicate::OLE:
    result.predicate = CmpFPredicate::OLT;
    low.next(/*nextDown=*/false);
    break;
  case CmpFPredicate::ULT:
  case CmpFPredicate::ULE:
    result.predicate = CmpFPredicate::ULT;
    low.next(/*nextDown=*/false);
    break;
  case CmpFPredicate::OEQ: // no value is equal
    result.predicate = CmpFPredicate::AlwaysFalse;
    break;
  case CmpFPredicate::UEQ:
    result.predicate = CmpFPredicate::UNO;
    break;
  case CmpFPredicate::UNE:
    result.predicate = CmpFPredicate::AlwaysTrue;
    break;
  case CmpFPredicate::ONE:
    result.predicate = CmpFPredicate::ORD;
    break;
  default: // greater; or the number does not matter
    break;
  }
  return result;
}

namespace {

/// The predicate of the same comparison with its sides exchanged.
CmpFPredicate turned(CmpFPredicate predicate) {
  using P = CmpFPredicate;
  static constexpr std::pair<P, P> table[] = {
      {P::OLT, P::OGT}, {P::OLE, P::OGE}, {P::OGT, P::OLT}, {P::OGE, P::OLE},
      {P::ULT, P::UGT}, {P::ULE, P::UGE}, {P::UGT, P::ULT}, {P::UGE, P::ULE}};
  return lookup(table, predicate).value_or(predicate); // the others: symmetric
}

/// A comparison of values that were widened to f64 is one of the values:
/// widening is exact, keeps the order, and keeps NaN unordered.
struct NarrowComparison : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<arith::ExtFOp>();
    if (!op.getLhs().getType().isF64())
      return failure();
    // The widened value goes to the left.
    if (!lhs && op.getRhs().getDefiningOp<arith::ExtFOp>()) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, turned(op.getPredicate()),
                                                 op.getRhs(), op.getLhs(),
                                                 op.getFastmath());
      return success();
    }
    if (!lhs)
      return failure();
    Value value = lhs.getIn();
    auto type = dyn_cast<FloatType>(value.getType());
    if (!type || !(type.isF32() || type.isBF16() || type.isF16()))
      return failure();
    // Both widened from one type: order does not change.
    if (auto rhs = op.getRhs().getDefiningOp<arith::ExtFOp>()) {
      if (rhs.getIn().getType() != type)
        return failure();
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(), value,
                                                 rhs.getIn(), op.getFastmath());
      return success();
    }
    FloatAttr number;
    if (!matchPattern(op.getRhs(), m_Constant(&number)))
      return failure();
    Comparison same = narrowed({op.getPredicate(), number.getValue()}, type);
    bool always = same.predicate == CmpFPredicate::AlwaysTrue;
    if (always || same.predicate == CmpFPredicate::AlwaysFalse) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, rewriter.getBoolAttr(always));
      return success();
    }
    Value narrow = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             FloatAttr::get(type, same.number));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, same.predicate, value,
                                               narrow, op.getFastmath());
    return success();
  }
};

/// Operands of a concatenation whose sizes were cast away get them back, and
/// those without elements go.
struct StaticConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(op.getInputs());
    bool isChanged = false;
    for (Value &operand : operands) {
      auto cast = operand.getDefiningOp<tensor::CastOp>();
      if (!cast || !tensor::canFoldIntoConsumerOp(cast))
        continue;
      operand = cast.getSource();
      isChanged = true;
    }
    auto adds = [](Value operand) {
      auto type = tensorType(operand);
      return !llvm::is_contained(type.getShape(), 0);
    };
    // All empty: one must stay for the result to have a type.
    if (llvm::any_of(operands, adds) && !llvm::all_of(operands, adds)) {
      llvm::erase_if(operands, [&](Value operand) { return !adds(operand); });
      isChanged = true;
    }
    if (!isChanged)
      return failure();
    auto type =
        tensor::ConcatOp::inferResultType(op.getDim(), TypeRange(operands));
    if (!type.hasStaticShape() && op.getType().hasStaticShape())
      return failure(); // sizes would get lost
    Value whole =
        tensor::ConcatOp::create(rewriter, op.getLoc(), op.getDim(), operands);
    if (whole.getType() != op.getType())
      whole =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), whole);
    rewriter.replaceOp(op, whole);
    return success();
  }
};

/// A new tensor has undefined contents, or those of another one.
struct TensorOfAllocation : OpRewritePattern<bufferization::AllocTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::AllocTensorOp op,
                                PatternRewriter &rewriter) const override {
    if (Value copy = op.getCopy()) {
      if (copy.getType() != op.getType())
        return failure();
      rewriter.replaceOp(op, copy);
      return success();
    }
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !type.hasStaticShape())
      return failure();
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(),
                                                 type.getElementType());
    return success();
  }
};

/// A buffer that is only read as a tensor again is the tensor it was made of.
struct TensorOfBuffer : OpRewritePattern<bufferization::ToTensorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::ToTensorOp op,
                                PatternRewriter &rewriter) const override {
    auto buffer = op.getBuffer().getDefiningOp<bufferization::ToBufferOp>();
    if (!buffer || buffer.getTensor().getType() != op.getType() ||
        !llvm::all_of(buffer->getUsers(), [](Operation *user) {
          return isa<bufferization::ToTensorOp>(user);
        }))
      return failure();
    rewriter.replaceOp(op, buffer.getTensor());
    return success();
  }
};

/// A tensor that is written into another one is what that holds then.
struct SourceOfMaterialization
    : OpRewritePattern<bufferization::MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(bufferization::MaterializeInDestinationOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 ||
        op.getSource().getType() != op.getResult().getType())
      return failure();
    rewriter.replaceOp(op, op.getSource());
    return success();
  }
};

/// The loop dimension and the offset of `d` or `d + c`, c >= 0.
std::optional<std::pair<unsigned, int64_t>> shiftedDim(AffineExpr expr) {
  int64_t offset = 0;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      sum && sum.getKind() == AffineExprKind::Add) {
    auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!constant || constant.getValue() < 0)
      return std::nullopt;
    offset = constant.getValue();
    expr = sum.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim)
    return std::nullopt;
  return std::pair(dim.getPosition(), offset);
}

/// A nest that writes its result from an offset on (a padding, as PlaidML
/// writes it) computes that window, which is inserted into the init operand.
struct WindowOfResult : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInits() != 1 || op->getNumResults() != 1 || !isStatic(op))
      return failure();
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<AffineExpr> dims;
    bool isShifted = false;
    for (AffineExpr expr : map.getResults()) {
      auto dim = shiftedDim(expr);
      // Other expressions write no window.
      if (!dim)
        return failure();
      isShifted |= dim->second != 0;
      dims.push_back(rewriter.getAffineDimExpr(dim->first));
      offsets.push_back(rewriter.getIndexAttr(dim->second));
      sizes.push_back(rewriter.getIndexAttr(extents[dim->first]));
      strides.push_back(rewriter.getIndexAttr(1));
    }
    // Without a shift the nest is as others expect it.
    if (!isShifted)
      return failure();
    Value whole = op.getDpsInits().front();
    Value window = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), whole,
                                                  offsets, sizes, strides);
    // The nest writes a tensor of the window's size, which is inserted.
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.back() =
        AffineMap::get(map.getNumDims(), 0, dims, rewriter.getContext());
    auto nest = linalg::GenericOp::create(
        rewriter, op.getLoc(), TypeRange(window.getType()), op.getInputs(),
        ValueRange(window), maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), nest.getRegion(),
                                nest.getRegion().end());
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, nest.getResult(0), whole, offsets, sizes, strides);
    return success();
  }
};

/// The floor of a quotient of integers in f64, as torch-mlir divides them: as
/// integers. Below 2^53 both give one number, since a quotient that is not
/// whole is too far from the next whole number to be rounded to it; above, the
/// integers are exact.
struct FloorOfQuotient : OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op,
                                PatternRewriter &rewriter) const override {
    auto floor = op.getIn().getDefiningOp<math::FloorOp>();
    auto quotient =
        floor ? floor.getOperand().getDefiningOp<arith::DivFOp>() : nullptr;
    if (!quotient || !quotient.getType().isF64())
      return failure();
    auto lhs = quotient.getLhs().getDefiningOp<arith::SIToFPOp>();
    auto rhs = quotient.getRhs().getDefiningOp<arith::SIToFPOp>();
    if (!lhs || !rhs || lhs.getIn().getType() != op.getType() ||
        rhs.getIn().getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, lhs.getIn(),
                                                     rhs.getIn());
    return success();
  }
};

/// Sums of products in i64 of which only the low 32 bits are read, as
/// torch-mlir multiplies integers: sums in i32, since the operands are i32.
template <typename Product> struct TruncatedSums : OpRewritePattern<Product> {
  using OpRewritePattern<Product>::OpRewritePattern;

  LogicalResult matchAndRewrite(Product op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->use_empty() || !isStatic(op))
      return failure();
    auto isInteger = [](Value value, unsigned width) {
      return getElementTypeOrSelf(value).isSignlessInteger(width);
    };
    Value sums = op->getResult(0), init = op.getDpsInits().front();
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!isInteger(sums, 64) || !fill ||
        !matchPattern(fill.getInputs().front(), m_Zero()) ||
        !llvm::all_of(op.getInputs(),
                      [&](Value value) { return isInteger(value, 32); }) ||
        !llvm::all_of(op->getUsers(), isTruncation))
      return failure();
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(i32));
    Value empty = tensor::EmptyOp::create(rewriter, loc,
                                          tensorType(sums).getShape(), i32);
    Value zeros = linalg::FillOp::create(rewriter, loc, ValueRange(zero),
                                         ValueRange(empty))
                      .getResult(0);
    auto narrow = Product::create(rewriter, loc, TypeRange(empty.getType()),
                                  op.getInputs(), ValueRange(zeros));
    // How operands are transposed and broadcast. How they are extended does not
    // show in the low bits.
    narrow.setIndexingMapsAttr(op.getIndexingMapsAttr());
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      rewriter.replaceOp(user, narrow->getResults());
    rewriter.eraseOp(op);
    return success();
  }

  /// Every element to i32, in place.
  static bool isTruncation(Operation *user) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    if (!generic || generic->getNumResults() != 1 ||
        generic.getNumDpsInputs() != 1 ||
        generic.getNumParallelLoops() != generic.getNumLoops() ||
        !llvm::all_of(generic.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) ||
        !getElementTypeOrSelf(generic.getResult(0)).isSignlessInteger(32))
      return false;
    Block &body = *generic.getBody();
    auto truncation = dyn_cast<arith::TruncIOp>(body.front());
    return truncation && truncation.getIn() == body.getArgument(0) &&
           body.getTerminator()->getOperand(0) == truncation.getResult();
  }
};

} // namespace

void fromlinalg::populateSimplifications(RewritePatternSet &patterns) {
  patterns.add<FloorOfQuotient, NarrowComparison, StaticConcat,
               TensorOfAllocation, TensorOfBuffer, SourceOfMaterialization,
               WindowOfResult, TruncatedSums<linalg::MatmulOp>,
               TruncatedSums<linalg::BatchMatmulOp>>(patterns.getContext());
  // What upstream makes of every tosa.rescale, in bodies.
  tosa::populateTosaRescaleToArithConversionPatterns(&patterns);
}
