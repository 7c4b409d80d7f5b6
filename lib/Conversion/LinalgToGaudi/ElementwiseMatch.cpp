// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops, alone or a few together, that are one elementwise gaudi op.
#include "ElementwiseMatch.h"
#include "../Common/Table.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

std::optional<ComparePredicate> fromlinalg::predicateOf(Operation *op) {
  using To = ComparePredicate;
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    using From = arith::CmpFPredicate;
    static constexpr std::pair<From, To> table[] = {
        {From::OEQ, To::EQ}, {From::UNE, To::NE}, {From::OLT, To::LT},
        {From::OLE, To::LE}, {From::OGT, To::GT}, {From::OGE, To::GE}};
    return lookup(table, cmp.getPredicate());
  }
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (!cmp)
    return std::nullopt;
  using From = arith::CmpIPredicate;
  static constexpr std::pair<From, To> table[] = {
      {From::eq, To::EQ},  {From::ne, To::NE},  {From::slt, To::LT},
      {From::sle, To::LE}, {From::sgt, To::GT}, {From::sge, To::GE}};
  std::optional<To> predicate = lookup(table, cmp.getPredicate());
  // gaudi.tpc.compare orders single bits as unsigned.
  if (cmp.getLhs().getType().isInteger(1) && predicate != To::EQ &&
      predicate != To::NE)
    return std::nullopt;
  return predicate;
}

/// True if gaudi.tpc.cast converts as the scalar op does.
bool fromlinalg::isPlainCast(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  bool fromBool = op->getOperand(0).getType().isInteger(1);
  bool toBool = op->getResult(0).getType().isInteger(1);
  if (auto narrow = dyn_cast<arith::TruncFOp>(op))
    return narrow.getRoundingmode().value_or(
               arith::RoundingMode::to_nearest_even) ==
           arith::RoundingMode::to_nearest_even;
  if (isa<arith::ExtFOp>(op))
    return true;
  if (isa<arith::SIToFPOp, arith::ExtSIOp, arith::IndexCastOp>(op))
    return !fromBool && !toBool;
  if (isa<arith::UIToFPOp, arith::ExtUIOp>(op))
    return fromBool;
  if (isa<arith::FPToSIOp, arith::TruncIOp>(op))
    return !toBool;
  return false;
}

//===----------------------------------------------------------------------===//
// Bodies of several scalar ops that are one named op
//===----------------------------------------------------------------------===//

static FloatAttr floatConstant(Value value) {
  auto attr = constantOf(value);
  return attr ? dyn_cast<FloatAttr>(*attr) : FloatAttr();
}

bool fromlinalg::isOne(Value value) {
  FloatAttr attr = floatConstant(value);
  return attr && attr.getValue().isExactlyValue(1.0);
}

/// 1 / (1 + exp(-x)): returns x.
Value fromlinalg::matchSigmoid(Operation *root) {
  auto div = dyn_cast<arith::DivFOp>(root);
  if (!div || !isOne(div.getLhs()))
    return {};
  auto add = div.getRhs().getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  Value exponential = isOne(add.getLhs())   ? add.getRhs()
                      : isOne(add.getRhs()) ? add.getLhs()
                                            : Value();
  auto exp = exponential ? exponential.getDefiningOp<math::ExpOp>() : nullptr;
  auto neg = exp ? exp.getOperand().getDefiningOp<arith::NegFOp>() : nullptr;
  return neg ? neg.getOperand() : Value();
}

