// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA reductions and argmax.
#include "Converter.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

template <typename Tosa>
static TosaMatch matchReduce(Tosa op, TosaMatcher &m, ReduceKind kind,
                             Elements elements) {
  if (failed(m.checkElements(elements)))
    return failure();
  return build([op, kind](TosaBuilder &b) mutable {
    return ReduceOp::create(b, op.getOutput().getType(), kind, op.getInput(),
                            {int64_t(op.getAxis())},
                            /*keep_dims=*/true);
  });
}

template <typename Tosa>
static void addReduce(TosaPatterns &patterns, ReduceKind kind,
                      Elements elements) {
  patterns.add<Tosa>([kind, elements](Tosa op, TosaMatcher &m) {
    return matchReduce(op, m, kind, elements);
  });
}

/// A kernel, since gaudi.tpc.reduce propagates NaN. NaN is the identity of
/// maxnum and minnum, so only a row of NaNs gives NaN.
static Value reduceIgnoringNan(Operation *op, Value input, int64_t axis,
                               RankedTensorType result, KernelReduce kind,
                               TosaBuilder &b) {
  ArrayRef<int64_t> shape = tensorType(input).getShape();
  const int64_t outer = computeProduct(shape.take_front(axis));
  const int64_t inner = computeProduct(shape.drop_front(axis + 1));
  Value flat = b.reshape(input, {outer, shape[axis], inner});
  Value value;
  {
    KernelBuilder k = b.kernel(op, result.clone({outer, inner}), flat,
                               {outer, inner, shape[axis]}, 2);
    Value nan = k.floatConstant(std::numeric_limits<double>::quiet_NaN());
    SmallVector<Value> best = k.loop({2}, kind, nan, [&](ValueRange) {
      return SmallVector<Value>{k.load(0, {k.dim(0), k.dim(2), k.dim(1)})};
    });
    k.store(best[0], 0, {k.dim(0), k.dim(1)});
    value = k.finish()->getResult(0);
  }
  return b.reshape(value, result.getShape());
}

template <typename Tosa>
static void addExtremum(TosaPatterns &patterns, ReduceKind kind,
                        KernelReduce ignoringNan) {
  patterns.add<Tosa>([=](Tosa op, TosaMatcher &m) -> TosaMatch {
    if (!ignoresNan(op.getNanMode(), op.getInput().getType()))
      return matchReduce(op, m, kind, Elements::Number);
    return build([op, ignoringNan](TosaBuilder &b) mutable {
      return reduceIgnoringNan(op, op.getInput(), op.getAxis(),
                               tensorType(op.getOutput()), ignoringNan, b);
    });
  });
}

static TosaMatch matchArgMax(tosa::ArgMaxOp op, TosaMatcher &m) {
  if (failed(m.checkElements(Elements::Number)))
    return failure();
  Type index = getElementTypeOrSelf(op.getOutput());
  if (!index.isInteger(32) && !index.isInteger(64))
    return m.refuse("expected an i32 or i64 result");
  return build([op](TosaBuilder &b) mutable {
    return ArgReduceOp::create(
        b, op.getOutput().getType(), op.getInput(), op.getAxis(),
        /*is_max=*/true, /*keep_dims=*/false,
        ignoresNan(op.getNanMode(), op.getInput().getType()));
  });
}

void gaudi::addReductionPatterns(TosaPatterns &p) {
  addReduce<tosa::ReduceAllOp>(p, ReduceKind::All, Elements::Bool);
  addReduce<tosa::ReduceAnyOp>(p, ReduceKind::Any, Elements::Bool);
  addReduce<tosa::ReduceProductOp>(p, ReduceKind::Prod, Elements::Number);
  addReduce<tosa::ReduceSumOp>(p, ReduceKind::Sum, Elements::Number);
  addExtremum<tosa::ReduceMaxOp>(p, ReduceKind::Max, KernelReduce::MaxNum);
  addExtremum<tosa::ReduceMinOp>(p, ReduceKind::Min, KernelReduce::MinNum);
  p.add<tosa::ArgMaxOp>(matchArgMax);
}
