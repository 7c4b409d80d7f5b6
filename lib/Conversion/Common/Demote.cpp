// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and statistics that an exporter widens to f64 for a while (means and
// variances of torch-mlir) are computed in f32, in which the device computes
// all floats.
#include "Demote.h"
#include "Gaudi/Conversion/LinalgExt.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "IntegerBound.h"
#include "Retyping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gaudi;

static bool isDouble(Type type) { return getElementTypeOrSelf(type).isF64(); }

bool gaudi::touchesDouble(Operation *op) { return touchesType(op, isDouble); }

/// `number` in f32, or none if it leaves the range of normal numbers. Rounded
/// to a side, for a comparison, it may become infinite: no f32 is between.
static std::optional<APFloat>
demoted(APFloat number,
        APFloat::roundingMode mode = APFloat::rmNearestTiesToEven) {
  const bool wasFinite = number.isFinite(), wasZero = number.isZero();
  bool losesInfo = false;
  number.convert(APFloat::IEEEsingle(), mode, &losesInfo);
  const bool isRounded = mode == APFloat::rmNearestTiesToEven;
  if ((isRounded && wasFinite && !number.isFinite()) ||
      (!wasZero && (number.isZero() || number.isDenormal())))
    return std::nullopt;
  return number;
}

static TypedAttr
demoted(TypedAttr value,
        APFloat::roundingMode mode = APFloat::rmNearestTiesToEven) {
  auto f32 = Float32Type::get(value.getContext());
  if (auto number = dyn_cast<FloatAttr>(value)) {
    auto narrow = demoted(number.getValue(), mode);
    return narrow ? FloatAttr::get(f32, *narrow) : TypedAttr();
  }
  auto elements = dyn_cast<DenseFPElementsAttr>(value);
  if (!elements)
    return {};
  SmallVector<APFloat> narrow;
  bool isSplat = elements.isSplat();
  for (const APFloat &number : elements.getValues<APFloat>()) {
    // All elements of a splat are one: no need to read the others.
    auto next = demoted(number, mode);
    if (!next)
      return {};
    narrow.push_back(*next);
    if (isSplat)
      break;
  }
  return cast<TypedAttr>(
      DenseElementsAttr::get(elements.getType().clone(f32), narrow));
}

