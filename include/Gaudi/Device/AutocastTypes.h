// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which settings of autocast a device can compute.
#ifndef GAUDI_DEVICE_AUTOCASTTYPES_H
#define GAUDI_DEVICE_AUTOCASTTYPES_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Support/Autocast.h"

namespace gaudi::device {

/// Refuses a setting whose floats the device does not have.
Status checkAutocast(const AutocastSetting &setting, const DeviceSpec &device);

} // namespace gaudi::device

#endif // GAUDI_DEVICE_AUTOCASTTYPES_H
