// Where matrix commands are cut: by their shape alone.
#include "TileCommand.h"

#include <algorithm>

namespace gaudi::runtime {
namespace {

/// Bytes of a panel that stay in the innermost cache, with the rows beside it.
constexpr int64_t cachedBytes = 28 << 10;
/// Rows of a piece, and bytes of them in one range, that stay in the second
/// cache.
constexpr int64_t pieceRows = 192, pieceRowBytes = 256 << 10;
/// Bytes of addresses that go through all sets of the second cache.
constexpr int64_t wayBytes = 64 << 10;
/// The innermost cache, and bytes of addresses that go through all its sets.
constexpr int64_t innerBytes = 32 << 10, innerWayBytes = 4 << 10;
/// Multiply-adds of a piece: enough to be worth a thread, few enough that
/// threads get as many.
constexpr double leastWork = 1e6, mostWork = 4.8e7;
/// The last pieces are cut once more, so that threads end together.
constexpr int64_t lastPieces = 4, lastCuts = 3;

} // namespace

std::vector<int64_t> cutRows(int64_t rows, int64_t most) {
  const int64_t blocks = (rows + most - 1) / most;
  std::vector<int64_t> sizes;
  for (int64_t b = 0; b < blocks; ++b)
    sizes.push_back(rows * (b + 1) / blocks - rows * b / blocks);
  return sizes;
}

int64_t cutDepth(const MicroKernel &kernel, int64_t taps, int64_t steps,
                 bool once, std::vector<DepthRange> &ranges) {
  const int64_t cachedSteps =
      once ? std::max<int64_t>(steps, 1) : cachedBytes / (kernel.columns * 4);
  const int64_t perGroup =
      std::clamp<int64_t>(cachedSteps / std::max<int64_t>(steps, 1), 1, taps);
  const int64_t groups = (taps + perGroup - 1) / perGroup;
  const int64_t even = (taps + groups - 1) / groups;
  const int64_t parts =
      std::max<int64_t>((steps + cachedSteps - 1) / cachedSteps, 1);
  for (int64_t g = 0; g * even < taps; ++g)
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t first = steps * part / parts;
      const int64_t count = steps * (part + 1) / parts - first;
      ranges.push_back({g, first, count, g * even * steps + first,
                        std::min(even, taps - g * even) * count});
    }
  return even;
}

namespace {

/// True if rows would push each other out of a cache: they start at distances
/// that are multiples of a large power of two and meet in few sets, those of a
/// block in the innermost cache or those of a piece in the second.
bool crowded(const TileCommand &command) {
  if (command.source.taps.size() != 1 || command.blocks.size() < 2 ||
      command.pointers.size() < 2)
    return false;
  const int64_t pitch = command.pointers[1] - command.pointers[0];
  const int64_t apart = std::min(pitch & -pitch, wayBytes);
  int64_t most = 0;
  for (const TilePiece &piece : command.pieces) {
    const RowBlock &last = command.blocks[size_t(piece.endBlock - 1)];
    most = std::max(most, last.row + last.count -
                              command.blocks[size_t(piece.firstBlock)].row);
  }
  return command.blocks[0].count * std::min(apart, innerWayBytes) >
             innerBytes ||
         most * apart > pieceRowBytes;
}

/// Cuts a piece in `parts`, by columns if `least` panels are left to each, else
/// by rows if they need not pack the right side.
void split(const TilePiece &piece, bool constant, int64_t least, int64_t parts,
           std::vector<TilePiece> &pieces) {
  const int64_t panels = piece.endPanel - piece.firstPanel;
  const int64_t blocks = piece.endBlock - piece.firstBlock;
  const bool columns = panels >= 2 * least;
  parts = std::min(parts, columns ? panels / least : constant ? blocks : 1);
  for (int64_t i = 0; i < parts; ++i) {
    TilePiece part = piece;
    if (columns) {
      part.firstPanel = piece.firstPanel + panels * i / parts;
      part.endPanel = piece.firstPanel + panels * (i + 1) / parts;
    } else {
      part.firstBlock = piece.firstBlock + blocks * i / parts;
      part.endBlock = piece.firstBlock + blocks * (i + 1) / parts;
    }
    pieces.push_back(part);
  }
}

} // namespace

