// Convolutions on our own micro kernels.
//
// Output positions are the rows of a product whose reduction runs over the taps
// of the filter. Each row has a pointer per tap into the input where it lies,
// or to zeros where the tap falls outside; taps that are outside for all rows
// of a block are left out. Nothing is unrolled in memory.
#include "TileConv.h"

#include "ConvAxes.h"
#include "HostMemory.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Input channels below which the taps along the innermost dimension are joined
/// into one run of values, which lie side by side.
constexpr int64_t fewChannels = 16;
/// Output positions along the innermost dimension from which on blocks end with
/// it: then the first and last lines leave out taps.
constexpr int64_t longLine = 10;

class ConvBuilder {
public:
  ConvBuilder(const recipe::Conv &conv, const BoundTensor &xTensor,
              const BoundTensor &wTensor, const BoundTensor &yTensor,
              TileCommand &command, PrepareContext &context)
      : command(command), context(context), groups(conv.groups()),
        transposed(conv.transposed()), stride(tripleOf(conv.strides(), 1)),
        dilation(tripleOf(conv.dilations(), 1)),
        low(tripleOf(conv.pad_low(), 0)), high(tripleOf(conv.pad_high(), 0)),
        type(rowType(command.kernel)), xTensor(xTensor), wTensor(wTensor),
        yTensor(yTensor), wLayout(recipe::text(conv.filter_layout())) {
    x = axesOf(xTensor, recipe::text(conv.input_layout()), 'N', 'C');
    y = axesOf(yTensor, recipe::text(conv.output_layout()), 'N', 'C');
  }

  void build() {
    w = axesOf(wTensor, wLayout, 'O', 'I');
    perGroupIn = x.channels / groups;
    perGroupOut = y.channels / groups;
    joined = !transposed && groups == 1 && x.channels < fewChannels &&
             w.size[2] > 1 && dilation[2] == 1 && borderIsSmall();
    checkPointers();
    placeInput();
    placeWeights();
    placeRows();

    command.c = yTensor.data;
    command.cType = yTensor.type;
    command.columns = perGroupOut;
    command.cColumnStride = perGroupOut > 1 ? y.channelStride : 1;
    command.detail = joined ? ", taps joined" : "";
    cutPieces(command, wTensor.constant);
    command.placePanels(wTensor.constant, context);
  }

private:
  /// A border that is most of the image would cost more than it saves.
  bool borderIsSmall() const {
    double plain = 1, padded = 1;
    for (size_t d = 0; d < 3; ++d) {
      plain *= double(x.size[d]);
      padded *= double(x.size[d]) + double(std::max<int64_t>(low[d], 0)) +
                double(std::max<int64_t>(high[d], 0));
    }
    return padded <= 4 * plain + 4096;
  }

  /// There is an address per output position and tap.
  void checkPointers() const {
    double entries = double(y.batch);
    for (size_t d = 0; d < 3; ++d)
      entries *= double(y.size[d]) * double(w.size[d]);
    if (entries > double(int64_t(1) << 28))
      throw std::bad_alloc();
  }

  /// The input with channels side by side in the type of the kernel, filled up
  /// to pairs, and a border of zeros where taps are joined.
  void placeInput() {
    xData = xTensor.data;
    const bool fits =
        xTensor.type == type && (x.channelStride == 1 || x.channels == 1);
    const bool odd = command.kernel.pairs && perGroupIn % 2;
    if (fits && !joined && !odd)
      return;
    Axes padded = x;
    padded.channels += odd ? groups : 0;
    Triple border{0, 0, 0};
    if (joined)
      for (size_t d = 0; d < 3; ++d) {
        border[d] = std::max<int64_t>(low[d], 0);
        padded.size[d] += border[d] + std::max<int64_t>(high[d], 0);
      }
    int64_t step = padded.channels;
    padded.channelStride = 1;
    for (size_t d = 3; d-- > 0; step *= padded.size[d])
      padded.stride[d] = step;
    padded.batchStride = step;
    const int64_t size = recipe::elementSize(type), count = step * x.batch;
    uint8_t *to = context.staging.take(uint64_t(count * size));
    if (!to)
      throw std::bad_alloc();
    auto strides = [&](const Axes &a, int64_t perGroup) {
      return std::vector<int64_t>{a.batchStride,
                                  a.stride[0],
                                  a.stride[1],
                                  a.stride[2],
                                  perGroup * a.channelStride,
                                  a.channelStride};
    };
    if (padded.size != x.size || odd) {
      static const uint64_t zero = 0;
      command.copies.before.push_back(
          {StridedCopy({count}, {0}, {1}, type, type),
           reinterpret_cast<const uint8_t *>(&zero), to});
    }
    int64_t offset = 0;
    for (size_t d = 0; d < 3; ++d)
      offset += border[d] * padded.stride[d];
    command.copies.before.push_back(
        {StridedCopy(
             {x.batch, x.size[0], x.size[1], x.size[2], groups, perGroupIn},
             strides(x, perGroupIn), strides(padded, padded.channels / groups),
             xTensor.type, type),
         xTensor.data, to + offset * size});
    for (size_t d = 0; d < 3; ++d)
      low[d] -= border[d];
    x = padded;
    xData = to;
  }

