// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of depthwise convolutions with respect to their filter, also of
// those with few outputs for each input: vectors run along output channels.
//
// The kernel of depthwise convolutions computes them with the roles of filter
// and output exchanged: its positions are the taps of a line of the filter, its
// taps the positions of a line of dy, which is its filter. No tap in the
// padding is ever multiplied.
#include "DepthWeightGrad.h"

#include "../Packing/OperandCopies.h"
#include "../Packing/StagingBound.h"
#include "ConvAxes.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <fmt/format.h>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Outputs of a group from which on they fill enough of a panel.
constexpr int64_t wideGroup = 8;
/// Multiply-adds of a part: enough to be worth a thread.
constexpr double partWork = 1e6;
/// Lines of dy that one call adds up, and the bytes of them and of their input
/// that fit a 512 KiB L2.
constexpr int64_t mostLines = 16, lineBytes = 256 << 10;

class DepthWeightGrad final : public PreparedCommand {
public:
  DepthWeightGrad(const MicroKernel &kernel, const recipe::Convolution &conv,
                  const BoundTensor &xTensor, const BoundTensor &dyTensor,
                  const BoundTensor &dwTensor, PrepareContext &context)
      : kernel(kernel), dw(dwTensor),
        w(axesOf(dwTensor, recipe::text(conv.filterLayout), 'O', 'I')),
        at(conv, axesOf(xTensor, recipe::text(conv.inputLayout), 'N', 'C')) {
    y = axesOf(dyTensor, recipe::text(conv.outputLayout), 'N', 'C');
    x = axesOf(xTensor, recipe::text(conv.inputLayout), 'N', 'C');
    dy = spread(dyTensor, y, 1, context);
    input = spread(xTensor, x, y.channels / x.channels, context);
    // Parts of the lines have sums of their own, which are added in order.
    lines = y.batch * y.size[0] * y.size[1];
    const double work = double(lines * y.size[2]) * double(y.channels * rows());
    parts = std::clamp<int64_t>(int64_t(work / partWork), 1,
                                std::min(mostGradParts, lines));
    sums = reinterpret_cast<float *>(takeStaging(
        uint64_t(parts * rows() * y.channels) * sizeof(float), context));
    together = std::clamp<int64_t>(
        lineBytes /
            (int64_t(sizeof(float)) * y.channels *
             (y.size[2] + std::min(x.size[2], y.size[2] * at.stride[2]))),
        1, mostLines);
    for (int64_t k = 0; k < w.size[2]; ++k) {
      Range seen{0, y.size[2]};
      while (seen.begin < seen.end && at.input(2, seen.begin, k) < 0)
        ++seen.begin;
      while (seen.begin < seen.end && at.input(2, seen.end - 1, k) < 0)
        --seen.end;
      taps.push_back(seen);
      inner.begin = std::max(inner.begin, seen.begin);
      inner.end = k == 0 ? seen.end : std::min(inner.end, seen.end);
    }
  }

  std::string implementation() const override {
    return fmt::format("depth:{}:f32, {} part{}", kernel.name, parts,
                       parts == 1 ? "" : "s");
  }
  uint64_t scratchBytes() const override {
    return uint64_t(depthPositions * y.channels) * sizeof(float);
  }
  void bindScratch(uint8_t *const *perWorker) override { scratch = perWorker; }
  void visitAddresses(AddressVisitor &visitor) override {
    visitor.visit(dw.data);
    visitor.visit(dy);
    visitor.visit(input);
    visitor.visit(sums);
    copies.visitAddresses(visitor);
  }

  void run(LaunchContext &context) override {
    copies.run(context.pool);
    context.pool.parallelFor(
        parts, 1, [&](int64_t begin, int64_t end, unsigned worker) {
          for (int64_t part = begin; part < end; ++part)
            addPart(part, reinterpret_cast<float *>(scratch[worker]));
        });
    context.pool.parallelFor(rows(), 1,
                             [&](int64_t begin, int64_t end, unsigned) {
                               for (int64_t row = begin; row < end; ++row)
                                 storeRow(row);
                             });
  }

private:
  struct Range {
    int64_t begin, end;
  };

  /// Rows of the result, each with all outputs.
  int64_t rows() const { return w.size[0] * w.size[1] * w.size[2]; }

  /// A tensor in f32 with channels last, each of them `times` times. `axes` are
  /// its own before and after.
  const float *spread(const BoundTensor &tensor, Axes &axes, int64_t times,
                      PrepareContext &context) {
    if (tensor.type == ElementType::F32 && axes.channelStride == 1 &&
        times == 1)
      return reinterpret_cast<const float *>(tensor.data);
    BoundTensor view = tensor;
    view.layout = {{axes.batch, axes.size[0], axes.size[1], axes.size[2],
                    axes.channels, times},
                   {axes.batchStride, axes.stride[0], axes.stride[1],
                    axes.stride[2], axes.channelStride, 0}};
    const BoundTensor copy =
        convertedFor(view, ElementType::F32, false, copies, context);
    const std::vector<int64_t> &strides = copy.layout.strides;
    axes.batchStride = strides[0];
    std::copy_n(strides.begin() + 1, 3, axes.stride.begin());
    axes.channels *= times;
    axes.channelStride = 1;
    return reinterpret_cast<const float *>(copy.data);
  }

