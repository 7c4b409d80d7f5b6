// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the ops: matrix ops next to the kernels that read them, updates of
// state after the readers of the old value, and all of them for a low peak of
// the workspace.
#include "Memory/ScheduleGraph.h"

#include "Gaudi/Transforms/DeviceModel.h"

namespace gaudi {
#define GEN_PASS_DEF_SCHEDULEOPS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct ScheduleOps : impl::ScheduleOpsBase<ScheduleOps> {
  using ScheduleOpsBase::ScheduleOpsBase;
  ScheduleOps(const ScheduleOpsOptions &options, LaunchPlayer player)
      : ScheduleOpsBase(options), player(std::move(player)) {}

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation());
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
      if (memoryOrder &&
          failed(orderForMemory(function, *spec, memoryBudget, player)))
        signalPassFailure();
    }
  }

  LaunchPlayer player; // null: times are estimated
};
} // namespace

std::unique_ptr<Pass> createScheduleOps(const ScheduleOpsOptions &options,
                                        LaunchPlayer player) {
  return std::make_unique<ScheduleOps>(options, std::move(player));
}
} // namespace gaudi
