// TOSA elementwise ops that have an op of their own in gaudi.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Registers an op whose operands are those of the gaudi op.
template <typename Tosa, typename Gaudi>
static void addUnary(TosaPatterns &patterns, Elements elements) {
  patterns.add<Tosa>([elements](Tosa op, TosaMatcher &m) -> TosaMatch {
    if (failed(m.checkElements(elements)))
      return failure();
    return build([op](TosaBuilder &b) mutable {
      return Gaudi::create(b.builder, op.getLoc(), op.getType(),
                           op->getOperand(0));
    });
  });
}

template <typename Tosa, typename Gaudi>
static void addBinary(TosaPatterns &patterns, Elements elements) {
  patterns.add<Tosa>([elements](Tosa op, TosaMatcher &m) -> TosaMatch {
    if (failed(m.checkElements(elements)))
      return failure();
    return build([op](TosaBuilder &b) mutable {
      return Gaudi::create(b.builder, op.getLoc(), op.getType(),
                           op->getOperand(0), op->getOperand(1));
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
        return Ignore::create(b.builder, op.getLoc(), op.getType(),
                              op.getInput1(), op.getInput2());
      return Propagate::create(b.builder, op.getLoc(), op.getType(),
                               op.getInput1(), op.getInput2());
    });
  });
}

template <typename Tosa>
static void addCompare(TosaPatterns &patterns, ComparePredicate predicate) {
  patterns.add<Tosa>([predicate](Tosa op, TosaMatcher &) -> TosaMatch {
    return build([op, predicate](TosaBuilder &b) mutable {
      return CompareOp::create(b.builder, op.getLoc(), op.getType(), predicate,
                               op.getInput1(), op.getInput2());
    });
  });
}

static TosaMatch matchSelect(tosa::SelectOp op, TosaMatcher &) {
  return build([op](TosaBuilder &b) mutable {
    return SelectOp::create(b.builder, op.getLoc(), op.getType(),
                            op.getInput1(), op.getInput2(), op.getInput3());
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
    return ClampOp::create(b.builder, op.getLoc(), op.getType(), op.getInput(),
                           clampBound(op.getMinVal(), b.builder),
                           clampBound(op.getMaxVal(), b.builder), ignoreNan);
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
    return CastOp::create(b.builder, op.getLoc(), op.getType(), op.getInput(),
                          rounding);
  });
}

void mlir::gaudi::addElementwisePatterns(TosaPatterns &p) {
  addUnary<tosa::AbsOp, AbsOp>(p, Elements::Number);
  addUnary<tosa::BitwiseNotOp, NotOp>(p, Elements::IntOrBool);
  addUnary<tosa::CeilOp, CeilOp>(p, Elements::Float);
  addUnary<tosa::ClzOp, ClzOp>(p, Elements::Int);
  addUnary<tosa::CosOp, CosOp>(p, Elements::Float);
  addUnary<tosa::ErfOp, ErfOp>(p, Elements::Float);
  addUnary<tosa::ExpOp, ExpOp>(p, Elements::Float);
  addUnary<tosa::FloorOp, FloorOp>(p, Elements::Float);
  addUnary<tosa::LogOp, LogOp>(p, Elements::Float);
  addUnary<tosa::LogicalNotOp, NotOp>(p, Elements::Bool);
  addUnary<tosa::ReciprocalOp, ReciprocalOp>(p, Elements::Float);
  addUnary<tosa::RsqrtOp, RsqrtOp>(p, Elements::Float);
  addUnary<tosa::SigmoidOp, SigmoidOp>(p, Elements::Float);
  addUnary<tosa::SinOp, SinOp>(p, Elements::Float);
  addUnary<tosa::TanhOp, TanhOp>(p, Elements::Float);

  addBinary<tosa::AddOp, AddOp>(p, Elements::Number);
  addBinary<tosa::SubOp, SubOp>(p, Elements::Number);
  addBinary<tosa::IntDivOp, DivOp>(p, Elements::Int);
  addBinary<tosa::PowOp, PowOp>(p, Elements::Float);
  addBinary<tosa::BitwiseAndOp, AndOp>(p, Elements::IntOrBool);
  addBinary<tosa::BitwiseOrOp, OrOp>(p, Elements::IntOrBool);
  addBinary<tosa::BitwiseXorOp, XorOp>(p, Elements::IntOrBool);
  addBinary<tosa::LogicalAndOp, AndOp>(p, Elements::Bool);
  addBinary<tosa::LogicalOrOp, OrOp>(p, Elements::Bool);
  addBinary<tosa::LogicalXorOp, XorOp>(p, Elements::Bool);
  addBinary<tosa::LogicalLeftShiftOp, ShlOp>(p, Elements::Int);
  addBinary<tosa::LogicalRightShiftOp, ShrLogicalOp>(p, Elements::Int);

  addExtremum<tosa::MaximumOp, MaxOp, MaxNumOp>(p);
  addExtremum<tosa::MinimumOp, MinOp, MinNumOp>(p);
  addCompare<tosa::EqualOp>(p, ComparePredicate::EQ);
  addCompare<tosa::GreaterOp>(p, ComparePredicate::GT);
  addCompare<tosa::GreaterEqualOp>(p, ComparePredicate::GE);
  p.add<tosa::SelectOp>(matchSelect);
  p.add<tosa::ClampOp>(matchClamp);
  p.add<tosa::CastOp>(matchCast);
}
