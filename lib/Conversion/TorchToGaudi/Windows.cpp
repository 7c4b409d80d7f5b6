// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of pooling in one to three dimensions, and of its gradients.
#include "../Common/PointKernel.h"
#include "Lowerings.h"
#include "Taps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The window of a pooling over the last dimensions.
struct PoolWindow {
  SmallVector<int64_t> kernel, strides, dilations, low, high;
  bool goesBeyond = false; ///< The last window ends after the padding.

  size_t rank() const { return kernel.size(); }
};
} // namespace

/// The spatial dimensions of a pooling: the number in the op's name.
static size_t spatialRank(TorchCall &c) {
  StringRef name = c.op.schema.name;
  return name[name.find_first_of("123")] - '0';
}

/// The window of which sizes, strides and pads are arguments from `first` on,
/// as `dilation` is, if there is one. It moves over `sizes`, to `outputs`.
static PoolWindow windowOf(TorchCall &c, unsigned first,
                           std::optional<unsigned> dilation,
                           ArrayRef<int64_t> sizes, ArrayRef<int64_t> outputs) {
  const size_t rank = spatialRank(c);
  auto perDim = [&](unsigned i, ArrayRef<int64_t> absent) {
    SmallVector<int64_t> list(c.ints(i));
    if (list.empty())
      list.assign(absent.begin(), absent.end());
    if (list.size() == 1)
      list.resize(rank, list.front());
    return list;
  };
  PoolWindow window;
  window.kernel = perDim(first, {});
  window.strides = perDim(first + 1, window.kernel);
  window.low = perDim(first + 2, {0});
  window.high = window.low;
  window.dilations =
      dilation ? perDim(*dilation, {1}) : SmallVector<int64_t>(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t reach = (outputs[i] - 1) * window.strides[i] +
                          (window.kernel[i] - 1) * window.dilations[i] + 1;
    const int64_t needed = reach - sizes[i] - window.low[i];
    if (needed > window.high[i]) {
      window.high[i] = needed;
      window.goesBeyond = true;
    }
  }
  return window;
}

/// The spatial dimensions of a shape.
static ArrayRef<int64_t> spatial(TorchCall &c, RankedTensorType type) {
  return type.getShape().take_back(spatialRank(c));
}

/// That of a call that pools its first operand.
static PoolWindow windowOf(TorchCall &c, std::optional<unsigned> dilation) {
  return windowOf(c, 1, dilation, spatial(c, tensorType(c.tensor(0))),
                  spatial(c, c.result()));
}

static Value pool(TorchCall &c, Value x, PoolKind kind,
                  const PoolWindow &window, bool countsPadding) {
  const int64_t rank = window.rank() + 2;
  x = c.withRank(x, rank);
  SmallVector<int64_t> shape(c.result().getShape());
  shape.insert(shape.begin(), rank - shape.size(), 1);
  Value pooled = PoolOp::create(c.builder, tensorType(x).clone(shape), kind, x,
                                ("NC" + spatialLetters(window.rank())).str(),
                                window.kernel, window.strides, window.dilations,
                                window.low, window.high, countsPadding,
                                /*ignore_nan=*/false);
  return c.reshape(pooled, c.result().getShape());
}

//===----------------------------------------------------------------------===//
// The largest elements
//===----------------------------------------------------------------------===//

namespace {
/// A dimension in which elements are selected, computed inside a kernel: where
/// the window of an output begins, how many elements it has at most, and where
/// it ends.
struct SelectDim {
  int64_t size;     ///< of the operand
  int64_t elements; ///< of the largest window
  int64_t dilation;
  /// The first position, which may be in the padding.
  std::function<Value(KernelBuilder &, Value output)> begin;
  /// The first position after the window; null if all have `elements`.
  std::function<Value(KernelBuilder &, Value output)> end;
};
} // namespace

