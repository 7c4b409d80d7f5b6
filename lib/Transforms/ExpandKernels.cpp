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
    getOperation()->walk(
        [&](KernelBodyOpInterface op) { ops.push_back(op); });
    bool failed = false;
    for (KernelBodyOpInterface op : ops) {
      OpBuilder builder(op);
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
};
} // namespace
} // namespace mlir::gaudi
