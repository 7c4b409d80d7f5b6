// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on micro kernels, as products without im2col.
//
// Output positions are the rows of a product whose reduction runs over the taps
// of the filter. Each row has a pointer per tap into the input where it is, or
// to zeros where the tap is in the padding; taps that are in the padding for
// all rows of a block are left out. (The indirection buffer of Dukhan, "The
// Indirect Convolution Algorithm", 2019.)
//
// Work and memory of the preparation are linear in output positions times taps,
// whatever strides and pads are.
#include "TileConv.h"

#include "../Kernels/KernelChoice.h"
#include "ConvAxes.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <new>
#include <string_view>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Input channels below which the taps along the innermost dimension, whose
/// values are contiguous, are collapsed into one tap: a run of a few channels
/// alone would be too short for the kernel's unrolled loop.
constexpr int64_t fewChannels = 16;
/// Most entries of the pointer table: 2 GiB.
constexpr double mostPointers = double(int64_t(1) << 28);

class ConvBuilder {
public:
  ConvBuilder(const recipe::Conv &conv, const BoundTensor &xTensor,
              const BoundTensor &wTensor, const BoundTensor &yTensor,
              TileProduct &product, PrepareContext &context)
      : product(product), context(context), groups(conv.groups()),
        high(tripleOf(conv.pad_high(), 0)), type(rowType(product.kernel)),
        pairs(product.kernel.format == StepFormat::Bf16), xTensor(xTensor),
        wTensor(wTensor), yTensor(yTensor), x(inputAxes(conv, xTensor)),
        w(filterAxes(conv, wTensor)), y(outputAxes(conv, yTensor)),
        at(recipe::Convolution(conv), x), perGroupIn(x.channels / groups),
        perGroupOut(y.channels / groups) {
    collapsed = !at.transposed && groups == 1 && w.size[2] > 1 &&
                at.dilation[2] == 1 && paddedCopyIsSmall() &&
                (x.channels < fewChannels || gathersLess());
  }

  void build() {
    checkPointers();
    placeInput();
    placeWeights();
    product.c = yTensor.data;
    product.cType = yTensor.type;
    product.columns = perGroupOut;
    product.cColumnStride = perGroupOut > 1 ? y.channelStride : 1;
    product.detail = collapsed ? ", taps collapsed" : "";
    product.rowsAreNear = collapsed && inTiles();
    placeRows();
  }

private:
  /// Matrix tiles load the positions of a line from where they are if they are
  /// evenly spaced, as with the padding in a copy. Strided convolutions read
  /// too little of it.
  bool gathersLess() const {
    return inTiles() && y.size[2] >= longLine &&
           x.size[0] * x.size[1] * x.size[2] <=
               2 * y.size[0] * y.size[1] * y.size[2];
  }
  bool inTiles() const { return product.kernel.hasTiles(); }

  /// A copy that is mostly padding would cost more than it saves.
  bool paddedCopyIsSmall() const {
    double plain = 1;
    for (size_t d = 0; d < 3; ++d)
      plain *= double(x.size[d]);
    const double padded =
        plain / double(x.size[2]) *
        (double(x.size[2]) + double(std::max<int64_t>(at.low[2], 0)) +
         double(std::max<int64_t>(high[2], 0)));
    return padded <= 4 * plain + 4096;
  }

  void checkPointers() const {
    double entries = double(y.batch);
    for (size_t d = 0; d < 3; ++d)
      entries *= double(y.size[d]) * double(w.size[d]);
    if (entries > mostPointers)
      throw std::bad_alloc();
  }

  /// Values of collapsed taps: those of the run, and how many after it the last
  /// pair or tile also has. Their weights are zero, but zero times an infinity
  /// or NaN is NaN: such sums are computed again, like those of taps in the
  /// padding.
  int64_t runLength() const { return w.size[2] * perGroupIn; }
  int64_t beyondRun() const {
    return pairs && collapsed
               ? 2 * wholeGrains(product.kernel, ceilDiv(runLength(), 2)) -
                     runLength()
               : 0;
  }