/// A limit of tosa.clamp. One beyond the range of f32 cuts nothing off that a
/// narrower type can hold, as infinity does.
static TypedAttr demotedLimit(Attribute limit) {
  auto number = dyn_cast<FloatAttr>(limit);
  if (!number)
    return {};
  auto f32 = Float32Type::get(limit.getContext());
  APFloat largest = APFloat::getLargest(APFloat::IEEEsingle());
  APFloat value = number.getValue();
  bool losesInfo = false;
  largest.convert(value.getSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  if (abs(value) > largest)
    return FloatAttr::get(
        f32, APFloat::getInf(APFloat::IEEEsingle(), value.isNegative()));
  return demoted(number);
}

/// What decides something (comparisons, whole numbers made from floats).
static bool decides(Operation *op) {
  return isa<arith::CmpFOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp,
             tensor::BitcastOp, arith::RemFOp, math::FloorOp, math::CeilOp,
             math::RoundOp, math::RoundEvenOp, math::TruncOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, tosa::EqualOp,
             tosa::GreaterOp, tosa::GreaterEqualOp, tosa::ArgMaxOp,
             tosa::FloorOp, tosa::CeilOp>(op);
}

/// True if f32 holds all numbers of the integer type `from`: 24 bits. Wider
/// ones that differ may become equal, so that their difference vanishes.
static bool holdsIntegers(Type from) {
  return getElementTypeOrSelf(from).getIntOrFloatBitWidth() <= 24;
}

/// The same for the numbers that `value` can have.
static bool holdsValue(Value value) {
  if (holdsIntegers(value.getType()))
    return true;
  auto most = largestMagnitude(value);
  return most && *most <= int64_t(1) << 24;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The numbers of a constant of floats; null for other ops.
static DenseFPElementsAttr constantNumbers(Operation *op) {
  if (auto constant = dyn_cast_or_null<tosa::ConstOp>(op))
    return dyn_cast<DenseFPElementsAttr>(constant.getValues());
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    return dyn_cast<DenseFPElementsAttr>(constant.getValue());
  return dyn_cast_or_null<DenseFPElementsAttr>(constantOf(op));
}

/// True if all elements of f64 are numbers of f32: widened from narrower types,
/// and only moved since.
static bool isExact(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto numbers = constantNumbers(op))
    return llvm::all_of(numbers.getValues<APFloat>(), [](APFloat number) {
      bool losesInfo = false;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      return !losesInfo;
    });
  if (isa<tosa::CastOp>(op) || isHlo(op, Hlo::Convert)) {
    const Type from = getElementTypeOrSelf(op->getOperand(0));
    // Integers are exact if they are few enough for the mantissa.
    return isa<FloatType>(from) ? !from.isF64() : holdsValue(op->getOperand(0));
  }
  if (isa<tosa::ReshapeOp, tosa::TransposeOp, tosa::TileOp, tosa::SliceOp,
          tosa::ReverseOp, tosa::AbsOp>(op) ||
      isHlo(op, Hlo::Reshape, Hlo::Transpose, Hlo::Slice, Hlo::BroadcastInDim,
            Hlo::Abs))
    return isExact(op->getOperand(0));
  return false;
}

/// Comparisons of two tensors, by whether the first or second operand is to be
/// rounded up, if it is a constant that lies between numbers of f32, so that
/// no number of f32 compares otherwise.
static std::optional<std::pair<APFloat::roundingMode, APFloat::roundingMode>>
roundingsOf(Operation *comparison) {
  constexpr auto up = APFloat::rmTowardPositive,
                 down = APFloat::rmTowardNegative;
  const auto direction = directionOf(comparison);
  // v > c is v > a, and v >= c is v >= b, for the neighbours a < c < b.
  if (isa<tosa::GreaterOp>(comparison) || direction == ComparePredicate::GT)
    return std::pair(up, down);
  if (isa<tosa::GreaterEqualOp>(comparison) ||
      direction == ComparePredicate::GE)
    return std::pair(down, up);
  if (direction == ComparePredicate::LT)
    return std::pair(down, up);
  if (direction == ComparePredicate::LE)
    return std::pair(up, down);
  return std::nullopt;
}

/// How to round a constant that is read by one comparison with exact numbers;
/// none for other constants.
static std::optional<APFloat::roundingMode> roundingOf(Operation *constant) {
  if (!constantNumbers(constant) || !constant->hasOneUse())
    return std::nullopt;
  OpOperand &use = *constant->use_begin();
  auto modes = roundingsOf(use.getOwner());
  if (!modes ||
      !isExact(use.getOwner()->getOperand(1 - use.getOperandNumber())))
    return std::nullopt;
  return use.getOperandNumber() == 0 ? modes->first : modes->second;
}

static APFloat::roundingMode modeOf(Operation *constant) {
  return roundingOf(constant).value_or(APFloat::rmNearestTiesToEven);
}

/// True for ops that choose by the order of numbers and read exact ones.
static bool comparesExact(Operation *op) {
  if (isa<tosa::ArgMaxOp>(op))
    return isExact(op->getOperand(0));
  if (!isa<tosa::EqualOp, tosa::GreaterOp, tosa::GreaterEqualOp>(op) &&
      !isHlo(op, Hlo::Compare))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    return isExact(operand) ||
           (operand.getDefiningOp() && roundingOf(operand.getDefiningOp()));
  });
}

static bool canDemoteTosa(Operation *op) {
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    return bool(demoted(cast<TypedAttr>(constant.getValues()), modeOf(op)));
  if (auto clamp = dyn_cast<tosa::ClampOp>(op))
    return demotedLimit(clamp.getMinVal()) && demotedLimit(clamp.getMaxVal());
  if (auto convert = dyn_cast<tosa::CastOp>(op)) {
    Type from = getElementTypeOrSelf(convert.getInput());
    return isa<FloatType>(getElementTypeOrSelf(convert.getOutput())) &&
           (isa<FloatType>(from) || holdsValue(convert.getInput()));
  }
  return !isa<tosa::CustomOp, tosa::VariableOp, tosa::VariableReadOp,
              tosa::VariableWriteOp>(op);
}

