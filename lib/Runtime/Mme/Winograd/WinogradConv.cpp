// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions by 3 x 3 as F(2 x 2, 3 x 3): 16 products of matrices on the
// transforms of inputs and filters take 4 / 9 of the multiply-adds.
//
// Output positions go in squares of 2 x 2. A task has some squares and columns:
//
//   the factors of its inputs             V[16][square][input channel]
//   for each chunk of output channels
//     16 products on micro kernels        M[16][square][output channel]
//     the sums, stored as outputs
//
// V and M stay in L2; the filters' factors are packed panels, made once.
//
// An infinity in a window may become NaN on the way, and large numbers may
// overflow that no sum of the definition reaches. Either leaves an output that
// is not finite, and those are computed again by the definition. Finite ones
// have errors of a few roundings of the largest product of their window.
#include "WinogradConv.h"

#include "../Kernels/KernelChoice.h"
#include "../Tiles/TileCommand.h"
#include "WinogradFilter.h"
#include "WinogradRepair.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

constexpr int64_t factors = 16;
/// Squares of a task: their factors stay in L2.
constexpr int64_t mostSquares = 56, fewSquares = 28, factorBytes = 448 << 10;
/// Columns of a chunk, whose sums stay in L2 beside the factors.
constexpr int64_t chunkColumns = 64;
/// Bytes of a panel that stay in L1 while all blocks of a task pass.
constexpr int64_t panelBytesInL1 = 32 << 10;
/// Tasks of a command, if it has them: threads get equal shares.
constexpr int64_t wantedTasks = 4;
/// Floats between lines and between factors, so that they do not meet in few
/// sets of the caches.
constexpr int64_t apart = 16;

struct Range {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

PanelSource panelSource(const recipe::Conv &conv, const BoundTensor &filter) {
  const Axes axes = filterAxes(conv, filter);
  PanelSource source;
  source.data = filter.data;
  source.type = filter.type;
  source.depth = axes.channels;
  source.columns = axes.batch;
  source.depthStride = axes.channelStride;
  source.columnStride = axes.batchStride;
  source.winograd = true;
  source.taps.clear();
  for (int64_t h = 0; h < 3; ++h)
    for (int64_t i = 0; i < 3; ++i)
      source.taps.push_back(h * axes.stride[1] + i * axes.stride[2]);
  return source;
}

class WinogradConv final : public PreparedCommand {
public:
  WinogradConv(const MicroKernel &kernel, const recipe::Conv &conv,
               const BoundTensor &xTensor, const BoundTensor &wTensor,
               const BoundTensor &yTensor, PrepareContext &context)
      : kernel(kernel), x(inputAxes(conv, xTensor)),
        w(filterAxes(conv, wTensor)), y(outputAxes(conv, yTensor)),
        low(tripleOf(conv.pad_low(), 0)), filter(wTensor), result(yTensor),
        high(ceilDiv(y.size[1], 2)), wide(ceilDiv(y.size[2], 2)) {
    BoundTensor in = xTensor;
    if (in.type != ElementType::F32) {
      in = convertedFor(in, ElementType::F32, false, copies, context);
      x = inputAxes(conv, in);
    }
    xData = reinterpret_cast<const float *>(in.data);
    const PanelSource source = panelSource(conv, wTensor);
    layout = PanelLayout(kernel, source);
    panels = static_cast<PanelStore *>(context.panels)
                 ->want(source, layout, {0}, {});
    zeros = reinterpret_cast<const float *>(
        takeHost(uint64_t(x.channels) * sizeof(float), copies, context));
    cut();
  }

  std::string implementation() const override {
    return fmt::format("winograd:{}:{}x{}:f32, packed once{}", kernel.name,
                       kernel.rows, kernel.columns,
                       panels->memory->mapped ? ", from the cache" : "");
  }
  uint64_t scratchBytes() const override {
    return uint64_t(factors * (inputPitch + sumPitch) + 4 * chunkWidth()) *
           sizeof(float);
  }
  void visitAddresses(AddressVisitor &visitor) override {
    visitor.visit(result.data);
    visitor.visit(xData);
    copies.visitAddresses(visitor);
    followers.visitAddresses(visitor);
  }
  void bindScratch(uint8_t *const *perWorker) override {
    scratch = perWorker;
    packed = panels->memory->data;
  }

