// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix commands on micro kernels: operands are read where they are, whatever
// their strides, and results are rounded and stored straight from the cache.
//
// A command is cut into tiles: some blocks of rows times some panels of columns
// of one batch item. Tile boundaries, and with them every order of summation,
// follow from the shapes alone; which thread runs a tile does not matter.
//
// The levels, from the outside in, with the names of BLIS where it has them:
//   tile    a macro-tile, one task of a thread; its rows fit L2
//   range   of the reduction (kc): a panel's share of it fits L2
//   strip   a panel, or several that together fit L1, which all blocks pass
//   block   rows of one call of the micro kernel (mr)
//   panel   packed columns (nr)
//   step    four bytes of a row: one f32 or two bf16
#ifndef GAUDI_LIB_RUNTIME_MME_TILES_TILECOMMAND_H
#define GAUDI_LIB_RUNTIME_MME_TILES_TILECOMMAND_H

#include "../Packing/OperandCopies.h"
#include "../Packing/PanelStore.h"
#include "Followers.h"
#include "IntegerTerms.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// Outputs of a convolution's line from which on blocks end with the line: the
/// first and last lines then leave out taps, and on matrix tiles rows are even.
constexpr int64_t longLine = 10;

inline int64_t ceilDiv(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit;
}

/// To whole cache lines.
inline uint64_t rounded(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Rows that one call of a micro kernel computes.
struct RowBlock {
  int count;        // rows
  int64_t row;      // the first, in the order of TileProduct::resultRows
  int64_t pointers; // its first segment in TileProduct::pointers
  int64_t segments; // its first segment in TileProduct::depths
  int64_t groups;   // its entry in TileProduct::groupStarts
  /// Some rows read zeros for a tap that others have: it is in the padding.
  bool padded = false;
};

/// Steps of the reduction that run in one go, so that a panel's share of them
/// stays in L2: all taps of a group, or a part of the one tap in it.
struct DepthRange {
  int64_t group;
  int64_t first, steps;           // of each tap in a row
  int64_t panelFirst, panelSteps; // of the whole panel
};

/// An independent product: a matrix of a batch, a group of a convolution.
struct BatchItem {
  int64_t a = 0, b = 0, c = 0; // bytes from the start of the operands
  int64_t packed = 0;          // its first panel among the packed ones
};

/// One task: blocks [firstBlock, endBlock) times panels [firstPanel, endPanel).
struct Tile {
  int64_t item;
  int64_t firstBlock, endBlock;
  int64_t firstPanel, endPanel;

  int64_t blocks() const { return endBlock - firstBlock; }
  int64_t panels() const { return endPanel - firstPanel; }
};

/// Values [begin, end) of a tap's run of values.
struct ValueRange {
  int64_t begin, end;
};

/// What a command multiplies: rows of operands where they are, panels to be
/// packed, and where the sums go.
struct TileProduct {
  explicit TileProduct(const MicroKernel &kernel) : kernel(kernel) {}

  /// Replaces resultRows by cRowStride if the rows are evenly spaced.
  void compactResultRows();
  int64_t rowOffset(int64_t row) const {
    return resultRows.empty() ? row * cRowStride : resultRows[size_t(row)];
  }
  const BlockFunction *functions() const {
    return small        ? kernel.small
           : signedRows ? signedRows->blocks
                        : kernel.functions;
  }

  const MicroKernel &kernel;
  OperandCopies copies;
  // The left side.
  std::vector<const uint8_t *> pointers; // per segment and row of a block
  std::vector<int64_t> depths;           // per segment, in steps
  std::vector<int64_t> groupStarts; // per block: its segments by group, and end
  std::vector<RowBlock> blocks;
  /// Set by what makes copies that overlap from row to row, in the same task or
  /// just before, and for few rows: they are in a cache, and need no prefetch.
  bool rowsAreNear = false;
  std::vector<DepthRange> ranges;
  /// The pointer of a row to a tap in the padding; as many zeros as a tap has.
  const uint8_t *zeros = nullptr;
  /// Per row: what part of each tap is not padding. Empty: all of it.
  std::vector<ValueRange> inside;
  // The right side.
  PanelSource source;
  PanelLayout layout;
  std::vector<int64_t> packedItems; // bytes from source.data, per packed item
  // The result.
  uint8_t *c = nullptr;
  recipe::ElementType cType = recipe::ElementType::F32;
  int64_t columns = 0, cColumnStride = 1;
  int64_t cRowStride = 0;          // if resultRows is empty
  std::vector<int64_t> resultRows; // elements from c, per row
  std::vector<BatchItem> items;
  /// Those of the kernel, if rows are signed integers.
  const SignedRowFunctions *signedRows = nullptr;
  bool small = false; // all panels are for the kernel's `small` functions
  /// Of a product of 8-bit integers: what its sums start with.
  std::unique_ptr<IntegerTerms> integers;
  std::string detail; // for reports
};

/// How a product is cut into tiles, and where what they need is in memory.
struct TilePlan : TileProduct {
  enum class Panels { InTile, EachRun, Once, None };

  explicit TilePlan(TileProduct product) : TileProduct(std::move(product)) {}

  /// The first row of a tile that has blocks.
  int64_t firstRowOf(const Tile &tile) const {
    return blocks[size_t(tile.firstBlock)].row;
  }
  /// Rows of the result in a tile.
  int64_t rowsOf(const Tile &tile) const {
    if (tile.blocks() == 0)
      return 0;
    const RowBlock &last = blocks[size_t(tile.endBlock - 1)];
    return last.row + last.count - firstRowOf(tile);
  }
  /// Segments of a block in all ranges.
  int64_t segmentsOf(const RowBlock &block) const {
    return groupStarts[size_t(block.groups + ranges.back().group + 1)];
  }
  /// Panels of a strip: what fits L1 with all steps of the range.
  int64_t stripPanels(const DepthRange &range) const;
  /// Sums of integers are for the rest of their kernel alone: where that runs
  /// on the tiles, they never leave the scratch memory.
  bool sumsStay() const { return integers && !followers.empty(); }
  /// With several ranges, sums that do not go straight to the result wait in
  /// scratch for the next range.
  bool keepsSums() const { return ranges.size() > 1 || sumsStay(); }
  /// The order of the loops: all ranges of a strip, so that only its sums wait,
  /// or all strips of a range.
  bool runsStripByStrip() const { return rowsFit && !sumsStay(); }
  /// Panels of a strip in any range.
  int64_t narrowestStrip() const;
  /// Panels of a tile whose sums wait at a time.
  int64_t waitingPanels(const Tile &tile) const {
    return runsStripByStrip() ? std::min(narrowestStrip(), tile.panels())
                              : tile.panels();
  }
  /// Bytes of a panel's share of a range where the kernel takes steps.
  int64_t widePitch(const DepthRange &range) const {
    return int64_t(rounded(uint64_t(range.panelSteps * layout.width) * 4));
  }
  /// Panels of 16-bit floats that several blocks use become steps once.
  bool widensStrips(const Tile &tile) const {
    return layout.value != PanelValue::Step && tile.blocks() > 1;
  }
  /// Where the sums are in the scratch memory of a worker.
  uint64_t sumsAt() const {
    return panelScratch + rowCopyBytes + termScratch + widenScratch;
  }

  std::vector<Tile> tiles;
  /// The rows of a tile fit L2 with all ranges.
  bool rowsFit = false;
  Panels panels = Panels::InTile;
  uint64_t panelScratch = 0; // of a tile that packs for itself
  /// Of rows that a tile packs contiguously; 0: none are.
  uint64_t rowCopyBytes = 0;
  uint64_t termScratch = 0;  // of a tile with `integers`
  uint64_t widenScratch = 0; // of a tile that widens panels of a strip
  const uint8_t *packed = nullptr;
  uint8_t *staged = nullptr; // `packed`, if every launch packs it
  /// Of rows that every launch packs before the tiles: where those of the first
  /// item are, in the order of `pointers`, and bytes from item to item.
  std::vector<uint8_t *> packedPointers;
  int64_t packedItemBytes = 0;
  Followers followers;
};

class TileCommand final : public PreparedCommand, private TilePlan {
public:
  /// Cuts the product into tiles, and takes memory for packed panels or asks
  /// the store for those of a constant right side. Throws bad_alloc.
  TileCommand(TileProduct product, bool constant, PrepareContext &context);

  void run(LaunchContext &context) override;
  std::string implementation() const override;
  uint64_t scratchBytes() const override;
  void bindScratch(uint8_t *const *perWorker) override;
  void visitAddresses(AddressVisitor &visitor) override;
  bool follow(const Follower &follower, int64_t leastParts) override;
  bool reads(size_t input, const BoundTensor &tensor) const override;
  /// Adds to what reports say.
  void addDetail(std::string_view more) { detail += more; }

private:
  void placePanels(bool constant, PrepareContext &context);
  void placeRows(PrepareContext &context);
  /// True if matrix tiles would gather most rows more than twice.
  bool gathersOften() const;
  /// Bytes of a tap in all ranges.
  int64_t tapBytes() const {
    return (ranges.back().first + ranges.back().steps) * 4;
  }
  void placeWidened();
  void pack(ThreadPool &pool);
  void packRows(ThreadPool &pool);
  /// True if packing the right side would take longer than the product.
  bool staysThin() const;
  void runThinTile(const Tile &tile) const;
  /// Calls `visit(begin, end, row)` for each run of contiguous elements of the
  /// tile's result, which starts with `row`. Runs of sums in scratch also end
  /// where those have a gap.
  template <typename Visit>
  void forEachRun(const Tile &tile, bool fromScratch, Visit visit) const;
  void runFollowers(const Tile &tile, const uint8_t *own, Fault &fault) const;
  uint64_t tableBytes() const;

  std::shared_ptr<const SharedPanels> shared; // of a constant
  uint8_t *const *scratch = nullptr;
};

/// Runs one tile on the scratch memory of a worker.
void runTile(const TilePlan &plan, const Tile &tile, uint8_t *scratch);

/// Panels from which on a tile packs rows that conflict in the caches: those of
/// 64 columns.
inline int64_t rowCopyPanels(const PanelLayout &layout) {
  return layout.width < 64 ? 64 / layout.width : 1;
}

/// Cuts rows into blocks of the kernel, as even as can be.
std::vector<int64_t> cutRows(int64_t rows, const MicroKernel &kernel);

/// Fills plan.tiles and rowCopyBytes. Tiles that pack a right side which is not
/// `constant` have all rows where they can.
void cutTiles(TilePlan &plan, bool constant);

/// Cuts one tap of the layout's steps into ranges, or `taps` short ones into
/// groups; returns the number of taps per group. One range if `once`: a panel
/// that is used once need not stay in a cache.
int64_t cutDepth(const MicroKernel &kernel, const PanelLayout &layout,
                 int64_t taps, bool once, std::vector<DepthRange> &ranges);

/// The type of the left side's rows for a kernel of floats.
inline recipe::ElementType rowType(const MicroKernel &kernel) {
  return kernel.format == StepFormat::Bf16 ? recipe::ElementType::BF16
                                           : recipe::ElementType::F32;
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_TILES_TILECOMMAND_H