/// The largest element of each window and its position in the spatial
/// dimensions, row-major. The first one among equals, the last NaN.
static SmallVector<Value> selectLargest(TorchCall &c,
                                        ArrayRef<SelectDim> window) {
  RankedTensorType type = c.result(), positions = c.result(1);
  const int64_t rank = window.size();
  Type i64 = c.builder.getI64Type(), element = type.getElementType();
  // What is not pooled is one dimension.
  auto flat = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> sizes(shape.take_back(rank));
    sizes.insert(sizes.begin(), llvm::product_of(shape.drop_back(rank)));
    return sizes;
  };
  const SmallVector<int64_t> outputs = flat(type.getShape());
  Value data = c.reshape(c.tensor(0), flat(tensorType(c.tensor(0)).getShape()));
  SmallVector<int64_t> loops, loopDims;
  for (const SelectDim &dim : window) {
    loops.push_back(dim.elements);
    loopDims.push_back(rank + int64_t(loops.size()));
  }
  auto point = [&](KernelBuilder &k) {
    auto step = [&](ValueRange state) {
      k.setElementType(i64);
      Value inside, flatPosition = k.intConstant(0, i64);
      auto require = [&](Value condition) {
        inside =
            inside ? k.binary<arith::AndIOp>(inside, condition) : condition;
      };
      SmallVector<Value> at;
      for (auto [i, dim] : llvm::enumerate(window)) {
        Value output = k.index(i + 1);
        Value offset =
            k.mul(k.index(loopDims[i]), k.intConstant(dim.dilation, i64));
        at.push_back(k.add(dim.begin(k, output), offset));
        require(k.compare(ComparePredicate::GE, at[i], k.intConstant(0, i64)));
        require(k.compare(ComparePredicate::LT, at[i],
                          dim.end ? dim.end(k, output)
                                  : k.intConstant(dim.size, i64)));
        flatPosition =
            k.add(k.mul(flatPosition, k.intConstant(dim.size, i64)), at[i]);
      }
      SmallVector<AffineExpr> position(rank + 1, k.cst(0));
      position[0] = k.dim(0);
      SmallVector<Boundary> rules(rank + 1, Boundary::Clamp);
      rules[0] = Boundary::Inside;
      Value value =
          k.loadAt(0, position,
                   llvm::to_vector(llvm::seq<int64_t>(1, rank + 1)), at, rules);
      Value isFirst =
          k.compare(ComparePredicate::LT, state[1], k.intConstant(0, i64));
      k.setElementType(element);
      Value isBetter = k.binary<arith::OrIOp>(
          isFirst, k.compare(ComparePredicate::GT, value, state[0]));
      if (isFloatElement(element))
        isBetter = k.binary<arith::OrIOp>(
            isBetter, k.compare(ComparePredicate::NE, value, value));
      Value take = k.binary<arith::AndIOp>(inside, isBetter);
      return SmallVector<Value>{k.select(take, value, state[0]),
                                k.select(take, flatPosition, state[1])};
    };
    Value zero = k.constant(c.builder.getZeroAttr(element));
    return k.loop(loopDims, {KernelReduce::Custom, KernelReduce::Custom},
                  {zero, k.intConstant(-1, i64)}, step);
  };
  SmallVector<Value> results = pointKernel(
      c.builder, c.op.schema.name,
      {type.clone(outputs), positions.clone(outputs)}, data, loops, point);
  for (auto [i, result] : llvm::enumerate(results))
    result = c.reshape(result, c.result(i).getShape());
  return results;
}

Lowered lowerings::maxPool(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("it is not defined for bool");
  if (c.result().getNumElements() == 0)
    return zerosOfAll(c);
  const PoolWindow window = windowOf(c, 4);
  // Positions that nothing reads are not computed.
  if (c.numResults() == 1 || !c.isUsed(1)) {
    SmallVector<Value> values = {
        pool(c, c.tensor(0), PoolKind::Max, window, /*countsPadding=*/false)};
    if (c.numResults() == 2)
      values.push_back(
          c.expand(c.scalar(0, c.resultElement(1)), c.result(1).getShape()));
    return values;
  }
  ArrayRef<int64_t> sizes = spatial(c, tensorType(c.tensor(0)));
  SmallVector<SelectDim> dims;
  for (size_t i = 0; i < window.rank(); ++i)
    dims.push_back({sizes[i],
                    window.kernel[i],
                    window.dilations[i],
                    [&window, i](KernelBuilder &k, Value output) {
                      Type i64 = output.getType();
                      return k.sub(
                          k.mul(output, k.intConstant(window.strides[i], i64)),
                          k.intConstant(window.low[i], i64));
                    },
                    {}});
  return selectLargest(c, dims);
}

/// Window i of n over s elements is [floor(i s / n), ceil((i + 1) s / n)).
static std::pair<int64_t, int64_t> adaptiveWindow(int64_t i, int64_t size,
                                                  int64_t count) {
  return {i * size / count, llvm::divideCeil((i + 1) * size, count)};
}

/// Elements of the largest window, or one more.
static int64_t mostInWindow(int64_t size, int64_t count) {
  return std::min<int64_t>(llvm::divideCeil(size, count) + (size % count != 0),
                           size);
}

