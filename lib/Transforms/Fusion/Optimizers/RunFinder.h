// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass that looks for its pattern function by function.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_RUNFINDER_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_RUNFINDER_H

#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi::fusion {

/// Runs a Finder on each function of one block and records what they decided.
/// Returns how many patterns were fused; failure if the device is unknown.
template <typename Finder, typename... Options>
FailureOr<unsigned> runFinder(ModuleOp module, StringRef device,
                              Options... options) {
  const device::DeviceSpec *spec = deviceOf(module, device);
  if (!spec)
    return failure();
  const DeviceTime time(*spec);
  SmallVector<FusionRecord> records;
  unsigned fused = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    Finder finder(function, time, options...);
    finder.run();
    fused += finder.fused;
    llvm::append_range(records, finder.records);
  }
  if (!records.empty())
    record(module, records);
  return fused;
}

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_RUNFINDER_H