  bool follow(const Follower &follower, int64_t leastParts) override {
    if (squareTasks * columnTasks < leastParts)
      return false;
    int64_t runs = 0, elements = 0;
    bool whole = true;
    for (int64_t task = 0; task < squareTasks * columnTasks; ++task)
      forEachRun(task, [&](int64_t begin, int64_t end) {
        whole &= begin % follower.block == 0 && end % follower.block == 0;
        elements += end - begin;
        ++runs;
      });
    if (!whole || elements < runs * follower.leastRun)
      return false;
    followers.add(follower);
    return true;
  }

  void run(LaunchContext &context) override {
    copies.run(context.pool);
    context.pool.parallelFor(
        squareTasks * columnTasks, 1,
        [&](int64_t begin, int64_t end, unsigned worker) {
          for (int64_t task = begin; task < end; ++task) {
            runTask(task, reinterpret_cast<float *>(scratch[worker]));
            forEachRun(task, [&](int64_t first, int64_t last) {
              followers.run(first, last, context.fault);
            });
          }
        });
  }

private:
  /// Into tasks: as many squares as L2 takes, and columns where those would be
  /// too few tasks.
  void cut() {
    const int64_t squares = y.batch * high * wide;
    const int64_t most = std::clamp(
        factorBytes / (x.channels * factors * int64_t(sizeof(float))),
        fewSquares, mostSquares);
    squareTasks = ceilDiv(squares, most);
    columnTasks = std::min(ceilDiv(wantedTasks, squareTasks), layout.panels);
    int64_t largest = 0;
    for (int64_t task = 0; task < squareTasks; ++task)
      largest = std::max(largest, squaresOf(task).size());
    lineSize = x.channels + apart;
    inputPitch = largest * lineSize + apart;
    sumPitch = largest * chunkWidth() + apart;
    parts = ceilDiv(layout.steps * layout.width * 4, panelBytesInL1);
  }

  int64_t chunkPanels() const {
    return std::max<int64_t>(1, chunkColumns / layout.width);
  }
  int64_t chunkWidth() const { return chunkPanels() * layout.width; }

  // Tasks that follow each other share columns: the filters are the larger
  // side where tasks have not all of them.
  Range squaresOf(int64_t task) const {
    const int64_t squares = y.batch * high * wide, i = task % squareTasks;
    return {squares * i / squareTasks, squares * (i + 1) / squareTasks};
  }
  Range panelsOf(int64_t task) const {
    const int64_t i = task / squareTasks;
    return {layout.panels * i / columnTasks,
            layout.panels * (i + 1) / columnTasks};
  }

  /// The first output of a square.
  OutputPlace placeOf(int64_t square) const {
    return {square / (high * wide), square / wide % high * 2,
            square % wide * 2};
  }
  int64_t outputAt(const OutputPlace &at) const {
    return at.n * y.batchStride + at.h * y.stride[1] + at.w * y.stride[2];
  }

  void runTask(int64_t task, float *mine) const {
    const Range squares = squaresOf(task), all = panelsOf(task);
    float *const v = mine, *const m = v + factors * inputPitch;
    for (int64_t s = squares.begin; s < squares.end; ++s)
      placeFactors(placeOf(s), v + (s - squares.begin) * lineSize);
    for (int64_t p = all.begin; p < all.end; p += chunkPanels()) {
      const Range chunk{p, std::min(p + chunkPanels(), all.end)};
      multiply(squares, chunk, v, m);
      placeOutputs(squares, chunk, m, m + factors * sumPitch);
    }
  }

  void placeFactors(const OutputPlace &at, float *to) const {
    const float *window[factors];
    for (int64_t h = 0; h < 4; ++h)
      for (int64_t i = 0; i < 4; ++i) {
        const int64_t row = at.h + h - low[1], column = at.w + i - low[2];
        window[h * 4 + i] =
            row < 0 || row >= x.size[1] || column < 0 || column >= x.size[2]
                ? zeros
                : xData + at.n * x.batchStride + row * x.stride[1] +
                      column * x.stride[2];
      }
    kernel.winograd->inputs(window, to, inputPitch, x.channels);
  }

  /// Part of a panel for one factor.
  struct Piece {
    int64_t factor, panel, part;
  };
  const uint8_t *panelAt(const Piece &piece) const {
    return packed + piece.panel * layout.pitch() +
           (piece.factor * layout.steps + layout.steps * piece.part / parts) *
               layout.width * 4;
  }
  int64_t stepsOf(int64_t part) const {
    return layout.steps * (part + 1) / parts - layout.steps * part / parts;
  }