Lowered lowerings::adaptiveMaxPool(TorchCall &c) {
  if (c.result().getNumElements() == 0)
    return zerosOfAll(c);
  ArrayRef<int64_t> sizes = spatial(c, tensorType(c.tensor(0))),
                    counts = spatial(c, c.result());
  SmallVector<SelectDim> dims;
  for (auto [size, count] : llvm::zip_equal(sizes, counts)) {
    // (output * s + n - 1) / n rounds up.
    auto bound = [size = size, count = count](KernelBuilder &k, Value output,
                                              int64_t added) -> Value {
      Type i64 = output.getType();
      Value product = k.mul(output, k.intConstant(size, i64));
      return k.binary<arith::DivSIOp>(k.add(product, k.intConstant(added, i64)),
                                      k.intConstant(count, i64));
    };
    const int64_t most = mostInWindow(size, count);
    dims.push_back(
        {size, most, 1,
         [bound](KernelBuilder &k, Value output) {
           return bound(k, output, 0);
         },
         [bound, size = size, count = count](KernelBuilder &k, Value output) {
           return bound(k, output, size + count - 1);
         }});
  }
  return selectLargest(c, dims);
}

// The last argument is where the elements came from.
Lowered lowerings::maxPoolGradient(TorchCall &c) {
  RankedTensorType type = c.result(), from = tensorType(c.tensor(0));
  if (from.getNumElements() == 0 || type.getNumElements() == 0)
    return zeros(c);
  auto flat = [&](RankedTensorType own) -> SmallVector<int64_t> {
    return {llvm::product_of(own.getShape().drop_back(spatialRank(c))),
            llvm::product_of(spatial(c, own))};
  };
  Value indices = c.tensor(c.size() - 1);
  Type wide = c.wideType(type.getElementType());
  Value none = c.expand(c.scalar(0, wide), flat(type));
  Value sum = ScatterElementsOp::create(
      c.builder, none.getType(), none, c.reshape(indices, flat(from)),
      c.reshape(c.operand(0, wide), flat(from)), /*axis=*/1,
      /*accumulate=*/true);
  return one(c.cast(c.reshape(sum, type.getShape()), c.resultElement()));
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

/// The windows of an average over dimension `dim` as taps; each element is
/// divided by the elements that count, or by 1 if `divides` is not set.
static Taps averageTaps(const PoolWindow &window, size_t dim, int64_t size,
                        int64_t outputs, bool countsPadding, bool divides) {
  Taps taps(outputs);
  for (int64_t i = 0; i < outputs; ++i) {
    const int64_t begin = i * window.strides[dim] - window.low[dim];
    const int64_t end =
        std::min(begin + window.kernel[dim], size + window.low[dim]);
    const int64_t first = std::max<int64_t>(begin, 0),
                  last = std::min(end, size);
    const int64_t count = countsPadding ? end - begin : last - first;
    for (int64_t at = first; at < last; ++at)
      taps[i].push_back({at, divides ? 1 / double(count) : 1});
  }
  return taps;
}

static Taps adaptiveTaps(int64_t size, int64_t count) {
  Taps taps(count);
  for (int64_t i = 0; i < count; ++i) {
    auto [begin, end] = adaptiveWindow(i, size, count);
    for (int64_t at = begin; at < end; ++at)
      taps[i].push_back({at, 1 / double(end - begin)});
  }
  return taps;
}

/// Integers: the sum of the window divided by the elements that count, toward
/// zero.
static Value integerAverage(TorchCall &c, const PoolWindow &window,
                            bool countsPadding) {
  Type element = c.resultElement();
  Value sum = pool(c, c.tensor(0), PoolKind::Sum, window, false);
  if (c.size() > 6 && c.has(6))
    return c.apply<DivOp>({sum, c.operand(6, element)});
  ArrayRef<int64_t> sizes = spatial(c, tensorType(c.tensor(0)));
  SmallVector<int64_t> shape(window.rank(), 1);
  Value divisor = c.scalar(1, element);
  for (size_t dim = 0; dim < window.rank(); ++dim) {
    const int64_t outputs = spatial(c, c.result())[dim];
    SmallVector<Attribute> counts;
    for (const auto &own : averageTaps(window, dim, sizes[dim], outputs,
                                       countsPadding, /*divides=*/true))
      counts.push_back(IntegerAttr::get(
          element, int64_t(std::llround(1 / own.front().weight))));
    SmallVector<int64_t> line(window.rank(), 1);
    line[dim] = outputs;
    divisor = c.apply<MulOp>(
        {divisor,
         ConstantOp::create(
             c.builder, DenseElementsAttr::get(
                            RankedTensorType::get(line, element), counts))});
  }
  return c.apply<DivOp>({sum, divisor});
}

Lowered lowerings::avgPool(TorchCall &c) {
  if (c.result().getNumElements() == 0)
    return zeros(c);
  const PoolWindow window = windowOf(c, std::nullopt);
  const bool countsPadding = c.flag(5);
  if (!isFloatElement(c.resultElement()))
    return one(integerAverage(c, window, countsPadding));
  Type wide = c.wideType(c.resultElement());
  if (c.size() > 6 && c.has(6)) {
    Value sum =
        pool(c, c.cast(c.tensor(0), wide), PoolKind::Sum, window, false);
    Value quotient = c.apply<DivOp>({sum, c.operand(6, wide)});
    return one(c.cast(quotient, c.resultElement()));
  }
  const bool hasPads =
      llvm::any_of(window.low, [](int64_t pad) { return pad != 0; });
  // Beyond the pads nothing is counted, which the device's op does not know.
  if (!window.goesBeyond || !countsPadding || !hasPads)
    return one(pool(c, c.tensor(0), PoolKind::Avg, window,
                    countsPadding && !window.goesBeyond));
  Value value = c.cast(c.tensor(0), wide);
  const int64_t first = c.type(0).rank() - int64_t(window.rank());
  for (size_t dim = 0; dim < window.rank(); ++dim) {
    const int64_t size = spatial(c, tensorType(c.tensor(0)))[dim];
    const int64_t outputs = spatial(c, c.result())[dim];
    if (failed(checkTaps(c, size, outputs, window.kernel[dim])))
      return failure();
    value = applyTaps(c, value, first + int64_t(dim),
                      averageTaps(window, dim, size, outputs, true, true));
    if (!value)
      return failure();
  }
  return one(c.cast(value, c.resultElement()));
}

/// The gradients of taps along the spatial dimensions of the result, of which
/// an output has at most `mostOf`.
template <typename MostOf, typename TapsOf>
static Lowered tapsGradient(TorchCall &c, Value gradient, MostOf mostOf,
                            TapsOf tapsOf) {
  ArrayRef<int64_t> sizes = spatial(c, c.result()),
                    outputs = spatial(c, tensorType(gradient));
  const int64_t first = c.result().getRank() - int64_t(sizes.size());
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (failed(checkTaps(c, sizes[dim], outputs[dim],
                         mostOf(dim, sizes[dim], outputs[dim]))))
      return failure();
    gradient = applyTaps(
        c, gradient, first + int64_t(dim),
        transposed(tapsOf(dim, sizes[dim], outputs[dim]), sizes[dim]));
    if (!gradient)
      return failure();
  }
  return lowerings::one(c.cast(gradient, c.resultElement()));
}

