// Models of pooling and resampling.
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;

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

/// Element offsets (from the batch and channel) inside the window at `index`.
SmallVector<int64_t> windowAt(PoolOp op, const PoolShape &x,
                              ArrayRef<int64_t> index) {
  SmallVector<int64_t> offsets{0};
  for (size_t d = 0; d < index.size(); ++d) {
    SmallVector<int64_t> extended;
    for (int64_t offset : offsets)
      for (int64_t k = 0; k < op.getKernel()[d]; ++k) {
        const int64_t at = index[d] * op.getStrides()[d] - op.getPadLow()[d] +
                           k * op.getDilations()[d];
        if (at >= 0 && at < x.sizes[d])
          extended.push_back(offset + at * x.strides[d]);
      }
    offsets = std::move(extended);
  }
  return offsets;
}

double poolFloats(PoolOp op, const double *x, ArrayRef<int64_t> window) {
  const bool ignoreNan = op.getIgnoreNan();
  double running = 0;
  switch (op.getKind()) {
  case PoolKind::Max:
    running = -std::numeric_limits<double>::infinity();
    for (int64_t at : window)
      running =
          ignoreNan ? maxNumFloat(running, x[at]) : maxFloat(running, x[at]);
    return running;
  case PoolKind::Min:
    running = std::numeric_limits<double>::infinity();
    for (int64_t at : window)
      running =
          ignoreNan ? minNumFloat(running, x[at]) : minFloat(running, x[at]);
    return running;
  case PoolKind::Sum:
  case PoolKind::Avg:
    for (int64_t at : window)
      running += x[at];
    break;
  }
  if (op.getKind() == PoolKind::Sum)
    return running;
  return running / static_cast<double>(op.getCountIncludePad()
                                           ? product(op.getKernel())
                                           : window.size());
}

int64_t poolInts(PoolOp op, const int64_t *x, ArrayRef<int64_t> window,
                 IntKind kind) {
  int64_t running = op.getKind() == PoolKind::Max   ? kind.lowest()
                    : op.getKind() == PoolKind::Min ? kind.highest()
                                                    : 0;
  for (int64_t at : window)
    running = op.getKind() == PoolKind::Max   ? maxInt(running, x[at], kind)
              : op.getKind() == PoolKind::Min ? minInt(running, x[at], kind)
                                              : addInt(running, x[at], kind);
  return running;
}

LogicalResult evaluatePool(PoolOp op, Operands operands, Results &results) {
  ReferenceTensor y = emptyResult(op);
  const PoolShape from(operands[0].getShape(), op.getLayout());
  const PoolShape to(y.getShape(), op.getLayout());
  const FloatRounder round(y.isFloat() ? y.getElementType()
                                       : Float32Type::get(op.getContext()));
  const IntKind kind = IntKind::of(y.getElementType());
  // The window depends on the spatial position only: find it once for all
  // batches and channels.
  walkStrided<1>(
      to.sizes, {to.strides}, {0},
      [&](int64_t i, const std::array<int64_t, 1> &base) {
        SmallVector<int64_t> index(to.sizes.size());
        for (size_t d = index.size(); d-- > 0; i /= to.sizes[d])
          index[d] = i % to.sizes[d];
        const SmallVector<int64_t> window = windowAt(op, from, index);
        for (int64_t n = 0; n < to.batch; ++n)
          for (int64_t c = 0; c < to.channels; ++c) {
            const int64_t source =
                n * from.batchStride + c * from.channelStride;
            const int64_t target =
                base[0] + n * to.batchStride + c * to.channelStride;
            if (y.isFloat())
              y.mutableFloats()[target] =
                  round(poolFloats(op, &operands[0].floats()[source], window));
            else
              y.mutableInts()[target] =
                  poolInts(op, &operands[0].ints()[source], window, kind);
          }
      });
  results.push_back(y);
  return success();
}

/// The two source positions next to an output position of one dimension and
/// the distance from the first, in 1/scale_n.
struct Neighbours {
  int64_t low, high, fraction;

  Neighbours(int64_t position, int64_t scaleN, int64_t scaleD, int64_t offset,
             int64_t size) {
    const int64_t numerator = position * scaleD + offset;
    fraction = ((numerator % scaleN) + scaleN) % scaleN;
    const int64_t whole = (numerator - fraction) / scaleN;
    low = std::clamp<int64_t>(whole, 0, size - 1);
    high = std::clamp<int64_t>(whole + 1, 0, size - 1);
  }
};

LogicalResult evaluateResize(ResizeOp op, Operands operands, Results &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const int64_t height = x.getDim(1), width = x.getDim(2),
                channels = x.getDim(3);
  const int64_t yn = op.getScale()[0], yd = op.getScale()[1];
  const int64_t xn = op.getScale()[2], xd = op.getScale()[3];
  const bool nearest = op.getMode() == ResizeMode::Nearest;
  const FloatRounder round(y.isFloat() ? y.getElementType()
                                       : Float32Type::get(op.getContext()));
  const IntKind kind = IntKind::of(y.getElementType());
  int64_t to = 0;
  for (int64_t n = 0; n < y.getDim(0); ++n)
    for (int64_t row = 0; row < y.getDim(1); ++row)
      for (int64_t column = 0; column < y.getDim(2); ++column) {
        const Neighbours v(row, yn, yd, op.getOffset()[0], height);
        const Neighbours h(column, xn, xd, op.getOffset()[1], width);
        for (int64_t c = 0; c < channels; ++c, ++to) {
          auto at = [&](int64_t sourceRow, int64_t sourceColumn) {
            return ((n * height + sourceRow) * width + sourceColumn) *
                       channels +
                   c;
          };
          if (nearest) {
            const int64_t from = at(2 * v.fraction >= yn ? v.high : v.low,
                                    2 * h.fraction >= xn ? h.high : h.low);
            if (y.isFloat())
              y.mutableFloats()[to] = round(x.floats()[from]);
            else
              y.mutableInts()[to] = kind.wrap(x.ints()[from]);
          } else if (y.isFloat()) {
            const double fv =
                static_cast<double>(v.fraction) / static_cast<double>(yn);
            const double fh =
                static_cast<double>(h.fraction) / static_cast<double>(xn);
            auto p = x.floats();
            y.mutableFloats()[to] =
                round((1 - fv) * ((1 - fh) * p[at(v.low, h.low)] +
                                  fh * p[at(v.low, h.high)]) +
                      fv * ((1 - fh) * p[at(v.high, h.low)] +
                            fh * p[at(v.high, h.high)]));
          } else {
            auto p = x.ints();
            auto weighted = [&](int64_t weight, int64_t position) {
              return mulInt(weight, p[position], kind);
            };
            int64_t sum = weighted((yn - v.fraction) * (xn - h.fraction),
                                   at(v.low, h.low));
            sum = addInt(
                sum,
                weighted((yn - v.fraction) * h.fraction, at(v.low, h.high)),
                kind);
            sum = addInt(
                sum,
                weighted(v.fraction * (xn - h.fraction), at(v.high, h.low)),
                kind);
            sum = addInt(sum,
                         weighted(v.fraction * h.fraction, at(v.high, h.high)),
                         kind);
            y.mutableInts()[to] = sum;
          }
        }
      }
  results.push_back(y);
  return success();
}
} // namespace

void reference::attachWindowModels(MLIRContext *context) {
  attach<PoolOp, evaluatePool>(context);
  attach<ResizeOp, evaluateResize>(context);
}
