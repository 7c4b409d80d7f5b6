// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of training: verifiers, the pads that a pooling gradient takes in.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Checks.h"
#include "Gaudi/Timing/Work.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace gaudi;

/// Elements of a window, and windows around an element, are unrolled in the
/// kernels.
static constexpr int64_t maxUnrolled = 64;
/// Positions in the windows around a block, which have a code each. The result
/// is padded to whole blocks.
static constexpr int64_t maxCodes = 1 << 16;

static int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

Engine PoolGradOp::getEngine() { return Engine::TPC; }

int64_t PoolGradOp::getArithmeticOps() {
  const int64_t steps = getKind() == PoolKind::Sum ? 1 : 2;
  return elementCount(getGradient()) * computeProduct(getKernel()) * steps;
}

// Element q * stride + r is number r + low - t * stride of window q + t, which
// is in [0, kernel) for some r in [0, stride).
static std::pair<int64_t, int64_t> windowsAround(int64_t kernel, int64_t stride,
                                                 int64_t low) {
  return {llvm::divideCeilSigned(low - kernel + 1, stride),
          llvm::divideFloorSigned(stride - 1 + low, stride)};
}

std::pair<int64_t, int64_t> PoolGradOp::getWindowsAround(size_t d) {
  return windowsAround(getKernel()[d], getStrides()[d], getPadLow()[d]);
}

namespace {
/// What the kernels unroll: the elements of a window if one of them is
/// selected, else 1, and the windows around an element. And how many positions
/// have a code.
struct Unrolled {
  int64_t elements = 1, windows = 1, codes = 1;

  Unrolled(PoolKind kind, ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
           ArrayRef<int64_t> padLow) {
    for (auto [size, stride, low] : llvm::zip_equal(kernel, strides, padLow)) {
      auto [first, last] = windowsAround(size, stride, low);
      windows = saturatingProduct(windows, last - first + 1);
      codes = saturatingProduct(codes, (last - first + 1) * stride);
      if (kind != PoolKind::Sum)
        elements = saturatingProduct(elements, size);
    }
  }
};
} // namespace

bool PoolGradOp::isUnrollable(PoolKind kind, ArrayRef<int64_t> kernel,
                              ArrayRef<int64_t> strides,
                              ArrayRef<int64_t> padLow) {
  const Unrolled unrolled(kind, kernel, strides, padLow);
  return unrolled.elements <= maxUnrolled && unrolled.windows <= maxUnrolled &&
         unrolled.codes <= maxCodes;
}

LogicalResult PoolGradOp::verify() {
  const bool selects = getKind() == PoolKind::Max || getKind() == PoolKind::Min;
  if (getKind() == PoolKind::Avg)
    return emitOpError("kind avg has no gradient of its own; divide the "
                       "gradient by the number of elements of each window and "
                       "use kind sum");
  if (selects != bool(getOperand()))
    return failAt(emitOpError("kind ")
                      << stringifyPoolKind(getKind())
                      << (selects
                              ? " needs the operand of the pooling"
                              : " does not read the operand of the pooling"),
                  getGradient(), "gradient");
  if (getSelectPadding() && !selects)
    return emitOpError("kind sum selects nothing, so select_padding has no "
                       "meaning");
  if (failed(verifySameElement(*this, getGradient(), "gradient")))
    return failure();
  if (selects && getOperand().getType() != getType())
    return failAt(emitOpError("operand has type ")
                      << getOperand().getType() << " but the result has "
                      << getType(),
                  getOperand(), "operand");
  // Dilated pooling has no gradient here: windows are dense.
  const SmallVector<int64_t> ones(getKernel().size(), 1);
  if (failed(verifyPoolWindow(*this,
                              {getLayout(), getKernel(), getStrides(), ones,
                               getPadLow(), getPadHigh()},
                              getResult(), "result", getGradient(),
                              "gradient")))
    return failure();
  // The kernel is unrolled over elements of a window and windows around an
  // element; the bounds keep its code small.
  const Unrolled unrolled(getKind(), getKernel(), getStrides(), getPadLow());
  if (unrolled.elements > maxUnrolled)
    return failAt(emitOpError("selects one of ")
                      << unrolled.elements << " elements of a window; at most "
                      << maxUnrolled << " are unrolled",
                  getGradient(), "gradient");
  if (unrolled.windows > maxUnrolled)
    return failAt(emitOpError("adds up to ")
                      << unrolled.windows
                      << " windows around an element; at most " << maxUnrolled
                      << " are unrolled",
                  getGradient(), "gradient");
  if (unrolled.codes > maxCodes)
    return failAt(emitOpError("has ")
                      << unrolled.codes
                      << " positions in the windows around a block of its "
                         "strides; at most "
                      << maxCodes << " are supported",
                  getGradient(), "gradient");
  return success();
}

//===----------------------------------------------------------------------===//
// Padding and dilation that other ops make
//===----------------------------------------------------------------------===//

/// The value that loses against every number but itself.
static bool isLast(PoolKind kind, TypedAttr value) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  return number && number.getValue().isInfinity() &&
         number.getValue().isNegative() == (kind == PoolKind::Max);
}

