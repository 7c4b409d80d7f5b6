// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where matrix commands are cut into tiles and ranges: by their shape alone.
//
// The cache budgets are those of small cores (32 KiB L1, 512 KiB L2), or, of a
// kernel on matrix tiles, those of the cores that have them: they belong to the
// kernel, so that bits do not depend on the size of a host's caches.
#include "TileCommand.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {
namespace {

/// L1, and the bytes of addresses after which its sets repeat (one way).
constexpr int64_t bytesOfL1 = 32 << 10, wayOfL1 = 4 << 10;
/// What rows of a tile may take of L2, and the bytes of addresses after which
/// its sets repeat.
constexpr int64_t rowBytesOfL2 = 256 << 10, wayOfL2 = 64 << 10;
/// Multiply-adds of steps in a tile that are worth a thread.
constexpr double leastWork = 1e6;
/// Rows whose products take as long as their panels from memory.
constexpr double streamedRows = 16;
/// Tiles of a command, if they are worth it: threads get equal shares.
constexpr int64_t wantedTiles = 8;
/// The last tiles are cut once more, so that threads end together.
constexpr int64_t lastTiles = 4, lastCuts = 3;
/// Panels that every tile may read whole, since they stay in L2 beside its
/// rows, and blocks of rows that are worth it.
constexpr int64_t sharedPanelBytes = 320 << 10, leastBlocks = 4;

} // namespace

std::vector<int64_t> cutRows(int64_t rows, const MicroKernel &kernel) {
  const int64_t blocks = ceilDiv(rows, kernel.rows);
  std::vector<int64_t> sizes;
  // Tiles are configured again wherever the number of rows changes: at the last
  // block only.
  if (kernel.hasTiles() && blocks > 1) {
    const int64_t size = ceilDiv(rows, blocks);
    for (int64_t row = 0; row < rows; row += size)
      sizes.push_back(std::min(size, rows - row));
    return sizes;
  }
  for (int64_t b = 0; b < blocks; ++b)
    sizes.push_back(rows * (b + 1) / blocks - rows * b / blocks);
  return sizes;
}

int64_t cutDepth(const MicroKernel &kernel, const PanelLayout &layout,
                 int64_t taps, bool once, std::vector<DepthRange> &ranges) {
  assert(taps > 0 && "a product has a tap");
  const int64_t steps = layout.steps, grain = kernel.stepGrain;
  const int64_t stepsInL1 = once ? std::max<int64_t>(steps, 1)
                                 : kernel.rangeBytes / (kernel.columns * 4);
  // Short taps share a range, a long one is cut; one of the two counts is 1.
  const int64_t perGroup =
      std::clamp<int64_t>(stepsInL1 / std::max<int64_t>(steps, 1), 1, taps);
  const int64_t even = ceilDiv(taps, ceilDiv(taps, perGroup));
  const int64_t parts = std::max<int64_t>(ceilDiv(steps, stepsInL1), 1);
  assert((even == 1 || parts == 1) && "a group of taps is not cut");
  for (int64_t g = 0; g * even < taps; ++g)
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t first = steps / grain * part / parts * grain;
      const int64_t end = steps / grain * (part + 1) / parts * grain;
      ranges.push_back({g, first, std::min(end, layout.rowSteps) - first,
                        g * even * steps + first,
                        std::min(even, taps - g * even) * (end - first)});
    }
  return even;
}

