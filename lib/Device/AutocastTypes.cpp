// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which settings of autocast a device can compute.
#include "Gaudi/Device/AutocastTypes.h"

namespace gaudi::device {

static Status check(const DeviceSpec &device, DType type,
                    std::string_view name) {
  if (device.tensorTypes.contains(type))
    return {};
  std::string others;
  for (const DeviceSpec &other : DeviceSpec::all())
    if (other.tensorTypes.contains(type))
      others += (others.empty() ? "" : " or ") + std::string(other.name);
  return fail("{} has no {}; choose device {}, or bf16", device.name, name,
              others);
}

Status checkAutocast(const AutocastSetting &setting, const DeviceSpec &device) {
  if (setting.type == "f16")
    GAUDI_TRY(check(device, DType::F16, "f16"));
  return setting.eightBits ? check(device, DType::F8E4M3FN, "8-bit floats")
                           : Status();
}

} // namespace gaudi::device