  /// The input in the type of the kernel with contiguous channels, filled up to
  /// pairs, or, where taps are collapsed, with zeros for the padding of the
  /// innermost dimension. As it is if it has that form.
  void placeInput() {
    xData = xTensor.data;
    const bool fits =
        xTensor.type == type && (x.channelStride == 1 || x.channels == 1);
    const bool odd = pairs && !collapsed && perGroupIn % 2;
    if (fits && !collapsed && !odd)
      return;
    Axes copy = x;
    // A group with an odd number of channels gets one more, of zeros.
    copy.channels += odd ? groups : 0;
    const int64_t padding = collapsed ? std::max<int64_t>(at.low[2], 0) : 0;
    if (collapsed)
      copy.size[2] += padding + std::max<int64_t>(high[2], 0);
    int64_t step = copy.channels;
    copy.channelStride = 1;
    for (size_t d = 3; d-- > 0; step *= copy.size[d])
      copy.stride[d] = step;
    copy.batchStride = step;
    const int64_t size = recipe::elementSize(type);
    // The last row also reads what is after its run.
    const int64_t beyond = beyondRun(), count = step * x.batch + beyond;
    uint8_t *to = takeStaging(uint64_t(count * size), context);
    if (copy.size != x.size || odd)
      product.copies.before.push_back(zeroFill(count, type, to));
    else if (beyond) // all else is copied
      product.copies.before.push_back(
          zeroFill(beyond, type, to + step * x.batch * size));
    auto strides = [&](const Axes &a, int64_t perGroup) {
      return std::vector<int64_t>{a.batchStride,
                                  a.stride[0],
                                  a.stride[1],
                                  a.stride[2],
                                  perGroup * a.channelStride,
                                  a.channelStride};
    };
    product.copies.before.push_back(
        {StridedCopy(
             {x.batch, x.size[0], x.size[1], x.size[2], groups, perGroupIn},
             strides(x, perGroupIn), strides(copy, copy.channels / groups),
             xTensor.type, type),
         xTensor.data, to + padding * copy.stride[2] * size});
    // From here on the copy is the input: positions count from its start, and
    // only the padding that it does not hold is left.
    unpadded = {padding, padding + x.size[2]};
    at.low[2] -= padding;
    at.inputSize = copy.size;
    x = copy;
    xData = to;
  }

  /// Panels of the filter: columns are output channels, rows its taps.
  void placeWeights() {
    // Stored O counts channels of y, or of x when transposed, by group.
    const int64_t depthStride = at.transposed ? w.batchStride : w.channelStride;
    const int64_t columnStride =
        at.transposed ? w.channelStride : w.batchStride;
    BoundTensor from = wTensor;
    PanelSource &source = product.source;
    if (collapsed && perGroupIn % valuesPerStep(product.kernel.format) != 0) {
      // The values of collapsed taps in the order of the input.
      BoundTensor ordered = wTensor;
      ordered.layout = {{w.batch, w.size[0], w.size[1], w.size[2], w.channels},
                        {w.batchStride, w.stride[0], w.stride[1], w.stride[2],
                         w.channelStride}};
      from = convertedFor(ordered, type, false, product.copies, context);
      const std::vector<int64_t> &dense = from.layout.strides;
      source = {from.data, from.type, runLength(), perGroupOut,
                1,         dense[0],  {}};
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
      source.joined = collapsed ? w.size[2] : 1;
    }
    product.layout = PanelLayout(product.kernel, source, wTensor.constant);
    // A group is an item with panels of its own. A transposed convolution
    // stores the input's channels as O.
    const int64_t groupStride =
        w.batchStride * (at.transposed ? perGroupIn : perGroupOut);
    for (int64_t g = 0; g < groups; ++g) {
      product.packedItems.push_back(g * groupStride *
                                    recipe::elementSize(from.type));
      product.items.push_back(
          {g * (x.channels / groups) * recipe::elementSize(type),
           product.packedItems.back(),
           g * perGroupOut * y.channelStride *
               recipe::elementSize(yTensor.type),
           g * product.layout.panels});
    }
  }

