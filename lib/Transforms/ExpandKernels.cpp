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
    replaceEmpty();
    SmallVector<KernelBodyOpInterface> ops;
    getOperation()->walk([&](KernelBodyOpInterface op) { ops.push_back(op); });
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

  /// What has no elements needs no engine: results without elements are empty
  /// constants, and a product over nothing is zero.
  void replaceEmpty() {
    SmallVector<EngineOpInterface> ops;
    getOperation()->walk([&](EngineOpInterface op) {
      if (!isa<ConstantOp>(op))
        ops.push_back(op);
    });
    for (EngineOpInterface op : ops) {
      bool isProduct = isa<GemmOp, ConvOp>(op) &&
                       llvm::any_of(op->getOperandTypes(), isEmpty);
      if (!isProduct && !llvm::all_of(op->getResultTypes(), isEmpty))
        continue;
      OpBuilder builder(op);
      for (Value result : op->getResults()) {
        auto type = cast<RankedTensorType>(result.getType());
        auto value = isEmpty(type)
                         ? DenseElementsAttr::getFromRawBuffer(type, {})
                         : cast<DenseElementsAttr>(builder.getZeroAttr(type));
        result.replaceAllUsesWith(
            ConstantOp::create(builder, op->getLoc(), value));
      }
      op->erase();
      ++numReplaced;
    }
  }

  static bool isEmpty(Type type) {
    return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
  }
};
} // namespace
} // namespace mlir::gaudi