Lowered lowerings::avgPoolGradient(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  RankedTensorType from = tensorType(c.tensor(0));
  if (from.getNumElements() == 0 || c.result().getNumElements() == 0)
    return zeros(c);
  const PoolWindow window =
      windowOf(c, 2, std::nullopt, spatial(c, c.result()), spatial(c, from));
  const bool isOverridden = c.has(7);
  Type wide = c.wideType(c.resultElement());
  Value gradient = c.operand(0, wide);
  if (isOverridden)
    gradient = c.apply<DivOp>({gradient, c.operand(7, wide)});
  return tapsGradient(
      c, gradient,
      [&](size_t dim, int64_t, int64_t) { return window.kernel[dim]; },
      [&](size_t dim, int64_t size, int64_t outputs) {
        return averageTaps(window, dim, size, outputs, c.flag(6),
                           !isOverridden);
      });
}

Lowered lowerings::adaptiveAvgPool(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0)
    return zeros(c);
  // The mean of a box is that of the means of its lines.
  Type wide = c.wideType(c.resultElement());
  Value value = c.cast(c.tensor(0), wide);
  const int64_t rank = tensorType(value).getRank();
  for (int64_t dim = rank - int64_t(spatialRank(c)); dim < rank; ++dim) {
    const int64_t size = tensorType(value).getDimSize(dim);
    const int64_t count = c.result().getDimSize(dim);
    SmallVector<int64_t> shape(tensorType(value).getShape());
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
    if (failed(checkTaps(c, size, count, mostInWindow(size, count))))
      return failure();
    value = applyTaps(c, value, dim, adaptiveTaps(size, count));
    if (!value)
      return failure();
  }
  return one(c.cast(value, c.resultElement()));
}

Lowered lowerings::adaptiveAvgPoolGradient(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (tensorType(c.tensor(0)).getNumElements() == 0 ||
      c.result().getNumElements() == 0)
    return zeros(c);
  return tapsGradient(
      c, c.operand(0, c.wideType(c.resultElement())),
      [](size_t, int64_t size, int64_t count) {
        return mostInWindow(size, count);
      },
      [](size_t, int64_t size, int64_t count) {
        return adaptiveTaps(size, count);
      });
}
