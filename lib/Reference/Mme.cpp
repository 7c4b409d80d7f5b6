// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of the matrix engine: products exact in float64, one rounding at the
// output.
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Indexing.h"
#include "Jobs.h"
#include "MatrixProduct.h"
#include "Models.h"
#include "Scalars.h"
#include "Strided.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

void roundAll(ReferenceTensor &tensor, const Noise *noise) {
  const FloatRounder round(tensor.getElementType(), noise);
  for (double &value : tensor.mutableFloats())
    value = round(value);
}

/// Sizes and strides of [b.., row, column] in a tensor stored in `order`.
struct Matrices {
  SmallVector<int64_t> shape, strides;

  Matrices(ArrayRef<int64_t> stored, ArrayRef<int64_t> order)
      : shape(stored), strides(stored.size()) {
    for (auto [dim, size, stride] :
         llvm::zip_equal(order, stored, denseStrides(stored))) {
      shape[dim] = size;
      strides[dim] = stride;
    }
  }
};

ReferenceTensor inOrder(const ReferenceTensor &x, ArrayRef<int64_t> order) {
  if (isIdentityOrder(order))
    return x;
  const Matrices matrices(x.getShape(), order);
  return readStrided(x, matrices.shape, matrices.strides, 0);
}

ReferenceTensor evaluateGemm(GemmOp op, Operands operands) {
  // Operands as plain matrices, whatever orders they are stored in.
  const ReferenceTensor a = inOrder(operands[0], storageOf(op, 0));
  const ReferenceTensor b = inOrder(operands[1], storageOf(op, 1));
  const Matrices stored(op.getType().getShape(), storageOf(op, 2));
  ReferenceTensor y(stored.shape, op.getType().getElementType());
  const int64_t rank = y.getRank();
  const int64_t m = y.getDim(rank - 2), n = y.getDim(rank - 1),
                k = a.getDim(rank - 1);

  // A job is a band of rows of one matrix of the batch.
  struct Job {
    int64_t rows, a, b, y;
  };
  // Bands give threads enough jobs, and each reads its part of b once.
  constexpr int64_t bandRows = 32;
  SmallVector<Job> jobs;
  auto batchStrides = [&](const ReferenceTensor &x) {
    SmallVector<int64_t> strides = repeatingStrides(x.getShape());
    return SmallVector<int64_t>(strides.begin(), strides.begin() + (rank - 2));
  };
  walkStrided<2>(y.getShape().drop_back(2), {batchStrides(a), batchStrides(b)},
                 {0, 0}, [&](int64_t batch, const std::array<int64_t, 2> &at) {
                   for (int64_t row = 0; row < m; row += bandRows)
                     jobs.push_back({std::min(bandRows, m - row),
                                     at[0] + row * k, at[1],
                                     (batch * m + row) * n});
                 });
  double *to = y.mutableFloats().data();
  const double work = double(y.getCount()) * k;
  forEachJob(op.getContext(), jobs.size(), work, [&](int64_t number) {
    const Job &job = jobs[number];
    addMatrixProduct(job.rows, n, k, a.floats().data() + job.a, k,
                     b.floats().data() + job.b, n, to + job.y, n,
                     operands.noise);
  });
  // Sums are exact up to here.
  roundAll(y, operands.noise);
  if (!op.getOrderC())
    return y;
  ReferenceTensor result = emptyResult(op);
  writeStrided(result, y, stored.strides, 0);
  return result;
}

/// Sizes and strides by letter. A spatial letter that the layout lacks counts
/// as a dimension of size 1.
struct Letters {
  StringRef layout;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> dense;

  Letters(StringRef layout, ArrayRef<int64_t> shape)
      : layout(layout), shape(shape), dense(denseStrides(shape)) {}
  int64_t size(char letter) const {
    const size_t at = layout.find(letter);
    return at == StringRef::npos ? 1 : shape[at];
  }
  int64_t stride(char letter) const {
    const size_t at = layout.find(letter);
    return at == StringRef::npos ? 0 : dense[at];
  }
};

constexpr char spatial[] = {'D', 'H', 'W'};

