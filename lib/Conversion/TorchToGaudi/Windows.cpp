// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of pooling and of norms.
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
/// The window of a pooling over H and W.
struct PoolWindow {
  SmallVector<int64_t> kernel, strides, dilations, low, high;
  bool goesBeyond = false; ///< The last window ends after the padding.
};
} // namespace

/// `dilation` is an argument, if there is one.
static PoolWindow windowOf(TorchCall &c, std::optional<unsigned> dilation) {
  auto perDim = [&](unsigned i, ArrayRef<int64_t> absent) {
    SmallVector<int64_t> list(c.ints(i));
    if (list.empty())
      list.assign(absent.begin(), absent.end());
    if (list.size() == 1)
      list.push_back(list.front());
    return list;
  };
  PoolWindow window;
  window.kernel = perDim(1, {});
  window.strides = perDim(2, window.kernel);
  window.low = perDim(3, {0, 0});
  window.high = window.low;
  window.dilations =
      dilation ? perDim(*dilation, {1, 1}) : SmallVector<int64_t>{1, 1};
  const int64_t first = c.type(0).rank() - 2;
  for (int64_t i = 0; i < 2; ++i) {
    const int64_t reach =
        (c.result().getDimSize(first + i) - 1) * window.strides[i] +
        (window.kernel[i] - 1) * window.dilations[i] + 1;
    const int64_t needed = reach - c.type(0).sizes[first + i] - window.low[i];
    if (needed > window.high[i]) {
      window.high[i] = needed;
      window.goesBeyond = true;
    }
  }
  return window;
}

static Value pool(TorchCall &c, PoolKind kind, const PoolWindow &window,
                  bool countsPadding) {
  Value x = c.withRank(c.tensor(0), 4);
  SmallVector<int64_t> shape(c.result().getShape());
  if (shape.size() == 3)
    shape.insert(shape.begin(), 1);
  Value pooled = PoolOp::create(c.builder, tensorType(x).clone(shape), kind, x,
                                "NCHW", window.kernel, window.strides,
                                window.dilations, window.low, window.high,
                                countsPadding, /*ignore_nan=*/false);
  return c.reshape(pooled, c.result().getShape());
}

Lowered lowerings::maxPool2d(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("it is not defined for bool");
  if (c.numResults() == 2 && c.isUsed(1))
    return c.refuse("the positions of the largest elements are not supported; "
                    "their values are");
  if (c.result().getNumElements() == 0)
    return c.refuse("it has no elements");
  SmallVector<Value> values = {
      pool(c, PoolKind::Max, windowOf(c, 4), /*countsPadding=*/false)};
  if (c.numResults() == 2) // which nothing reads
    values.push_back(
        c.expand(c.scalar(0, c.resultElement(1)), c.result(1).getShape()));
  return values;
}

Lowered lowerings::avgPool2d(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0)
    return c.refuse("it has no elements");
  const PoolWindow window = windowOf(c, std::nullopt);
  if (c.has(6)) {
    Value sum = pool(c, PoolKind::Sum, window, false);
    Type wide = c.wideType(c.resultElement());
    Value quotient = c.apply<DivOp>({c.cast(sum, wide), c.operand(6, wide)});
    return one(c.cast(quotient, c.resultElement()));
  }
  const bool hasPads = window.low[0] != 0 || window.low[1] != 0;
  if (window.goesBeyond && c.flag(5) && hasPads)
    return c.refuse("ceil_mode with pads that are counted is not supported");
  // Beyond the pads nothing is counted.
  return one(pool(c, PoolKind::Avg, window, c.flag(5) && !window.goesBeyond));
}

Lowered lowerings::adaptivePool2d(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0)
    return zeros(c);
  // The mean of a rectangle is that of the means of its rows. Window i of n
  // over s elements is [floor(i s / n), ceil((i + 1) s / n)).
  Type wide = c.wideType(c.resultElement());
  Value value = c.cast(c.tensor(0), wide);
  const int64_t rank = tensorType(value).getRank();
  for (int64_t dim = rank - 2; dim < rank; ++dim) {
    const int64_t size = tensorType(value).getDimSize(dim);
    const int64_t count = c.result().getDimSize(dim);
    SmallVector<int64_t> shape(tensorType(value).getShape());
    if (size == 0)
      return c.refuse("it averages no elements");
    if (size % count == 0) {
      SmallVector<int64_t> apart(shape);
      apart[dim] = count;
      apart.insert(apart.begin() + dim + 1, size / count);
      shape[dim] = count;
      value = c.reshape(
          c.reduce(ReduceKind::Mean, c.reshape(value, apart), dim + 1, false),
          shape);
      continue;
    }
    constexpr int64_t most = 1024; // each is ops of its own
    if (count > most)
      return c.refuse("it has " + Twine(count) +
                      " windows of different size; "
                      "at most " +
                      Twine(most) + " are supported");
    SmallVector<Value> means;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t begin = i * size / count;
      const int64_t end = ((i + 1) * size + count - 1) / count;
      Value part = c.slice(value, dim, begin, end - begin);
      means.push_back(c.reduce(ReduceKind::Mean, part, dim, true));
    }
    shape[dim] = count;
    value =
        means.size() == 1
            ? means.front()
            : ConcatOp::create(c.builder, RankedTensorType::get(shape, wide),
                               means, dim);
  }
  return one(c.cast(value, c.resultElement()));
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Lowered lowerings::layerNorm(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0)
    return c.refuse("it normalizes no elements");
  Type wide = c.builder.getF32Type();
  Value x = c.operand(0, wide);
  const int64_t rank = c.type(0).rank();
  const SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(rank - c.ints(1).size(), rank));
  Value mean = c.reduce(ReduceKind::Mean, x, dims, true);
  Value distance = c.apply<SubOp>({x, mean});
  Value variance = c.reduce(ReduceKind::Mean,
                            c.apply<MulOp>({distance, distance}), dims, true);
  Value shifted = c.apply<AddOp>({variance, c.operand(4, wide)});
  Value scale = c.apply<RsqrtOp>({shifted});
  Value y = c.apply<MulOp>({distance, scale});
  if (c.has(2))
    y = c.apply<MulOp>({y, c.operand(2, wide)});
  if (c.has(3))
    y = c.apply<AddOp>({y, c.operand(3, wide)});
  SmallVector<Value> values = {c.cast(y, c.resultElement())};
  if (c.numResults() == 3) {
    values.push_back(c.cast(mean, c.resultElement(1)));
    values.push_back(c.cast(scale, c.resultElement(2)));
  }
  return values;
}

Lowered lowerings::batchNorm(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  Type wide = c.builder.getF32Type();
  SmallVector<int64_t> perChannel(c.type(0).rank(), 1);
  perChannel[1] = c.type(0).sizes[1];
  auto channels = [&](unsigned i) {
    return c.reshape(c.operand(i, wide), perChannel);
  };
  Value shifted = c.apply<AddOp>({channels(4), c.operand(6, wide)});
  Value y = c.apply<SubOp>({c.operand(0, wide), channels(3)});
  y = c.apply<MulOp>({y, c.apply<RsqrtOp>({shifted})});
  if (c.has(1))
    y = c.apply<MulOp>({y, channels(1)});
  if (c.has(2))
    y = c.apply<AddOp>({y, channels(2)});
  Value nothing =
      c.constant(c.result(1), c.builder.getZeroAttr(c.resultElement(1)));
  return SmallVector<Value>{c.cast(y, c.resultElement()), nothing, nothing};
}
