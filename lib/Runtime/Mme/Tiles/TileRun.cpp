// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one tile: the loops around the micro kernel.
//
//   for each range of the reduction       a panel's share of it fits L2
//     for each strip of panels            one, or several that fit L1
//       for each block of rows            the tile's rows fit L2
//         the micro kernel on block x strip
//
// So a strip is read from memory once per range and stays in a cache while all
// blocks pass; the rows come from memory with the first strip and from L2 with
// the others. Where L2 has the rows of all ranges, strips are the outermost
// loop: few sums wait then. The ranges of one sum run in order either way: its
// bits depend on the shape only.
#include "NanSearch.h"
#include "TileCommand.h"

#include "../../Commands/Transpose.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/FloatFormats.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

constexpr int64_t lineBytes = 64;
/// Distance at which a panel is prefetched that only one block uses. That of
/// narrow values was measured on Zen 4: 15 % faster for one row than half of
/// it.
constexpr int64_t streamAhead = 4 << 10, narrowAhead = 8 << 10;
/// Steps of a panel from which on a matrix tile takes long enough for the lines
/// of its result: as many requests before fewer products keep tiles waiting.
constexpr int64_t stepsForResult = 512;

float bfloatAt(const uint8_t *from) {
  uint16_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return floatOfBits(uint32_t(bits) << 16);
}

class TileRun {
public:
  TileRun(const TilePlan &plan, const Tile &tile, uint8_t *scratch)
      : t(plan), tile(tile), item(plan.items[size_t(tile.item)]),
        panelPitch(plan.layout.pitch()), stepBytes(plan.layout.stepBytes()),
        firstRow(plan.firstRowOf(tile)),
        rowTable(plan.packedPointers.empty() ? plan.pointers.data()
                                             : plan.packedPointers.data()),
        itemOffset(plan.packedPointers.empty()
                       ? item.a
                       : tile.item * plan.packedItemBytes),
        panelBase(plan.packed + item.packed * panelPitch), ownPanels(scratch),
        rowCopies(scratch + plan.panelScratch),
        terms(rowCopies + plan.rowCopyBytes),
        widened(reinterpret_cast<float *>(terms + plan.termScratch)),
        sums(reinterpret_cast<float *>(scratch + plan.sumsAt())),
        result(plan.c + item.c),
        storesWordRows((plan.cType == ElementType::F32 ||
                        plan.cType == ElementType::I32) &&
                       plan.cColumnStride == 1 && plan.resultRows.empty() &&
                       !plan.sumsStay()),
        copiesRows(plan.rowCopyBytes &&
                   tile.panels() >= rowCopyPanels(plan.layout)),
        isNarrow(plan.layout.value != PanelValue::Step),
        widens(plan.widensStrips(tile)), stripByStrip(plan.runsStripByStrip()) {
    call.panelBytes = panelPitch;
    call.kept = dropped;
    call.keptStride = widens ? plan.layout.width : 0;
  }

  void run() {
    if (t.panels == TilePlan::Panels::InTile)
      packPanels();
    if (t.integers)
      integers.emplace(t, tile, panelBase, terms);
    if (stripByStrip) {
      const int64_t width = t.narrowestStrip();
      for (int64_t s = tile.firstPanel; s < tile.endPanel; s += width)
        for (size_t d = 0; d < t.ranges.size(); ++d)
          runStrip(stripOf(d, s, width));
    } else {
      for (size_t d = 0; d < t.ranges.size(); ++d) {
        const int64_t width = t.stripPanels(t.ranges[d]);
        for (int64_t s = tile.firstPanel; s < tile.endPanel; s += width)
          runStrip(stripOf(d, s, width));
      }
    }
    if (t.kernel.finish)
      t.kernel.finish();
  }

private:
  /// Panels [first, end) for one range.
  struct Strip {
    size_t number; // of the range
    const DepthRange &range;
    int64_t first, end;
    int64_t width; // of a full strip of this range
    bool lastRange;
  };

