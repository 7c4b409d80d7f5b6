// TOSA elementwise ops that have an op of their own in gaudi.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Registers an op whose operands and result go over one by one.
template <typename Tosa, typename Gaudi>
static void addUnary(TosaHandlers &handlers, Elements elements) {
  handlers.add<Tosa>([elements](Tosa op, TosaConverter &c) -> FailureOr<Value> {
    if (failed(c.checkElements(op, elements)))
      return failure();
    return Gaudi::create(c.builder, op.getLoc(), op.getType(),
                         op->getOperand(0))
        .getResult();
  });
}

template <typename Tosa, typename Gaudi>
static void addBinary(TosaHandlers &handlers, Elements elements) {
  handlers.add<Tosa>([elements](Tosa op, TosaConverter &c) -> FailureOr<Value> {
    if (failed(c.checkElements(op, elements)))
      return failure();
    return Gaudi::create(c.builder, op.getLoc(), op.getType(),
                         op->getOperand(0), op->getOperand(1))
        .getResult();
  });
}

/// maximum and minimum: NaN modes choose between two ops.
template <typename Tosa, typename Propagate, typename Ignore>
static void addExtremum(TosaHandlers &handlers) {
  handlers.add<Tosa>([](Tosa op, TosaConverter &c) -> FailureOr<Value> {
    if (failed(c.checkElements(op, Elements::Number)))
      return failure();
    if (ignoresNan(op.getNanMode(), op.getType()))
      return Ignore::create(c.builder, op.getLoc(), op.getType(),
                            op.getInput1(), op.getInput2())
          .getResult();
    return Propagate::create(c.builder, op.getLoc(), op.getType(),
                             op.getInput1(), op.getInput2())
        .getResult();
  });
}

template <typename Tosa>
static void addCompare(TosaHandlers &handlers, ComparePredicate predicate) {
  handlers.add<Tosa>(
      [predicate](Tosa op, TosaConverter &c) -> FailureOr<Value> {
        return CompareOp::create(c.builder, op.getLoc(), op.getType(),
                                 predicate, op.getInput1(), op.getInput2())
            .getResult();
      });
}

static FailureOr<Value> convertSelect(tosa::SelectOp op, TosaConverter &c) {
  return SelectOp::create(c.builder, op.getLoc(), op.getType(), op.getInput1(),
                          op.getInput2(), op.getInput3())
      .getResult();
}

/// gaudi.tpc.clamp takes f32 bounds for every float type.
static TypedAttr clampBound(Attribute bound, Builder &builder) {
  auto number = dyn_cast<FloatAttr>(bound);
  if (!number)
    return cast<TypedAttr>(bound);
  return builder.getF32FloatAttr(float(number.getValueAsDouble()));
}

static FailureOr<Value> convertClamp(tosa::ClampOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Number)))
    return failure();
  bool ignoreNan = ignoresNan(op.getNanMode(), op.getType());
  return ClampOp::create(c.builder, op.getLoc(), op.getType(), op.getInput(),
                         clampBound(op.getMinVal(), c.builder),
                         clampBound(op.getMaxVal(), c.builder), ignoreNan)
      .getResult();
}

static FailureOr<Value> convertCast(tosa::CastOp op, TosaConverter &c) {
  Type from = getElementTypeOrSelf(op.getInput());
  Type to = getElementTypeOrSelf(op.getType());
  if (from == to)
    return op.getInput();
  RoundingMode rounding = isFloatElement(from) && !isFloatElement(to)
                              ? RoundingMode::NearestEven
                              : RoundingMode::TowardZero;
  return CastOp::create(c.builder, op.getLoc(), op.getType(), op.getInput(),
                        rounding)
      .getResult();
}

void mlir::gaudi::addElementwiseHandlers(TosaHandlers &h) {
  addUnary<tosa::AbsOp, AbsOp>(h, Elements::Number);
  addUnary<tosa::BitwiseNotOp, NotOp>(h, Elements::IntOrBool);
  addUnary<tosa::CeilOp, CeilOp>(h, Elements::Float);
  addUnary<tosa::ClzOp, ClzOp>(h, Elements::Int);
  addUnary<tosa::CosOp, CosOp>(h, Elements::Float);
  addUnary<tosa::ErfOp, ErfOp>(h, Elements::Float);
  addUnary<tosa::ExpOp, ExpOp>(h, Elements::Float);
  addUnary<tosa::FloorOp, FloorOp>(h, Elements::Float);
  addUnary<tosa::LogOp, LogOp>(h, Elements::Float);
  addUnary<tosa::LogicalNotOp, NotOp>(h, Elements::Bool);
  addUnary<tosa::ReciprocalOp, ReciprocalOp>(h, Elements::Float);
  addUnary<tosa::RsqrtOp, RsqrtOp>(h, Elements::Float);
  addUnary<tosa::SigmoidOp, SigmoidOp>(h, Elements::Float);
  addUnary<tosa::SinOp, SinOp>(h, Elements::Float);
  addUnary<tosa::TanhOp, TanhOp>(h, Elements::Float);

  addBinary<tosa::AddOp, AddOp>(h, Elements::Number);
  addBinary<tosa::SubOp, SubOp>(h, Elements::Number);
  addBinary<tosa::IntDivOp, DivOp>(h, Elements::Int);
  addBinary<tosa::PowOp, PowOp>(h, Elements::Float);
  addBinary<tosa::BitwiseAndOp, AndOp>(h, Elements::IntOrBool);
  addBinary<tosa::BitwiseOrOp, OrOp>(h, Elements::IntOrBool);
  addBinary<tosa::BitwiseXorOp, XorOp>(h, Elements::IntOrBool);
  addBinary<tosa::LogicalAndOp, AndOp>(h, Elements::Bool);
  addBinary<tosa::LogicalOrOp, OrOp>(h, Elements::Bool);
  addBinary<tosa::LogicalXorOp, XorOp>(h, Elements::Bool);
  addBinary<tosa::LogicalLeftShiftOp, ShlOp>(h, Elements::Int);
  addBinary<tosa::LogicalRightShiftOp, ShrLogicalOp>(h, Elements::Int);

  addExtremum<tosa::MaximumOp, MaxOp, MaxNumOp>(h);
  addExtremum<tosa::MinimumOp, MinOp, MinNumOp>(h);
  addCompare<tosa::EqualOp>(h, ComparePredicate::EQ);
  addCompare<tosa::GreaterOp>(h, ComparePredicate::GT);
  addCompare<tosa::GreaterEqualOp>(h, ComparePredicate::GE);
  h.add<tosa::SelectOp>(convertSelect);
  h.add<tosa::ClampOp>(convertClamp);
  h.add<tosa::CastOp>(convertCast);
}
