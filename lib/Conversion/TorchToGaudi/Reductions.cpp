// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of reductions, scans and softmax.
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

/// The value that a reduction of nothing has.
static Value ofNothing(TorchCall &c, double value) {
  return c.expand(c.scalar(value, c.resultElement()), c.result().getShape());
}

static int64_t rankOf(TorchCall &c) { return c.type(0).rank(); }

/// True if the operand has no elements but the result has.
static bool sumsNothing(TorchCall &c) {
  return tensorType(c.tensor(0)).getNumElements() == 0;
}

/// Reduces argument 0 over the dimensions of argument 1, to the shape of the
/// result.
static Value reduceTo(TorchCall &c, ReduceKind kind, Value value) {
  Value reduced = c.reduce(kind, value, c.dims(1, rankOf(c)), false);
  return c.reshape(reduced, c.result().getShape());
}

Lowered lowerings::reduceBy(TorchCall &c, ReduceKind kind) {
  Value x = c.tensor(0);
  if (c.resultElement().isInteger(1))
    return one(reduceTo(
        c, kind == ReduceKind::Max ? ReduceKind::Any : ReduceKind::All, x));
  return one(reduceTo(c, kind, x));
}

/// The dimensions are argument 1, or all if there is only a type.
static Lowered accumulate(TorchCall &c, ReduceKind kind, double nothing) {
  Type type = c.resultElement();
  if (sumsNothing(c))
    return lowerings::one(ofNothing(c, nothing));
  const bool isAll = c.size() == 2; // self, dtype
  Value x = c.cast(c.tensor(0), type);
  SmallVector<int64_t> dims =
      isAll ? llvm::to_vector(llvm::seq<int64_t>(0, rankOf(c)))
            : c.dims(1, rankOf(c));
  // Booleans are added and multiplied as such.
  if (type.isInteger(1))
    kind = kind == ReduceKind::Prod ? ReduceKind::All : ReduceKind::Any;
  return lowerings::one(
      c.reshape(c.reduce(kind, x, dims, false), c.result().getShape()));
}

Lowered lowerings::sum(TorchCall &c) {
  return accumulate(c, ReduceKind::Sum, 0);
}
Lowered lowerings::productOf(TorchCall &c) {
  return accumulate(c, ReduceKind::Prod, 1);
}
Lowered lowerings::mean(TorchCall &c) {
  return accumulate(c, ReduceKind::Mean,
                    std::numeric_limits<double>::quiet_NaN());
}

Lowered lowerings::truthBy(TorchCall &c, ReduceKind kind) {
  if (sumsNothing(c))
    return one(ofNothing(c, kind == ReduceKind::All));
  Value x = c.cast(c.tensor(0), c.builder.getI1Type());
  SmallVector<int64_t> dims;
  // `any.dims` of an empty list reduces nothing.
  const bool isEmptyList =
      c.size() > 1 && c.has(1) && c.isList(1) && c.ints(1).empty();
  if (!isEmptyList)
    dims = c.dims(1, rankOf(c));
  Value reduced =
      c.reshape(c.reduce(kind, x, dims, false), c.result().getShape());
  return one(c.cast(reduced, c.resultElement()));
}

/// The position of the largest or smallest element along `axis`, in i64.
static Value positionAlong(TorchCall &c, Value x, int64_t axis, bool isMax) {
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  Value numbers = type.getElementType().isInteger(1)
                      ? c.cast(x, c.builder.getIntegerType(8))
                      : x;
  return ArgReduceOp::create(
      c.builder, RankedTensorType::get(shape, c.builder.getI64Type()), numbers,
      axis, isMax, /*keep_dims=*/false, /*ignore_nan=*/false);
}

Lowered lowerings::positionBy(TorchCall &c, bool isMax) {
  Value x = c.tensor(0);
  if (rankOf(c) == 0)
    return one(ofNothing(c, 0));
  if (!c.has(1)) {
    x = c.reshape(x, tensorType(x).getNumElements());
    return one(c.reshape(positionAlong(c, x, 0, isMax), c.result().getShape()));
  }
  Value position = positionAlong(c, x, c.dim(1, rankOf(c)), isMax);
  return one(c.reshape(position, c.result().getShape()));
}