/// select(x > c, x, c) and its relatives: the name of the op and x, c.
StringRef fromlinalg::matchMaxBySelect(Operation *root, Value &x,
                                       Value &bound) {
  auto select = dyn_cast<arith::SelectOp>(root);
  auto cmp =
      select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!cmp || select.getTrueValue() != cmp.getLhs() ||
      select.getFalseValue() != cmp.getRhs())
    return {};
  FloatAttr constant = floatConstant(cmp.getRhs());
  if (!constant || constant.getValue().isNaN())
    return {};
  using P = arith::CmpFPredicate;
  auto isOneOf = [&](std::initializer_list<P> predicates) {
    return llvm::is_contained(predicates, cmp.getPredicate());
  };
  const bool isMax = isOneOf({P::OGT, P::OGE, P::UGT, P::UGE});
  const bool isMin = isOneOf({P::OLT, P::OLE, P::ULT, P::ULE});
  if (!isMax && !isMin)
    return {};
  // Zeros of either sign are equal here, but not for the named ops: +0 is the
  // larger. If x equals a bound of zero, the select gives x or the bound, as
  // the predicate says, and that must be the right zero for both signs of x.
  const bool takesEqual = isOneOf({P::OGE, P::OLE, P::UGE, P::ULE});
  const APFloat &number = constant.getValue();
  if (number.isZero() && number.isNegative() != (isMin != takesEqual))
    return {};
  x = cmp.getLhs(), bound = cmp.getRhs();
  // Where x is NaN, an unordered comparison keeps it and an ordered one gives
  // the bound; a bound that is NaN would behave differently.
  if (isOneOf({P::UGT, P::UGE, P::ULT, P::ULE}))
    return isMax ? MaxOp::getOperationName() : MinOp::getOperationName();
  return isMax ? MaxNumOp::getOperationName() : MinNumOp::getOperationName();
}

/// Operand and constant of a commutative op.
static bool matchWithConstant(Operation *op, Value &operand, TypedAttr &attr) {
  for (unsigned side : {1, 0})
    if (auto constant = constantOf(op->getOperand(side))) {
      attr = *constant;
      operand = op->getOperand(1 - side);
      return true;
    }
  return false;
}

/// min(max(x, low), high) or max(min(x, high), low) with low <= high.
std::optional<Clamp> fromlinalg::matchClamp(Operation *root) {
  Clamp clamp;
  Value inner;
  auto tryMatch = [&](auto maxTag, auto minTag) {
    using Max = decltype(maxTag);
    using Min = decltype(minTag);
    Operation *max = nullptr, *min = nullptr;
    // The outer op and one inside it, in either order.
    if (isa<Min>(root) && matchWithConstant(root, inner, clamp.high)) {
      max = inner.getDefiningOp<Max>();
      return max && matchWithConstant(max, clamp.operand, clamp.low);
    }
    if (isa<Max>(root) && matchWithConstant(root, inner, clamp.low)) {
      min = inner.getDefiningOp<Min>();
      return min && matchWithConstant(min, clamp.operand, clamp.high);
    }
    return false;
  };
  // maximumf and minimumf propagate NaN.
  if (tryMatch(arith::MaximumFOp(), arith::MinimumFOp())) {
    clamp.ignoreNan = false;
  } else if (isa<arith::MinNumFOp>(root) &&
             tryMatch(arith::MaxNumFOp(), arith::MinNumFOp())) {
    clamp.ignoreNan = true; // max first: NaN becomes the lower bound
  } else if (!tryMatch(arith::MaxSIOp(), arith::MinSIOp())) {
    return std::nullopt;
  }
  // With low > high the order of the two ops decides; the op has none.
  if (auto low = dyn_cast<FloatAttr>(clamp.low)) {
    auto high = cast<FloatAttr>(clamp.high);
    if (low.getValue().isNaN() || high.getValue().isNaN() ||
        low.getValue() > high.getValue())
      return std::nullopt;
    // Bounds are f32 whatever the tensor's float type.
    for (TypedAttr *bound : {&clamp.low, &clamp.high})
      *bound = roundedTo(cast<FloatAttr>(*bound),
                         Float32Type::get(root->getContext()));
  } else if (cast<IntegerAttr>(clamp.low).getValue().sgt(
                 cast<IntegerAttr>(clamp.high).getValue())) {
    return std::nullopt;
  }
  return clamp;
}
