// What a kernel costs on a device, and whether a merge pays.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_PROFIT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_PROFIT_H

#include "Gaudi/Device/DeviceSpec.h"
#include "KernelDag.h"

namespace mlir::gaudi::fusion {

struct KernelCost {
  double bytes = 0;        // read and written, each tensor once
  double instructions = 0; // per element, over the whole index space
  double seconds = 0;      // on the device
};

KernelCost costOf(const KernelDag &dag,
                  const ::gaudi::device::DeviceSpec &spec);

/// Seconds below which a kernel is all launch: the time to fetch its code.
double launchSeconds(const ::gaudi::device::DeviceSpec &spec);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_PROFIT_H