Lowered lowerings::extremeBy(TorchCall &c, bool isMax) {
  Value x = c.tensor(0);
  const ArrayRef<int64_t> shape = c.result().getShape();
  if (rankOf(c) == 0)
    return SmallVector<Value>{x, c.scalar(0, c.resultElement(1))};
  auto best = reduceBy(c, isMax ? ReduceKind::Max : ReduceKind::Min);
  if (failed(best))
    return failure();
  Value position = positionAlong(c, x, c.dim(1, rankOf(c)), isMax);
  return SmallVector<Value>{best->front(), c.reshape(position, shape)};
}

//===----------------------------------------------------------------------===//
// Variance
//===----------------------------------------------------------------------===//

namespace {
/// The mean and the variance in f32, with dimensions of size 1.
struct Moments {
  Value mean, variance;
};
} // namespace

static Moments momentsOf(TorchCall &c) {
  Type wide = c.wideType(c.resultElement());
  Value x = c.cast(c.tensor(0), wide);
  const SmallVector<int64_t> dims = c.dims(1, rankOf(c));
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= tensorType(x).getDimSize(dim);
  Value mean = c.reduce(ReduceKind::Mean, x, dims, true);
  Value distance = c.apply<SubOp>({x, mean});
  Value squares = c.apply<MulOp>({distance, distance});
  Value sum = c.reduce(ReduceKind::Sum, squares, dims, true);
  // A divisor of 0 gives NaN or infinity, as in PyTorch; it is never below 0.
  const double divisor = std::max(0.0, double(count) - c.number(2, 1));
  return {mean, c.apply<DivOp>({sum, c.scalar(divisor, wide)})};
}

static Value finishMoment(TorchCall &c, Value value) {
  return c.cast(c.reshape(value, c.result().getShape()), c.resultElement());
}

static bool hasNothing(TorchCall &c) {
  return tensorType(c.tensor(0)).getNumElements() == 0;
}

Lowered lowerings::variance(TorchCall &c) {
  if (hasNothing(c))
    return one(ofNothing(c, std::numeric_limits<double>::quiet_NaN()));
  return one(finishMoment(c, momentsOf(c).variance));
}

Lowered lowerings::deviation(TorchCall &c) {
  if (hasNothing(c))
    return one(ofNothing(c, std::numeric_limits<double>::quiet_NaN()));
  Value variance = momentsOf(c).variance;
  return one(finishMoment(c, c.apply<SqrtOp>({variance})));
}

Lowered lowerings::varianceMean(TorchCall &c) {
  if (hasNothing(c)) {
    Value nan = ofNothing(c, std::numeric_limits<double>::quiet_NaN());
    return SmallVector<Value>{nan, nan};
  }
  const Moments moments = momentsOf(c);
  return SmallVector<Value>{finishMoment(c, moments.variance),
                            finishMoment(c, moments.mean)};
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// x less its maximum along `dims`, and the sum of its exponentials.
struct Exponentials {
  Value maximum, shifted, exponentials, sum;
};
} // namespace

static Exponentials exponentialsOf(TorchCall &c, Value x,
                                   ArrayRef<int64_t> dims) {
  Exponentials e;
  e.maximum = c.reduce(ReduceKind::Max, x, dims, true);
  e.shifted = c.apply<SubOp>({x, e.maximum});
  e.exponentials = c.apply<ExpOp>({e.shifted});
  e.sum = c.reduce(ReduceKind::Sum, e.exponentials, dims, true);
  return e;
}

