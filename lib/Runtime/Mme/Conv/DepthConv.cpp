// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions, and those in groups of 2, 4 or 8 channels, transposed
// or not: vectors run along channels.
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

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
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
/// Convolutions that a transposed one becomes.
constexpr double mostPhases = 16;
/// Of a 512 KiB L2, for converted lines of the input.
constexpr int64_t convertedBytes = 256 << 10;

struct Range {
  int64_t begin, end;
  int64_t size() const { return std::max<int64_t>(end - begin, 0); }
};

/// A convolution that is not transposed, with the filter as
/// [D][H][W][input of the group][group][channel of the group].
struct DepthProblem {
  Triple stride, dilation, low;
  BoundTensor x, filter, y;
  std::string_view xLayout, yLayout;
};

std::string lastLayout(std::string_view layout) {
  std::string result;
  for (char letter : layout)
    if (letter != 'C')
      result += letter;
  return result + 'C';
}

/// A copy in f32 with contiguous channels.
BoundTensor channelsLast(const BoundTensor &tensor, std::string_view layout,
                         OperandCopies &copies, PrepareContext &context) {
  return convertedFor(reordered(tensor, layout, lastLayout(layout)),
                      ElementType::F32, false, copies, context);
}

class DepthConv final : public PreparedCommand {
public:
  DepthConv(const MicroKernel &kernel, const DepthProblem &p,
            PrepareContext &context)
      : kernel(kernel), stride(p.stride), dilation(p.dilation), low(p.low),
        yTensor(p.y) {
    const std::string_view xLayout = p.xLayout, yLayout = p.yLayout;
    BoundTensor in = p.x;
    x = axesOf(in, xLayout, 'N', 'C');
    y = axesOf(yTensor, yLayout, 'N', 'C');
    if (y.channelStride != 1) {
      stageResult(yLayout, context);
      y = axesOf(this->yTensor, lastLayout(yLayout), 'N', 'C');
    }
    std::copy_n(p.filter.layout.sizes.begin(), 3, w.size.begin());
    w.channels = p.filter.layout.sizes[3];
    weights = reinterpret_cast<const float *>(
        convertedFor(p.filter, ElementType::F32, false, copies, context).data);
    cutTiles();
    const bool narrow = in.type != ElementType::F32;
    if (x.channelStride == 1 && narrow && !in.constant)
      convertLines();
    if (x.channelStride != 1 || (narrow && !slots())) {
      in = channelsLast(in, xLayout, copies, context);
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
  void bindScratch(uint8_t *const *perWorker) override { scratch = perWorker; }
  void visitAddresses(AddressVisitor &visitor) override {
    visitor.visit(yTensor.data);
    visitor.visit(xData);
    visitor.visit(weights);
    copies.visitAddresses(visitor);
    if (transposed)
      transposed->visitAddresses(visitor);
    followers.visitAddresses(visitor);
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
      for (unsigned worker = 0; worker < context.pool.size(); ++worker)
        std::fill_n(reinterpret_cast<int64_t *>(scratch[worker]), slots(),
                    int64_t(-1));
    context.pool.parallelFor(tiles, 1,
                             [&](int64_t begin, int64_t end, unsigned worker) {
                               for (int64_t tile = begin; tile < end; ++tile)
                                 runTile(tile, scratch[worker], context.fault);
                             });
    if (transposed)
      transposed->run(context.pool);
  }

private:
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

  void cutTiles() {
    const double line = double(y.size[2]) * double(y.channels) *
                        double(w.size[0] * w.size[1] * w.size[2] * w.channels);
    lines = y.batch * y.size[0] * y.size[1];
    // Long lines are cut into segments, short ones are grouped.
    segments = std::clamp<int64_t>(int64_t(line / tileWork), 1, y.size[2]);
    grain = std::max<int64_t>(1, int64_t(tileWork / std::max(line, 1.0)));
    assert((segments == 1 || grain == 1) && "lines are cut or grouped");
    // Groups are even, and an even number, so that threads end together.
    const int64_t pairs = (lines + 2 * grain - 1) / (2 * grain);
    parts = std::min(lines > grain ? 2 * pairs : 1, lines);
    grain = (lines + parts - 1) / std::max<int64_t>(parts, 1);
    tiles = parts * segments;
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
        widenRow(xData + (offset + i * x.stride[2]) * size,
                 reinterpret_cast<float *>(to) + i * run, run);
    }
    return reinterpret_cast<const float *>(to);
  }

  /// Values of the input: whole vectors by the kernel.
  void widenRow(const uint8_t *from, float *to, int64_t count) const {
    const int64_t size = recipe::elementSize(xType);
    int64_t done = 0;
    if (kernel.widening && size == 2) {
      done = count / kernel.lanes * kernel.lanes;
      kernel
          .widens(xType == ElementType::BF16 ? PanelValue::Bf16
                                             : PanelValue::F16)
          .widen(from, to, done);
    }
    convertRow(xType, from + done * size, 1, ElementType::F32,
               reinterpret_cast<uint8_t *>(to + done), 1, count - done);
  }

  /// Results of some positions.
  void round(const float *from, int64_t offset, int64_t positions,
             int64_t count) const {
    const int64_t size = recipe::elementSize(yTensor.type);
    uint8_t *to = yTensor.data + offset * size;
    if (yTensor.type == ElementType::BF16)
      return kernel.roundRows(from, y.channels,
                              reinterpret_cast<uint16_t *>(to), y.stride[2],
                              positions, count);
    for (int64_t p = 0; p < positions; ++p)
      convertRow(ElementType::F32,
                 reinterpret_cast<const uint8_t *>(from + p * y.channels), 1,
                 yTensor.type, to + p * y.stride[2] * size, 1, count);
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
    const int64_t part = tile / segments;
    return {lines * part / parts, lines * (part + 1) / parts};
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
      round(sums + c, offset, positions, count);
    }
  }

