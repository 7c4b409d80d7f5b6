// The running half of matrix commands on our own micro kernels.
#include "TileCommand.h"

#include "HostMemory.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// How far ahead a panel is fetched that is used once.
constexpr int64_t onceAhead = 4096;
/// Panels of one item that a piece packs for itself.
constexpr int64_t pieceBytes = 256 << 10;
/// Rows up to which the right side is read where it lies: with 6 it took 0.4 to
/// 1.0 of the time with packing, with 8 up to 1.4.
constexpr int64_t thinRows = 6;

} // namespace

/// A large convolution has an address per output position and tap.
uint64_t TileCommand::tableBytes() const {
  return pointers.capacity() * sizeof(pointers[0]) +
         depths.capacity() * sizeof(depths[0]) +
         groupStarts.capacity() * sizeof(groupStarts[0]) +
         blocks.capacity() * sizeof(blocks[0]) +
         resultRows.capacity() * sizeof(resultRows[0]);
}

bool TileCommand::staysThin() const {
  if (!kernel.thin || cType != ElementType::F32 || cColumnStride != 1 ||
      source.type != ElementType::F32 || source.taps.size() != 1 ||
      int64_t(pointers.size()) > thinRows)
    return false;
  // A block whose taps are all outside has no pointers.
  int64_t rows = 0;
  for (const RowBlock &block : blocks)
    rows += block.count;
  if (rows != int64_t(pointers.size()))
    return false;
  return source.depthStride == 1 ||
         (source.columnStride == 1 && columns >= kernel.lanes);
}

void TileCommand::placePanels(bool constant, PrepareContext &context) {
  context.hostBytes += tableBytes();
  const uint64_t bytes = rounded(uint64_t(layout.panelBytes)) *
                         uint64_t(layout.panels) * packedItems.size();
  if (constant) {
    panels = Panels::Once;
    shared = static_cast<PanelStore *>(context.panels)
                 ->want(source, layout, packedItems, copies.owned);
    return;
  }
  if (staysThin()) {
    panels = Panels::None;
    return;
  }
  bool alone = true; // no other piece needs these panels
  for (const TilePiece &piece : pieces)
    alone &=
        piece.firstBlock == 0 && piece.endBlock == int64_t(blocks.size()) &&
        (piece.endPanel - piece.firstPanel) * layout.panelBytes <= pieceBytes;
  if (alone) {
    panels = Panels::InPiece;
    int64_t most = 0;
    for (const TilePiece &piece : pieces)
      most = std::max(most, piece.endPanel - piece.firstPanel);
    panelScratch = rounded(uint64_t(layout.panelBytes)) * uint64_t(most);
    return;
  }
  panels = Panels::Each;
  packed = staged = context.staging.take(bytes);
  if (!staged)
    throw std::bad_alloc();
}

void TileCommand::bindScratch(const std::vector<uint8_t *> &perWorker) {
  scratch = perWorker;
  if (shared)
    packed = shared->memory->data;
}

bool TileCommand::reads(size_t input, const BoundTensor &tensor) const {
  // Panels replace the bytes they were packed from. Those of a converted copy
  // have another address, and a transposed product packs its first input: both
  // count as read, which is always safe.
  return input != 1 || !shared || shared->comparedOrPacked ||
         shared->source.data != tensor.data;
}

uint64_t TileCommand::scratchBytes() const {
  uint64_t tile = 0;
  for (const TilePiece &piece : pieces) {
    int64_t rows = kernel.rows, width = piece.endPanel - piece.firstPanel;
    if (keepsTile()) {
      rows = 0;
      for (int64_t b = piece.firstBlock; b < piece.endBlock; ++b)
        rows += blocks[size_t(b)].count;
    } else {
      width = std::min(layout.panels, stripPanels(ranges[0]));
    }
    tile = std::max(tile, uint64_t(rows) * uint64_t(width) *
                              uint64_t(layout.width) * sizeof(float));
  }
  return panelScratch + copyBytes + rounded(tile);
}

std::string TileCommand::implementation() const {
  static const char *const names[] = {"packed in tiles", "packed",
                                      "packed once", "not packed"};
  const bool mapped = shared && shared->memory->mapped;
  return std::string("tile:") + kernel.name + ":" +
         std::to_string(kernel.rows) + "x" + std::to_string(kernel.columns) +
         (kernel.pairs ? ":bf16" : ":f32") + detail + ", " +
         names[unsigned(panels)] + (mapped ? ", from the cache" : "");
}