Lowered lowerings::logSumExp(TorchCall &c) {
  Type type = c.resultElement(), wide = c.wideType(type);
  if (sumsNothing(c))
    return one(ofNothing(c, -std::numeric_limits<double>::infinity()));
  Value x = c.cast(c.tensor(0), wide);
  const SmallVector<int64_t> dims = c.dims(1, rankOf(c));
  // Infinities are not subtracted from themselves.
  Value maximum = c.reduce(ReduceKind::Max, x, dims, true);
  Value infinity = c.scalar(std::numeric_limits<double>::infinity(), wide);
  Value isFinite =
      c.compare(ComparePredicate::LT, c.apply<AbsOp>({maximum}), infinity);
  Value shift = c.select(isFinite, maximum, c.scalar(0, wide));
  Value sum =
      c.reduce(ReduceKind::Sum, c.apply<ExpOp>({c.apply<SubOp>({x, shift})}),
               dims, true);
  Value result = c.apply<AddOp>({c.apply<LogOp>({sum}), shift});
  return one(c.cast(c.reshape(result, c.result().getShape()), type));
}

/// What a softmax is of, rounded to the type that is asked for first, as
/// PyTorch does; a scalar has one dimension of size 1.
static Value softmaxOperand(TorchCall &c) {
  Type type = c.resultElement();
  Value x = c.cast(c.cast(c.tensor(0), type), c.wideType(type));
  return rankOf(c) == 0 ? c.reshape(x, {1}) : x;
}

Lowered lowerings::softmax(TorchCall &c) {
  if (sumsNothing(c))
    return one(c.cast(c.tensor(0), c.resultElement()));
  const Exponentials e =
      exponentialsOf(c, softmaxOperand(c), c.dim(1, rankOf(c)));
  Value result = c.apply<DivOp>({e.exponentials, e.sum});
  return one(
      c.cast(c.reshape(result, c.result().getShape()), c.resultElement()));
}

Lowered lowerings::logSoftmax(TorchCall &c) {
  if (sumsNothing(c))
    return one(c.cast(c.tensor(0), c.resultElement()));
  const Exponentials e =
      exponentialsOf(c, softmaxOperand(c), c.dim(1, rankOf(c)));
  Value result = c.apply<SubOp>({e.shifted, c.apply<LogOp>({e.sum})});
  return one(
      c.cast(c.reshape(result, c.result().getShape()), c.resultElement()));
}

/// grad and output in f32, with a dimension at least.
static Value gradientOperand(TorchCall &c, unsigned i) {
  Value x = c.operand(i, c.builder.getF32Type());
  return rankOf(c) == 0 ? c.reshape(x, {1}) : x;
}

Lowered lowerings::softmaxGradient(TorchCall &c) {
  if (sumsNothing(c))
    return one(c.cast(c.tensor(0), c.resultElement()));
  Value grad = gradientOperand(c, 0), output = gradientOperand(c, 1);
  Value product = c.apply<MulOp>({grad, output});
  Value sum = c.reduce(ReduceKind::Sum, product, c.dim(2, rankOf(c)), true);
  Value result = c.apply<SubOp>({product, c.apply<MulOp>({output, sum})});
  return one(
      c.cast(c.reshape(result, c.result().getShape()), c.resultElement()));
}

Lowered lowerings::logSoftmaxGradient(TorchCall &c) {
  if (sumsNothing(c))
    return one(c.cast(c.tensor(0), c.resultElement()));
  Value grad = gradientOperand(c, 0), output = gradientOperand(c, 1);
  Value sum = c.reduce(ReduceKind::Sum, grad, c.dim(2, rankOf(c)), true);
  Value scaled = c.apply<MulOp>({c.apply<ExpOp>({output}), sum});
  Value result = c.apply<SubOp>({grad, scaled});
  return one(
      c.cast(c.reshape(result, c.result().getShape()), c.resultElement()));
}

Lowered lowerings::cumulativeSum(TorchCall &c) {
  Value x = c.cast(c.tensor(0), c.resultElement());
  if (rankOf(c) == 0 || sumsNothing(c))
    return one(x);
  return one(CumulativeSumOp::create(c.builder, x.getType(), x,
                                     c.dim(1, rankOf(c)), /*exclusive=*/false,
                                     /*reverse=*/false));
}
