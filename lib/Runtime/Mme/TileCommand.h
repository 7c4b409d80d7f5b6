// Matrix commands on our own micro kernels: any row-major or strided operands
// where they lie, results rounded and stored straight from the cache.
//
// A command is cut into pieces: some blocks of rows times some panels of
// columns of one batch item. Their borders, and with them every order of
// summation, follow from the shape only; which thread runs a piece does not
// matter.
#ifndef GAUDI_LIB_RUNTIME_MME_TILECOMMAND_H
#define GAUDI_LIB_RUNTIME_MME_TILECOMMAND_H

#include "../Commands/Command.h"
#include "PanelStore.h"

#include <memory>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// A copy before or after the pieces.
struct CopyStep {
  StridedCopy copy;
  const uint8_t *src;
  uint8_t *dst;
};

/// Copies of operands, and the memory of those that are made once.
struct OperandCopies {
  std::vector<CopyStep> before; // each run
  std::vector<std::shared_ptr<uint8_t>> owned;
};

/// Rows that one call of a micro kernel computes.
struct RowBlock {
  int count;        // rows
  int64_t row;      // the first, in the order of TileCommand::resultRows
  int64_t pointers; // its first segment in TileCommand::pointers
  int64_t segments; // its first segment in TileCommand::depths
  int64_t groups;   // its entry in TileCommand::groupStarts
};

/// Steps of the reduction that run in one go, so that a panel of them stays in
/// the innermost cache: all taps of a group, or a part of the one tap in it.
struct DepthRange {
  int64_t group;
  int64_t first, steps;           // of each tap
  int64_t panelFirst, panelSteps; // of the whole panel
};

/// An independent product: a matrix of a batch, a group of a convolution.
struct BatchItem {
  int64_t a = 0, b = 0, c = 0; // bytes from the start of the operands
  int64_t packed = 0;          // its first panel among the packed ones
};

struct TilePiece {
  int64_t item;
  int64_t firstBlock, endBlock;
  int64_t firstPanel, endPanel;
};

class TileCommand final : public PreparedCommand {
public:
  explicit TileCommand(const MicroKernel &kernel) : kernel(kernel) {}

  void run(LaunchContext &context) override;
  std::string implementation() const override;
  uint64_t scratchBytes() const override;
  void bindScratch(const std::vector<uint8_t *> &perWorker) override;
  bool follow(const Follower &follower, int64_t leastParts) override;
  bool reads(size_t input, const BoundTensor &tensor) const override;

  /// Takes memory for packed panels, or asks the store for those of a constant;
  /// `context` is that of the preparation.
  void placePanels(bool constant, PrepareContext &context);

  const MicroKernel &kernel;
  OperandCopies copies; // what is owned is also what steps point into
  // The left side.
  std::vector<const uint8_t *> pointers;
  std::vector<int64_t> depths;      // per segment, in steps
  std::vector<int64_t> groupStarts; // per block: its segments by group, and end
  std::vector<RowBlock> blocks;
  std::vector<DepthRange> ranges;
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
  std::vector<TilePiece> pieces;
  /// Of scratch, for rows that are copied side by side; 0: they are not.
  uint64_t copyBytes = 0;
  std::string detail; // for reports

private:
  enum class Panels { InPiece, Each, Once, None };

  void pack(ThreadPool &pool);
  /// True if packing the right side would take longer than the product.
  bool staysThin() const;
  void runThinPiece(const TilePiece &piece) const;
  void runPiece(const TilePiece &piece, uint8_t *scratch);
  /// Calls `visit` with the first and one past the last of each run of
  /// neighbouring elements of the piece's result.
  template <typename Visit>
  void forEachRun(const TilePiece &piece, Visit visit) const;
  void runFollowers(const TilePiece &piece, Fault &fault) const;
  /// The rows of a block for one range, side by side in scratch memory.
  void copyRows(TileCall &call, const RowBlock &block, uint8_t *to) const;
  void store(const float *tile, int64_t tileStride, const RowBlock &block,
             int64_t panel, int64_t width, uint8_t *to) const;
  int64_t rowOffset(int64_t row) const {
    return resultRows.empty() ? row * cRowStride : resultRows[size_t(row)];
  }
  uint64_t tableBytes() const;
  /// Panels that see a block in turn, since they stay in the innermost cache.
  int64_t stripPanels(const DepthRange &range) const;
  /// Sums that are not stored straight wait for later ranges.
  bool keepsTile() const { return ranges.size() > 1; }

  Panels panels = Panels::InPiece;
  uint64_t panelScratch = 0; // of a piece that packs for itself
  const uint8_t *packed = nullptr;
  uint8_t *staged = nullptr; // `packed`, if every launch packs it
  std::shared_ptr<const SharedPanels> shared; // of a constant
  std::vector<uint8_t *> scratch;
  std::vector<Follower> followers;
};

/// Panels from which on a piece copies rows that meet in few sets of the
/// caches: 64 columns.
inline int64_t copyPanels(const PanelLayout &layout) {
  return layout.width < 64 ? 64 / layout.width : 1;
}

/// To whole cache lines.
inline uint64_t rounded(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Cuts rows into blocks for the kernel, as even as can be.
std::vector<int64_t> cutRows(int64_t rows, int64_t most);

/// Fills command.pieces. Pieces that pack a right side which is not `constant`
/// have all rows where they can.
void cutPieces(TileCommand &command, bool constant);

/// Splits one tap of `steps` steps, or `taps` short ones into groups; returns
/// the number of taps per group. Nothing is split if `once`: a panel that is
/// used once need not stay anywhere.
int64_t cutDepth(const MicroKernel &kernel, int64_t taps, int64_t steps,
                 bool once, std::vector<DepthRange> &ranges);

/// True if bf16 holds every value of the type.
bool isNarrow(recipe::ElementType type);

/// What rows of the left side must be made of for the kernel.
inline recipe::ElementType rowType(const MicroKernel &kernel) {
  return kernel.pairs ? recipe::ElementType::BF16 : recipe::ElementType::F32;
}

/// A row-major copy in another float type, made now if the tensor is constant,
/// else before each run. The rows are dense except that each is filled up with
/// a zero if `even` and its size is not.
BoundTensor convertedFor(const BoundTensor &tensor, recipe::ElementType type,
                         bool even, OperandCopies &copies,
                         PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_TILECOMMAND_H