  const MicroKernel &kernel;
  Triple stride, dilation, low;
  BoundTensor yTensor;
  Axes x, y, w;
  const uint8_t *xData = nullptr;
  ElementType xType = ElementType::F32;
  const float *weights = nullptr; // [tap][input of the group][channel]
  Range inner{0, 0}; // positions of a line all of whose taps are inside
  int64_t lines = 0, segments = 1, grain = 1, parts = 1, tiles = 0, chunk = 0;
  /// Lines of the input that a thread keeps converted, or 0.
  int64_t deepSlots = 0, highSlots = 0;
  int64_t together = 1; // lines of a tile whose input fits these slots
  bool dense = false;
  OperandCopies copies;
  std::optional<CopyStep> transposed; // the staged result
  uint8_t *const *scratch = nullptr;
  Followers followers;
};

/// Several depthwise convolutions and what surrounds them: those of a
/// transposed one with strides for the outputs of each remainder modulo the
/// strides, and groups that are filled up.
class DepthPhases final : public PreparedCommand {
public:
  std::string implementation() const override {
    std::string text = phases.empty() ? "zero" : phases[0]->implementation();
    if (const size_t count = phases.size() + zeros.size(); count > 1)
      text += fmt::format(", {} phases", count);
    return after ? text + ", filled up" : text;
  }
  uint64_t scratchBytes() const override {
    uint64_t most = 0;
    for (const auto &phase : phases)
      most = std::max(most, phase->scratchBytes());
    return most;
  }
  void bindScratch(uint8_t *const *perWorker) override {
    for (const auto &phase : phases)
      phase->bindScratch(perWorker);
  }
  void visitAddresses(AddressVisitor &visitor) override {
    copies.visitAddresses(visitor);
    for (CopyStep &step : zeros)
      step.visitAddresses(visitor);
    for (const auto &phase : phases)
      phase->visitAddresses(visitor);
    if (after)
      after->visitAddresses(visitor);
  }
  void run(LaunchContext &context) override {
    copies.run(context.pool);
    for (const CopyStep &step : zeros)
      step.run(context.pool);
    for (const auto &phase : phases)
      phase->run(context);
    if (after)
      after->run(context.pool);
  }

  OperandCopies copies;
  std::vector<CopyStep> zeros; // of outputs that see no tap
  std::vector<std::unique_ptr<DepthConv>> phases;
  std::optional<CopyStep> after; // the result of groups that are filled up
};

DepthProblem problemOf(const recipe::Conv &conv, const BoundTensor &x,
                       const BoundTensor &w, const BoundTensor &y) {
  const Axes filter = filterAxes(conv, w);
  const int64_t in = inputAxes(conv, x).channels / conv.groups();
  const int64_t out = outputAxes(conv, y).channels / conv.groups();
  // Stored O counts channels of y, or of x when transposed.
  const bool transposed = conv.transposed();
  DepthProblem p{tripleOf(conv.strides(), 1),
                 tripleOf(conv.dilations(), 1),
                 tripleOf(conv.pad_low(), 0),
                 x,
                 w,
                 y,
                 recipe::text(conv.input_layout()),
                 recipe::text(conv.output_layout())};
  p.filter.layout = {
      {filter.size[0], filter.size[1], filter.size[2], in, conv.groups(), out},
      {filter.stride[0], filter.stride[1], filter.stride[2],
       transposed ? filter.batchStride : filter.channelStride,
       (transposed ? in : out) * filter.batchStride,
       transposed ? filter.channelStride : filter.batchStride}};
  return p;
}