/// A convolution in canonical form: x [N, G * inputs, D, H, W],
/// w [G, outputs, inputs * window], y [N, G * outputs, D, H, W], with channels
/// counted per group. Transposed, x is the gradient of the output and y that
/// of the input.
struct Convolution {
  int64_t batch, groups, inputs, outputs;
  int64_t xSize[3], ySize[3], window[3], stride[3], dilation[3], padLow[3];
  bool transposed;

  template <typename Op>
  Convolution(Op op, const Letters &x, const Letters &w, const Letters &y)
      : batch(x.size('N')), groups(op.getGroups()),
        inputs(x.size('C') / groups), outputs(y.size('C') / groups),
        transposed(std::is_same_v<Op, ConvInputGradOp>) {
    const int missing = 3 - static_cast<int>(op.getStrides().size());
    for (int d = 0; d < 3; ++d) {
      xSize[d] = x.size(spatial[d]);
      ySize[d] = y.size(spatial[d]);
      window[d] = w.size(spatial[d]);
      const int given = d - missing;
      stride[d] = given < 0 ? 1 : op.getStrides()[given];
      dilation[d] = given < 0 ? 1 : op.getDilations()[given];
      padLow[d] = given < 0 ? 0 : op.getPadLow()[given];
    }
  }
  int64_t xPlane() const { return xSize[0] * xSize[1] * xSize[2]; }
  int64_t yPlane() const { return ySize[0] * ySize[1] * ySize[2]; }
  int64_t windowSize() const { return window[0] * window[1] * window[2]; }

  /// The position of x that meets window element k at position p of y along
  /// dimension d, or -1 if there is none.
  int64_t source(int d, int64_t p, int64_t k) const {
    int64_t at = p * stride[d] - padLow[d] + k * dilation[d];
    if (transposed) {
      // x[q] reaches y[q * stride - padLow + k * dilation].
      at = p + padLow[d] - k * dilation[d];
      if (at % stride[d] != 0)
        return -1;
      at /= stride[d];
    }
    return at >= 0 && at < xSize[d] ? at : -1;
  }

  /// The offset in one channel of x that meets window element k at position p
  /// of y, or -1 for padding.
  int64_t sourceOf(int64_t p, int64_t k) const {
    const int64_t d =
        source(0, p / (ySize[1] * ySize[2]), k / (window[1] * window[2]));
    const int64_t h =
        source(1, p / ySize[2] % ySize[1], k / window[2] % window[1]);
    const int64_t w = source(2, p % ySize[2], k % window[2]);
    return d < 0 || h < 0 || w < 0 ? -1 : (d * xSize[1] + h) * xSize[2] + w;
  }

  /// patches[i * windowSize + k][p - first] = the element of x (one group, at
  /// `x`) under window element k at position p of y: im2col of `count`
  /// positions, zero for padding. The offsets do not depend on the channel:
  /// computed once.
  void fillPatches(const double *x, int64_t first, int64_t count,
                   double *patches) const {
    SmallVector<int64_t> sources(count);
    for (int64_t k = 0; k < windowSize(); ++k) {
      for (int64_t i = 0; i < count; ++i)
        sources[i] = sourceOf(first + i, k);
      for (int64_t channel = 0; channel < inputs; ++channel) {
        const double *plane = x + channel * xPlane();
        double *row = patches + (channel * windowSize() + k) * count;
        for (int64_t i = 0; i < count; ++i)
          row[i] = sources[i] < 0 ? 0 : plane[sources[i]];
      }
    }
  }

  /// The sum at position p of y for one output channel with the weights `w`,
  /// tap by tap; padding adds nothing.
  double sumAt(const double *x, const double *w, int64_t p) const {
    double sum = 0;
    for (int64_t k = 0; k < windowSize(); ++k)
      if (const int64_t at = sourceOf(p, k); at >= 0)
        for (int64_t channel = 0; channel < inputs; ++channel)
          sum += w[channel * windowSize() + k] * x[channel * xPlane() + at];
    return sum;
  }
};

/// The tensor as [N, C, D, H, W].
ReferenceTensor channelsFirst(const ReferenceTensor &tensor,
                              const Letters &letters) {
  return readStrided(tensor,
                     {letters.size('N'), letters.size('C'), letters.size('D'),
                      letters.size('H'), letters.size('W')},
                     {letters.stride('N'), letters.stride('C'),
                      letters.stride('D'), letters.stride('H'),
                      letters.stride('W')},
                     0);
}

