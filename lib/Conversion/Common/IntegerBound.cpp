// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of integers, backwards from a value to loop indices and constants.
#include "IntegerBound.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

using Bound = std::optional<int64_t>;

// Each value is asked once per path to it: both limits keep that short.
static constexpr int maxDepth = 16;
static constexpr int64_t maxElements = 65'536;

static Bound boundOf(Value value, int depth);

static Bound larger(Bound a, Bound b) {
  return a && b ? Bound(std::max(*a, *b)) : std::nullopt;
}

static Bound boundOf(DenseIntElementsAttr elements) {
  if (elements.getNumElements() > maxElements && !elements.isSplat())
    return std::nullopt;
  const bool isUnsigned = elements.getElementType().isUnsignedInteger();
  int64_t most = 0;
  for (const APInt &element : elements.getValues<APInt>()) {
    if ((isUnsigned ? element.getActiveBits() : element.getSignificantBits()) >
        62)
      return std::nullopt;
    most = std::max(most, isUnsigned ? int64_t(element.getZExtValue())
                                     : std::abs(element.getSExtValue()));
    if (elements.isSplat())
      break;
  }
  return most;
}

/// Of the sum or product of two numbers.
static Bound combined(Bound a, Bound b, bool isProduct) {
  int64_t result = 0;
  if (!a || !b)
    return std::nullopt;
  const bool overflows = isProduct ? llvm::MulOverflow(*a, *b, result)
                                   : llvm::AddOverflow(*a, *b, result);
  return overflows ? std::nullopt : Bound(result);
}

/// Of a size for symbols up to those of the bucket.
static Bound boundOf(AffineExpr size, ArrayRef<int64_t> bucket) {
  if (auto constant = dyn_cast<AffineConstantExpr>(size))
    return std::abs(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(size))
    return symbol.getPosition() < bucket.size()
               ? Bound(bucket[symbol.getPosition()])
               : std::nullopt;
  auto binary = dyn_cast<AffineBinaryOpExpr>(size);
  if (!binary)
    return std::nullopt;
  const Bound lhs = boundOf(binary.getLHS(), bucket),
              rhs = boundOf(binary.getRHS(), bucket);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mul:
    return combined(lhs, rhs, binary.getKind() == AffineExprKind::Mul);
  case AffineExprKind::Mod:
    return rhs;
  default:
    // A quotient rounds away from zero by less than 1.
    return combined(lhs, 1, /*isProduct=*/false);
  }
}

/// Of an argument that the launch sets to a size.
static Bound boundOfExtent(BlockArgument argument, func::FuncOp function) {
  auto map = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                      extentAttrName);
  auto bucket = function->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
  return map && bucket && map.getValue().getNumResults() == 1
             ? boundOf(map.getValue().getResult(0), bucket.asArrayRef())
             : std::nullopt;
}

/// An element of an operand, or what the nest that made it yields.
static Bound boundOfArgument(BlockArgument argument, int depth) {
  if (auto function =
          dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
    return boundOfExtent(argument, function);
  auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  if (!op || argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
    return std::nullopt;
  return boundOf(op.getDpsInputOperand(argument.getArgNumber())->get(), depth);
}

static Bound boundOfArithmetic(Operation *op, int depth) {
  auto of = [&](unsigned i) { return boundOf(op->getOperand(i), depth); };
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, arith::RemSIOp,
          arith::DivSIOp>(op))
    return of(0);
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return larger(of(0), of(1));
  if (isa<arith::SelectOp>(op))
    return larger(of(1), of(2));
  // A number that wraps around is no larger than the exact result: that has the
  // magnitude of the narrow type's least number at least.
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return combined(of(0), of(1), isa<arith::MulIOp>(op));
  return std::nullopt;
}

/// Ops of StableHLO whose elements are those of their operand.
static bool isHloMove(Operation *op) {
  if (op->getNumOperands() == 0)
    return false;
  if (isHlo(op, Hlo::Convert))
    return isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))) &&
           !getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
  return isHlo(op, Hlo::Reshape, Hlo::BroadcastInDim, Hlo::Slice,
               Hlo::Transpose, Hlo::DynamicSlice);
}

static Bound boundOf(Value value, int depth) {
  // The walk is bounded, not the graph.
  if (depth == 0)
    return std::nullopt;
  --depth;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return boundOfArgument(argument, depth);
  Operation *op = value.getDefiningOp();
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return boundOf(elements);
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSignificantBits() > 62
               ? std::nullopt
               : Bound(std::abs(number.getSExtValue()));
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    auto nest = cast<linalg::LinalgOp>(op->getParentOp());
    const int64_t steps = nest.getStaticLoopRanges()[index.getDim()];
    return ShapedType::isDynamic(steps) ? std::nullopt : Bound(steps);
  }
  // Elements are moved, not changed.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp, tensor::ExtractOp>(op) ||
      isHloMove(op))
    return boundOf(op->getOperand(0), depth);
  if (auto constant = dyn_cast_or_null<DenseIntElementsAttr>(constantOf(op)))
    return boundOf(constant);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return boundOf(fill.getInputs().front(), depth);
  if (auto nest = dyn_cast<linalg::GenericOp>(op))
    return boundOf(nest.getBody()->getTerminator()->getOperand(
                       cast<OpResult>(value).getResultNumber()),
                   depth);
  // Of tensors, only the ops above are known.
  return op->getNumOperands() == 0 || isa<ShapedType>(value.getType())
             ? std::nullopt
             : boundOfArithmetic(op, depth);
}

Bound gaudi::largestMagnitude(Value value) { return boundOf(value, maxDepth); }