/// Ops of StableHLO, which are not registered: those that are named decide
/// nothing.
static bool canDemoteHlo(Operation *op) {
  // A constant may change its value in f32; demoted() knows whether that is
  // allowed.
  if (isHlo(op, Hlo::Constant)) {
    auto numbers = constantNumbers(op);
    return numbers && demoted(TypedAttr(numbers), modeOf(op));
  }
  // To an integer, rounding in f32 could give another number.
  if (isHlo(op, Hlo::Convert) && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return isa<FloatType>(getElementTypeOrSelf(op->getResult(0))) &&
           (isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))) ||
            holdsValue(op->getOperand(0)));
  return hasTrait(hloOf(op), HloTrait::Demotable);
}

/// True if the op means the same with f32 for f64 but for rounding and range.
static bool canDemote(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return bool(demoted(constant.getValue(), modeOf(op)));
  if (comparesExact(op))
    return true;
  if (decides(op))
    return false;
  if (auto trunc = dyn_cast<arith::TruncFOp>(op))
    if (trunc.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return false;
  if (isa<arith::SIToFPOp>(op))
    return holdsValue(op->getOperand(0));
  if (isa<arith::UIToFPOp>(op))
    return holdsIntegers(op->getOperand(0).getType());
  // Sorts decide.
  if (isa<tmtensor::ScanOp, tmtensor::ScatterOp, tmtensor::YieldOp,
          tmtensor::AttentionOp, linalgext::ScanOp, linalgext::ScatterOp,
          linalgext::GatherOp, linalgext::YieldOp, linalgext::AttentionOp>(op))
    return true;
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return canDemoteTosa(op);
  if (isStablehlo(op->getName()))
    return canDemoteHlo(op);
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

static void demote(Operation *op, APFloat::roundingMode mode) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(demoted(constant.getValue(), mode));
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    constant.setValuesAttr(cast<ElementsAttr>(
        demoted(cast<TypedAttr>(constant.getValues()), mode)));
  if (isHlo(op, Hlo::Constant))
    op->setAttr("value", demoted(TypedAttr(constantNumbers(op)), mode));
  if (auto clamp = dyn_cast<tosa::ClampOp>(op)) {
    clamp.setMinValAttr(demotedLimit(clamp.getMinVal()));
    clamp.setMaxValAttr(demotedLimit(clamp.getMaxVal()));
  }
  retype(op, withoutDouble);
}

void gaudi::demoteDoubles(func::FuncOp func, StringRef category) {
  if (!func.getBody().hasOneBlock() ||
      llvm::any_of(func.getArgumentTypes(), isDouble) ||
      llvm::any_of(func.getResultTypes(), isDouble))
    return; // refused by the conversion
  auto options = remark::RemarkOpts::name("demote-f64").category(category);
  SmallVector<Operation *> ops;
  WalkResult walk = func.getBody().walk([&](Operation *op) {
    if (!touchesDouble(op))
      return WalkResult::advance();
    ops.push_back(op);
    if (canDemote(op))
      return WalkResult::advance();
    remark::missed(op->getLoc(), options)
        << ("cannot demote f64 to f32, and the device has no f64: '" +
            op->getName().getStringRef() +
            "' depends on its precision or range")
               .str();
    return WalkResult::interrupt();
  });
  // All or nothing: a function with some f64 left is refused anyway, with the
  // op that needs it.
  if (walk.wasInterrupted())
    return;
  llvm::SetVector<Operation *> places;
  for (Operation *op : ops)
    if (!isa<arith::ConstantOp, tosa::ConstOp, tensor::EmptyOp>(op) &&
        !isHlo(op, Hlo::Constant))
      places.insert(func.getBody().front().findAncestorOpInBlock(*op));
  for (Operation *place : places)
    remark::passed(place->getLoc(), options)
        << "computes in f32 what the model computes in f64; all of it is "
           "rounded to narrower types";
  SmallVector<APFloat::roundingMode> modes;
  for (Operation *op : ops)
    modes.push_back(modeOf(op));
  for (auto [op, mode] : llvm::zip_equal(ops, modes))
    demote(op, mode);
  auto isCast = [](Operation *op) {
    return isa<arith::ExtFOp, arith::TruncFOp, tosa::CastOp>(op) ||
           isHlo(op, Hlo::Convert);
  };
  for (Operation *op : ops)
    if (isCast(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
}