  void multiply(const Range &squares, const Range &chunk, const float *v,
                float *m) const {
    const int64_t count = factors * chunk.size() * parts;
    auto pieceAt = [&](int64_t i) {
      return Piece{i / parts / chunk.size(),
                   chunk.begin + i / parts % chunk.size(), i % parts};
    };
    for (int64_t i = 0; i < count; ++i) {
      const Piece piece = pieceAt(i);
      if (followers.fetches())
        fetchBeside({squares.begin + squares.size() * i / count,
                     squares.begin + squares.size() * (i + 1) / count},
                    chunk);
      multiplyPiece(piece, i + 1 < count ? pieceAt(i + 1) : piece,
                    squares.size(), v + piece.factor * inputPitch,
                    m + piece.factor * sumPitch +
                        (piece.panel - chunk.begin) * layout.width);
    }
  }

  /// What followers read beside the outputs of some squares.
  void fetchBeside(const Range &squares, const Range &chunk) const {
    const int64_t first = chunk.begin * layout.width;
    const int64_t end = std::min(chunk.end * layout.width, y.channels);
    for (int64_t s = squares.begin; s < squares.end; ++s)
      for (int64_t i = 0; i < 4; ++i) {
        OutputPlace at = placeOf(s);
        at.h += i / 2;
        at.w += i % 2;
        if (at.h < y.size[1] && at.w < y.size[2])
          followers.fetch(outputAt(at) + first, outputAt(at) + end);
      }
  }

  /// One piece with all squares; the next one is prefetched meanwhile.
  void multiplyPiece(const Piece &piece, const Piece &next, int64_t squares,
                     const float *v, float *m) const {
    // Blocks of at most kernel.rows squares, which differ by at most one.
    const int64_t depth = 0, blocks = ceilDiv(squares, kernel.rows);
    // Cache lines of the next piece, divided among the calls of this one.
    const int64_t lines =
        ceilDiv(stepsOf(next.part) * layout.width * 4, 64 * blocks);
    const uint8_t *rows[maxBlockRows];
    BlockCall call{};
    call.rows = rows;
    call.depths = &depth;
    call.segments = call.panels = 1;
    call.steps = stepsOf(piece.part);
    call.panel = panelAt(piece);
    call.cStride = chunkWidth();
    // Later parts of the input channels add to the sums of the first.
    call.accumulate = piece.part != 0;
    call.lines = ceilDiv(lines, std::max<int64_t>(call.steps / lineSteps, 1));
    const float *from = v + layout.steps * piece.part / parts;
    for (int64_t b = 0, row = 0; b < blocks; ++b, row += call.count) {
      call.count = int(squares * (b + 1) / blocks - row);
      for (int r = 0; r < call.count; ++r)
        rows[r] =
            reinterpret_cast<const uint8_t *>(from + (row + r) * lineSize);
      call.prefetch = panelAt(next) + b * lines * 64;
      call.c = m + row * chunkWidth();
      kernel.functions[call.count](call);
    }
  }

  void placeOutputs(const Range &squares, const Range &chunk, const float *m,
                    float *lines) const {
    const int64_t first = chunk.begin * layout.width;
    const int64_t count =
        std::min(chunk.end * layout.width, y.channels) - first;
    const bool direct = result.type == ElementType::F32;
    for (int64_t s = squares.begin; s < squares.end; ++s, m += chunkWidth()) {
      const OutputPlace at = placeOf(s);
      OutputPlace places[4];
      bool wanted[4]; // at odd ends a square has outputs that nobody wants
      float *to[4];
      for (int64_t i = 0; i < 4; ++i) {
        places[i] = {at.n, at.h + i / 2, at.w + i % 2};
        wanted[i] = places[i].h < y.size[1] && places[i].w < y.size[2];
        // Narrow results, and outputs outside the image, go to `lines`.
        to[i] = direct && wanted[i] ? reinterpret_cast<float *>(result.data) +
                                          outputAt(places[i]) + first
                                    : lines + i * chunkWidth();
      }
      const bool finite = kernel.winograd->outputs(m, sumPitch, to, count);
      for (int64_t i = 0; i < 4; ++i) {
        if (!wanted[i])
          continue;
        if (!finite)
          repairOutputs({x, xData, w, filter, low}, places[i], first, count,
                        to[i]);
        if (!direct)
          store(to[i], outputAt(places[i]) + first, count);
      }
    }
  }

