// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions with respect to their filter as products, without
// im2col:
//
//   dw[tap][i][o] = sum over lines, positions p of a line
//                     x[line + tap][p + tap][i] * dy[line][p][o]
//
// Rows are the input channels of each tap, columns the output channels. What a
// tap of the filter is to a convolution (TileConv.cpp), a line of positions is
// here: a run of values in each row, with a pointer to its start. The rows of
// all taps read one copy of the input in which the positions of a channel are
// contiguous. Lines in the padding of a tap are left out; along a line the copy
// holds zeros for the padding.
#include "WeightGrad.h"

#include "../Kernels/KernelChoice.h"
#include "ConvAxes.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Most entries of the pointer table: 2 GiB.
constexpr double mostPointers = double(int64_t(1) << 28);

class Builder {
public:
  Builder(const recipe::Convolution &conv, const BoundTensor &xTensor,
          const BoundTensor &dyTensor, const BoundTensor &dwTensor,
          TileProduct &product, PrepareContext &context)
      : product(product), context(context), groups(conv.groups),
        type(rowType(product.kernel)), xTensor(xTensor), dyTensor(dyTensor),
        dwTensor(dwTensor),
        x(axesOf(xTensor, recipe::text(conv.inputLayout), 'N', 'C')),
        y(axesOf(dyTensor, recipe::text(conv.outputLayout), 'N', 'C')),
        w(axesOf(dwTensor, recipe::text(conv.filterLayout), 'O', 'I')),
        perGroupOut(y.channels / groups),
        resultGroupStride(perGroupOut * w.batchStride), at(conv, x) {}

  void build() {
    collapseDims();
    convertRows();
    findTaps();
    const double pointers = double(w.channels) * double(w.size[0]) *
                            double(w.size[1]) * double(w.size[2]) *
                            double(lines[0] * lines[1] * lines[2]);
    if (pointers > mostPointers)
      throw std::bad_alloc();
    copyInput();
    placePanels();
    for (int64_t d = 0; d < w.size[0]; ++d)
      for (int64_t h = 0; h < w.size[1]; ++h)
        placeRows(d, h);
    product.compactResultRows();
    product.c = dwTensor.data;
    product.cType = dwTensor.type;
    product.columns = perGroupOut;
    product.cColumnStride = perGroupOut > 1 ? w.batchStride : 1;
  }

private:
  /// Positions that are evenly spaced in memory, and so one run of a reduction.
  struct Run {
    int64_t count, stride;
    size_t joined; // dimensions of lines that are part of it
  };

  static Run runOf(const Axes &axes, const std::array<bool, 3> &plain) {
    const Triple sizes{axes.batch, axes.size[0], axes.size[1]};
    const Triple strides{axes.batchStride, axes.stride[0], axes.stride[1]};
    Run run{axes.size[2], axes.stride[2], 0};
    if (!plain[2])
      return run;
    for (size_t d = 3; d-- > 0; ++run.joined) {
      if ((d > 0 && !plain[d - 1]) || (run.count != 1 && sizes[d] != 1 &&
                                       strides[d] != run.count * run.stride))
        break;
      if (run.count == 1)
        run.stride = strides[d];
      run.count *= sizes[d];
    }
    return run;
  }

