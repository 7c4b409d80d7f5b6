// Replaces vector-core ops by their TPC kernels.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_EXPANDKERNELS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct ExpandKernels : impl::ExpandKernelsBase<ExpandKernels> {
  void runOnOperation() override {
    SmallVector<KernelBodyOpInterface> ops;
    getOperation()->walk([&](KernelBodyOpInterface op) { ops.push_back(op); });
    bool failed = false;
    for (KernelBodyOpInterface op : ops) {
      OpBuilder builder(op);
      if (replaceEmpty(op, builder)) {
        ++numExpanded;
        continue;
      }
      FailureOr<Operation *> kernel = op.buildKernel(builder);
      if (mlir::failed(kernel)) {
        failed = true;
        continue;
      }
      op->replaceAllUsesWith(*kernel);
      op->erase();
      ++numExpanded;
    }
    if (failed)
      signalPassFailure();
  }

  /// A result without elements needs no kernel: it is an empty constant.
  static bool replaceEmpty(Operation *op, OpBuilder &builder) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!llvm::is_contained(type.getShape(), 0))
      return false;
    auto empty = DenseElementsAttr::getFromRawBuffer(type, {});
    op->replaceAllUsesWith(ConstantOp::create(builder, op->getLoc(), empty));
    op->erase();
    return true;
  }
};
} // namespace
} // namespace mlir::gaudi
