// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengthens lifetimes so that the two engines need not wait for each other:
// kernels follow matrix ops tile by tile, and matrix ops go on while kernels
// read what they made before.
#include "BufferTable.h"
#include "InPlace.h"

#include "mlir/IR/Remarks.h"
#include <numeric>

namespace gaudi {
namespace {
constexpr StringLiteral extendForTilesCategory = "gaudi-assign-buffers";

class TileExtension {
public:
  TileExtension(BufferTable &table, bool isTrial)
      : table(table), isTrial(isTrial) {}

  void run() {
    // Lengthened lifetimes may fill what is free below the peak, no more.
    std::vector<int64_t> live = liveBytes();
    const int64_t peak = *llvm::max_element(live);
    // Steps count from 1.
    ops.push_back(nullptr);
    for (Operation &op : table.function.getBody().front())
      ops.push_back(&op);
    Operation *previous = nullptr; // the last op that becomes a command
    SmallVector<Product, maxProducts> products;
    for (uint64_t step = 1; step < ops.size(); ++step) {
      Operation &op = *ops[step];
      if (auto kernel = dyn_cast<KernelOp>(op); kernel && previous)
        extendOperands(previous, kernel, step, peak, live);
      if (isOnMatrixEngine(&op)) {
        // Products that cannot be extended to this op end; of the others the
        // oldest is dropped when there are too many.
        llvm::erase_if(products, [&](const Product &product) {
          return !extendProduct(product, &op, step, peak, live);
        });
        if (products.size() == maxProducts)
          products.erase(products.begin());
        addProduct(op, products);
      }
      // A view is no command: what comes before it is what the engine did last.
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

  static bool isOnMatrixEngine(Operation *op) {
    auto engine = dyn_cast<EngineOpInterface>(op);
    return engine && engine.getEngine() == Engine::MME;
  }

  /// What a matrix op made, and the kernel that reads it last.
  struct Product {
    size_t root;
    KernelOp kernel;
  };
  /// As a kernel is done only when its message arrives, several short products
  /// may be made before that.
  static constexpr unsigned maxProducts = 3;

  void addProduct(Operation &matrix, SmallVectorImpl<Product> &products) {
    if (matrix.getNumResults() == 0)
      return;
    const size_t number =
        table.ownerOf(table.windows[matrix.getResult(0)].root);
    const BufferRoot &root = table.roots[number];
    if (root.section != SectionKind::Workspace)
      return;
    if (auto kernel = dyn_cast<KernelOp>(ops[root.last]))
      products.push_back({number, kernel});
  }

  /// Extends the product to `next`, an op of the matrix engine at `step`, which
  /// would have to wait for the kernel if it wrote over the product. False if
  /// ops after it need no answer any more. Each step is passed by at most
  /// `maxProducts` of them: linear in all.
  bool extendProduct(Product product, Operation *next, uint64_t step,
                     int64_t peak, std::vector<int64_t> &live) {
    BufferRoot &root = table.roots[product.root];
    KernelOp kernel = product.kernel;
    if (root.last >= step)
      return true;
    if (llvm::any_of(next->getOperands(), [&](Value operand) {
          return table.roots[table.windows[operand].root]
                     .value.getDefiningOp() == kernel;
        }))
      return false; // it waits for the kernel in any case
    const auto from = live.begin() + root.last + 1;
    const auto to = live.begin() + step + 1;
    const bool fits = *std::max_element(from, to) + root.size <= peak;
    if (fits) {
      std::for_each(from, to, [&](int64_t &bytes) { bytes += root.size; });
      root.last = step;
    }
    if (!isTrial && explains(next))
      reportProduct(kernel, next, fits);
    return fits;
  }

  void reportProduct(KernelOp kernel, Operation *next, bool fits) {
    auto name = remark::RemarkOpts::name("keep-product")
                    .category(extendForTilesCategory);
    const std::string hidden =
        table.time.text(table.time.ofOverlap(next, kernel));
    StringRef what = next->getName().getStringRef();
    if (fits)
      remark::passed(kernel.getLoc(), name) << remark::add(
          "kept the product that this kernel reads alive until the next '{0}' "
          "ends, which does not wait for the kernel then, saving up to {1}",
          what, hidden);
    else
      remark::missed(kernel.getLoc(), name)
          << remark::reason("not kept: the product that this kernel reads may "
                            "be overwritten by "
                            "the next '{0}', which then waits for the kernel; "
                            "keeping it would "
                            "raise the peak, but save up to {1}",
                            what, hidden)
          << lost(table.time.ofOverlap(next, kernel));
  }

  /// Extends the operands of `matrix` to `kernel` at `step`, if that reads the
  /// product in order; `live` and `peak` are of the workspace, bytes.
  void extendOperands(Operation *matrix, KernelOp kernel, uint64_t step,
                      int64_t peak, std::vector<int64_t> &live) {
    if (!isOnMatrixEngine(matrix))
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
    if (isTrial || !explains(kernel))
      return;
    auto name = remark::RemarkOpts::name("keep-operands")
                    .category(extendForTilesCategory);
    const std::string hidden =
        table.time.text(table.time.ofOverlap(matrix, kernel));
    StringRef what = matrix->getName().getStringRef();
    if (fits)
      remark::passed(kernel.getLoc(), name) << remark::add(
          "kept the operands of '{0}' alive until this kernel "
          "ends, so that it can work tile by tile, saving up to {1}",
          what, hidden);
    else
      remark::missed(kernel.getLoc(), name)
          << remark::reason("not kept: operands of '{0}' may be overwritten by "
                            "this kernel, which then waits for all of the "
                            "product; keeping them would raise the peak, but "
                            "save up to {1}",
                            what, hidden)
          << lost(table.time.ofOverlap(matrix, kernel));
  }

  BufferTable &table;
  const bool isTrial;
  SmallVector<Operation *> ops; // by step
};
} // namespace

void extendForTiles(BufferTable &table, bool isTrial) {
  TileExtension(table, isTrial).run();
}
} // namespace gaudi