  void placeWeights() {
    // Stored O counts channels of y, or of x when transposed, by group.
    const int64_t depthStride = transposed ? w.batchStride : w.channelStride;
    const int64_t columnStride = transposed ? w.channelStride : w.batchStride;
    BoundTensor from = wTensor;
    PanelSource &source = command.source;
    if (joined) {
      // Values of joined taps in the order of the input.
      BoundTensor ordered = wTensor;
      ordered.layout = {{w.batch, w.size[0], w.size[1], w.size[2], w.channels},
                        {w.batchStride, w.stride[0], w.stride[1], w.stride[2],
                         w.channelStride}};
      from = convertedFor(ordered, type, command.kernel.pairs, command.copies,
                          context);
      const std::vector<int64_t> &dense = from.layout.strides;
      source = {from.data,   from.type, w.size[2] * from.layout.strides[3],
                perGroupOut, 1,         dense[0],
                {}};
      for (int64_t d = 0; d < w.size[0]; ++d)
        for (int64_t h = 0; h < w.size[1]; ++h)
          source.taps.push_back(d * dense[1] + h * dense[2]);
    } else {
      source = {from.data,   from.type,    perGroupIn, perGroupOut,
                depthStride, columnStride, {}};
      for (int64_t d = 0; d < w.size[0]; ++d)
        for (int64_t h = 0; h < w.size[1]; ++h)
          for (int64_t i = 0; i < w.size[2]; ++i)
            source.taps.push_back(d * w.stride[0] + h * w.stride[1] +
                                  i * w.stride[2]);
    }
    command.layout = PanelLayout(command.kernel, source);
    const int64_t groupStride =
        w.batchStride * (transposed ? perGroupIn : perGroupOut);
    for (int64_t g = 0; g < groups; ++g) {
      command.packedItems.push_back(g * groupStride *
                                    recipe::elementSize(from.type));
      command.items.push_back(
          {g * (x.channels / groups) * recipe::elementSize(type),
           command.packedItems.back(),
           g * perGroupOut * y.channelStride *
               recipe::elementSize(yTensor.type),
           g * command.layout.panels});
    }
  }

  /// Where tap `k` of output `p` reads along dimension d; -1 outside.
  int64_t input(size_t d, int64_t p, int64_t k) const {
    int64_t at;
    if (transposed) {
      at = p + low[d] - k * dilation[d];
      if (at < 0 || at % stride[d])
        return -1;
      at /= stride[d];
    } else {
      at = p * stride[d] + k * dilation[d] - low[d];
    }
    return at >= 0 && at < x.size[d] ? at : -1;
  }

