// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions, and those in groups of 2, 4 or 8 channels: vectors
// run along channels.
//
// A tile is some lines of output positions, or a part of a long one. Along a
// line the positions whose taps are all inside go several at a time, those at
// its ends one by one with the taps that they have: no tap in the padding is
// ever multiplied.
//
// Lines of a narrow input become f32 when a tile first needs them, in memory of
// the thread that stays in its L2; its next tile, which is most often the next
// one below, finds them there.
#include "DepthConv.h"

#include "../Packing/OperandCopies.h"
#include "../Tiles/Followers.h"
#include "ConvAxes.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cassert>
#include <fmt/format.h>
#include <optional>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Multiply-adds of a tile: enough to be worth a thread.
constexpr double tileWork = 2e5;
/// Of a 32 KiB L1, for filters and input; the rest is for results.
constexpr int64_t cachedBytes = 24 << 10;
/// Lines of taps that one position sees: entries of the call's pointer arrays.
constexpr int64_t mostLines = 64;
/// Of a 512 KiB L2, for converted lines of the input.
constexpr int64_t convertedBytes = 256 << 10;

struct Range {
  int64_t begin, end;
  int64_t size() const { return std::max<int64_t>(end - begin, 0); }
};

class DepthConv final : public PreparedCommand {
public:
  DepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
            const BoundTensor &xTensor, const BoundTensor &wTensor,
            const BoundTensor &yTensor, PrepareContext &context)
      : kernel(kernel), stride(tripleOf(conv.strides(), 1)),
        dilation(tripleOf(conv.dilations(), 1)),
        low(tripleOf(conv.pad_low(), 0)), yTensor(yTensor) {
    const std::string_view xLayout = recipe::text(conv.input_layout());
    BoundTensor in = xTensor;
    x = axesOf(in, xLayout, 'N', 'C');
    const std::string_view yLayout = recipe::text(conv.output_layout());
    y = axesOf(yTensor, yLayout, 'N', 'C');
    if (y.channelStride != 1) {
      stageResult(yLayout, context);
      y = axesOf(this->yTensor, lastLayout(yLayout), 'N', 'C');
    }
    w = filterAxes(conv, wTensor);
    placeWeights(wTensor, context);
    cutTiles();
    const bool narrow = in.type != ElementType::F32;
    if (x.channelStride == 1 && narrow && !in.constant)
      convertLines();
    if (x.channelStride != 1 || (narrow && !slots())) {
      in = channelsLast(in, xLayout, context);
      x = axesOf(in, lastLayout(xLayout), 'N', 'C');
    }
    xData = in.data;
    xType = in.type;

    // Taps only vanish at the ends of a line, so the positions that have all of
    // them are one range.
    while (inner.begin < y.size[2] &&
           taps(2, inner.begin, inner.begin + 1).size() < w.size[2])
      ++inner.begin;
    inner.end = inner.begin;
    while (inner.end < y.size[2] &&
           taps(2, inner.end, inner.end + 1).size() == w.size[2])
      ++inner.end;
    // Channels whose filters, and the input that depthPositions positions see,
    // fit L1 together, a multiple of the widest vector.
    const int64_t perChannel =
        w.size[0] * w.size[1] *
        ((w.channels + 1) * w.size[2] + (depthPositions - 1) * stride[2]) *
        int64_t(sizeof(float));
    chunk = std::max(cachedBytes / perChannel / 16 * 16, int64_t(16));

    // Neighbouring lines are contiguous: a tile is one run of elements.
    dense =
        !transposed && y.stride[2] == y.channels &&
        (y.size[1] == 1 || y.stride[1] == y.size[2] * y.channels) &&
        (y.size[0] == 1 || y.stride[0] == y.size[1] * y.size[2] * y.channels) &&
        (y.batch == 1 ||
         y.batchStride == y.size[0] * y.size[1] * y.size[2] * y.channels);
  }

  std::string implementation() const override {
    return fmt::format(
        "depth:{}:f32{}{}", kernel.name,
        w.channels > 1 ? fmt::format(", groups of {}", w.channels) : "",
        slots() ? ", lines converted" : "");
  }
  uint64_t scratchBytes() const override {
    const uint64_t results = direct() ? 0 : y.channels * depthPositions;
    return linesOffset() +
           sizeof(float) * (uint64_t(slots() * lineSize()) + results);
  }
  void bindScratch(const std::vector<uint8_t *> &perWorker) override {
    scratch = perWorker;
  }

  bool follow(const Follower &follower, int64_t leastParts) override {
    // A follower takes whole points, so each tile must end with one.
    if (!dense || tiles < leastParts)
      return false;
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const Range run = elements(tile);
      if (run.begin % follower.block != 0 || run.end % follower.block != 0 ||
          run.size() < follower.leastRun)
        return false;
    }
    followers.add(follower);
    return true;
  }

  void run(LaunchContext &context) override {
    copies.run(context.pool);
    if (slots()) // lines of an earlier launch
      for (uint8_t *mine : scratch)
        std::fill_n(reinterpret_cast<int64_t *>(mine), slots(), int64_t(-1));
    context.pool.parallelFor(tiles, 1,
                             [&](int64_t begin, int64_t end, unsigned worker) {
                               for (int64_t tile = begin; tile < end; ++tile)
                                 runTile(tile, scratch[worker], context.fault);
                             });
    if (transposed)
      transposed->run(context.pool);
  }

