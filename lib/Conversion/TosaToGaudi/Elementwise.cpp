// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA elementwise ops that have an op of their own in gaudi.
#include "Converter.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

using namespace mlir;
using namespace gaudi;

/// Registers an op whose operands are those of the gaudi op.
template <typename Tosa, typename Gaudi>
static void addSame(TosaPatterns &patterns, Elements elements) {
  patterns.add<Tosa>([elements](Tosa op, TosaMatcher &m) -> TosaMatch {
    if (failed(m.checkElements(elements)))
      return failure();
    return build([op](TosaBuilder &b) mutable {
      return Gaudi::create(b, TypeRange(op.getType()), op->getOperands());
    });
  });
}

/// maximum and minimum: NaN modes choose between two ops.
template <typename Tosa, typename Propagate, typename Ignore>
static void addExtremum(TosaPatterns &patterns) {
  patterns.add<Tosa>([](Tosa op, TosaMatcher &m) -> TosaMatch {
    if (failed(m.checkElements(Elements::Number)))
      return failure();
    return build([op](TosaBuilder &b) mutable -> Value {
      if (ignoresNan(op.getNanMode(), op.getType()))
        return Ignore::create(b, op.getType(), op.getInput1(), op.getInput2());
      return Propagate::create(b, op.getType(), op.getInput1(), op.getInput2());
    });
  });
}

template <typename Tosa>
static void addCompare(TosaPatterns &patterns, ComparePredicate predicate) {
  patterns.add<Tosa>([predicate](Tosa op, TosaMatcher &) -> TosaMatch {
    return build([op, predicate](TosaBuilder &b) mutable {
      return CompareOp::create(b, op.getType(), predicate, op.getInput1(),
                               op.getInput2());
    });
  });
}

/// gaudi.tpc.clamp takes f32 bounds for every float type.
static TypedAttr clampBound(Attribute bound, Builder &builder) {
  auto number = dyn_cast<FloatAttr>(bound);
  if (!number)
    return cast<TypedAttr>(bound);
  return builder.getF32FloatAttr(float(number.getValueAsDouble()));
}

static TosaMatch matchClamp(tosa::ClampOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  return build([op](TosaBuilder &b) mutable {
    bool ignoreNan = ignoresNan(op.getNanMode(), op.getType());
    return ClampOp::create(b, op.getType(), op.getInput(),
                           clampBound(op.getMinVal(), b),
                           clampBound(op.getMaxVal(), b), ignoreNan);
  });
}

static TosaMatch matchCast(tosa::CastOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable -> Value {
    Type from = getElementTypeOrSelf(op.getInput());
    Type to = getElementTypeOrSelf(op.getType());
    if (from == to)
      return op.getInput();
    RoundingMode rounding = isFloatElement(from) && !isFloatElement(to)
                                ? RoundingMode::NearestEven
                                : RoundingMode::TowardZero;
    return CastOp::create(b, op.getType(), op.getInput(), rounding);
  });
}

void gaudi::addElementwisePatterns(TosaPatterns &p) {
  addSame<tosa::AbsOp, AbsOp>(p, Elements::Number);
  addSame<tosa::BitwiseNotOp, NotOp>(p, Elements::IntOrBool);
  addSame<tosa::CeilOp, CeilOp>(p, Elements::Float);
  addSame<tosa::ClzOp, ClzOp>(p, Elements::Int);
  addSame<tosa::CosOp, CosOp>(p, Elements::Float);
  addSame<tosa::ErfOp, ErfOp>(p, Elements::Float);
  addSame<tosa::ExpOp, ExpOp>(p, Elements::Float);
  addSame<tosa::FloorOp, FloorOp>(p, Elements::Float);
  addSame<tosa::LogOp, LogOp>(p, Elements::Float);
  addSame<tosa::LogicalNotOp, NotOp>(p, Elements::Bool);
  addSame<tosa::ReciprocalOp, ReciprocalOp>(p, Elements::Float);
  addSame<tosa::RsqrtOp, RsqrtOp>(p, Elements::Float);
  addSame<tosa::SigmoidOp, SigmoidOp>(p, Elements::Float);
  addSame<tosa::SinOp, SinOp>(p, Elements::Float);
  addSame<tosa::TanhOp, TanhOp>(p, Elements::Float);

  addSame<tosa::AddOp, AddOp>(p, Elements::Number);
  addSame<tosa::SubOp, SubOp>(p, Elements::Number);
  addSame<tosa::IntDivOp, DivOp>(p, Elements::Int);
  addSame<tosa::PowOp, PowOp>(p, Elements::Float);
  addSame<tosa::BitwiseAndOp, AndOp>(p, Elements::IntOrBool);
  addSame<tosa::BitwiseOrOp, OrOp>(p, Elements::IntOrBool);
  addSame<tosa::BitwiseXorOp, XorOp>(p, Elements::IntOrBool);
  addSame<tosa::LogicalAndOp, AndOp>(p, Elements::Bool);
  addSame<tosa::LogicalOrOp, OrOp>(p, Elements::Bool);
  addSame<tosa::LogicalXorOp, XorOp>(p, Elements::Bool);
  addSame<tosa::LogicalLeftShiftOp, ShlOp>(p, Elements::Int);
  addSame<tosa::LogicalRightShiftOp, ShrLogicalOp>(p, Elements::Int);

  addExtremum<tosa::MaximumOp, MaxOp, MaxNumOp>(p);
  addExtremum<tosa::MinimumOp, MinOp, MinNumOp>(p);
  addCompare<tosa::EqualOp>(p, ComparePredicate::EQ);
  addCompare<tosa::GreaterOp>(p, ComparePredicate::GT);
  addCompare<tosa::GreaterEqualOp>(p, ComparePredicate::GE);
  addSame<tosa::SelectOp, SelectOp>(p, Elements::Bool);
  p.add<tosa::ClampOp>(matchClamp);
  p.add<tosa::CastOp>(matchCast);
}