namespace {

/// True if rows evict each other: the rows of a block meet in few sets of L1,
/// or those of a tile in few sets of L2. With p the largest power of two that
/// divides their distance, rows start at multiples of p only, so that n rows
/// use the cache like n * p bytes, unless they are `rowBytes` long and fill the
/// gaps. A matrix tile takes a line of a row once for each panel, which L1 need
/// not keep.
bool rowsConflict(const TilePlan &plan, int64_t rowBytes) {
  if (plan.source.taps.size() != 1 || plan.blocks.size() < 2 ||
      plan.pointers.size() < 2)
    return false;
  const bool hasTiles = plan.kernel.hasTiles();
  const int64_t pitch = plan.pointers[1] - plan.pointers[0];
  const int64_t power = std::min(pitch & -pitch, wayOfL2);
  if (hasTiles && rowBytes >= power)
    return false;
  int64_t most = 0;
  for (const Tile &tile : plan.tiles)
    most = std::max(most, plan.rowsOf(tile));
  return (!hasTiles &&
          plan.blocks[0].count * std::min(power, wayOfL1) > bytesOfL1) ||
         most * power > rowBytesOfL2;
}

/// Cuts a tile in `parts`, by columns if `least` panels are left to each and
/// not `byRows`, else by rows if they need not pack the right side.
void cutLast(const Tile &tile, bool constant, int64_t least, int64_t parts,
             bool byRows, std::vector<Tile> &tiles) {
  const int64_t panels = tile.panels(), blocks = tile.blocks();
  const bool columns = panels >= 2 * least && !byRows;
  parts = std::min(parts, columns ? panels / least : constant ? blocks : 1);
  for (int64_t i = 0; i < parts; ++i) {
    Tile part = tile;
    if (columns) {
      part.firstPanel = tile.firstPanel + panels * i / parts;
      part.endPanel = tile.firstPanel + panels * (i + 1) / parts;
    } else {
      part.firstBlock = tile.firstBlock + blocks * i / parts;
      part.endBlock = tile.firstBlock + blocks * (i + 1) / parts;
    }
    tiles.push_back(part);
  }
}

/// A thread that has whole rows finds in its caches what it wrote of them in
/// the command before, instead of lines that another core has changed, and
/// kernels that follow run on a tile at once: its result is one run, not one
/// per row. Panels that a tile widens would be widened by each.
bool wantsWholeRows(const TilePlan &plan, bool constant) {
  return constant && plan.cColumnStride == 1 &&
         plan.layout.value == PanelValue::Step &&
         int64_t(plan.blocks.size()) >= leastBlocks &&
         plan.layout.panels * plan.layout.panelBytes <=
             (plan.kernel.hasTiles() ? 2 : 1) * sharedPanelBytes;
}

/// Steps of a row in all ranges of its one tap.
int64_t stepsOfRow(const TilePlan &plan) {
  return plan.ranges.back().first + plan.ranges.back().steps;
}

/// True if half of the most rows of a tile, or all rows there are, fit L2 with
/// all ranges, of a kernel that takes many.
bool allRangesFit(const TilePlan &plan, int64_t rows) {
  const MicroKernel &kernel = plan.kernel;
  return kernel.hasTiles() && plan.source.taps.size() == 1 &&
         plan.ranges.size() > 1 &&
         std::min<int64_t>(rows, kernel.tileRows / 2) * stepsOfRow(plan) * 4 <=
             kernel.tileRowBytes;
}

/// Into how many tiles the rows and columns of an item are cut.
struct Cuts {
  int64_t rows, columns;
  double work; // multiply-adds of steps in a tile
};

Cuts cutsOf(const TilePlan &plan, int64_t rows, int64_t mostSteps,
            bool wholeRows) {
  const int64_t blocks = int64_t(plan.blocks.size());
  const int64_t panels = plan.layout.panels;
  int64_t steps = 0;
  for (const DepthRange &range : plan.ranges)
    steps += range.panelSteps;
  // By rows as far as L2 asks for it: columns share the packed panels.
  Cuts cuts;
  const int64_t most =
      std::clamp<int64_t>(plan.kernel.tileRowBytes / (mostSteps * 4),
                          plan.kernel.rows, plan.kernel.tileRows);
  cuts.rows = std::max<int64_t>(ceilDiv(rows, most), 1);
  if (cuts.rows > wantedTiles / 2) // threads get equal shares
    cuts.rows = ceilDiv(cuts.rows, wantedTiles) * wantedTiles;
  if (wholeRows)
    cuts.rows = std::max(cuts.rows, std::min(wantedTiles, blocks / 2));
  cuts.rows = std::min(cuts.rows, std::max<int64_t>(blocks, 1));
  // By columns so that a tile is not too large and tiles are enough, but each
  // is worth a thread.
  const double work = std::max(double(rows) / double(cuts.rows), streamedRows) *
                      double(steps) * double(plan.layout.width) *
                      double(panels);
  const int64_t others = cuts.rows * int64_t(plan.items.size());
  const int64_t wanted = std::max(int64_t(work / plan.kernel.tileWork),
                                  ceilDiv(wantedTiles, others));
  cuts.columns = std::max<int64_t>(
      std::min(
          {wanted, panels, std::max<int64_t>(1, int64_t(work / leastWork))}),
      1);
  if (wholeRows)
    cuts.columns = 1;
  cuts.work = work / double(cuts.columns);
  return cuts;
}

} // namespace

