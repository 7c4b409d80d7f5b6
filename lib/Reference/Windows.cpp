// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of pooling, its gradient, and resampling.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

/// Position of each letter of a layout and the strides of a tensor by letter.
struct PoolShape {
  int64_t batch, channels, batchStride, channelStride;
  SmallVector<int64_t> sizes, strides; ///< spatial, in the order D, H, W

  PoolShape(ArrayRef<int64_t> shape, StringRef layout) {
    const SmallVector<int64_t> dense = denseStrides(shape);
    batch = shape[layout.find('N')];
    batchStride = dense[layout.find('N')];
    channels = shape[layout.find('C')];
    channelStride = dense[layout.find('C')];
    for (char letter : spatialLetters(shape.size() - 2)) {
      sizes.push_back(shape[layout.find(letter)]);
      strides.push_back(dense[layout.find(letter)]);
    }
  }
};

/// The windows of a pooling, by spatial dimension.
struct PoolWindow {
  ArrayRef<int64_t> kernel, strides, dilations, padLow;
};

/// Element offsets (from the batch and channel) of the window at `index`, in
/// row-major order by spatial dimension: the product over the dimensions of the
/// positions along each. Those outside x are left out, or -1.
SmallVector<int64_t> windowAt(const PoolWindow &window, const PoolShape &x,
                              ArrayRef<int64_t> index, bool keepOutside) {
  SmallVector<int64_t> offsets{0};
  for (size_t d = 0; d < index.size(); ++d) {
    SmallVector<int64_t> extended;
    for (int64_t offset : offsets)
      for (int64_t k = 0; k < window.kernel[d]; ++k) {
        const int64_t at = index[d] * window.strides[d] - window.padLow[d] +
                           k * window.dilations[d];
        if (offset >= 0 && at >= 0 && at < x.sizes[d])
          extended.push_back(offset + at * x.strides[d]);
        else if (keepOutside)
          extended.push_back(-1);
      }
    offsets = std::move(extended);
  }
  return offsets;
}

/// Calls `visit` at each spatial position with its offset and its index.
void walkPositions(const PoolShape &shape,
                   llvm::function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  walkStrided<1>(shape.sizes, {shape.strides}, {0},
                 [&](int64_t i, const std::array<int64_t, 1> &base) {
                   SmallVector<int64_t> index(shape.sizes.size());
                   for (size_t d = index.size(); d-- > 0; i /= shape.sizes[d])
                     index[d] = i % shape.sizes[d];
                   visit(base[0], index);
                 });
}

double poolFloats(PoolOp op, const double *x, ArrayRef<int64_t> window,
                  const Noise *noise) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool ignoreNan = op.getIgnoreNan();
  auto fold = [&](double accumulator, double (*combine)(double, double)) {
    for (int64_t at : window)
      accumulator = combine(accumulator, x[at]);
    return accumulator;
  };
  switch (op.getKind()) {
  case PoolKind::Max:
    return fold(-infinity, ignoreNan ? maxNumFloat : maxFloat);
  case PoolKind::Min:
    return fold(infinity, ignoreNan ? minNumFloat : minFloat);
  case PoolKind::Sum:
  case PoolKind::Avg:
    break;
  }
  // Padding adds nothing; whether it counts is the op's choice.
  double sum = fold(0, addFloat);
  if (noise)
    sum = noise->disturbedSum(sum, fold(0, Noise::withTerm));
  if (op.getKind() == PoolKind::Sum)
    return sum;
  return sum / static_cast<double>(op.getCountIncludePad()
                                       ? product(op.getKernel())
                                       : window.size());
}

int64_t poolInts(PoolOp op, const int64_t *x, ArrayRef<int64_t> window,
                 IntKind kind) {
  const bool isMax = op.getKind() == PoolKind::Max,
             isMin = op.getKind() == PoolKind::Min;
  int64_t accumulator = isMax ? kind.lowest() : isMin ? kind.highest() : 0;
  for (int64_t at : window)
    accumulator = (isMax   ? maxInt
                   : isMin ? minInt
                           : addInt)(accumulator, x[at], kind);
  return accumulator;
}

