// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of reductions, cumulative sums, sorting and selection along an axis.
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

/// What an accumulator starts from, and how it takes a value.
struct FloatReducer {
  double start;
  double (*combine)(double, double);
};
struct IntReducer {
  int64_t start;
  int64_t (*combine)(int64_t, int64_t, IntKind);
};

FloatReducer floatReducer(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Prod:
    return {1, mulFloat};
  case ReduceKind::Max:
    return {-std::numeric_limits<double>::infinity(), maxFloat};
  case ReduceKind::Min:
    return {std::numeric_limits<double>::infinity(), minFloat};
  default: // sum and mean
    return {0, addFloat};
  }
}

IntReducer intReducer(ReduceKind kind, IntKind type) {
  switch (kind) {
  case ReduceKind::Prod:
    return {1, mulInt};
  case ReduceKind::Max:
    return {type.lowest(), maxInt};
  case ReduceKind::Min:
    return {type.highest(), minInt};
  case ReduceKind::All:
    return {1, andInt};
  case ReduceKind::Any:
    return {0, orInt};
  default:
    return {0, addInt};
  }
}

ReferenceTensor evaluateReduce(ReduceOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const ReduceKind kind = op.getKind();
  // Where an element of x goes in y: reduced dimensions do not move.
  SmallVector<int64_t> kept(x.getShape());
  int64_t reduced = 1;
  for (int64_t dim : op.getDims()) {
    reduced *= kept[dim];
    kept[dim] = 1;
  }
  const std::array<SmallVector<int64_t>, 1> strides{repeatingStrides(kept)};
  auto reduce = [&](auto from, auto accumulators, auto start, auto combine) {
    llvm::fill(accumulators, start);
    walkStrided<1>(x.getShape(), strides, {0},
                   [&](int64_t i, const std::array<int64_t, 1> &to) {
                     accumulators[to[0]] =
                         combine(accumulators[to[0]], from[i]);
                   });
  };
  if (x.isFloat()) {
    const FloatReducer reducer = floatReducer(kind);
    const bool isMean = kind == ReduceKind::Mean,
               isSum = isMean || kind == ReduceKind::Sum;
    reduce(x.floats(), y.mutableFloats(), reducer.start, reducer.combine);
    // A sum's noise goes with the sum of magnitudes, a product's with the
    // number of its factors.
    if (operands.noise && isSum) {
      std::vector<double> magnitudes(y.getCount());
      reduce(x.floats(), MutableArrayRef(magnitudes), 0.0, Noise::withTerm);
      for (auto [value, magnitude] : llvm::zip(y.mutableFloats(), magnitudes))
        value = operands.noise->disturbedSum(value, magnitude);
    } else if (operands.noise && kind == ReduceKind::Prod) {
      for (double &value : y.mutableFloats())
        value = operands.noise->disturbed(
            value, std::fabs(value) * std::sqrt(double(reduced)));
    }
    const FloatRounder round(y.getElementType(), operands.noise);
    // Means are divided in float64 and rounded once.
    for (double &value : y.mutableFloats())
      value = round(isMean ? value / static_cast<double>(reduced) : value);
  } else {
    const IntKind type = IntKind::of(x.getElementType());
    const IntReducer reducer = intReducer(kind, type);
    reduce(x.ints(), y.mutableInts(), reducer.start,
           [&](int64_t a, int64_t b) { return reducer.combine(a, b, type); });
  }
  return y;
}

template <typename T>
int64_t argReduce(ArrayRef<T> x, const AxisView &axis, int64_t o, int64_t i,
                  bool isMax, bool ignoreNan) {
  int64_t best = -1;
  for (int64_t s = 0; s < axis.size; ++s) {
    const T value = x[axis.at(o, s, i)];
    if constexpr (std::is_same_v<T, double>)
      if (ignoreNan && std::isnan(value))
        continue;
    if (best < 0) {
      best = s;
      continue;
    }
    const T leader = x[axis.at(o, best, i)];
    const bool leaderIsNan = leader != leader, valueIsNan = value != value;
    if (!leaderIsNan &&
        (valueIsNan || (isMax ? value > leader : value < leader)))
      best = s;
  }
  return std::max<int64_t>(best, 0);
}

