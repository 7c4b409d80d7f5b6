// Orders the ops: matrix ops next to the kernels that read them, updates of
// state after the readers of the old value, and all of them for a low peak of
// the workspace.
#include "Memory/ScheduleGraph.h"

#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_SCHEDULEOPS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct ScheduleOps : impl::ScheduleOpsBase<ScheduleOps> {
  using ScheduleOpsBase::ScheduleOpsBase;

  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (Block &block : function.getBody())
        moveToReaders(block, *spec);
      if (!function.getBody().hasOneBlock())
        continue;
      moveUpdates(function, *spec);
      if (memoryOrder && failed(orderForMemory(function, *spec, memoryBudget)))
        signalPassFailure();
    }
  }
};
} // namespace
} // namespace mlir::gaudi