  Strip stripOf(size_t range, int64_t first, int64_t width) const {
    return {range, t.ranges[range],
            first, std::min(first + width, tile.endPanel),
            width, range + 1 == t.ranges.size()};
  }

  /// What a strip prefetches of the panels that come after it: block by block
  /// the next `linesPerBlock` cache lines, from `offset` bytes after the panel
  /// in use.
  struct PanelPrefetch {
    int64_t offset = 0, linesPerBlock = 0;
  };

  /// Where the micro kernel puts sums, and panels [p, end) that go there.
  struct Destination {
    float *sums;
    int64_t rowStride, end;
    bool direct; // the result itself
  };

  void packPanels() {
    for (int64_t p = tile.firstPanel; p < tile.endPanel; ++p)
      packPanel(t.source, t.source.data + item.b, t.layout, p,
                ownPanels + (p - tile.firstPanel) * panelPitch);
    panelBase = ownPanels - tile.firstPanel * panelPitch;
  }

  PanelPrefetch prefetchAfter(const Strip &strip) const {
    auto shareOf = [&](const DepthRange &next, int64_t toPanel) {
      const int64_t lines = next.panelSteps * stepBytes / lineBytes;
      return PanelPrefetch{next.panelFirst * stepBytes + toPanel,
                           (lines + tile.blocks() - 1) / tile.blocks()};
    };
    // Panels of its own were packed a moment ago: they are in L2.
    if (t.panels == TilePlan::Panels::InTile)
      return {};
    // A panel used by one block only is always streamed from memory.
    if (tile.blocks() == 1)
      return shareOf(strip.range, isNarrow ? narrowAhead : streamAhead);
    // Strip by strip, the next range, and after the last the first range of
    // the next strip.
    if (stripByStrip && !strip.lastRange)
      return shareOf(t.ranges[strip.number + 1], 0);
    if (stripByStrip && strip.end < tile.endPanel)
      return shareOf(t.ranges[0], strip.width * panelPitch);
    // Else the same range of the next strip; after the last strip, the next
    // range of the first.
    if (strip.end < tile.endPanel)
      return shareOf(strip.range, strip.width * panelPitch);
    if (!strip.lastRange)
      return shareOf(t.ranges[strip.number + 1],
                     -(strip.first - tile.firstPanel) * panelPitch);
    // At the end, what the next tile starts with: usually this thread's.
    const Tile *next = &tile + 1;
    if (next == t.tiles.data() + t.tiles.size())
      return {};
    const int64_t first = t.items[size_t(next->item)].packed + next->firstPanel;
    return shareOf(t.ranges[0],
                   (first - item.packed - strip.first) * panelPitch);
  }

  void runStrip(const Strip &strip) {
    const PanelPrefetch prefetch = prefetchAfter(strip);
    // The micro kernel prefetches once per `lineSteps` steps of each tap.
    const DepthRange &range = strip.range;
    const int64_t stops = std::max<int64_t>(
        range.panelSteps / std::max<int64_t>(range.steps, 1) *
            ((range.steps / 8 * 8 + lineSteps - 1) / lineSteps),
        1);
    call.lines = (prefetch.linesPerBlock + stops - 1) / stops;
    call.steps = range.steps;
    // Sums of integers start with terms of their own.
    call.accumulate =
        strip.number != 0 || (integers && !integers->startsAtZero());
    for (int64_t b = tile.firstBlock; b < tile.endBlock; ++b) {
      setRows(b, strip);
      if (isNarrow)
        setPanels(b, strip);
      runBlock(t.blocks[size_t(b)], strip,
               prefetch.offset +
                   (b - tile.firstBlock) * prefetch.linesPerBlock * lineBytes);
    }
  }

  /// Narrow panels become steps on the way of the first block. One that lacks
  /// taps, which are in the padding, would leave out their steps.
  void setPanels(int64_t b, const Strip &strip) {
    const bool first = b == tile.firstBlock;
    const bool whole =
        call.segments * strip.range.steps == strip.range.panelSteps;
    readsNarrow = !widens || (first && whole);
    if (widens && first && !whole)
      widen(strip);
  }

