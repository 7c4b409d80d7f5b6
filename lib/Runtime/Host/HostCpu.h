// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code compiled for this host depends on, found without LLVM.
#ifndef GAUDI_LIB_RUNTIME_HOST_HOSTCPU_H
#define GAUDI_LIB_RUNTIME_HOST_HOSTCPU_H

#include <string>

namespace gaudi::runtime {

/// Bytes that differ between hosts for which compiled code may differ: the
/// processor's vendor, model and features, and the registers the system saves.
const std::string &hostCpuIdentity();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_HOSTCPU_H