  /// Null where the tap is outside.
  const uint8_t *pointer(int64_t image, const Triple &p,
                         const Triple &k) const {
    int64_t offset = image * x.batchStride;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t at = input(d, p[d], k[d]);
      if (at < 0)
        return nullptr;
      offset += at * x.stride[d];
    }
    return xData + offset * recipe::elementSize(type);
  }

  struct Position {
    int64_t image;
    Triple at;
  };

  void placeRows() {
    command.copies.owned.push_back(allocateHost(
        uint64_t(x.channels + command.layout.steps) * sizeof(float)));
    zero = command.copies.owned.back().get();
    Triple taps = w.size;
    if (joined)
      taps[2] = 1;
    const int64_t tapCount = taps[0] * taps[1] * taps[2];
    perGroupTaps = cutDepth(command.kernel, tapCount, command.layout.steps,
                            false, command.ranges);
    tapSizes = taps;

    // Outputs of a transposed convolution whose taps fall on the same
    // remainders go together: the others' taps are left out.
    const Triple phases = transposed ? stride : Triple{1, 1, 1};
    Triple phase;
    for (phase[0] = 0; phase[0] < phases[0]; ++phase[0])
      for (phase[1] = 0; phase[1] < phases[1]; ++phase[1])
        for (phase[2] = 0; phase[2] < phases[2]; ++phase[2])
          placePhase(phase, phases);

    bool even = true;
    std::vector<int64_t> &rows = command.resultRows;
    command.cRowStride = rows.size() > 1 ? rows[1] : perGroupOut;
    for (size_t row = 0; row < rows.size() && even; ++row)
      even = rows[row] == int64_t(row) * command.cRowStride;
    if (even)
      rows.clear();
  }

  void placePhase(const Triple &phase, const Triple &phases) {
    std::vector<Position> line;
    const bool perLine =
        tapSizes != Triple{1, 1, 1} && y.size[2] / phases[2] >= longLine;
    for (int64_t n = 0; n < y.batch; ++n)
      for (int64_t d = phase[0]; d < y.size[0]; d += phases[0])
        for (int64_t h = phase[1]; h < y.size[1]; h += phases[1]) {
          for (int64_t i = phase[2]; i < y.size[2]; i += phases[2])
            line.push_back({n, {d, h, i}});
          if (perLine)
            placeBlocks(line);
        }
    placeBlocks(line);
  }

  void placeBlocks(std::vector<Position> &line) {
    size_t first = 0;
    for (int64_t count : cutRows(int64_t(line.size()), command.kernel.rows)) {
      placeBlock(&line[first], count);
      first += size_t(count);
    }
    line.clear();
  }

  void placeBlock(const Position *positions, int64_t count) {
    RowBlock block{int(count), int64_t(command.resultRows.size()),
                   int64_t(command.pointers.size()),
                   int64_t(command.depths.size()),
                   int64_t(command.groupStarts.size())};
    for (int64_t r = 0; r < count; ++r) {
      const Position &position = positions[r];
      int64_t offset = position.image * y.batchStride;
      for (size_t d = 0; d < 3; ++d)
        offset += position.at[d] * y.stride[d];
      command.resultRows.push_back(offset);
    }
    int64_t tap = 0, segments = 0;
    Triple k;
    for (k[0] = 0; k[0] < tapSizes[0]; ++k[0])
      for (k[1] = 0; k[1] < tapSizes[1]; ++k[1])
        for (k[2] = 0; k[2] < tapSizes[2]; ++k[2], ++tap) {
          if (tap % perGroupTaps == 0)
            command.groupStarts.push_back(segments);
          std::array<const uint8_t *, maxTileRows> row;
          bool any = false;
          for (int64_t r = 0; r < count; ++r) {
            row[size_t(r)] = pointer(positions[r].image, positions[r].at, k);
            any |= row[size_t(r)] != nullptr;
          }
          if (!any)
            continue;
          for (int64_t r = 0; r < count; ++r)
            command.pointers.push_back(row[size_t(r)] ? row[size_t(r)] : zero);
          command.depths.push_back(tap * command.layout.steps);
          ++segments;
        }
    command.groupStarts.push_back(segments);
    command.blocks.push_back(block);
  }

  TileCommand &command;
  PrepareContext &context;
  int64_t groups;
  bool transposed, joined = false;
  Triple stride, dilation, low, high;
  ElementType type; // of the rows
  BoundTensor xTensor, wTensor, yTensor;
  std::string_view wLayout;
  Axes x, w, y;
  int64_t perGroupIn = 1, perGroupOut = 1, perGroupTaps = 1;
  Triple tapSizes{1, 1, 1};
  const uint8_t *xData = nullptr, *zero = nullptr;
};

} // namespace

std::unique_ptr<TileCommand>
buildTileConv(const MicroKernel &kernel, const recipe::Conv &conv,
              const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
              PrepareContext &context) {
  const std::string_view layout = recipe::text(conv.output_layout());
  const int64_t columns = y.layout.sizes[layout.find('C')] / conv.groups();
  auto command = std::make_unique<TileCommand>(fitting(kernel, columns));
  ConvBuilder(conv, x, w, y, *command, context).build();
  return command;
}

} // namespace gaudi::runtime