  /// The strip's panels as steps.
  void widen(const Strip &strip) const {
    const int64_t pitch = t.widePitch(strip.range) / int64_t(sizeof(float));
    for (int64_t p = strip.first; p < strip.end; ++p)
      t.kernel.widens(t.layout.value)
          .widen(panelBase + p * panelPitch +
                     strip.range.panelFirst * stepBytes,
                 widened + (p - strip.first) * pitch,
                 strip.range.panelSteps * t.layout.width);
  }

  /// Panel p of the strip as steps. Segments count those of the whole panel.
  float *widenedPanel(const Strip &strip, int64_t p) const {
    const DepthRange &range = strip.range;
    return widened +
           (p - strip.first) * t.widePitch(range) / int64_t(sizeof(float)) -
           (range.panelFirst - range.first) * t.layout.width;
  }

  /// The block's row pointers for one range, and the next block's to prefetch.
  void setRows(int64_t b, const Strip &strip) {
    const RowBlock &block = t.blocks[size_t(b)];
    const DepthRange &range = strip.range;
    // Segments of the block: taps that are in the padding for all of its rows
    // have none.
    assert(block.count > 0 && block.count <= t.kernel.rows &&
           "a block is one call of the kernel");
    const int64_t *starts = &t.groupStarts[size_t(block.groups)];
    const int64_t first = starts[range.group];
    call.segments = starts[range.group + 1] - first;
    call.rows = rowTable + block.pointers + first * block.count;
    call.depths = t.depths.data() + block.segments + first;
    call.offset = call.nextOffset = itemOffset + range.first * 4;
    // Rows come from memory with the first strip, later from L2. Those of
    // matrix tiles are left to the processor, which finds their order faster.
    call.nextCount = 0;
    const bool fetches = !t.kernel.hasTiles() &&
                         strip.first == tile.firstPanel &&
                         b + 1 < tile.endBlock;
    if (fetches) {
      const RowBlock &next = t.blocks[size_t(b + 1)];
      const int64_t *ends = &t.groupStarts[size_t(next.groups)];
      call.nextRows = rowTable + next.pointers + ends[range.group] * next.count;
      call.nextCount = (ends[range.group + 1] - ends[range.group]) * next.count;
    }
    if (copiesRows && call.segments)
      copyRows(block, strip);
  }

  /// Rows that conflict in the caches are packed contiguously with the first
  /// strip and read there by the others. Such rows have one tap.
  void copyRows(const RowBlock &block, const Strip &strip) {
    assert(call.segments == 1 && "rows of several taps are not copied");
    const int64_t bytes = call.steps * 4;
    uint8_t *to = rowCopies + (block.row - firstRow) * bytes;
    // The next strip reads those of all ranges.
    if (stripByStrip)
      to += t.rowsOf(tile) * strip.range.first * 4;
    assert(to + block.count * bytes <= rowCopies + t.rowCopyBytes &&
           "there is room for all ranges");
    for (int r = 0; r < block.count; ++r, to += bytes) {
      if (strip.first == tile.firstPanel)
        std::memcpy(to, call.rows[r] + call.offset, size_t(bytes));
      copied[r] = to;
    }
    call.rows = copied;
    call.offset = 0;
  }