bool isAllFinite(ArrayRef<double> values) {
  return llvm::all_of(values,
                      [](double value) { return std::isfinite(value); });
}

/// The convolution, or its gradient with respect to the input: both run a
/// filter over their first operand.
template <typename Op>
ReferenceTensor evaluateFilter(Op op, Operands operands) {
  constexpr bool isGrad = std::is_same_v<Op, ConvInputGradOp>;
  ReferenceTensor y = emptyResult(op);
  const Letters xLetters(isGrad ? op.getOutputLayout() : op.getInputLayout(),
                         operands[0].getShape());
  const Letters wLetters(op.getFilterLayout(), operands[1].getShape());
  const Letters yLetters(isGrad ? op.getInputLayout() : op.getOutputLayout(),
                         y.getShape());
  const Convolution conv(op, xLetters, wLetters, yLetters);

  const ReferenceTensor x = channelsFirst(operands[0], xLetters);
  // O counts channels of y; transposed, it counts channels of x.
  const int64_t perOutput = wLetters.stride(conv.transposed ? 'I' : 'O');
  const int64_t perInput = wLetters.stride(conv.transposed ? 'O' : 'I');
  const int64_t perGroup =
      wLetters.stride('O') * (conv.transposed ? conv.inputs : conv.outputs);
  const ReferenceTensor w =
      readStrided(operands[1],
                  {conv.groups, conv.outputs, conv.inputs, conv.window[0],
                   conv.window[1], conv.window[2]},
                  {perGroup, perOutput, perInput, wLetters.stride('D'),
                   wLetters.stride('H'), wLetters.stride('W')},
                  0);
  ReferenceTensor sums({conv.batch, conv.groups * conv.outputs, conv.ySize[0],
                        conv.ySize[1], conv.ySize[2]},
                       y.getElementType());

  // A job is a range of positions of one image and one group.
  constexpr int64_t rangeSize = 256;
  const int64_t plane = conv.yPlane(), depth = conv.inputs * conv.windowSize();
  const int64_t ranges = (plane + rangeSize - 1) / rangeSize;
  double *to = sums.mutableFloats().data();
  const double work = double(sums.getCount()) * depth;
  forEachJob(
      op.getContext(), conv.batch * conv.groups * ranges, work,
      [&](int64_t job) {
        const int64_t first = job % ranges * rangeSize;
        const int64_t imageAndGroup = job / ranges;
        const int64_t group = imageAndGroup % conv.groups;
        const int64_t count = std::min(rangeSize, plane - first);
        const double *image =
            x.floats().data() + imageAndGroup * conv.inputs * conv.xPlane();
        const double *filter = w.floats().data() + group * conv.outputs * depth;
        double *sumsOfRange = to + imageAndGroup * conv.outputs * plane + first;
        // A tap outside adds nothing. A patch holds zero for it, which is the
        // same unless a weight is infinite or NaN.
        if (!isAllFinite(ArrayRef(filter, conv.outputs * depth))) {
          for (int64_t o = 0; o < conv.outputs; ++o)
            for (int64_t i = 0; i < count; ++i)
              sumsOfRange[o * plane + i] =
                  conv.sumAt(image, filter + o * depth, first + i);
          return;
        }
        std::vector<double> patches(depth * count);
        conv.fillPatches(image, first, count, patches.data());
        addMatrixProduct(conv.outputs, count, depth, filter, depth,
                         patches.data(), count, sumsOfRange, plane,
                         operands.noise);
      });
  roundAll(sums, operands.noise);
  writeStrided(y, sums,
               {yLetters.stride('N'), yLetters.stride('C'),
                yLetters.stride('D'), yLetters.stride('H'),
                yLetters.stride('W')},
               0);
  return y;
}

/// The gradients of the weights of one input channel, a matrix
/// [window, outputs], to which images are added.
struct ChannelWeights {
  const Convolution &conv;
  ArrayRef<int64_t> sources; // of each tap and position, see sourceOf
  int64_t dyChannels;        // between positions of dy
  double *sums;
  const Noise *noise;

  /// Tap by tap; taps in the padding are left out.
  void addTaps(const double *x, const double *dy) const {
    for (int64_t k = 0; k < conv.windowSize(); ++k)
      for (int64_t p = 0; p < conv.yPlane(); ++p)
        if (const int64_t at = sources[k * conv.yPlane() + p]; at >= 0)
          for (int64_t o = 0; o < conv.outputs; ++o)
            sums[k * conv.outputs + o] += x[at] * dy[p * dyChannels + o];
  }