ReferenceTensor evaluatePool(PoolOp op, Operands operands) {
  ReferenceTensor y = emptyResult(op);
  const PoolShape from(operands[0].getShape(), op.getLayout());
  const PoolShape to(y.getShape(), op.getLayout());
  const FloatRounder round(y.isFloat() ? y.getElementType()
                                       : Float32Type::get(op.getContext()),
                           operands.noise);
  const IntKind kind = IntKind::of(y.getElementType());
  const PoolWindow shape{op.getKernel(), op.getStrides(), op.getDilations(),
                         op.getPadLow()};
  // The window depends on the spatial position only: find it once for all
  // batches and channels.
  walkPositions(to, [&](int64_t base, ArrayRef<int64_t> index) {
    const SmallVector<int64_t> window =
        windowAt(shape, from, index, /*keepOutside=*/false);
    for (int64_t n = 0; n < to.batch; ++n)
      for (int64_t c = 0; c < to.channels; ++c) {
        const int64_t source = n * from.batchStride + c * from.channelStride;
        const int64_t target = base + n * to.batchStride + c * to.channelStride;
        if (y.isFloat())
          y.mutableFloats()[target] = round(poolFloats(
              op, &operands[0].floats()[source], window, operands.noise));
        else
          y.mutableInts()[target] =
              poolInts(op, &operands[0].ints()[source], window, kind);
      }
  });
  return y;
}

/// The element of the window that receives its gradient, -1 for padding.
int64_t selectedAt(PoolGradOp op, const double *x, ArrayRef<int64_t> window) {
  const bool isMax = op.getKind() == PoolKind::Max;
  const double padding = isMax ? -std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::infinity();
  std::optional<double> best;
  int64_t selected = -1;
  for (int64_t at : window) {
    if (at < 0 && !op.getSelectPadding())
      continue;
    const double value = at < 0 ? padding : x[at];
    if (best && (isMax ? *best >= value : *best <= value))
      continue;
    best = value;
    selected = at;
  }
  return selected;
}

ReferenceTensor evaluatePoolGrad(PoolGradOp op, Operands operands) {
  ReferenceTensor dx = emptyResult(op);
  const PoolShape to(dx.getShape(), op.getLayout());
  const PoolShape from(operands[0].getShape(), op.getLayout());
  const SmallVector<int64_t> ones(op.getKernel().size(), 1);
  const PoolWindow shape{op.getKernel(), op.getStrides(), ones, op.getPadLow()};
  // In float64, and rounded once: windows overlap.
  std::vector<double> sums(dx.getCount(), 0.0),
      magnitudes(operands.noise ? sums.size() : 0, 0.0);
  auto add = [&](int64_t at, double gradient) {
    sums[at] += gradient;
    if (operands.noise)
      magnitudes[at] = Noise::withTerm(magnitudes[at], gradient);
  };
  // Scattered window by window, as the op is defined; the kernel gathers.
  walkPositions(from, [&](int64_t base, ArrayRef<int64_t> index) {
    const SmallVector<int64_t> window =
        windowAt(shape, to, index, /*keepOutside=*/true);
    for (int64_t n = 0; n < to.batch; ++n)
      for (int64_t c = 0; c < to.channels; ++c) {
        const int64_t target = n * to.batchStride + c * to.channelStride;
        const double gradient =
            operands[0]
                .floats()[base + n * from.batchStride + c * from.channelStride];
        if (op.getKind() == PoolKind::Sum) {
          for (int64_t at : window)
            if (at >= 0)
              add(target + at, gradient);
          continue;
        }
        // The first extreme of a window gets all of its gradient.
        const int64_t at =
            selectedAt(op, &operands[1].floats()[target], window);
        if (at >= 0)
          add(target + at, gradient);
      }
  });
  for (size_t i = 0; i < magnitudes.size(); ++i)
    sums[i] = operands.noise->disturbedSum(sums[i], magnitudes[i]);
  const FloatRounder round(dx.getElementType());
  llvm::transform(sums, dx.mutableFloats().begin(),
                  [&](double sum) { return round(sum); });
  return dx;
}

/// The two source positions next to an output position of one dimension and
/// the distance from the first, in 1/scale_n.
struct Neighbours {
  int64_t low, high, fraction;