  void runBlock(const RowBlock &block, const Strip &strip, int64_t prefetch) {
    const int64_t width = t.layout.width;
    for (int64_t p = strip.first, end; p < strip.end; p = end) {
      const Destination to = destination(block, strip, p);
      // Panels as steps and those that are prefetched meanwhile have different
      // distances.
      end = widens ? p + 1 : to.end;
      // Beside sums that stay in scratch there is no result to wait for, and
      // followers walk whole rows, which processors prefetch better.
      if (strip.lastRange && t.followers.fetches() && !t.sumsStay())
        fetchBeside(block, p, end);
      if (strip.lastRange && !to.direct && t.kernel.hasTiles() &&
          strip.range.panelSteps >= stepsForResult)
        fetchResult(block, p, end);
      const uint8_t *panel = panelBase + p * panelPitch;
      call.panels = end - p;
      call.panel = panel + strip.range.first * stepBytes;
      call.prefetch = panel + prefetch;
      if (t.small)
        call.joins = panel + t.layout.joinsOffset() + strip.range.first;
      if (widens) {
        call.kept = widenedPanel(strip, p);
        if (!readsNarrow)
          call.panel = reinterpret_cast<const uint8_t *>(call.kept);
      }
      call.c = to.sums;
      call.cStride = to.rowStride;
      call.nextC = sumsAfter(block, strip, p, to);
      call.count = block.count;
      // The first range starts with the terms of zero points.
      const bool starts = call.accumulate && strip.number == 0;
      call.start = starts ? integers->ofAllRows(p * width) : nullptr;
      if (starts && !call.start)
        for (int r = 0; r < block.count; ++r)
          integers->start(block.row + r, p * width, (end - p) * width,
                          to.sums + r * to.rowStride);
      // The first block reads narrow panels and leaves the wide ones for
      // others.
      (readsNarrow ? t.kernel.widens(t.layout.value).blocks
                   : t.functions())[block.count](call);
      call.nextCount = 0; // the next rows are prefetched once
      // Sums of earlier ranges are incomplete.
      if (!strip.lastRange)
        continue;
      const int64_t count = std::min(end * width, t.columns) - p * width;
      if (block.padded)
        leaveOutPadding(block, p, count, to);
      if (!to.direct && !t.sumsStay())
        store(to, block, p, count);
    }
  }

  /// What followers read beside the block's results in panels [first, end).
  void fetchBeside(const RowBlock &block, int64_t first, int64_t end) const {
    const int64_t width = t.layout.width;
    const int64_t begin = item.c / recipe::elementSize(t.cType) + first * width;
    const int64_t count = std::min(end * width, t.columns) - first * width;
    for (int r = 0; r < block.count; ++r) {
      const int64_t row = begin + t.rowOffset(block.row + r);
      t.followers.fetch(row, row + count);
    }
  }

  /// The lines that take the rounded sums: a matrix tile is done before they
  /// would come from memory.
  void fetchResult(const RowBlock &block, int64_t first, int64_t end) const {
    if (t.cColumnStride != 1 || t.sumsStay())
      return;
    const int64_t size = recipe::elementSize(t.cType), width = t.layout.width;
    const int64_t bytes =
        (std::min(end * width, t.columns) - first * width) * size;
    for (int r = 0; r < block.count; ++r) {
      const uint8_t *row =
          result + (t.rowOffset(block.row + r) + first * width) * size;
      const int64_t before =
          int64_t(reinterpret_cast<uintptr_t>(row) % lineBytes);
      for (int64_t at = -before; at < bytes; at += lineBytes)
        __builtin_prefetch(row + at, 1);
    }
  }

  Destination destination(const RowBlock &block, const Strip &strip,
                          int64_t p) const {
    // Full panels of 32-bit sums go straight to the result.
    const int64_t width = t.layout.width;
    if (storesWordRows && (p + 1) * width <= t.columns)
      return {reinterpret_cast<float *>(result) + block.row * t.cRowStride +
                  p * width,
              t.cRowStride, std::min(strip.end, t.columns / width), true};
    // Sums to which later ranges add have a place for the strip or the whole
    // tile.
    if (t.keepsSums()) {
      const int64_t pitch = width * t.waitingPanels(tile);
      const int64_t first = stripByStrip ? strip.first : tile.firstPanel;
      return {sums + (block.row - firstRow) * pitch + (p - first) * width,
              pitch, strip.end, false};
    }
    return {sums, width * std::min(strip.width, t.layout.panels), strip.end,
            false};
  }

