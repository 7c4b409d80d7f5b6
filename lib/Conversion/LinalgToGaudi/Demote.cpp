// Sums and statistics that a front end widens to f64 for a while (variances of
// torch-mlir) are computed in f32, in which the device computes all floats.
#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

static bool isDouble(Type type) { return getElementTypeOrSelf(type).isF64(); }

static bool touchesDouble(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isDouble) ||
      llvm::any_of(op->getResultTypes(), isDouble))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isDouble))
        return true;
  return false;
}

/// `number` in f32, or none if it leaves the range of normal numbers.
static std::optional<APFloat> demoted(APFloat number) {
  const bool wasFinite = number.isFinite(), wasZero = number.isZero();
  bool losesInfo = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  if ((wasFinite && !number.isFinite()) ||
      (!wasZero && (number.isZero() || number.isDenormal())))
    return std::nullopt;
  return number;
}

static TypedAttr demoted(TypedAttr value) {
  auto f32 = Float32Type::get(value.getContext());
  if (auto number = dyn_cast<FloatAttr>(value)) {
    auto narrow = demoted(number.getValue());
    return narrow ? FloatAttr::get(f32, *narrow) : TypedAttr();
  }
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements)
    return {};
  SmallVector<APFloat> narrow;
  bool isSplat = elements.isSplat();
  for (const APFloat &number : elements.getValues<APFloat>()) {
    auto next = demoted(number);
    if (!next)
      return {};
    narrow.push_back(*next);
    if (isSplat)
      break;
  }
  return cast<TypedAttr>(
      DenseElementsAttr::get(elements.getType().clone(f32), narrow));
}

/// True if the op means the same with f32 for f64 but for rounding and range.
/// What decides something (comparisons, whole numbers made from floats) does
/// not.
static bool canDemote(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return bool(demoted(constant.getValue()));
  if (isa<arith::CmpFOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp,
          tensor::BitcastOp, arith::RemFOp, math::FloorOp, math::CeilOp,
          math::RoundOp, math::RoundEvenOp, math::TruncOp, math::IsFiniteOp,
          math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op))
    return false;
  if (auto trunc = dyn_cast<arith::TruncFOp>(op))
    if (trunc.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return false;
  // f32 holds integers of 24 bits exactly; wider ones that differ may become
  // equal, so that their difference vanishes.
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() <=
           24;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         tensor::TensorDialect, linalg::LinalgDialect>(
      op->getDialect());
}

static Type withoutDouble(Type type) {
  if (!isDouble(type))
    return type;
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(f32) : f32;
}

static void demote(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(demoted(constant.getValue()));
  for (Value result : op->getResults())
    result.setType(withoutDouble(result.getType()));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setType(withoutDouble(argument.getType()));
}

void fromlinalg::demoteDoubles(func::FuncOp func) {
  if (llvm::any_of(func.getArgumentTypes(), isDouble) ||
      llvm::any_of(func.getResultTypes(), isDouble))
    return; // refused by the conversion
  SmallVector<Operation *> ops;
  WalkResult walk = func.getBody().walk([&](Operation *op) {
    if (!touchesDouble(op))
      return WalkResult::advance();
    ops.push_back(op);
    if (canDemote(op))
      return WalkResult::advance();
    remarkMissed(op, "demote-f64",
                 "f64 in the function stays f64, which the device does not "
                 "have: '" +
                     op->getName().getStringRef().str() +
                     "' depends on its precision or range");
    return WalkResult::interrupt();
  });
  // All or nothing: a function with some f64 left is refused anyway, with the
  // op that needs it.
  if (walk.wasInterrupted())
    return;
  llvm::SetVector<Operation *> places;
  for (Operation *op : ops)
    if (!isa<arith::ConstantOp, tensor::EmptyOp>(op))
      places.insert(func.getBody().front().findAncestorOpInBlock(*op));
  for (Operation *place : places)
    remarkPassed(place, "demote-f64",
                 "computes in f32 what the model computes in f64; all "
                 "of it is rounded to narrower types");
  for (Operation *op : ops)
    demote(op);
  for (Operation *op : ops)
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
}