/// The channels of groups that the kernel takes and that hold so many, or 0.
int64_t filledGroup(int64_t channels) {
  for (int64_t size : {1, 2, 4, 8})
    if (channels <= size)
      return size;
  return 0;
}

/// A copy in f32 of larger sizes, with zeros where the tensor has nothing.
BoundTensor filledUp(const BoundTensor &tensor,
                     const std::vector<int64_t> &sizes, OperandCopies &copies,
                     PrepareContext &context) {
  BoundTensor copy;
  copy.constant = tensor.constant;
  copy.layout = {sizes, kernel::denseStrides(sizes)};
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  const uint64_t bytes = uint64_t(count) * sizeof(float);
  copy.data = tensor.constant ? takeHost(bytes, copies, context)
                              : takeStaging(bytes, context);
  for (const CopyStep &step :
       {zeroFill(count, copy.type, copy.data),
        CopyStep{StridedCopy(tensor.layout.sizes, tensor.layout.strides,
                             copy.layout.strides, tensor.type, copy.type),
                 tensor.data, copy.data}})
    if (tensor.constant)
      step.run(context.pool);
    else
      copies.before.push_back(step);
  return copy;
}

/// Fills groups up to `group` channels on both sides, with weights of zero.
void fillGroups(DepthProblem &p, int64_t group, DepthPhases &command,
                PrepareContext &context) {
  auto byGroups = [&](const BoundTensor &tensor, std::string_view layout,
                      int64_t groups) {
    const Axes axes = axesOf(tensor, layout, 'N', 'C');
    const int64_t each = axes.channels / groups;
    BoundTensor view = tensor;
    view.layout = {
        {axes.batch, axes.size[0], axes.size[1], axes.size[2], groups, each},
        {axes.batchStride, axes.stride[0], axes.stride[1], axes.stride[2],
         each * axes.channelStride, axes.channelStride}};
    return view;
  };
  std::vector<int64_t> sizes = p.filter.layout.sizes;
  const int64_t groups = sizes[4];
  sizes[3] = sizes[5] = group;
  p.filter = filledUp(p.filter, sizes, command.copies, context);
  auto joined = [&](BoundTensor tensor) {
    auto &[size, stride] = tensor.layout;
    size.pop_back();
    stride.erase(stride.end() - 2);
    size.back() = groups * group;
    return tensor;
  };
  BoundTensor x = byGroups(p.x, p.xLayout, groups);
  sizes = x.layout.sizes;
  sizes.back() = group;
  p.x = joined(filledUp(x, sizes, command.copies, context));
  const BoundTensor y = byGroups(p.y, p.yLayout, groups);
  sizes = y.layout.sizes;
  sizes.back() = group;
  const BoundTensor staged = stagedTensor(sizes, ElementType::F32, context);
  command.after = CopyStep{StridedCopy(y.layout.sizes, staged.layout.strides,
                                       y.layout.strides, staged.type, y.type),
                           staged.data, y.data};
  p.y = joined(staged);
  p.xLayout = p.yLayout = "NDHWC";
}

void advance(BoundTensor &tensor, int64_t elements) {
  tensor.data += elements * recipe::elementSize(tensor.type);
}

/// Outputs phase, phase + stride, ... of dimension d of a transposed
/// convolution, as a convolution with every stride-th tap in reverse order. The
/// filter has no tap left if they see none.
void takePhase(DepthProblem &p, size_t d, int64_t phase) {
  // Output o reads input (o + low - k * dilation) / stride for tap k where that
  // is whole; one of stride and dilation is 1.
  const int64_t stride = p.stride[d], at = phase + p.low[d];
  const int64_t tap = (at % stride + stride) % stride;
  int64_t &taps = p.filter.layout.sizes[d];
  int64_t &tapStride = p.filter.layout.strides[d];
  taps = taps > tap ? (taps - 1 - tap) / stride + 1 : 0;
  advance(p.filter, (tap + stride * (taps - 1)) * tapStride);
  tapStride *= -stride;
  p.low[d] = (taps - 1) * p.dilation[d] - (at - tap) / stride;
  p.stride[d] = 1;
  const size_t dim = p.yLayout.find("DHW"[d]);
  int64_t &size = p.y.layout.sizes[dim], &step = p.y.layout.strides[dim];
  advance(p.y, phase * step);
  size = (size - phase + stride - 1) / stride;
  step *= stride;
}