  Neighbours(int64_t position, int64_t scaleN, int64_t scaleD, int64_t offset,
             int64_t size) {
    // The remainder of C++ has the sign of the dividend; a fraction has none.
    const int64_t numerator = position * scaleD + offset;
    fraction = ((numerator % scaleN) + scaleN) % scaleN;
    const int64_t whole = (numerator - fraction) / scaleN;
    low = std::clamp<int64_t>(whole, 0, size - 1);
    high = std::clamp<int64_t>(whole + 1, 0, size - 1);
  }
};

/// The elements of one channel around an output position: `p[at(row, column)]`
/// for the low (0) or high (1) neighbour along each dimension.
struct Corners {
  const Neighbours &v, &h;
  int64_t image, height, width, channels, channel;

  int64_t at(int row, int column) const {
    const int64_t y = row == 0 ? v.low : v.high;
    const int64_t x = column == 0 ? h.low : h.high;
    return ((image * height + y) * width + x) * channels + channel;
  }
  /// The closer neighbour along each dimension, the higher one on a tie.
  int64_t nearest(int64_t scaleY, int64_t scaleX) const {
    return at(2 * v.fraction >= scaleY, 2 * h.fraction >= scaleX);
  }
};

double bilinearFloats(const Corners &corners, ArrayRef<double> p,
                      double fractionY, double fractionX, const Noise *noise) {
  auto weighted = [&](double low, double high, double fraction) {
    low *= 1 - fraction;
    high *= fraction;
    return noise ? noise->disturbed(low) + noise->disturbed(high) : low + high;
  };
  auto alongRow = [&](int row) {
    return weighted(p[corners.at(row, 0)], p[corners.at(row, 1)], fractionX);
  };
  return weighted(alongRow(0), alongRow(1), fractionY);
}

/// Weighted by the integer numerators: the result is scaled by both scales.
int64_t bilinearInts(const Corners &corners, ArrayRef<int64_t> p,
                     int64_t scaleY, int64_t scaleX, IntKind kind) {
  const int64_t weightY[] = {scaleY - corners.v.fraction, corners.v.fraction};
  const int64_t weightX[] = {scaleX - corners.h.fraction, corners.h.fraction};
  int64_t sum = 0;
  for (int row : {0, 1})
    for (int column : {0, 1})
      sum = addInt(sum,
                   mulInt(weightY[row] * weightX[column],
                          p[corners.at(row, column)], kind),
                   kind);
  return sum;
}

ReferenceTensor evaluateResize(ResizeOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const int64_t height = x.getDim(1), width = x.getDim(2),
                channels = x.getDim(3);
  const int64_t yn = op.getScale()[0], yd = op.getScale()[1];
  const int64_t xn = op.getScale()[2], xd = op.getScale()[3];
  const bool isNearest = op.getMode() == ResizeMode::Nearest;
  const FloatRounder round(y.isFloat() ? y.getElementType()
                                       : Float32Type::get(op.getContext()),
                           operands.noise);
  const IntKind kind = IntKind::of(y.getElementType());
  const int64_t rows = y.getDim(1), columns = y.getDim(2);
  for (int64_t point = 0; point < y.getDim(0) * rows * columns; ++point) {
    const Neighbours v(point / columns % rows, yn, yd, op.getOffset()[0],
                       height);
    const Neighbours h(point % columns, xn, xd, op.getOffset()[1], width);
    // Fractions of the distance between two rows and two columns.
    const double fractionY = static_cast<double>(v.fraction) / yn;
    const double fractionX = static_cast<double>(h.fraction) / xn;
    for (int64_t c = 0; c < channels; ++c) {
      const Corners corners{
          v, h, point / (rows * columns), height, width, channels, c};
      const int64_t to = point * channels + c;
      const int64_t nearest = corners.nearest(yn, xn);
      if (y.isFloat())
        y.mutableFloats()[to] =
            round(isNearest ? x.floats()[nearest]
                            : bilinearFloats(corners, x.floats(), fractionY,
                                             fractionX, operands.noise));
      else
        y.mutableInts()[to] =
            isNearest ? kind.wrap(x.ints()[nearest])
                      : bilinearInts(corners, x.ints(), yn, xn, kind);
    }
  }
  return y;
}
} // namespace

void reference::attachWindowModels(MLIRContext *context) {
  attach<PoolOp, evaluatePool>(context);
  attach<PoolGradOp, evaluatePoolGrad>(context);
  attach<ResizeOp, evaluateResize>(context);
}
