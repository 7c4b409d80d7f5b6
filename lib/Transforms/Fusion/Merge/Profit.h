// What a kernel costs on a device, and whether a merge pays.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H

#include "Gaudi/Device/DeviceSpec.h"
#include "KernelDag.h"

namespace mlir::gaudi::fusion {

struct KernelCost {
  double bytes = 0;        // read and written, each tensor once
  double instructions = 0; // per element, over the whole index space
  double seconds = 0;      // on the device
  double points = 0;       // parallel

  void operator+=(const KernelCost &other) {
    bytes += other.bytes;
    instructions += other.instructions;
    seconds += other.seconds;
  }
};

KernelCost costOf(const KernelDag &dag,
                  const ::gaudi::device::DeviceSpec &spec);

/// Least seconds a kernel takes: its code fills the instruction caches.
double launchSeconds(const ::gaudi::device::DeviceSpec &spec);
/// Instructions (per element) that a launch can hide.
double freeInstructions(const ::gaudi::device::DeviceSpec &spec);
/// Instructions (per element) in the time a byte takes.
double instructionsPerByte(const ::gaudi::device::DeviceSpec &spec);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H
