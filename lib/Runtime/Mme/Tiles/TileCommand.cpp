// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix commands on micro kernels: where panels come from, and the launch.
#include "TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Most bytes of panels that a tile packs for itself: half of a small L2, so
/// that they are still there when the rows pass.
constexpr int64_t tilePanelBytes = 256 << 10;
/// Rows up to which the right side is read unpacked: with 6 it took 0.4 to 1.0
/// of the time with packing, with 8 up to 1.4.
constexpr int64_t thinRows = 6;

} // namespace

/// A large convolution has an address per output position and tap.
uint64_t TileCommand::tableBytes() const {
  auto bytes = [](const auto &table) {
    return table.capacity() * sizeof(table[0]);
  };
  return bytes(pointers) + bytes(packedPointers) + bytes(depths) +
         bytes(groupStarts) + bytes(blocks) + bytes(resultRows) + bytes(inside);
}

void TileProduct::compactResultRows() {
  cRowStride = resultRows.size() > 1 ? resultRows[1] : columns;
  for (size_t row = 0; row < resultRows.size(); ++row)
    if (resultRows[row] != int64_t(row) * cRowStride)
      return;
  resultRows.clear();
}

TileCommand::TileCommand(TileProduct product, bool constant,
                         PrepareContext &context)
    : TilePlan(std::move(product)) {
  assert((blocks.empty() || groupStarts.size() > 0) && "no segments");
  cutTiles(*this, constant);
  if (integers)
    for (const Tile &tile : tiles)
      termScratch = std::max(termScratch, rounded(IntegerTerms::scratchBytes(
                                              tile.panels() * layout.width)));
  placeWidened();
  context.hostBytes += tableBytes();
  placePanels(constant, context);
  placeRows(context);
  // What half of an L2 holds is there since a kernel wrote it.
  int64_t rows = 0;
  for (const RowBlock &block : blocks)
    rows += block.count;
  if (integers && kernel.hasTiles() &&
      rows * integers->depth <= kernel.tileRowBytes)
    rowsAreNear = true;
}

void TileCommand::placeWidened() {
  if (std::none_of(tiles.begin(), tiles.end(),
                   [&](const Tile &tile) { return widensStrips(tile); }))
    return;
  for (const DepthRange &range : ranges)
    widenScratch = std::max(
        widenScratch, uint64_t(widePitch(range) *
                               std::min(stripPanels(range), layout.panels)));
}

bool TileCommand::gathersOften() const {
  if (!kernel.hasTiles() || rowsAreNear)
    return false;
  int64_t segments = 0, apart = 0;
  for (const RowBlock &block : blocks) {
    // Rows that fill more than a tile are halved.
    const int half =
        block.count > kernel.rows / 2 ? (block.count + 1) / 2 : block.count;
    const int64_t count = segmentsOf(block);
    segments += count;
    for (int64_t s = 0; s < count; ++s) {
      const uint8_t *const *row =
          &pointers[size_t(block.pointers) + size_t(s) * size_t(block.count)];
      bool even = true;
      for (int r = 2; r < block.count; ++r)
        even &= r == half || r == half + 1 ||
                row[r] - row[r - 1] == row[r - 1] - row[r - 2];
      apart += !even;
    }
  }
  return apart * ceilDiv(layout.panels, narrowestStrip()) > 2 * segments;
}