  /// Where the next call puts its sums: the next block, or the first one in the
  /// next panels. Null if in the same place, or if it starts a range.
  const float *sumsAfter(const RowBlock &block, const Strip &strip, int64_t p,
                         const Destination &to) const {
    if (!to.direct && !t.keepsSums())
      return nullptr;
    const int64_t width = t.layout.width;
    if (to.end < strip.end)
      return to.sums + (to.end - p) * width;
    if (&block + 1 != t.blocks.data() + tile.endBlock)
      return to.sums + block.count * to.rowStride - (p - strip.first) * width;
    // Strip by strip, sums in scratch have the same place in the next strip.
    const bool stays = stripByStrip && (!to.direct || !strip.lastRange);
    if (!stays && strip.end == tile.endPanel)
      return nullptr;
    return to.sums + ((stays ? strip.first : strip.end) - p) * width -
           (block.row - firstRow) * to.rowStride;
  }

  static bool rowsAreNeighbours(const int64_t *offsets, int count) {
    for (int r = 1; r < count; ++r)
      if (offsets[r] != offsets[r - 1] + 1)
        return false;
    return true;
  }

  /// Sums of integers with columns apart: the rows of a column are neighbours.
  void storeColumns(const Destination &from, const RowBlock &block,
                    int64_t first, int64_t count) const {
    constexpr int side = squareSide<float>;
    const int64_t stride = t.cColumnStride;
    int64_t offsets[maxBlockRows];
    for (int r = 0; r < block.count; ++r)
      offsets[r] = t.rowOffset(block.row + r);
    float *const to = reinterpret_cast<float *>(result) + first * stride;
    int64_t i = 0;
    if (block.count >= side && rowsAreNeighbours(offsets, block.count))
      for (; i + side <= count; i += side)
        for (int each = 0; each < block.count; each += side) {
          // The last square overlaps the one before, and writes the same
          // numbers.
          const int r = std::min(each, block.count - side);
          transposeSquare(from.sums + r * from.rowStride + i, from.rowStride,
                          to + i * stride + offsets[r], stride);
        }
    for (; i < count; ++i)
      for (int r = 0; r < block.count; ++r)
        std::memcpy(to + i * stride + offsets[r],
                    from.sums + r * from.rowStride + i, sizeof(int32_t));
  }