void TileCommand::pack(ThreadPool &pool) {
  const int64_t panelBytes = int64_t(rounded(uint64_t(layout.panelBytes)));
  const int64_t grain =
      std::max<int64_t>(1, 65536 / std::max<int64_t>(panelBytes, 1));
  pool.parallelFor(layout.panels * int64_t(packedItems.size()), grain,
                   [&](int64_t begin, int64_t end, unsigned) {
                     for (int64_t p = begin; p < end; ++p)
                       packPanel(
                           source,
                           source.data + packedItems[size_t(p / layout.panels)],
                           layout, p % layout.panels, staged + p * panelBytes);
                   });
}

void TileCommand::store(const float *tile, int64_t tileStride,
                        const RowBlock &block, int64_t panel, int64_t width,
                        uint8_t *to) const {
  const int64_t size = recipe::elementSize(cType);
  if (cType == ElementType::BF16 && cColumnStride == 1) {
    for (int r = 0; r < block.count; ++r)
      kernel.roundToBf16(tile + r * tileStride,
                         reinterpret_cast<uint16_t *>(to) +
                             rowOffset(block.row + r) + panel * layout.width,
                         width);
    return;
  }
  if (cType == ElementType::F32 && cColumnStride == 1) {
    // Rows are short: four at a time, without a call for each.
    float *const result = reinterpret_cast<float *>(to) + panel * layout.width;
    for (int r = 0; r < block.count; ++r) {
      const float *from = tile + r * tileStride;
      float *row = result + rowOffset(block.row + r);
      int64_t i = 0;
      for (; i + 4 <= width; i += 4)
        std::memcpy(row + i, from + i, 4 * sizeof(float));
      for (; i < width; ++i)
        row[i] = from[i];
    }
    return;
  }
  for (int r = 0; r < block.count; ++r)
    convertRow(
        ElementType::F32,
        reinterpret_cast<const uint8_t *>(tile + r * tileStride), 1, cType,
        to + (rowOffset(block.row + r) + panel * layout.width * cColumnStride) *
                 size,
        cColumnStride, width);
}

void TileCommand::copyRows(TileCall &call, const RowBlock &block,
                           uint8_t *to) const {
  for (int r = 0; r < block.count; ++r, to += call.steps * 4)
    std::memcpy(to, call.rows[r] + call.offset, size_t(call.steps * 4));
}