  /// Along a dimension where the filter has one tap that is never in the
  /// padding, only what this tap reads of the input counts. The innermost of
  /// such dimensions are one long line, if dy has their positions evenly
  /// spaced.
  void collapseDims() {
    std::array<bool, 3> plain;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t first = at.input(d, 0, 0);
      plain[d] =
          w.size[d] == 1 && first >= 0 && at.input(d, y.size[d] - 1, 0) >= 0;
      if (!plain[d])
        continue;
      xTensor.data += first * x.stride[d] * recipe::elementSize(xTensor.type);
      x.stride[d] *= at.stride[d];
      x.size[d] = at.inputSize[d] = y.size[d];
      at.stride[d] = 1;
      at.low[d] = 0;
    }
    run = runOf(y, plain);
    // A product of two matrices: moving the smaller one takes less time.
    if (run.joined == 3 && w.channels > perGroupOut &&
        runOf(x, plain).joined == 3) {
      run = runOf(x, plain);
      std::swap(xTensor, dyTensor);
      std::swap(x, y);
      std::swap(w.channels, perGroupOut);
      std::swap(w.channelStride, w.batchStride);
    }
    lines = {y.batch, y.size[0], y.size[1]};
    std::fill(lines.end() - run.joined, lines.end(), 1);
  }

  /// Values of another type are converted in the order in which they are
  /// stored, and only then moved: fast copies do one or the other.
  void convertRows() {
    if (xTensor.type == type)
      return;
    std::vector<std::pair<int64_t, int64_t *>> dims = {
        {x.batch, &x.batchStride},
        {x.size[0], &x.stride[0]},
        {x.size[1], &x.stride[1]},
        {x.size[2], &x.stride[2]},
        {x.channels, &x.channelStride}};
    std::sort(dims.begin(), dims.end(),
              [](auto &a, auto &b) { return *a.second > *b.second; });
    xTensor.layout = {};
    for (auto [size, stride] : dims) {
      xTensor.layout.sizes.push_back(size);
      xTensor.layout.strides.push_back(*stride);
    }
    xTensor = convertedFor(xTensor, type, false, product.copies, context);
    for (size_t d = 0; d < dims.size(); ++d)
      *dims[d].second = xTensor.layout.strides[d];
  }

  /// The positions of a line that see a tap along the innermost dimension.
  /// Positions p read the copy of the inputs of one remainder modulo the
  /// stride, at `start` + p.
  struct TapRun {
    ValueRange inside{0, 0};
    int64_t phase = 0, start = 0;
  };

  void findTaps() {
    int64_t least = 0, most = 0;
    for (int64_t k = 0; k < w.size[2]; ++k) {
      TapRun tap;
      int64_t &begin = tap.inside.begin, &end = tap.inside.end;
      while (begin < y.size[2] && at.input(2, begin, k) < 0)
        ++begin;
      end = begin;
      while (end < y.size[2] && at.input(2, end, k) >= 0)
        ++end;
      if (begin < end) {
        const int64_t first = at.input(2, begin, k);
        tap.phase = first % at.stride[2];
        tap.start = first / at.stride[2] - begin;
        least = phases.empty() ? tap.start : std::min(least, tap.start);
        most = std::max(most, tap.start + y.size[2]);
        phases.try_emplace(tap.phase, int64_t(phases.size()));
      }
      taps.push_back(tap);
    }
    for (TapRun &tap : taps)
      tap.start -= least;
    before = -least;
    lineWidth = most - least;
  }

  /// The input as [remainder of the stride][channel of a group][line][group]
  /// [position].
  void copyInput() {
    const Triple sizes{x.batch, x.size[0], x.size[1]};
    Triple strides;
    int64_t step = lineWidth;
    for (size_t d = 3;; --d) {
      if (d == 3 - run.joined) {
        groupStride = step;
        step *= groups;
      }
      if (d == 0)
        break;
      strides[d - 1] = step;
      step *= sizes[d - 1];
    }
    Axes &to = copy;
    to.batchStride = strides[0];
    to.stride = {strides[1], strides[2], 1};
    const int64_t size = recipe::elementSize(type);
    // An odd number of cache lines between channels, so that those of a block
    // use all sets of a cache.
    to.channelStride = ((step * size + 63) / 64 | 1) * 64 / size;
    phaseStride = to.channelStride * w.channels;
    // The last pair of an odd run also has the value after it.
    const int64_t count = phaseStride * int64_t(phases.size()) + sharesPairs();
    xData = takeStaging(uint64_t(count * size), context);
    bool hasGaps = sharesPairs();
    std::vector<CopyStep> steps;
    for (auto [phase, number] : phases) {
      const int64_t stride = at.stride[2];
      // Along the innermost dimension those at phase, phase + stride, ... that
      // some position sees.
      const int64_t first = std::max<int64_t>(-before, 0);
      const int64_t end = std::min(lineWidth - before,
                                   (x.size[2] - phase + stride - 1) / stride);
      hasGaps |= first > -before || end < lineWidth - before;
      steps.push_back(
          {StridedCopy(
               {x.batch, x.size[0], x.size[1], end - first, groups, w.channels},
               {x.batchStride, x.stride[0], x.stride[1], x.stride[2] * stride,
                w.channels * x.channelStride, x.channelStride},
               {to.batchStride, to.stride[0], to.stride[1], 1, groupStride,
                to.channelStride},
               type, type),
           xTensor.data + (phase + first * stride) * x.stride[2] * size,
           xData + (number * phaseStride + before + first) * size});
    }
    std::vector<CopyStep> &all = product.copies.before;
    if (hasGaps)
      all.push_back(zeroFill(count, type, xData));
    all.insert(all.end(), steps.begin(), steps.end());
  }

  bool sharesPairs() const {
    return type == ElementType::BF16 && run.count % 2;
  }

  /// Panels of dy: columns are its channels, rows its positions by lines. A
  /// group is an item with panels of its own.
  void placePanels() {
    product.source = {dyTensor.data, dyTensor.type,   run.count, perGroupOut,
                      run.stride,    y.channelStride, {}};
    forEachLine([&](int64_t n, int64_t d, int64_t h) {
      product.source.taps.push_back(n * y.batchStride + d * y.stride[0] +
                                    h * y.stride[1]);
    });
    product.layout = PanelLayout(product.kernel, product.source);
    perRange =
        cutDepth(product.kernel, product.layout,
                 int64_t(product.source.taps.size()), false, product.ranges);
    for (int64_t g = 0; g < groups; ++g) {
      product.packedItems.push_back(g * perGroupOut * y.channelStride *
                                    recipe::elementSize(dyTensor.type));
      product.items.push_back(
          {g * groupStride * recipe::elementSize(type),
           product.packedItems.back(),
           g * resultGroupStride * recipe::elementSize(dwTensor.type),
           g * product.layout.panels});
    }
    // Rows of taps that no position sees.
    product.zeros = takeHost(
        uint64_t(isUnseen() ? groups * groupStride + product.layout.steps : 0) *
            sizeof(float),
        product.copies, context);
  }

  bool isUnseen() const {
    return std::any_of(taps.begin(), taps.end(), [](const TapRun &tap) {
      return tap.inside.begin == tap.inside.end;
    });
  }

  /// Calls visit(image, depth, height) for all lines of positions.
  template <typename Visit> void forEachLine(Visit &&visit) const {
    for (int64_t n = 0; n < lines[0]; ++n)
      for (int64_t d = 0; d < lines[1]; ++d)
        for (int64_t h = 0; h < lines[2]; ++h)
          visit(n, d, h);
  }

  /// The rows of the taps of one line of the filter.
  void placeRows(int64_t d, int64_t h) {
    int64_t row = 0;
    for (int64_t count : cutRows(w.size[2] * w.channels, product.kernel)) {
      placeBlock(d, h, row, count);
      row += count;
    }
  }

  void placeBlock(int64_t d, int64_t h, int64_t row, int64_t count) {
    RowBlock block{int(count), int64_t(product.resultRows.size()),
                   int64_t(product.pointers.size()),
                   int64_t(product.depths.size()),
                   int64_t(product.groupStarts.size())};
    const int64_t size = recipe::elementSize(type);
    std::array<const uint8_t *, maxBlockRows> starts;
    for (int64_t r = 0; r < count; ++r) {
      const int64_t k = (row + r) / w.channels, i = (row + r) % w.channels;
      const TapRun &tap = taps[size_t(k)];
      const bool isSeen = tap.inside.begin < tap.inside.end;
      starts[size_t(r)] = isSeen
                              ? xData + (phases.at(tap.phase) * phaseStride +
                                         i * copy.channelStride + tap.start) *
                                            size
                              : nullptr;
      product.resultRows.push_back(d * w.stride[0] + h * w.stride[1] +
                                   k * w.stride[2] + i * w.channelStride);
      // Rows that miss positions at an end, or whose last pair has a value of
      // another row, are repaired if their sums are NaN.
      product.inside.push_back(run.joined ? ValueRange{0, run.count}
                                          : tap.inside);
      const ValueRange &inside = product.inside.back();
      block.padded |= sharesPairs() || inside.end - inside.begin < run.count;
    }
    int64_t line = 0, segments = 0;
    forEachLine([&](int64_t n, int64_t p, int64_t q) {
      if (line % perRange == 0)
        product.groupStarts.push_back(segments);
      const int64_t depth = line++ * product.layout.steps;
      const int64_t atDepth = at.input(0, p, d), atHeight = at.input(1, q, h);
      if (atDepth < 0 || atHeight < 0)
        return;
      const int64_t offset = n * copy.batchStride + atDepth * copy.stride[0] +
                             atHeight * copy.stride[1];
      for (int64_t r = 0; r < count; ++r)
        product.pointers.push_back(starts[size_t(r)]
                                       ? starts[size_t(r)] + offset * size
                                       : product.zeros);
      product.depths.push_back(depth);
      ++segments;
    });
    product.groupStarts.push_back(segments);
    product.blocks.push_back(block);
  }

  TileProduct &product;
  PrepareContext &context;
  const int64_t groups;
  const ElementType type;        // of the rows
  BoundTensor xTensor, dyTensor; // the sides of rows and of columns
  const BoundTensor &dwTensor;
  Axes x, y, w;
  int64_t perGroupOut;
  const int64_t resultGroupStride;
  ConvTaps at;
  Triple lines; // images, depth and height that are not part of a run
  Run run{};    // of a line
  std::vector<TapRun> taps;          // along the innermost dimension
  std::map<int64_t, int64_t> phases; // remainders that taps read, numbered
  // The copy of the input.
  Axes copy;
  uint8_t *xData = nullptr;
  int64_t before = 0; // zeros before a line
  int64_t lineWidth = 0, groupStride = 0, phaseStride = 0;
  int64_t perRange = 1; // lines
};

} // namespace

std::unique_ptr<TileCommand>
buildWeightGrad(const MicroKernel &kernel, const recipe::Convolution &conv,
                const BoundTensor &x, const BoundTensor &dy,
                const BoundTensor &dw, PrepareContext &context) {
  const std::string_view layout = recipe::text(conv.outputLayout);
  const int64_t columns = dy.layout.sizes[layout.find('C')] / conv.groups;
  TileProduct product(fitting(kernel, columns));
  Builder(conv, x, dy, dw, product, context).build();
  return std::make_unique<TileCommand>(std::move(product), false, context);
}

} // namespace gaudi::runtime