/// Rows that tiles would copy are packed once before them, if several tiles of
/// columns read each, and rows that matrix tiles would gather for each strip:
/// if there is memory.
void TileCommand::placeRows(PrepareContext &context) {
  /// What may come from L3 again and again.
  constexpr int64_t mostGathered = 4 << 20;
  const bool shared =
      std::any_of(tiles.begin(), tiles.end(), [&](const Tile &tile) {
        return tile.panels() < layout.panels;
      });
  const bool copies = rowCopyBytes && shared;
  if (!copies && (rowCopyBytes || !gathersOften()))
    return;
  int64_t most = 0, rows = 0;
  for (const RowBlock &block : blocks) {
    most = std::max(most, segmentsOf(block));
    rows += block.count;
  }
  // An odd number of cache lines is between rows, so that they use all sets of
  // a cache.
  const int64_t pitch = int64_t(rounded(uint64_t(most * tapBytes()))) | 64;
  packedItemBytes = rows * pitch;
  const int64_t bytes = packedItemBytes * int64_t(items.size());
  if (!copies && bytes > mostGathered)
    return;
  uint8_t *to = context.staging.take(uint64_t(bytes));
  if (!to)
    return;
  if (!copies)
    detail += ", rows copied";
  rowCopyBytes = 0;
  packedPointers.resize(pointers.size());
  for (const RowBlock &block : blocks)
    for (int64_t s = 0; s < segmentsOf(block); ++s)
      for (int r = 0; r < block.count; ++r)
        packedPointers[size_t(block.pointers + s * block.count + r)] =
            to + (block.row + r) * pitch + s * tapBytes();
}

void TileCommand::packRows(ThreadPool &pool) {
  const int64_t count = int64_t(blocks.size()), bytes = tapBytes();
  pool.parallelFor(
      count * int64_t(items.size()), 1,
      [&](int64_t begin, int64_t end, unsigned) {
        for (int64_t i = begin; i < end; ++i) {
          const RowBlock &block = blocks[size_t(i % count)];
          const int64_t item = i / count, a = items[size_t(item)].a;
          for (int64_t p = block.pointers;
               p < block.pointers + segmentsOf(block) * block.count; ++p)
            std::memcpy(packedPointers[size_t(p)] + item * packedItemBytes,
                        pointers[size_t(p)] + a, size_t(bytes));
        }
      });
}

bool TileCommand::staysThin() const {
  if (!kernel.thin || cType != ElementType::F32 || cColumnStride != 1 ||
      source.type != ElementType::F32 || source.taps.size() != 1 ||
      int64_t(pointers.size()) > thinRows)
    return false;
  // A block whose taps are all in the padding has no pointers, and one where
  // some are needs its panels to leave those out.
  int64_t rows = 0;
  for (const RowBlock &block : blocks) {
    if (block.padded)
      return false;
    rows += block.count;
  }
  if (rows != int64_t(pointers.size()))
    return false;
  // Vectors run along columns or along the reduction, whichever is contiguous;
  // fewer columns than lanes would leave most of each vector unused.
  return source.depthStride == 1 ||
         (source.columnStride == 1 && columns >= kernel.lanes);
}

void TileCommand::placePanels(bool constant, PrepareContext &context) {
  if (constant) {
    // Shared with all commands that read the same constant.
    panels = Panels::Once;
    shared = static_cast<PanelStore *>(context.panels)
                 ->want(source, layout, packedItems, copies.owned);
    return;
  }
  if (staysThin()) {
    panels = Panels::None;
    return;
  }
  // A tile with all rows is the only one that needs its panels: it packs them
  // itself, and they go from its cache into the product.
  int64_t most = 0;
  bool alone = true;
  for (const Tile &tile : tiles) {
    most = std::max(most, tile.panels());
    alone &= tile.blocks() == int64_t(blocks.size()) &&
             tile.panels() * layout.panelBytes <= tilePanelBytes;
  }
  if (alone) {
    panels = Panels::InTile;
    panelScratch = uint64_t(layout.pitch() * most);
    return;
  }
  // Several tiles read the same panels: packed before the tiles, in parallel.
  panels = Panels::EachRun;
  packed = staged = takeStaging(
      uint64_t(layout.pitch()) * uint64_t(layout.panels) * packedItems.size(),
      context);
}

/// `zeros` and the panels of constants are memory that never moves.
void TileCommand::visitAddresses(AddressVisitor &visitor) {
  copies.visitAddresses(visitor);
  visitor.visit(pointers);
  visitor.visit(source.data);
  visitor.visit(c);
  visitor.visit(packed);
  visitor.visit(staged);
  visitor.visit(packedPointers);
  followers.visitAddresses(visitor);
  if (integers)
    integers->visitAddresses(visitor);
}

