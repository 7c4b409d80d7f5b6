// Bounds of integers, backwards from a value to loop indices and constants.
#include "IntegerBound.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

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
  int64_t most = 0;
  for (const APInt &element : elements.getValues<APInt>()) {
    if (element.getSignificantBits() > 62)
      return std::nullopt;
    most = std::max(most, std::abs(element.getSExtValue()));
    if (elements.isSplat())
      break;
  }
  return most;
}

/// An element of an operand, or what the nest that made it yields.
static Bound boundOfArgument(BlockArgument argument, int depth) {
  auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
  if (!op || argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
    return std::nullopt;
  return boundOf(op.getDpsInputOperand(argument.getArgNumber())->get(), depth);
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

static Bound boundOf(Value value, int depth) {
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
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp, tensor::ExtractOp>(op))
    return boundOf(op->getOperand(0), depth);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return boundOf(fill.getInputs().front(), depth);
  if (auto nest = dyn_cast<linalg::GenericOp>(op))
    return boundOf(nest.getBody()->getTerminator()->getOperand(
                       cast<OpResult>(value).getResultNumber()),
                   depth);
  return op->getNumOperands() == 0 || isa<ShapedType>(value.getType())
             ? std::nullopt
             : boundOfArithmetic(op, depth);
}

Bound mlir::gaudi::largestMagnitude(Value value) {
  return boundOf(value, maxDepth);
}