  /// Rounds and stores `count` channels.
  void store(const float *from, int64_t element, int64_t count) const {
    uint8_t *to = result.data + element * recipe::elementSize(result.type);
    if (result.type == ElementType::BF16)
      kernel.roundToBf16(from, reinterpret_cast<uint16_t *>(to), count);
    else
      convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(from), 1,
                 result.type, to, 1, count);
  }

  /// Calls `visit(begin, end)` for each run of contiguous elements of the
  /// task's outputs, in a dense result.
  template <typename Visit> void forEachRun(int64_t task, Visit visit) const {
    const Range squares = squaresOf(task), all = panelsOf(task);
    const int64_t first = all.begin * layout.width;
    const int64_t count = std::min(all.end * layout.width, y.channels) - first;
    int64_t begin = 0, end = 0;
    // Squares of one line make two lines of outputs.
    for (int64_t s = squares.begin, next; s < squares.end; s = next) {
      next = std::min(s / wide * wide + wide, squares.end);
      OutputPlace at = placeOf(s);
      const int64_t from = at.w;
      const int64_t to = std::min(from + (next - s) * 2, y.size[2]);
      for (int64_t last = std::min(at.h + 2, y.size[1]); at.h < last; ++at.h)
        for (at.w = from; at.w < to; ++at.w) {
          // Neighbours in a dense result extend the run, also across lines.
          const int64_t element = outputAt(at) + first;
          if (element != end) {
            if (begin != end)
              visit(begin, end);
            begin = element;
          }
          end = element + count;
        }
    }
    if (begin != end)
      visit(begin, end);
  }

  const MicroKernel &kernel;
  Axes x;
  const Axes w, y;
  const Triple low;         // padding
  const BoundTensor filter; // constant
  BoundTensor result;
  const float *xData = nullptr; // of `x`, which may be a copy in f32
  const int64_t high, wide;     // squares of an image
  const float *zeros = nullptr;
  PanelLayout layout;
  std::shared_ptr<const SharedPanels> panels;
  const uint8_t *packed = nullptr;
  OperandCopies copies;
  int64_t squareTasks = 0, columnTasks = 0;
  int64_t parts = 1; // of a panel, whose sums are added in order
  int64_t lineSize = 0, inputPitch = 0, sumPitch = 0; // floats
  uint8_t *const *scratch = nullptr;
  Followers followers;
};

template <typename Values> bool all(const Values *values, int64_t wanted) {
  for (int64_t value : *values)
    if (value != wanted)
      return false;
  return true;
}

} // namespace

bool isWinogradConv(const MicroKernel &kernel, const recipe::Conv &conv,
                    const BoundTensor &x, const BoundTensor &w,
                    const BoundTensor &y) {
  if (!kernel.winograd || !w.constant || conv.transposed() ||
      conv.groups() != 1 || !all(conv.strides(), 1) ||
      !all(conv.dilations(), 1))
    return false;
  const Axes in = inputAxes(conv, x), filter = filterAxes(conv, w),
             out = outputAxes(conv, y);
  if (in.channelStride != 1 || out.channelStride != 1 || in.size[0] != 1 ||
      out.size[0] != 1 || filter.size != Triple{1, 3, 3})
    return false;
  // With few squares reading the filters' factors takes longer than the
  // products, with few channels the transforms do.
  constexpr int64_t leastSquares = 32, leastChannels = 32;
  const int64_t squares =
      out.batch * ceilDiv(out.size[1], 2) * ceilDiv(out.size[2], 2);
  const int64_t positions = out.batch * out.size[1] * out.size[2];
  return squares >= leastSquares && in.channels >= leastChannels &&
         out.channels >= leastChannels &&
         4 * factors * squares <= 3 * 9 * positions;
}

std::unique_ptr<PreparedCommand>
buildWinogradConv(const MicroKernel &kernel, const recipe::Conv &conv,
                  const BoundTensor &x, const BoundTensor &w,
                  const BoundTensor &y, PrepareContext &context) {
  const MicroKernel &fit = fitting(kernel, outputAxes(conv, y).channels);
  const PanelSource source = panelSource(conv, w);
  // Only filters that suit are ever packed so.
  const bool known = static_cast<PanelStore *>(context.panels)
                         ->isRecorded(source, PanelLayout(fit, source), {0});
  if (!known && !suitsWinograd(source, context.pool))
    return nullptr;
  return std::make_unique<WinogradConv>(fit, conv, x, w, y, context);
}

} // namespace gaudi::runtime