/// The gradient of the pooling of a tensor that a pad has padded, cut to the
/// inside the pad: JAX writes SAME padding so. The op pads by itself. Its
/// padding stays elements that can be selected, where all others are NaN or
/// equal to it.
static LogicalResult absorbPad(PoolGradOp op, PatternRewriter &rewriter) {
  auto pad = op.getOperand() ? op.getOperand().getDefiningOp<PadOp>() : PadOp();
  if (!pad || pad.getMode() != PadMode::Constant || !op->hasOneUse() ||
      !isLast(op.getKind(), pad.getValueAttr()))
    return failure();
  auto slice = dyn_cast<SliceOp>(*op->user_begin());
  if (!slice || slice.getType() != pad.getOperand().getType() ||
      slice.getOffsets() != pad.getLow() ||
      llvm::any_of(slice.getStrides(), [](int64_t s) { return s != 1; }))
    return failure();
  auto isZero = [](int64_t pad) { return pad == 0; };
  const bool padsItself = !llvm::all_of(op.getPadLow(), isZero) ||
                          !llvm::all_of(op.getPadHigh(), isZero);
  if ((padsItself && !op.getSelectPadding()) ||
      !canAddPadding(op, op.getLayout(), pad.getLow(), pad.getHigh()))
    return failure();
  auto inside = PoolGradOp::create(
      rewriter, op.getLoc(), slice.getType(), op.getKind(), op.getGradient(),
      pad.getOperand(), op.getLayout(), op.getKernel(), op.getStrides(),
      op.getPadLow(), op.getPadHigh(), /*select_padding=*/true);
  addPadding(inside, op.getLayout(), pad.getLow(), pad.getHigh());
  rewriter.replaceOp(slice, inside);
  rewriter.eraseOp(op);
  return success();
}

/// True if every element of the value is zero.
static bool isZeroSplat(Value value) {
  TypedAttr number;
  DenseElementsAttr elements;
  if (auto fill = value.getDefiningOp<FillOp>())
    number = fill.getValue();
  else if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    number = elements.getSplatValue<TypedAttr>();
  auto real = dyn_cast_or_null<FloatAttr>(number);
  return real && real.getValue().isPosZero();
}

/// A sum over windows, each one element after the other, of a tensor spread out
/// with zeros: the gradient of a sum over windows at the distance of the
/// elements.
static LogicalResult absorbSpread(PoolOp op, PatternRewriter &rewriter) {
  auto spread = op.getOperand().getDefiningOp<InsertSliceOp>();
  auto isOne = [](int64_t step) { return step == 1; };
  if (op.getKind() != PoolKind::Sum || !spread ||
      !llvm::all_of(op.getStrides(), isOne) ||
      !llvm::all_of(op.getDilations(), isOne) ||
      llvm::all_of(spread.getStrides(), isOne) ||
      !isFloatElement(op.getType().getElementType()) ||
      !isZeroSplat(spread.getDest()))
    return failure();
  RankedTensorType from = tensorType(spread.getSource());
  if (from.getRank() != op.getType().getRank())
    return failure();
  StringRef letters = spatialLetters(op.getKernel().size());
  SmallVector<int64_t> strides, low, high;
  for (auto [i, letter] : llvm::enumerate(op.getLayout())) {
    if (letters.contains(letter))
      continue;
    if (spread.getStrides()[i] != 1 || spread.getOffsets()[i] != 0 ||
        from.getDimSize(i) != op.getType().getDimSize(i))
      return failure();
  }
  for (auto [d, letter] : llvm::enumerate(letters)) {
    const size_t i = op.getLayout().find(letter);
    // One position has no next one.
    const int64_t stride = from.getDimSize(i) == 1 ? op.getType().getDimSize(i)
                                                   : spread.getStrides()[i];
    const int64_t kernel = op.getKernel()[d];
    // Element p of the source is at p * stride + offset of the padded operand;
    // the sum at i covers [i, i + kernel) there. So i is number
    // i + kernel - 1 - offset - p * stride of window p.
    low.push_back(kernel - 1 - spread.getOffsets()[i] - op.getPadLow()[d]);
    const int64_t reach = lastPosition(kernel, from.getDimSize(i), stride);
    high.push_back(
        std::max<int64_t>(0, reach - low.back() - op.getType().getDimSize(i)));
    strides.push_back(stride);
    if (low.back() < 0 || high.back() > maxWindowEntry ||
        stride > maxWindowEntry || stride == 0 || from.getDimSize(i) == 0)
      return failure();
  }
  if (!PoolGradOp::isUnrollable(PoolKind::Sum, op.getKernel(), strides, low))
    return failure();
  rewriter.replaceOpWithNewOp<PoolGradOp>(
      op, op.getType(), PoolKind::Sum, spread.getSource(), Value(),
      op.getLayout(), op.getKernel(), strides, low, high,
      /*select_padding=*/false);
  return success();
}

void PoolGradOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *) {
  patterns.add(absorbPad);
  patterns.add(absorbSpread);
}

//===----------------------------------------------------------------------===//
// Rows by index
//===----------------------------------------------------------------------===//

Engine ScatterRowsOp::getEngine() { return Engine::TPC; }
int64_t ScatterRowsOp::getArithmeticOps() {
  return getAccumulate() ? elementCount(getUpdates()) : 0;
}
StringRef ScatterRowsOp::getLibraryName() { return "scatter_rows"; }
SmallVector<int64_t> ScatterRowsOp::getLibraryInts() {
  return {getAccumulate(), getDropOutside()};
}
int64_t ScatterRowsOp::getIndexedSize() {
  return tensorType(getData()).getDimSize(1);
}
Speculation::Speculatability ScatterRowsOp::getSpeculatability() {
  return getDropOutside() ? Speculation::Speculatable
                          : Speculation::NotSpeculatable;
}

LogicalResult ScatterRowsOp::verify() {
  if (getAccumulate() && getElementTypeOrSelf(getData()).isInteger(1))
    return failAt(emitOpError("adds numbers but the data has type ")
                      << getData().getType(),
                  getData(), "data");
  return verifyScatteredRows(*this, getData(), getIndices(), getUpdates());
}

#define GET_OP_CLASSES
#include "Gaudi/Dialect/TrainingOps.cpp.inc"