  /// The same as products of patches, with zeros for the padding. Ranges bound
  /// the size of the patches.
  void addPatches(const double *x, const double *dy) const {
    constexpr int64_t rangeSize = 256;
    const int64_t plane = conv.yPlane(), window = conv.windowSize();
    std::vector<double> patches(window * rangeSize);
    for (int64_t first = 0; first < plane; first += rangeSize) {
      const int64_t count = std::min(rangeSize, plane - first);
      for (int64_t k = 0; k < window; ++k)
        for (int64_t i = 0; i < count; ++i) {
          const int64_t at = sources[k * plane + first + i];
          patches[k * count + i] = at < 0 ? 0 : x[at];
        }
      addMatrixProduct(window, conv.outputs, count, patches.data(), count,
                       dy + first * dyChannels, dyChannels, sums, conv.outputs,
                       noise);
    }
  }
};

LogicalResult evaluateWeightGrad(ConvWeightGradOp op, Operands operands,
                                 Results &results) {
  ReferenceTensor dw = emptyResult(op);
  // Letters of the layouts give the strides of each operand.
  const Letters xLetters(op.getInputLayout(), operands[0].getShape());
  const Letters yLetters(op.getOutputLayout(), operands[1].getShape());
  const Letters wLetters(op.getFilterLayout(), dw.getShape());
  const Convolution conv(op, xLetters, wLetters, yLetters);
  const ReferenceTensor x = channelsFirst(operands[0], xLetters);
  const int64_t channels = conv.groups * conv.outputs;
  const ReferenceTensor dy = readStrided(
      operands[1],
      {conv.batch, conv.ySize[0], conv.ySize[1], conv.ySize[2], channels},
      {yLetters.stride('N'), yLetters.stride('D'), yLetters.stride('H'),
       yLetters.stride('W'), yLetters.stride('C')},
      0);

  // Which element of x each tap reads at each position, once for all images.
  const int64_t plane = conv.yPlane(), window = conv.windowSize();
  std::vector<int64_t> sources(window * plane);
  for (int64_t k = 0; k < window; ++k)
    for (int64_t p = 0; p < plane; ++p)
      sources[k * plane + p] = conv.sourceOf(p, k);
  // A patch holds zero for a tap in the padding, which adds nothing unless dy
  // is infinite or NaN there.
  const bool isFinite = isAllFinite(dy.floats());
  ReferenceTensor sums({conv.groups, conv.inputs, conv.window[0],
                        conv.window[1], conv.window[2], conv.outputs},
                       dw.getElementType());
  double *to = sums.mutableFloats().data();
  // A job is an input channel.
  const int64_t inputs = conv.groups * conv.inputs;
  const double work = double(sums.getCount()) * conv.batch * plane;
  forEachJob(op.getContext(), inputs, work, [&](int64_t channel) {
    const ChannelWeights weights = {conv, sources, channels,
                                    to + channel * window * conv.outputs,
                                    operands.noise};
    for (int64_t image = 0; image < conv.batch; ++image) {
      const double *xPlane =
          x.floats().data() +
          (image * conv.groups * conv.inputs + channel) * conv.xPlane();
      const double *dyPlane = dy.floats().data() + image * plane * channels +
                              channel / conv.inputs * conv.outputs;
      if (isFinite)
        weights.addPatches(xPlane, dyPlane);
      else
        weights.addTaps(xPlane, dyPlane);
    }
  });
  roundAll(sums, operands.noise);
  writeStrided(dw, sums,
               {wLetters.stride('O') * conv.outputs, wLetters.stride('I'),
                wLetters.stride('D'), wLetters.stride('H'),
                wLetters.stride('W'), wLetters.stride('O')},
               0);
  results.push_back(dw);
  return success();
}
} // namespace

void reference::attachMmeModels(MLIRContext *context) {
  attach<GemmOp, evaluateGemm>(context);
  attach<ConvOp, evaluateFilter<ConvOp>>(context);
  attach<ConvInputGradOp, evaluateFilter<ConvInputGradOp>>(context);
  attach<ConvWeightGradOp, evaluateWeightGrad>(context);
}