void TileCommand::bindScratch(uint8_t *const *perWorker) {
  scratch = perWorker;
  if (shared) {
    assert(shared->memory && "panels are resolved before scratch is bound");
    packed = shared->memory->data;
    small = layout.joins;
    for (int64_t p = 0; p < shared->count() && small; ++p)
      small = layout.isSmall(packed + p * layout.pitch());
  }
}

bool TileCommand::reads(size_t input, const BoundTensor &tensor) const {
  // Panels replace the bytes they were packed from. Those of a converted copy
  // have another address, and a transposed product packs its first input: both
  // count as read, which is always safe.
  return input != 1 || !shared || shared->comparedOrPacked ||
         shared->source.data != tensor.data;
}

/// Panels that the tile packs, then copied rows, then the first terms of
/// integer sums, then panels that the tile widens, then sums that wait: those
/// of the tile or its strip, or of a block and a strip (see TileRun).
uint64_t TileCommand::scratchBytes() const {
  uint64_t sums = 0;
  for (const Tile &tile : tiles) {
    const int64_t rows = keepsSums() ? rowsOf(tile) : kernel.rows;
    const int64_t width = keepsSums()
                              ? waitingPanels(tile)
                              : std::min(layout.panels, stripPanels(ranges[0]));
    sums = std::max(sums, uint64_t(rows) * uint64_t(width) *
                              uint64_t(layout.width) * sizeof(float));
  }
  return sumsAt() + rounded(sums);
}

std::string TileCommand::implementation() const {
  static const char *const names[] = {"packed in tiles", "packed",
                                      "packed once", "not packed"};
  static const char *const values[] = {"", " as bf16", " as f16"};
  return fmt::format(
      "tile:{}:{}x{}:{}{}{}, {}{}{}", kernel.name, kernel.rows, kernel.columns,
      integers ? "i8" : recipe::elementName(rowType(kernel)),
      small ? " of small constants" : "", detail, names[unsigned(panels)],
      values[unsigned(layout.value)],
      shared && shared->memory->mapped ? ", from the cache" : "");
}

void TileCommand::pack(ThreadPool &pool) {
  constexpr int64_t grainBytes = 64 << 10; // enough to be worth a thread
  const int64_t pitch = layout.pitch();
  const int64_t grain =
      std::max<int64_t>(1, grainBytes / std::max<int64_t>(pitch, 1));
  pool.parallelFor(layout.panels * int64_t(packedItems.size()), grain,
                   [&](int64_t begin, int64_t end, unsigned) {
                     for (int64_t p = begin; p < end; ++p)
                       packPanel(source,
                                 source.data +
                                     packedItems[size_t(p / layout.panels)],
                                 layout, p % layout.panels, staged + p * pitch);
                   });
}

void TileCommand::runThinTile(const Tile &tile) const {
  const BatchItem &item = items[size_t(tile.item)];
  const int64_t first = tile.firstPanel * layout.width;
  const float *rows[maxBlockRows];
  float *results[maxBlockRows];
  ThinCall call;
  call.rows = rows;
  call.c = results;
  call.b = reinterpret_cast<const float *>(source.data + item.b) +
           first * source.columnStride;
  call.depthStride = source.depthStride;
  call.columnStride = source.columnStride;
  call.depth = source.depth;
  call.columns = std::min(tile.endPanel * layout.width, columns) - first;
  for (int64_t b = tile.firstBlock; b < tile.endBlock; ++b) {
    const RowBlock &block = blocks[size_t(b)];
    call.count = block.count;
    for (int r = 0; r < block.count; ++r) {
      rows[r] = reinterpret_cast<const float *>(
          pointers[size_t(block.pointers + r)] + item.a);
      results[r] = reinterpret_cast<float *>(c + item.c) +
                   rowOffset(block.row + r) + first;
    }
    kernel.thin(call);
  }
}