  /// Rounds and stores `count` columns from panel p on.
  void store(const Destination &from, const RowBlock &block, int64_t p,
             int64_t count) const {
    const int64_t first = p * t.layout.width;
    const int64_t size = recipe::elementSize(t.cType);
    if (t.integers && t.cColumnStride != 1)
      return storeColumns(from, block, first, count);
    if (t.cType == ElementType::BF16 && t.cColumnStride == 1) {
      // Rows that are evenly spaced in one call.
      const int rows = t.resultRows.empty() ? block.count : 1;
      for (int r = 0; r < block.count; r += rows)
        t.kernel.roundRows(from.sums + r * from.rowStride, from.rowStride,
                           reinterpret_cast<uint16_t *>(result) +
                               t.rowOffset(block.row + r) + first,
                           t.cRowStride, rows, count);
      return;
    }
    for (int r = 0; r < block.count; ++r) {
      const float *row = from.sums + r * from.rowStride;
      const int64_t offset =
          t.rowOffset(block.row + r) + first * t.cColumnStride;
      if (t.cColumnStride != 1) {
        convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(row), 1,
                   t.cType, result + offset * size, t.cColumnStride, count);
      } else if (t.cType == ElementType::F32 || t.cType == ElementType::I32) {
        // Rows are short: four at a time, without a call for each.
        float *to = reinterpret_cast<float *>(result) + offset;
        int64_t i = 0;
        for (; i + 4 <= count; i += 4)
          std::memcpy(to + i, row + i, 4 * sizeof(float));
        for (; i < count; ++i)
          to[i] = row[i];
      } else {
        convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(row), 1,
                   t.cType, result + offset * size, 1, count);
      }
    }
  }

  /// A tap in the padding adds nothing, whatever its weight is. The kernel
  /// multiplies the weight by zero instead where another row of the block has
  /// the tap: the same, except that zero times an infinity or NaN is NaN, which
  /// no later addition removes. So every sum that is wrong is NaN, and only
  /// those are computed again, from the taps inside. Costs one look at the
  /// sums of blocks at an edge.
  void leaveOutPadding(const RowBlock &block, int64_t p, int64_t count,
                       const Destination &to) const {
    if (!holdNan(to.sums, block.count, to.rowStride, count))
      return;
    const int64_t width = t.layout.width;
    for (int r = 0; r < block.count; ++r)
      for (int64_t i = 0; i < count; i += width) {
        float *row = to.sums + r * to.rowStride + i;
        const int64_t columns = std::min(count - i, width);
        if (!holdNan(row, 1, 0, columns))
          continue;
        float exact[maxPanelColumns] = {};
        sumInside(block, r, panelBase + (p + i / width) * panelPitch, exact);
        for (int64_t n = 0; n < columns; ++n)
          if (row[n] != row[n])
            row[n] = exact[n];
      }
  }

  /// Sums of row `r` of the block with the columns of a panel, over all ranges,
  /// without padding. In float64 per step: the products are exact.
  void sumInside(const RowBlock &block, int r, const uint8_t *panel,
                 float *to) const {
    const int64_t width = t.layout.width;
    const bool pairs = t.layout.format == StepFormat::Bf16;
    const ValueRange inside = t.inside.empty()
                                  ? ValueRange{0, t.source.depth}
                                  : t.inside[size_t(block.row + r)];
    for (int64_t s = 0; s < t.segmentsOf(block); ++s) {
      const uint8_t *row =
          t.pointers[size_t(block.pointers + s * block.count + r)];
      // A row of zeros is a tap in the padding: it adds nothing even to NaN.
      if (row == t.zeros)
        continue;
      row += item.a;
      const uint8_t *tap =
          panel + t.depths[size_t(block.segments + s)] * stepBytes;
      for (int64_t v = inside.begin; v < inside.end; ++v) {
        float weights[maxPanelColumns];
        if (isNarrow)
          t.kernel.widens(t.layout.value)
              .widen(tap + v * stepBytes, weights, width);
        else if (!pairs)
          std::memcpy(weights, tap + v * stepBytes, size_t(stepBytes));
        for (int64_t n = 0; n < width; ++n) {
          // A product of two bf16 is exact in f32, and of two f32 in f64.
          float x, w;
          if (pairs) {
            x = bfloatAt(row + v * 2);
            w = bfloatAt(tap + v / 2 * stepBytes + n * 4 + v % 2 * 2);
          } else {
            std::memcpy(&x, row + v * 4, sizeof(x));
            w = weights[n];
          }
          to[n] = float(double(to[n]) + double(x) * double(w));
        }
      }
      // No later term changes a NaN: inputs that are NaN throughout end here.
      if (std::all_of(to, to + width, [](float sum) { return sum != sum; }))
        return;
    }
  }

  const TilePlan &t;
  const Tile &tile;
  const BatchItem &item;
  const int64_t panelPitch, stepBytes, firstRow;
  const uint8_t *const *const rowTable; // pointers to rows, and what is added
  const int64_t itemOffset;             // to them
  const uint8_t *panelBase;             // of panel 0 of the item
  uint8_t *const ownPanels, *const rowCopies, *const terms;
  float *const widened, *const sums;
  uint8_t *const result;
  const bool storesWordRows, copiesRows, isNarrow, widens, stripByStrip;
  bool readsNarrow = false; // the block in use, else steps
  float dropped[maxPanelColumns];
  std::optional<IntegerTile> integers;
  BlockCall call;
  const uint8_t *copied[maxBlockRows];
};

} // namespace

void runTile(const TilePlan &plan, const Tile &tile, uint8_t *scratch) {
  if (tile.blocks() != 0)
    TileRun(plan, tile, scratch).run();
}

} // namespace gaudi::runtime