  void addPart(int64_t part, float *results) const {
    float *to = sums + part * rows() * y.channels;
    std::fill_n(to, rows() * y.channels, 0.0f);
    const int64_t end = lines * (part + 1) / parts;
    for (int64_t line = lines * part / parts; line < end; line += together)
      for (int64_t d = 0; d < w.size[0]; ++d)
        for (int64_t h = 0; h < w.size[1]; ++h)
          addLines(line, std::min(line + together, end), d, h,
                   to + (d * w.size[1] + h) * w.size[2] * y.channels, results);
  }

  /// Adds what lines [begin, end) of dy give the taps of one line of the
  /// filter.
  void addLines(int64_t begin, int64_t end, int64_t d, int64_t h, float *to,
                float *results) const {
    const float *x0[mostLines], *y0[mostLines];
    int64_t count = 0;
    for (int64_t line = begin; line < end; ++line) {
      const int64_t q = line % y.size[1], p = line / y.size[1] % y.size[0];
      const int64_t n = line / y.size[1] / y.size[0];
      const int64_t atDepth = at.input(0, p, d), atHeight = at.input(1, q, h);
      if (atDepth < 0 || atHeight < 0)
        continue;
      x0[count] = input + n * x.batchStride + atDepth * x.stride[0] +
                  atHeight * x.stride[1];
      y0[count++] = dy + n * y.batchStride + p * y.stride[0] + q * y.stride[1];
    }
    if (count == 0)
      return;
    auto add = [&](int64_t k, int64_t taps, const Range &positions) {
      addTaps(x0, y0, count, k, taps, positions, to + k * y.channels, results);
    };
    // Positions that all taps of the line see are loaded once for several taps.
    const int64_t width = w.size[2];
    if (inner.begin < inner.end)
      for (int64_t k = 0; k < width; k += depthPositions)
        add(k, std::min<int64_t>(depthPositions, width - k), inner);
    for (int64_t k = 0; k < width; ++k) {
      const Range &seen = taps[size_t(k)];
      if (inner.begin >= inner.end) {
        add(k, 1, seen);
        continue;
      }
      add(k, 1, {seen.begin, inner.begin});
      add(k, 1, {inner.end, seen.end});
    }
  }

  /// Adds the products of some positions of `lines` lines to the sums of
  /// neighbouring taps.
  void addTaps(const float *const *x0, const float *const *y0, int64_t lines,
               int64_t k, int64_t taps, const Range &positions, float *to,
               float *results) const {
    if (positions.begin >= positions.end)
      return;
    const float *from[mostLines], *filter[mostLines];
    const int64_t first = at.input(2, positions.begin, k);
    for (int64_t l = 0; l < lines; ++l) {
      from[l] = x0[l] + first * x.stride[2];
      filter[l] = y0[l] + positions.begin * y.stride[2];
    }
    DepthCall call;
    call.x = from;
    call.weights = filter;
    call.lines = lines;
    call.taps = positions.end - positions.begin;
    call.tapStride = at.stride[2] * x.stride[2];
    call.weightStride = y.stride[2];
    call.group = 1;
    call.channels = y.channels;
    call.count = int(taps);
    call.xStep = at.dilation[2] * x.stride[2];
    call.yStep = y.channels;
    call.y = results;
    kernel.depth(call);
    for (int64_t j = 0; j < taps * y.channels; ++j)
      to[j] += results[j];
  }

  void storeRow(int64_t row) const {
    float *sum = sums + row * y.channels;
    for (int64_t part = 1; part < parts; ++part) {
      const float *other = sum + part * rows() * y.channels;
      for (int64_t o = 0; o < y.channels; ++o)
        sum[o] += other[o];
    }
    const int64_t k = row % w.size[2], h = row / w.size[2] % w.size[1];
    const int64_t d = row / w.size[2] / w.size[1];
    const int64_t to = d * w.stride[0] + h * w.stride[1] + k * w.stride[2];
    convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(sum), 1,
               dw.type, dw.data + to * recipe::elementSize(dw.type),
               w.batchStride, y.channels);
  }

  const MicroKernel &kernel;
  BoundTensor dw;
  const Axes w;
  const ConvTaps at;
  Axes x, y; // of the copies
  const float *dy = nullptr, *input = nullptr;
  std::vector<Range> taps; // positions that see a tap of a line
  Range inner{0, 0};       // those that see all
  int64_t lines = 0, together = 1, parts = 1;
  float *sums = nullptr; // [part][row][output]
  OperandCopies copies;
  uint8_t *const *scratch = nullptr;
};

} // namespace

bool isDepthWeightGrad(const MicroKernel &kernel,
                       const recipe::Convolution &conv, const BoundTensor &dy,
                       const BoundTensor &dw) {
  const Axes y = axesOf(dy, recipe::text(conv.outputLayout), 'N', 'C');
  const Axes w = axesOf(dw, recipe::text(conv.filterLayout), 'O', 'I');
  return kernel.depth && conv.groups > 1 && y.channels >= kernel.lanes &&
         y.channels / conv.groups < wideGroup && w.channels == 1;
}

std::unique_ptr<PreparedCommand>
buildDepthWeightGrad(const MicroKernel &kernel, const recipe::Convolution &conv,
                     const BoundTensor &x, const BoundTensor &dy,
                     const BoundTensor &dw, PrepareContext &context) {
  return std::make_unique<DepthWeightGrad>(kernel, conv, x, dy, dw, context);
}

} // namespace gaudi::runtime