void buildPhases(const MicroKernel &kernel, DepthProblem all,
                 DepthPhases &command, PrepareContext &context) {
  const Axes x = axesOf(all.x, all.xLayout, 'N', 'C');
  const Axes y = axesOf(all.y, all.yLayout, 'N', 'C');
  const std::string last = lastLayout(all.xLayout);
  Triple counts, phase;
  int64_t count = 1;
  for (size_t d = 0; d < 3; ++d) {
    counts[d] = std::min(all.stride[d], y.size[d]);
    count *= counts[d];
  }
  // Of all phases one copy of the input.
  if (count > 1 && (all.x.type != ElementType::F32 || x.channelStride != 1)) {
    all.x = channelsLast(all.x, all.xLayout, command.copies, context);
    all.xLayout = last;
  }
  for (phase[0] = 0; phase[0] < counts[0]; ++phase[0])
    for (phase[1] = 0; phase[1] < counts[1]; ++phase[1])
      for (phase[2] = 0; phase[2] < counts[2]; ++phase[2]) {
        DepthProblem p = all;
        for (size_t d = 0; d < 3; ++d)
          if (all.yLayout.find("DHW"[d]) != std::string_view::npos)
            takePhase(p, d, phase[d]);
        const std::vector<int64_t> &taps = p.filter.layout.sizes;
        if (taps[0] * taps[1] * taps[2] == 0)
          command.zeros.push_back(zeroed(p.y));
        else
          command.phases.push_back(
              std::make_unique<DepthConv>(kernel, p, context));
      }
}

} // namespace

bool isDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
                 const BoundTensor &x, const BoundTensor &w,
                 const BoundTensor &y) {
  const Axes filter = filterAxes(conv, w);
  const int64_t groups = conv.groups();
  const int64_t in = inputAxes(conv, x).channels / groups;
  const int64_t out = outputAxes(conv, y).channels / groups;
  const int64_t group = filledGroup(std::max(in, out));
  if (!kernel.depth || group == 0 || groups * group < kernel.lanes ||
      filter.size[0] * filter.size[1] > mostLines)
    return false;
  const Triple stride = tripleOf(conv.strides(), 1);
  const Triple dilation = tripleOf(conv.dilations(), 1);
  double phases = 1;
  for (size_t d = 0; d < 3 && conv.transposed(); ++d) {
    phases *= double(stride[d]);
    if (phases > mostPhases || (stride[d] != 1 && dilation[d] != 1))
      return false;
  }
  // Groups that fill less than a panel of eight are filled up, if at least a
  // quarter of the products are theirs.
  if (in != group || out != group)
    return groups > 1 && out < 8 && group <= kernel.lanes &&
           4 * in * out >= group * group;
  // Of a panel, which has at least as many columns as a vector has lanes,
  // larger groups use enough; narrow operands are multiplied in pairs there.
  const bool wide = x.type == ElementType::F32 || x.type == ElementType::F16;
  return group < 8 || (wide && kernel.lanes > 8);
}

std::unique_ptr<PreparedCommand>
buildDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
               const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
               PrepareContext &context) {
  DepthProblem problem = problemOf(conv, x, w, y);
  const int64_t in = problem.filter.layout.sizes[3];
  const int64_t out = problem.filter.layout.sizes[5];
  const int64_t group = filledGroup(std::max(in, out));
  if (in == group && out == group && !conv.transposed())
    return std::make_unique<DepthConv>(kernel, problem, context);
  auto command = std::make_unique<DepthPhases>();
  if (in != group || out != group)
    fillGroups(problem, group, *command, context);
  if (conv.transposed())
    buildPhases(kernel, std::move(problem), *command, context);
  else
    command->phases.push_back(
        std::make_unique<DepthConv>(kernel, problem, context));
  // A command of its own may be followed on its tiles.
  if (command->phases.size() == 1 && command->zeros.empty() &&
      !command->after && command->copies.before.empty())
    return std::move(command->phases[0]);
  return command;
}

} // namespace gaudi::runtime