ReferenceTensor evaluateArgReduce(ArgReduceOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const AxisView axis(x.getShape(), op.getAxis());
  auto to = y.mutableInts();
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t i = 0; i < axis.inner; ++i)
      to[o * axis.inner + i] =
          x.isFloat() ? argReduce(x.floats(), axis, o, i, op.getIsMax(),
                                  op.getIgnoreNan())
                      : argReduce(x.ints(), axis, o, i, op.getIsMax(), false);
  return y;
}

ReferenceTensor evaluateCumulativeSum(CumulativeSumOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const AxisView axis(x.getShape(), op.getAxis());
  auto run = [&](auto from, auto to, auto add, auto store) {
    for (int64_t o = 0; o < axis.outer; ++o)
      for (int64_t i = 0; i < axis.inner; ++i) {
        // Sums are kept in float64; only what is stored is rounded.
        typename decltype(to)::value_type sum = 0;
        for (int64_t s = 0; s < axis.size; ++s) {
          const int64_t at =
              axis.at(o, op.getReverse() ? axis.size - 1 - s : s, i);
          const auto next = add(sum, from[at]);
          to[at] = store(op.getExclusive() ? sum : next);
          sum = next;
        }
      }
  };
  if (x.isFloat()) {
    run(
        x.floats(), y.mutableFloats(),
        [&](double a, double b) {
          return operands.noise ? operands.noise->disturbed(a + b) : a + b;
        },
        FloatRounder(x.getElementType()));
  } else {
    const IntKind kind = IntKind::of(x.getElementType());
    run(
        x.ints(), y.mutableInts(),
        [&](int64_t a, int64_t b) { return addInt(a, b, kind); },
        [](int64_t sum) { return sum; });
  }
  return y;
}

/// Strict order in which NaN is larger than every number and equals itself.
template <typename T> bool isLess(T a, T b) {
  const bool aIsNan = a != a, bIsNan = b != b;
  return aIsNan || bIsNan ? !aIsNan && bIsNan : a < b;
}

/// The first `count` positions along the axis of the stably sorted elements.
template <typename T>
void sortAlong(ArrayRef<T> from, const AxisView &axis, bool descending,
               int64_t count, MutableArrayRef<T> values,
               MutableArrayRef<int64_t> indices) {
  std::vector<int64_t> order(axis.size);
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t i = 0; i < axis.inner; ++i) {
      std::iota(order.begin(), order.end(), 0);
      llvm::sort(order, [&](int64_t a, int64_t b) {
        const T left = from[axis.at(o, a, i)], right = from[axis.at(o, b, i)];
        if (isLess(left, right) || isLess(right, left))
          return descending ? isLess(right, left) : isLess(left, right);
        return a < b; // equal elements keep their order
      });
      for (int64_t s = 0; s < count; ++s) {
        const int64_t to = (o * count + s) * axis.inner + i;
        values[to] = from[axis.at(o, order[s], i)];
        indices[to] = order[s];
      }
    }
}

LogicalResult sortOrSelect(Operation *op, const ReferenceTensor &x,
                           int64_t axisNumber, bool descending,
                           Results &results) {
  ReferenceTensor values = emptyResult(op, 0), indices = emptyResult(op, 1);
  const AxisView axis(x.getShape(), axisNumber);
  const int64_t count = values.getDim(axisNumber);
  if (x.isFloat())
    sortAlong<double>(x.floats(), axis, descending, count,
                      values.mutableFloats(), indices.mutableInts());
  else
    sortAlong<int64_t>(x.ints(), axis, descending, count, values.mutableInts(),
                       indices.mutableInts());
  results.push_back(values);
  results.push_back(indices);
  return success();
}
LogicalResult evaluateSort(SortOp op, Operands operands, Results &results) {
  return sortOrSelect(op, operands[0], op.getAxis(), op.getDescending(),
                      results);
}
LogicalResult evaluateTopK(TopKOp op, Operands operands, Results &results) {
  return sortOrSelect(op, operands[0], op.getAxis(), !op.getSmallest(),
                      results);
}
} // namespace

void reference::attachReductionModels(MLIRContext *context) {
  attach<ReduceOp, evaluateReduce>(context);
  attach<ArgReduceOp, evaluateArgReduce>(context);
  attach<CumulativeSumOp, evaluateCumulativeSum>(context);
  attach<SortOp, evaluateSort>(context);
  attach<TopKOp, evaluateTopK>(context);
}