  /// Null in the padding.
  const uint8_t *pointer(int64_t image, const Triple &p,
                         const Triple &k) const {
    int64_t offset = image * x.batchStride;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t position = at.input(d, p[d], k[d]);
      if (position < 0)
        return nullptr;
      offset += position * x.stride[d];
    }
    return xData + offset * recipe::elementSize(type);
  }

  /// What part of a collapsed tap is not padding: taps [first, end) of the
  /// innermost dimension, each with all channels.
  ValueRange insideOf(const Triple &p) const {
    const int64_t start = p[2] * at.stride[2] - at.low[2]; // in the padded copy
    auto tapsBefore = [&](int64_t position) {
      return std::clamp<int64_t>(position - start, 0, w.size[2]);
    };
    return {tapsBefore(unpadded.begin) * x.channels,
            tapsBefore(unpadded.end) * x.channels};
  }

  struct Position {
    int64_t image;
    Triple at;
  };

  void placeRows() {
    product.zeros =
        takeHost(uint64_t(x.channels + product.layout.steps) * sizeof(float),
                 product.copies, context);
    taps = w.size;
    if (collapsed)
      taps[2] = 1;
    PanelLayout layout = product.layout;
    if (beyondRun())
      layout.rowSteps = layout.steps;
    perGroupTaps = cutDepth(product.kernel, layout, taps[0] * taps[1] * taps[2],
                            false, product.ranges);

    // Outputs of a transposed convolution whose positions leave the same
    // remainders modulo the strides have the same taps and go together: taps
    // that fall between inputs are never multiplied. A stride beyond the
    // output has no more phases than the output has positions.
    Triple phases{1, 1, 1}, phase;
    for (size_t d = 0; d < 3 && at.transposed; ++d)
      phases[d] = std::min(at.stride[d], y.size[d]);
    for (phase[0] = 0; phase[0] < phases[0]; ++phase[0])
      for (phase[1] = 0; phase[1] < phases[1]; ++phase[1])
        for (phase[2] = 0; phase[2] < phases[2]; ++phase[2])
          placePhase(phase, phases);
    assert(int64_t(product.resultRows.size()) ==
               y.batch * y.size[0] * y.size[1] * y.size[2] &&
           "every output position is a row");
    product.compactResultRows();
  }

  void placePhase(const Triple &phase, const Triple &phases) {
    std::vector<Position> line;
    const int64_t length = y.size[2] / phases[2];
    const bool perLine = taps != Triple{1, 1, 1} && length >= longLine;
    for (int64_t n = 0; n < y.batch; ++n)
      for (int64_t d = phase[0]; d < y.size[0]; d += phases[0])
        for (int64_t h = phase[1]; h < y.size[1]; h += phases[1]) {
          for (int64_t i = phase[2]; i < y.size[2]; i += phases[2])
            line.push_back({n, {d, h, i}});
          // A block of a kernel on tiles may hold two short lines.
          if (perLine && int64_t(line.size()) + length > product.kernel.rows)
            placeBlocks(line);
        }
    // Matrix tiles are filled with other rows rather.
    if (!perLine && !at.transposed && !collapsed && !inTiles())
      return placeByTaps(line);
    placeBlocks(line);
  }

  /// Positions of small images whose taps are in the padding go together, those
  /// at the upper and lower edge and the others at the left and right one:
  /// their blocks leave these taps out. Of 7 x 7 outputs of 3 x 3 taps every
  /// second is at an edge, and a sixth of the products is left out.
  void placeByTaps(std::vector<Position> &line) {
    // The taps of an output that are inside, by dimension as bits; a dimension
    // counts only where those before it have all of theirs.
    auto key = [&](const Position &position) {
      std::array<uint64_t, 3> inside{};
      for (size_t d = 0; d < 3; ++d) {
        const int64_t few = std::min<int64_t>(taps[d], 63);
        bool whole = true;
        for (int64_t k = 0; k < few; ++k) {
          const bool has = at.input(d, position.at[d], k) >= 0;
          inside[d] |= uint64_t(has) << k;
          whole &= has;
        }
        if (!whole)
          break;
      }
      return inside;
    };
    std::map<std::array<uint64_t, 3>, std::vector<Position>> groups;
    for (const Position &position : line)
      groups[key(position)].push_back(position);
    // Blocks of few rows would cost more than the taps that they leave out.
    constexpr size_t leastRows = 5;
    std::vector<Position> rest;
    for (auto &[inside, group] : groups)
      if (group.size() < leastRows)
        rest.insert(rest.end(), group.begin(), group.end());
      else
        placeBlocks(group);
    placeBlocks(rest);
  }

  void placeBlocks(std::vector<Position> &line) {
    size_t first = 0;
    for (int64_t count : cutRows(int64_t(line.size()), product.kernel)) {
      placeBlock(&line[first], count);
      first += size_t(count);
    }
    line.clear();
  }

  void placeBlock(const Position *positions, int64_t count) {
    RowBlock block{int(count), int64_t(product.resultRows.size()),
                   int64_t(product.pointers.size()),
                   int64_t(product.depths.size()),
                   int64_t(product.groupStarts.size())};
    for (int64_t r = 0; r < count; ++r) {
      const Position &position = positions[r];
      int64_t offset = position.image * y.batchStride;
      for (size_t d = 0; d < 3; ++d)
        offset += position.at[d] * y.stride[d];
      product.resultRows.push_back(offset);
      if (!collapsed)
        continue;
      product.inside.push_back(insideOf(position.at));
      const ValueRange &inside = product.inside.back();
      // Rows that miss values at an end, or read a neighbour's, are repaired if
      // their sums are NaN.
      block.padded |= beyondRun() || inside.end - inside.begin < runLength();
    }
    int64_t tap = 0, segments = 0;
    Triple k;
    for (k[0] = 0; k[0] < taps[0]; ++k[0])
      for (k[1] = 0; k[1] < taps[1]; ++k[1])
        for (k[2] = 0; k[2] < taps[2]; ++k[2], ++tap) {
          // Groups of taps are the same for all blocks, the segments in them
          // are not: taps in the padding for all rows have none.
          if (tap % perGroupTaps == 0)
            product.groupStarts.push_back(segments);
          segments += placeTap(k, tap, positions, count, block);
        }
    product.groupStarts.push_back(segments);
    product.blocks.push_back(block);
  }

  /// The pointers of a block's rows to one tap; false if all are padding.
  bool placeTap(const Triple &k, int64_t tap, const Position *positions,
                int64_t count, RowBlock &block) {
    std::array<const uint8_t *, maxBlockRows> row;
    int64_t found = 0;
    for (int64_t r = 0; r < count; ++r) {
      row[size_t(r)] = pointer(positions[r].image, positions[r].at, k);
      found += row[size_t(r)] != nullptr;
    }
    if (found == 0)
      return false;
    block.padded |= found < count;
    for (int64_t r = 0; r < count; ++r)
      product.pointers.push_back(row[size_t(r)] ? row[size_t(r)]
                                                : product.zeros);
    product.depths.push_back(tap * product.layout.steps);
    return true;
  }

  TileProduct &product;
  PrepareContext &context;
  int64_t groups;
  Triple high;      // padding
  ElementType type; // of the rows
  bool pairs;       // of bf16
  bool collapsed = false;
  const BoundTensor &xTensor, &wTensor, &yTensor;
  Axes x, w, y;
  ConvTaps at; // in `x`, which may be a padded copy
  int64_t perGroupIn, perGroupOut, perGroupTaps = 1;
  Triple taps{1, 1, 1};      // with collapsed ones as one
  ValueRange unpadded{0, 0}; // the input in the innermost of a padded copy
  const uint8_t *xData = nullptr;
};

} // namespace

std::unique_ptr<TileCommand>
buildTileConv(const MicroKernel &kernel, const recipe::Conv &conv,
              const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
              PrepareContext &context) {
  const std::string_view layout = recipe::text(conv.output_layout());
  const int64_t columns = y.layout.sizes[layout.find('C')] / conv.groups();
  TileProduct product(fitting(kernel, columns));
  ConvBuilder(conv, x, w, y, product, context).build();
  return std::make_unique<TileCommand>(std::move(product), w.constant, context);
}

} // namespace gaudi::runtime
