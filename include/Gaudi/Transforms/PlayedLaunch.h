// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch takes if nothing of its order changes any more.
#ifndef GAUDI_TRANSFORMS_PLAYEDLAUNCH_H
#define GAUDI_TRANSFORMS_PLAYEDLAUNCH_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <optional>

namespace gaudi {

struct PlayedLaunch {
  int64_t picoseconds = 0;
  uint64_t workspace = 0; // bytes
};

/// Compiles a function of a module in scheduled form to the end, which changes
/// it, and plays its commands on the engines. None: it has no recipe.
using LaunchPlayer =
    std::function<std::optional<PlayedLaunch>(func::FuncOp function)>;

/// gaudi-schedule-ops that compares orders by what `player` says of them.
std::unique_ptr<Pass> createScheduleOps(const ScheduleOpsOptions &options,
                                        LaunchPlayer player);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PLAYEDLAUNCH_H