void cutTiles(TilePlan &plan, bool constant) {
  const int64_t blocks = int64_t(plan.blocks.size());
  const int64_t panels = plan.layout.panels;
  int64_t rows = 0, mostSteps = 1;
  for (const RowBlock &block : plan.blocks)
    rows += block.count;
  for (const DepthRange &range : plan.ranges)
    mostSteps = std::max(mostSteps, range.steps);
  plan.rowsFit = allRangesFit(plan, rows);
  if (plan.rowsFit)
    mostSteps = stepsOfRow(plan);
  const bool wholeRows = wantsWholeRows(plan, constant);
  const Cuts cuts = cutsOf(plan, rows, mostSteps, wholeRows);

  // Tiles that follow each other share the larger operand: with more columns
  // than rows all rows meet some columns first.
  const bool byColumns = panels * plan.layout.width > rows;
  std::vector<Tile> tiles;
  for (int64_t item = 0; item < int64_t(plan.items.size()); ++item)
    for (int64_t i = 0; i < cuts.rows * cuts.columns; ++i) {
      const int64_t r = byColumns ? i % cuts.rows : i / cuts.columns;
      const int64_t n = byColumns ? i / cuts.rows : i % cuts.columns;
      tiles.push_back({item, blocks * r / cuts.rows,
                       blocks * (r + 1) / cuts.rows, panels * n / cuts.columns,
                       panels * (n + 1) / cuts.columns});
    }
  int64_t parts = std::min(lastCuts, int64_t(cuts.work / (leastWork / 4)));
  // Whole rows of a product that is not packed once stay whole: the next kernel
  // is usually a softmax, which can then run on them.
  if (!constant && cuts.columns == 1)
    parts = 1;
  const bool keepsRows = (wholeRows || plan.integers) && cuts.columns == 1;
  const int64_t firstLast = int64_t(tiles.size()) - lastTiles;
  for (int64_t i = 0; i < int64_t(tiles.size()); ++i)
    if (i < firstLast || parts < 2 || tiles.size() == 1)
      plan.tiles.push_back(tiles[size_t(i)]);
    else
      cutLast(tiles[size_t(i)], constant, rowCopyPanels(plan.layout), parts,
              keepsRows, plan.tiles);

  if (!rowsConflict(plan, mostSteps * 4))
    return;
  for (const Tile &tile : plan.tiles)
    if (tile.panels() >= rowCopyPanels(plan.layout))
      plan.rowCopyBytes =
          std::max(plan.rowCopyBytes,
                   rounded(uint64_t(plan.rowsOf(tile) * mostSteps * 4)));
  if (plan.rowCopyBytes)
    plan.detail += ", rows copied";
}

int64_t TilePlan::narrowestStrip() const {
  int64_t panels = layout.panels;
  for (const DepthRange &range : ranges)
    panels = std::min(panels, stripPanels(range));
  return panels;
}

int64_t TilePlan::stripPanels(const DepthRange &range) const {
  const int64_t bytes = range.panelSteps * layout.width * 4;
  // What a thread starts with is not prefetched, so strips are short, unless a
  // kernel on tiles may have to gather the rows of several taps once per strip.
  const int64_t most = source.taps.size() == 1
                           ? std::min<int64_t>(kernel.stripBytes, bytesOfL1)
                           : kernel.stripBytes;
  return std::max<int64_t>(1, most / std::max<int64_t>(bytes, 1));
}

} // namespace gaudi::runtime