void TileCommand::runThinPiece(const TilePiece &piece) const {
  const BatchItem &item = items[size_t(piece.item)];
  const int64_t first = piece.firstPanel * layout.width;
  const float *rows[maxTileRows];
  float *results[maxTileRows];
  ThinCall call;
  call.rows = rows;
  call.c = results;
  call.b = reinterpret_cast<const float *>(source.data + item.b) +
           first * source.columnStride;
  call.depthStride = source.depthStride;
  call.columnStride = source.columnStride;
  call.depth = source.depth;
  call.columns = std::min(piece.endPanel * layout.width, columns) - first;
  for (int64_t b = piece.firstBlock; b < piece.endBlock; ++b) {
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

void TileCommand::runPiece(const TilePiece &piece, uint8_t *mine) {
  if (panels == Panels::None)
    return runThinPiece(piece);
  const BatchItem &item = items[size_t(piece.item)];
  const int64_t panelBytes = int64_t(rounded(uint64_t(layout.panelBytes)));
  const uint8_t *panelBase = packed + item.packed * panelBytes;
  if (panels == Panels::InPiece) {
    for (int64_t p = piece.firstPanel; p < piece.endPanel; ++p)
      packPanel(source, source.data + item.b, layout, p,
                mine + (p - piece.firstPanel) * panelBytes);
    panelBase = mine - piece.firstPanel * panelBytes;
  }
  uint8_t *const rowCopies = mine + panelScratch;
  float *const tile = reinterpret_cast<float *>(rowCopies + copyBytes);
  uint8_t *result = c + item.c;
  const int64_t firstRow = blocks[size_t(piece.firstBlock)].row;
  const int64_t count = piece.endBlock - piece.firstBlock;
  const bool plain =
      cType == ElementType::F32 && cColumnStride == 1 && resultRows.empty();
  const bool copying =
      copyBytes && piece.endPanel - piece.firstPanel >= copyPanels(layout);
  const int64_t stepBytes = layout.width * 4;

  TileCall call;
  call.panelBytes = panelBytes;
  const uint8_t *copied[maxTileRows];
  for (size_t d = 0; d < ranges.size(); ++d) {
    const DepthRange &range = ranges[d];
    const bool last = d + 1 == ranges.size();
    call.steps = range.steps;
    call.accumulate = d != 0;
    const int64_t strip = stripPanels(range);
    const int64_t tileStride =
        layout.width * (keepsTile() ? piece.endPanel - piece.firstPanel
                                    : std::min(strip, layout.panels));
    for (int64_t s = piece.firstPanel; s < piece.endPanel; s += strip) {
      const int64_t stripEnd = std::min(s + strip, piece.endPanel);
      // The same steps of the next strip arrive while this one is used, after
      // the last one the next steps of the first. A panel that is used once
      // comes from afar all the time.
      const DepthRange &after = stripEnd == piece.endPanel && !last && count > 1
                                    ? ranges[d + 1]
                                    : range;
      int64_t ahead = after.panelFirst * stepBytes, lines = 0;
      if (panels != Panels::InPiece &&
          (count == 1 || stripEnd < piece.endPanel || !last)) {
        if (count == 1)
          ahead += onceAhead;
        else if (stripEnd < piece.endPanel)
          ahead += strip * panelBytes;
        else
          ahead -= (s - piece.firstPanel) * panelBytes;
        lines = (after.panelSteps * stepBytes / 64 + count - 1) / count;
      }
      const int64_t stops = std::max<int64_t>(
          range.panelSteps / std::max<int64_t>(range.steps, 1) *
              ((range.steps / 8 * 8 + lineSteps - 1) / lineSteps),
          1);
      call.lines = (lines + stops - 1) / stops;
      for (int64_t b = piece.firstBlock; b < piece.endBlock; ++b) {
        const RowBlock &block = blocks[size_t(b)];
        const int64_t *starts = &groupStarts[size_t(block.groups)];
        const int64_t first = starts[range.group];
        call.segments = starts[range.group + 1] - first;
        call.rows = pointers.data() + block.pointers + first * block.count;
        call.depths = depths.data() + block.segments + first;
        call.offset = call.nextOffset = item.a + range.first * 4;
        // The rows of the next block come from afar once, then from the cache.
        call.nextCount = 0;
        if (s == piece.firstPanel && b + 1 < piece.endBlock) {
          const RowBlock &next = blocks[size_t(b + 1)];
          const int64_t *ends = &groupStarts[size_t(next.groups)];
          call.nextRows =
              pointers.data() + next.pointers + ends[range.group] * next.count;
          call.nextCount =
              (ends[range.group + 1] - ends[range.group]) * next.count;
        }
        if (copying && call.segments) {
          uint8_t *to = rowCopies + (block.row - firstRow) * range.steps * 4;
          if (s == piece.firstPanel)
            copyRows(call, block, to);
          for (int r = 0; r < block.count; ++r, to += range.steps * 4)
            copied[r] = to;
          call.rows = copied;
          call.offset = 0;
        }
        // Full panels go straight to the result if it has their form.
        for (int64_t p = s, end; p < stripEnd; p = end) {
          const bool direct = plain && (p + 1) * layout.width <= columns;
          end = direct ? std::min(stripEnd, columns / layout.width) : stripEnd;
          call.panels = end - p;
          const uint8_t *panel = panelBase + p * panelBytes;
          call.panel = panel + range.first * stepBytes;
          call.prefetch = panel + ahead + (b - piece.firstBlock) * lines * 64;
          call.cStride = direct ? cRowStride : tileStride;
          if (direct)
            call.c = reinterpret_cast<float *>(result) +
                     block.row * cRowStride + p * layout.width;
          else if (keepsTile())
            call.c = tile + (block.row - firstRow) * tileStride +
                     (p - piece.firstPanel) * layout.width;
          else
            call.c = tile;
          kernel.functions[block.count](call);
          if (!direct && last)
            store(call.c, tileStride, block, p,
                  std::min(end * layout.width, columns) - p * layout.width,
                  result);
          call.nextCount = 0;
        }
      }
    }
  }
}

template <typename Visit>
void TileCommand::forEachRun(const TilePiece &piece, Visit visit) const {
  const int64_t first = piece.firstPanel * layout.width;
  const int64_t width =
      std::min(columns, piece.endPanel * layout.width) - first;
  const int64_t base =
      items[size_t(piece.item)].c / recipe::elementSize(cType) + first;
  int64_t begin = 0, end = 0;
  for (int64_t b = piece.firstBlock; b < piece.endBlock; ++b)
    for (int r = 0; r < blocks[size_t(b)].count; ++r) {
      const int64_t row = base + rowOffset(blocks[size_t(b)].row + r);
      if (row != end) {
        if (begin != end)
          visit(begin, end);
        begin = row;
      }
      end = row + width;
    }
  visit(begin, end);
}

bool TileCommand::follow(const Follower &follower, int64_t leastParts) {
  if (cColumnStride != 1 || int64_t(pieces.size()) < leastParts)
    return false;
  int64_t runs = 0, elements = 0;
  bool whole = true;
  for (const TilePiece &piece : pieces)
    forEachRun(piece, [&](int64_t begin, int64_t end) {
      whole &= begin % follower.block == 0 && end % follower.block == 0;
      elements += end - begin;
      ++runs;
    });
  // The wait for the other threads, which is saved, is worth a few calls.
  constexpr int64_t fewRuns = 64;
  if (!whole || (runs > fewRuns && elements < runs * follower.leastRun))
    return false;
  followers.push_back(follower);
  return true;
}

void TileCommand::runFollowers(const TilePiece &piece, Fault &fault) const {
  forEachRun(piece, [&](int64_t begin, int64_t end) {
    for (const Follower &follower : followers)
      follower.function(follower.operands, begin / follower.block,
                        end / follower.block, &fault);
  });
}

void TileCommand::run(LaunchContext &context) {
  for (const CopyStep &step : copies.before)
    step.copy.run(context.pool, step.src, step.dst);
  if (panels == Panels::Each)
    pack(context.pool);
  context.pool.parallelFor(int64_t(pieces.size()), 1,
                           [&](int64_t begin, int64_t end, unsigned worker) {
                             for (int64_t p = begin; p < end; ++p) {
                               runPiece(pieces[size_t(p)], scratch[worker]);
                               if (!followers.empty())
                                 runFollowers(pieces[size_t(p)], context.fault);
                             }
                           });
}

bool isNarrow(ElementType type) {
  return type == ElementType::BF16 || type == ElementType::F8E4M3FN ||
         type == ElementType::F8E5M2;
}

BoundTensor convertedFor(const BoundTensor &tensor, ElementType type, bool even,
                         OperandCopies &copies, PrepareContext &context) {
  static const uint64_t zero = 0;
  BoundTensor copy;
  copy.type = type;
  copy.constant = tensor.constant;
  copy.layout.sizes = tensor.layout.sizes;
  std::vector<int64_t> padded = tensor.layout.sizes;
  padded.back() += even ? padded.back() % 2 : 0;
  copy.layout.strides = recipe::denseStrides(padded);
  int64_t count = 1;
  for (int64_t size : padded)
    count *= size;
  const uint64_t bytes = uint64_t(count) * recipe::elementSize(type);
  std::vector<CopyStep> steps;
  if (tensor.constant) {
    copies.owned.push_back(allocateHost(bytes));
    context.hostBytes += bytes;
    copy.data = copies.owned.back().get();
  } else {
    copy.data = context.staging.take(bytes);
    if (!copy.data)
      throw std::bad_alloc();
  }
  if (padded.back() != tensor.layout.sizes.back())
    steps.push_back({StridedCopy({count}, {0}, {1}, type, type),
                     reinterpret_cast<const uint8_t *>(&zero), copy.data});
  steps.push_back({StridedCopy(tensor.layout.sizes, tensor.layout.strides,
                               copy.layout.strides, tensor.type, type),
                   tensor.data, copy.data});
  for (const CopyStep &step : steps)
    if (tensor.constant)
      step.copy.run(context.pool, step.src, step.dst);
    else
      copies.before.push_back(step);
  return copy;
}

} // namespace gaudi::runtime