private:
  static std::string lastLayout(std::string_view layout) {
    std::string result;
    for (char letter : layout)
      if (letter != 'C')
        result += letter;
    return result + 'C';
  }

  /// A copy in f32 with contiguous channels.
  BoundTensor channelsLast(const BoundTensor &tensor, std::string_view layout,
                           PrepareContext &context) {
    return convertedFor(reordered(tensor, layout, lastLayout(layout)),
                        ElementType::F32, false, copies, context);
  }

  /// A result with strided channels is computed with contiguous ones and
  /// transposed: stores fill cache lines instead of one element of each.
  void stageResult(std::string_view layout, PrepareContext &context) {
    const BoundTensor wanted = reordered(yTensor, layout, lastLayout(layout));
    const std::vector<int64_t> &sizes = wanted.layout.sizes;
    yTensor = stagedTensor(sizes, wanted.type, context);
    transposed =
        CopyStep{StridedCopy(sizes, yTensor.layout.strides,
                             wanted.layout.strides, wanted.type, wanted.type),
                 yTensor.data, wanted.data};
  }

  /// [tap][input of the group][channel]
  void placeWeights(const BoundTensor &tensor, PrepareContext &context) {
    const int64_t count = w.size[0] * w.size[1] * w.size[2] * w.channels;
    const uint64_t bytes = uint64_t(count * y.channels) * sizeof(float);
    float *to = reinterpret_cast<float *>(takeHost(bytes, copies, context));
    weights = to;
    const int64_t size = recipe::elementSize(tensor.type);
    for (int64_t d = 0; d < w.size[0]; ++d)
      for (int64_t h = 0; h < w.size[1]; ++h)
        for (int64_t i = 0; i < w.size[2]; ++i)
          for (int64_t k = 0; k < w.channels; ++k, to += y.channels)
            convertRow(tensor.type,
                       tensor.data + (d * w.stride[0] + h * w.stride[1] +
                                      i * w.stride[2] + k * w.channelStride) *
                                         size,
                       w.batchStride, ElementType::F32,
                       reinterpret_cast<uint8_t *>(to), 1, y.channels);
  }

  void cutTiles() {
    const double line = double(y.size[2]) * double(y.channels) *
                        double(w.size[0] * w.size[1] * w.size[2] * w.channels);
    lines = y.batch * y.size[0] * y.size[1];
    // Long lines are cut into segments, short ones are grouped.
    segments = std::clamp<int64_t>(int64_t(line / tileWork), 1, y.size[2]);
    grain = std::max<int64_t>(1, int64_t(tileWork / std::max(line, 1.0)));
    assert((segments == 1 || grain == 1) && "lines are cut or grouped");
    tiles = (lines + grain - 1) / grain * segments;
  }

  /// Gives each thread slots for the lines of the input that some lines of a
  /// tile read, if L2 has room for them. Segments would convert lines several
  /// times, and so would deep filters that do not keep whole planes.
  void convertLines() {
    if (segments > 1)
      return;
    // Lines from the first that `count` neighbouring outputs read to the last.
    auto reach = [&](size_t d, int64_t count) {
      const int64_t size = std::max<int64_t>(x.size[d], 1);
      return std::min(size, (w.size[d] - 1) * std::min(dilation[d], size) +
                                (count - 1) * std::min(stride[d], size) + 1);
    };
    const int64_t most = convertedBytes / int64_t(sizeof(float)) /
                         std::max<int64_t>(lineSize(), 1);
    const int64_t deep = reach(0, 1);
    for (together = std::min(grain, std::max<int64_t>(lines, 1));
         together > 1 && deep * reach(1, together) > most;)
      --together;
    const int64_t high = w.size[0] > 1 ? x.size[1] : reach(1, together);
    if (high == 0 || high > most / deep)
      return;
    deepSlots = deep;
    highSlots = high;
  }
  int64_t slots() const { return deepSlots * highSlots; }
  int64_t lineSize() const { return x.size[2] * x.channels; }
  /// A thread's memory: which lines its slots hold, the lines, then results
  /// that are to be rounded.
  uint64_t linesOffset() const {
    return (uint64_t(slots()) * sizeof(int64_t) + 63) / 64 * 64;
  }

  /// A line of the input in f32.
  const float *inputLine(int64_t n, int64_t d, int64_t h, uint8_t *mine) const {
    const int64_t offset =
        n * x.batchStride + d * x.stride[0] + h * x.stride[1];
    if (!slots())
      return reinterpret_cast<const float *>(xData) + offset;
    // All lines that one output reads are less than the slots apart along each
    // dimension, so each has its own.
    const int64_t slot = d % deepSlots * highSlots + h % highSlots;
    uint8_t *to =
        mine + linesOffset() + size_t(slot * lineSize()) * sizeof(float);
    int64_t &held = reinterpret_cast<int64_t *>(mine)[slot];
    const int64_t number = (n * x.size[0] + d) * x.size[1] + h;
    if (held != number) {
      held = number;
      const int64_t size = recipe::elementSize(xType);
      const bool dense = x.stride[2] == x.channels;
      const int64_t run = dense ? lineSize() : x.channels;
      for (int64_t i = 0; i < (dense ? 1 : x.size[2]); ++i)
        convertRow(xType, xData + (offset + i * x.stride[2]) * size, 1,
                   ElementType::F32, to + size_t(i * run) * sizeof(float), 1,
                   run);
    }
    return reinterpret_cast<const float *>(to);
  }

  /// Results of one position.
  void roundRow(const float *from, uint8_t *to, int64_t count) const {
    if (yTensor.type == ElementType::BF16 && y.channelStride == 1)
      kernel.roundToBf16(from, reinterpret_cast<uint16_t *>(to), count);
    else
      convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(from), 1,
                 yTensor.type, to, y.channelStride, count);
  }

  bool direct() const { return yTensor.type == ElementType::F32; }

  /// Taps along dimension d that positions [from, to) all see: tap k of
  /// position p reads p * stride - low + k * dilation, which must be at least 0
  /// for the first position and below the size for the last.
  Range taps(size_t d, int64_t from, int64_t to) const {
    auto stepsTo = [&](int64_t distance) { // rounded up
      return distance <= 0 ? 0 : (distance + dilation[d] - 1) / dilation[d];
    };
    const int64_t first = from * stride[d] - low[d];
    const int64_t last = (to - 1) * stride[d] - low[d];
    return {stepsTo(-first), std::min(w.size[d], stepsTo(x.size[d] - last))};
  }

  Range linesOf(int64_t tile) const {
    const int64_t first = tile / segments * grain;
    return {first, std::min(first + grain, lines)};
  }
  Range positionsOf(int64_t tile) const {
    const int64_t part = tile % segments;
    return {y.size[2] * part / segments, y.size[2] * (part + 1) / segments};
  }
  /// Those of a dense result.
  Range elements(int64_t tile) const {
    const Range some = linesOf(tile), along = positionsOf(tile);
    return {(some.begin * y.size[2] + along.begin) * y.channels,
            ((some.end - 1) * y.size[2] + along.end) * y.channels};
  }

  /// The end of the lines from `line` on that go together: the slots hold all
  /// that they read, of one plane.
  int64_t groupEnd(int64_t line, int64_t end) const {
    return !slots() ? end
                    : std::min({end, line + together,
                                (line / y.size[1] + 1) * y.size[1]});
  }

  void runTile(int64_t tile, uint8_t *mine, Fault &fault) const {
    const Range some = linesOf(tile), along = positionsOf(tile);
    for (int64_t line = some.begin; line < some.end;) {
      const int64_t end = groupEnd(line, some.end);
      // Channels outermost: their filters stay in L1 for all lines.
      for (int64_t c = 0; c < y.channels; c += chunk)
        for (int64_t at = line; at < end; ++at)
          runLine(at, along, c, std::min(chunk, y.channels - c), mine);
      line = end;
    }
    const Range run = elements(tile);
    followers.run(run.begin, run.end, fault);
  }

  /// Channels [c, c + count) of some positions of a line.
  void runLine(int64_t number, const Range &along, int64_t c, int64_t count,
               uint8_t *mine) const {
    const int64_t h = number % y.size[1];
    const int64_t d = number / y.size[1] % y.size[0];
    const int64_t n = number / y.size[1] / y.size[0];
    // Taps that are inside along depth and height are the same for the whole
    // line; only the innermost dimension varies along it.
    const Range deep = taps(0, d, d + 1), high = taps(1, h, h + 1);
    // Pointers to the first tap of each line of taps that is inside, at
    // position 0 of the output line; each call moves them to its position.
    const float *x0[mostLines], *from[mostLines];
    const float *w0[mostLines], *filter[mostLines];
    DepthCall call;
    call.x = from;
    call.weights = filter;
    call.lines = 0;
    call.channels = count;
    call.weightStride = y.channels;
    call.group = int(w.channels);
    const int64_t column = slots() ? x.channels : x.stride[2];
    call.tapStride = dilation[2] * column;
    call.xStep = stride[2] * column;
    for (int64_t i = deep.begin; i < deep.end; ++i)
      for (int64_t j = high.begin; j < high.end; ++j, ++call.lines) {
        x0[call.lines] =
            c + inputLine(n, d * stride[0] - low[0] + i * dilation[0],
                          h * stride[1] - low[1] + j * dilation[1], mine);
        w0[call.lines] =
            weights + c +
            (i * w.size[1] + j) * w.size[2] * w.channels * y.channels;
      }
    float *const sums =
        reinterpret_cast<float *>(mine + linesOffset()) + slots() * lineSize();
    const int64_t line = n * y.batchStride + d * y.stride[0] + h * y.stride[1];
    // Positions with all taps share the loads of a weight; one at an end has
    // its own taps and goes alone.
    for (int64_t at = along.begin; at < along.end; at += call.count) {
      const bool whole = at >= inner.begin && at < inner.end;
      const int64_t positions =
          whole ? std::min<int64_t>(depthPositions,
                                    std::min(inner.end, along.end) - at)
                : 1;
      const Range seen = taps(2, at, at + positions);
      call.count = int(positions);
      call.taps = seen.size();
      const int64_t start = at * stride[2] - low[2] + seen.begin * dilation[2];
      for (int64_t l = 0; call.taps > 0 && l < call.lines; ++l) {
        from[l] = x0[l] + start * column;
        filter[l] = w0[l] + seen.begin * w.channels * y.channels;
      }
      const int64_t offset = line + at * y.stride[2] + c * y.channelStride;
      call.y = direct() ? reinterpret_cast<float *>(yTensor.data) + offset
                        : sums + c;
      call.yStep = direct() ? y.stride[2] : y.channels;
      kernel.depth(call);
      if (direct())
        continue;
      // Sums of all channels of this call are in L1 still.
      const int64_t size = recipe::elementSize(yTensor.type);
      for (int64_t p = 0; p < positions; ++p)
        roundRow(sums + c + p * y.channels,
                 yTensor.data + (offset + p * y.stride[2]) * size, count);
    }
  }

  const MicroKernel &kernel;
  Triple stride, dilation, low;
  BoundTensor yTensor;
  Axes x, y, w;
  const uint8_t *xData = nullptr;
  ElementType xType = ElementType::F32;
  const float *weights = nullptr;
  Range inner{0, 0}; // positions of a line all of whose taps are inside
  int64_t lines = 0, segments = 1, grain = 1, tiles = 0, chunk = 0;
  /// Lines of the input that a thread keeps converted, or 0.
  int64_t deepSlots = 0, highSlots = 0;
  int64_t together = 1; // lines of a tile whose input fits these slots
  bool dense = false;
  OperandCopies copies;
  std::optional<CopyStep> transposed; // the staged result
  std::vector<uint8_t *> scratch;
  Followers followers;
};

} // namespace

bool isDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
                 const BoundTensor &x, const BoundTensor &w,
                 const BoundTensor &y) {
  const int64_t channels = inputAxes(conv, x).channels;
  const Axes filter = filterAxes(conv, w);
  if (!kernel.depth || !w.constant || conv.transposed() ||
      outputAxes(conv, y).channels != channels || channels < kernel.lanes ||
      filter.size[0] * filter.size[1] > mostLines)
    return false;
  // Of a panel, which has at least as many columns as a vector has lanes,
  // larger groups use enough; narrow operands are multiplied in pairs there.
  const int64_t group = filter.channels;
  const bool wide = x.type == ElementType::F32 || x.type == ElementType::F16;
  return group == 1 || group == 2 || group == 4 ||
         (group == 8 && wide && kernel.lanes > 8);
}

std::unique_ptr<PreparedCommand>
buildDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
               const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
               PrepareContext &context) {
  return std::make_unique<DepthConv>(kernel, conv, x, w, y, context);
}

} // namespace gaudi::runtime