void cutPieces(TileCommand &command, bool constant) {
  const int64_t blocks = int64_t(command.blocks.size());
  const int64_t panels = command.layout.panels;
  int64_t rows = 0, steps = 0, mostSteps = 1;
  for (const RowBlock &block : command.blocks)
    rows += block.count;
  for (const DepthRange &range : command.ranges) {
    steps += range.panelSteps;
    mostSteps = std::max(mostSteps, range.steps);
  }
  // Whole rows of blocks first: they share the left side.
  const int64_t most = std::clamp<int64_t>(pieceRowBytes / (mostSteps * 4),
                                           command.kernel.rows, pieceRows);
  int64_t rowCuts = std::max<int64_t>((rows + most - 1) / most, 1);
  if (rowCuts > 4) // threads get as many
    rowCuts = (rowCuts + 7) / 8 * 8;
  rowCuts = std::min(rowCuts, std::max<int64_t>(blocks, 1));
  const double perPanel = double(rows) / double(rowCuts) * double(steps) *
                          double(command.layout.width);
  // Columns: at least eight pieces for a command if they are worth it.
  const int64_t items = int64_t(command.items.size());
  const int64_t others = rowCuts * items;
  int64_t columnCuts = std::max<int64_t>(
      int64_t(perPanel * double(panels) / mostWork), (8 + others - 1) / others);
  columnCuts = std::min(
      {columnCuts, panels,
       std::max<int64_t>(1, int64_t(perPanel * double(panels) / leastWork))});
  columnCuts = std::max<int64_t>(columnCuts, 1);
  // Pieces that follow each other share the larger side.
  const bool byColumns = panels * command.layout.width > rows;
  std::vector<TilePiece> pieces;
  for (int64_t item = 0; item < items; ++item)
    for (int64_t i = 0; i < rowCuts * columnCuts; ++i) {
      const int64_t r = byColumns ? i % rowCuts : i / columnCuts;
      const int64_t n = byColumns ? i / rowCuts : i % columnCuts;
      pieces.push_back({item, blocks * r / rowCuts, blocks * (r + 1) / rowCuts,
                        panels * n / columnCuts,
                        panels * (n + 1) / columnCuts});
    }
  const double each = perPanel * double(panels) / double(columnCuts);
  int64_t cuts = std::min<int64_t>(lastCuts, int64_t(each / (leastWork / 4)));
  // Whole rows of a product that is not packed once stay whole: what follows
  // is a softmax as a rule, which can then run on them.
  if (!constant && columnCuts == 1)
    cuts = 1;
  const int64_t firstLast = int64_t(pieces.size()) - lastPieces;
  for (int64_t i = 0; i < int64_t(pieces.size()); ++i)
    if (i < firstLast || cuts < 2 || pieces.size() == 1)
      command.pieces.push_back(pieces[size_t(i)]);
    else
      split(pieces[size_t(i)], constant, copyPanels(command.layout), cuts,
            command.pieces);

  if (!crowded(command))
    return;
  for (const TilePiece &piece : command.pieces) {
    if (piece.endPanel - piece.firstPanel < copyPanels(command.layout))
      continue;
    int64_t count = 0;
    for (int64_t b = piece.firstBlock; b < piece.endBlock; ++b)
      count += command.blocks[size_t(b)].count;
    command.copyBytes =
        std::max(command.copyBytes, rounded(uint64_t(count * mostSteps * 4)));
  }
  if (command.copyBytes)
    command.detail += ", rows copied";
}

int64_t TileCommand::stripPanels(const DepthRange &range) const {
  const int64_t bytes = range.panelSteps * layout.width * 4;
  return std::max<int64_t>(1, cachedBytes / std::max<int64_t>(bytes, 1));
}

} // namespace gaudi::runtime
