// TOSA reductions and argmax.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

template <typename Tosa>
static FailureOr<Value> convertReduce(Tosa op, TosaConverter &c,
                                      ReduceKind kind, Elements elements) {
  if (failed(c.checkElements(op, elements)))
    return failure();
  return ReduceOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                          kind, op.getInput(), {int64_t(op.getAxis())},
                          /*keep_dims=*/true)
      .getResult();
}

template <typename Tosa>
static void addReduce(TosaHandlers &handlers, ReduceKind kind,
                      Elements elements) {
  handlers.add<Tosa>([kind, elements](Tosa op, TosaConverter &c) {
    return convertReduce(op, c, kind, elements);
  });
}

/// NaN gives way to every number; only a row of NaNs stays NaN.
static Value reduceIgnoringNan(Operation *op, Value input, int64_t axis,
                               RankedTensorType result, KernelReduce kind,
                               TosaConverter &c) {
  ArrayRef<int64_t> shape = tensorType(input).getShape();
  int64_t outer = 1, inner = 1;
  for (int64_t size : shape.take_front(axis))
    outer *= size;
  for (int64_t size : shape.drop_front(axis + 1))
    inner *= size;
  Value flat = c.reshape(op->getLoc(), input, {outer, shape[axis], inner});
  Value value;
  {
    KernelBuilder k = c.kernel(op, result.clone({outer, inner}), flat,
                               {outer, inner, shape[axis]}, 2);
    Value nan = k.floatConstant(std::numeric_limits<double>::quiet_NaN());
    SmallVector<Value> best = k.loop({2}, kind, nan, [&](ValueRange) {
      return SmallVector<Value>{k.load(0, {k.dim(0), k.dim(2), k.dim(1)})};
    });
    k.store(best[0], 0, {k.dim(0), k.dim(1)});
    value = k.finish()->getResult(0);
  }
  return c.reshape(op->getLoc(), value, result.getShape());
}

template <typename Tosa>
static void addExtremum(TosaHandlers &handlers, ReduceKind kind,
                        KernelReduce ignoringNan) {
  handlers.add<Tosa>([=](Tosa op, TosaConverter &c) -> FailureOr<Value> {
    if (!ignoresNan(op.getNanMode(), op.getInput().getType()))
      return convertReduce(op, c, kind, Elements::Number);
    return reduceIgnoringNan(op, op.getInput(), op.getAxis(),
                             tensorType(op.getOutput()), ignoringNan, c);
  });
}

static FailureOr<Value> convertArgMax(tosa::ArgMaxOp op, TosaConverter &c) {
  if (failed(c.checkElements(op, Elements::Number)))
    return failure();
  Type index = getElementTypeOrSelf(op.getOutput());
  if (!index.isInteger(32) && !index.isInteger(64))
    return c.fail(op, "expected an i32 or i64 result");
  return ArgReduceOp::create(
             c.builder, op.getLoc(), op.getOutput().getType(), op.getInput(),
             op.getAxis(), /*is_max=*/true, /*keep_dims=*/false,
             ignoresNan(op.getNanMode(), op.getInput().getType()))
      .getResult();
}

void mlir::gaudi::addReductionHandlers(TosaHandlers &h) {
  addReduce<tosa::ReduceAllOp>(h, ReduceKind::All, Elements::Bool);
  addReduce<tosa::ReduceAnyOp>(h, ReduceKind::Any, Elements::Bool);
  addReduce<tosa::ReduceProductOp>(h, ReduceKind::Prod, Elements::Number);
  addReduce<tosa::ReduceSumOp>(h, ReduceKind::Sum, Elements::Number);
  addExtremum<tosa::ReduceMaxOp>(h, ReduceKind::Max, KernelReduce::MaxNum);
  addExtremum<tosa::ReduceMinOp>(h, ReduceKind::Min, KernelReduce::MinNum);
  h.add<tosa::ArgMaxOp>(convertArgMax);
}
