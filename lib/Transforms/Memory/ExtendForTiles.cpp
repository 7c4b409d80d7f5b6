// Lengthens lifetimes so that kernels can follow matrix ops tile by tile.
#include "BufferTable.h"
#include "InPlace.h"

#include "mlir/IR/Remarks.h"
#include <numeric>

namespace mlir::gaudi {
namespace {
constexpr StringLiteral category = "gaudi-assign-buffers";

class TileExtension {
public:
  explicit TileExtension(BufferTable &table) : table(table) {}

  void run() {
    std::vector<int64_t> live = liveBytes();
    const int64_t peak = *llvm::max_element(live);
    uint64_t step = 0;
    Operation *previous = nullptr; // the last op that becomes a command
    for (Operation &op : table.function.getBody().front()) {
      ++step;
      if (auto kernel = dyn_cast<KernelOp>(op); kernel && previous)
        extendOperands(previous, kernel, step, peak, live);
      bool isView =
          isa<ViewOpInterface>(op) &&
          llvm::all_of(op.getResults(), [&](Value result) {
            return table.roots[table.windows[result].root].value != result;
          });
      if (!isView && !isa<ConstantOp>(op))
        previous = &op;
    }
  }

private:
  /// Bytes of the workspace alive at each step: a prefix sum over the steps at
  /// which buffers begin and end.
  std::vector<int64_t> liveBytes() {
    const size_t steps =
        table.function.getBody().front().getOperations().size() + 2;
    std::vector<int64_t> live(steps, 0);
    for (const BufferRoot &root : table.roots)
      if (root.section == SectionKind::Workspace && !root.owner) {
        live[root.first] += root.size;
        live[root.last + 1] -= root.size;
      }
    std::partial_sum(live.begin(), live.end(), live.begin());
    return live;
  }

  /// Extends the operands of `matrix` to `kernel` at `step`, if that reads the
  /// product in order; `live` and `peak` are of the workspace, bytes.
  void extendOperands(Operation *matrix, KernelOp kernel, uint64_t step,
                      int64_t peak, std::vector<int64_t> &live) {
    auto engine = dyn_cast<EngineOpInterface>(matrix);
    if (!engine || engine.getEngine() != Engine::MME)
      return;
    const size_t product =
        table.ownerOf(table.windows[matrix->getResult(0)].root);
    bool follows = false;
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      const BufferWindow &window = table.windows[operand];
      if (table.ownerOf(window.root) != product)
        continue;
      if (window.byteOffset != 0 ||
          !readsInOrder(kernel, i, window.strides,
                        table.windows[kernel->getResult(0)].strides))
        return;
      follows = true;
    }
    if (!follows)
      return;
    SmallVector<BufferRoot *> extended; // lifetimes that would end too early
    for (Value operand : matrix->getOperands()) {
      BufferRoot &root =
          table.roots[table.ownerOf(table.windows[operand].root)];
      if (root.section == SectionKind::Workspace && root.last < step &&
          !llvm::is_contained(extended, &root))
        extended.push_back(&root);
    }
    if (extended.empty())
      return;
    // Only steps after the last use of each operand gain its bytes; compare the
    // peak over those steps. O(extended steps * operands).
    uint64_t begin = step;
    for (BufferRoot *root : extended)
      begin = std::min(begin, root->last + 1);
    auto from = live.begin() + begin;
    // `live` from `begin` to `step` if the lifetimes were extended.
    std::vector<int64_t> bytes(from, live.begin() + step + 1);
    for (BufferRoot *root : extended)
      for (uint64_t s = root->last + 1; s <= step; ++s)
        bytes[s - begin] += root->size;
    const bool fits = *llvm::max_element(bytes) <= peak;
    if (fits) {
      llvm::copy(bytes, from);
      for (BufferRoot *root : extended)
        root->last = step;
    }
    if (!explains(kernel.getContext()))
      return;
    auto name = remark::RemarkOpts::name("keep-operands").category(category);
    const std::string hidden =
        table.time.text(table.time.ofOverlap(matrix, kernel));
    StringRef what = matrix->getName().getStringRef();
    if (fits)
      remark::passed(kernel.getLoc(), name) << remark::add(
          "kept the operands of '{0}' alive until this kernel "
          "ends, so that it can work tile by tile, saving up to {1}",
          what, hidden);
    else
      remark::missed(kernel.getLoc(), name) << remark::reason(
          "not kept: operands of '{0}' may be overwritten by "
          "this kernel, which then waits for all of the "
          "product; keeping them would raise the peak, but save up to {1}",
          what, hidden);
  }

  BufferTable &table;
};
} // namespace

void extendForTiles(BufferTable &table) { TileExtension(table).run(); }
} // namespace mlir::gaudi