template <typename Visit>
void TileCommand::forEachRun(const Tile &tile, bool fromScratch,
                             Visit visit) const {
  const int64_t first = tile.firstPanel * layout.width;
  const int64_t width = std::min(columns, tile.endPanel * layout.width) - first;
  const int64_t base =
      items[size_t(tile.item)].c / recipe::elementSize(cType) + first;
  // Rows of scratch have whole panels.
  const bool joins = !fromScratch || width == tile.panels() * layout.width;
  if (tile.blocks() == 0)
    return;
  int64_t firstRow = firstRowOf(tile);
  const int64_t endRow = firstRow + rowsOf(tile);
  int64_t begin = base + rowOffset(firstRow), end = begin + width;
  for (int64_t row = firstRow + 1; row < endRow; ++row) {
    const int64_t at = base + rowOffset(row);
    // Rows without a gap between them are one run: a follower is called once
    // per run.
    if (at != end || !joins) {
      visit(begin, end, firstRow);
      begin = at;
      firstRow = row;
    }
    end = at + width;
  }
  visit(begin, end, firstRow);
}

bool TileCommand::follow(const Follower &follower, int64_t leastParts) {
  if (cColumnStride != 1 || int64_t(tiles.size()) < leastParts ||
      follower.operandCount > Followers::mostOperands)
    return false;
  int64_t runs = 0, elements = 0;
  bool whole = true;
  for (const Tile &tile : tiles)
    forEachRun(
        tile, integers != nullptr, [&](int64_t begin, int64_t end, int64_t) {
          whole &= begin % follower.block == 0 && end % follower.block == 0;
          elements += end - begin;
          ++runs;
        });
  // The wait for the other threads, which is saved, is worth a few calls.
  constexpr int64_t fewRuns = 64;
  if (!whole || (runs > fewRuns && elements < runs * follower.leastRun))
    return false;
  followers.add(follower);
  return true;
}

/// `own` is the scratch memory of the worker.
void TileCommand::runFollowers(const Tile &tile, const uint8_t *own,
                               Fault &fault) const {
  if (!sumsStay()) {
    forEachRun(tile, false, [&](int64_t begin, int64_t end, int64_t) {
      followers.run(begin, end, fault);
    });
    return;
  }
  const int64_t pitch = tile.panels() * layout.width;
  forEachRun(tile, true, [&](int64_t begin, int64_t end, int64_t row) {
    // Where all of the result would start if it were in scratch.
    const auto sums =
        reinterpret_cast<uintptr_t>(own + sumsAt()) +
        uintptr_t((row - firstRowOf(tile)) * pitch - begin) * sizeof(int32_t);
    followers.run(begin, end, fault, c, reinterpret_cast<void *>(sums));
  });
}

void TileCommand::run(LaunchContext &context) {
  // Copies read what narrowing writes, sums of rows (terms of zero points) and
  // packing read the copies.
  if (integers && integers->narrowing)
    integers->narrowing->run(context.pool);
  copies.run(context.pool);
  if (integers)
    integers->run(*this, context.pool);
  if (panels == Panels::EachRun)
    pack(context.pool);
  if (!packedPointers.empty())
    packRows(context.pool);
  // Tiles write disjoint parts of the result, and followers only what depends
  // on their tile, so that no order between tiles is needed.
  context.pool.parallelFor(int64_t(tiles.size()), 1,
                           [&](int64_t begin, int64_t end, unsigned worker) {
                             for (int64_t t = begin; t < end; ++t) {
                               const Tile &tile = tiles[size_t(t)];
                               if (panels == Panels::None)
                                 runThinTile(tile);
                               else
                                 runTile(*this, tile, scratch[worker]);
                               if (!followers.empty())
                                 runFollowers(tile, scratch[worker],
                                              context.fault);
                             }
                           });
}

} // namespace gaudi::runtime
