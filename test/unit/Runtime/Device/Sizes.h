// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units of sizes in tests of a device.
#ifndef GAUDI_TEST_UNIT_RUNTIME_DEVICE_SIZES_H
#define GAUDI_TEST_UNIT_RUNTIME_DEVICE_SIZES_H

#include <cstdint>

namespace gaudi::runtime {

constexpr uint64_t MiB = uint64_t(1) << 20, GiB = uint64_t(1) << 30;

} // namespace gaudi::runtime

#endif // GAUDI_TEST_UNIT_RUNTIME_DEVICE_SIZES_H
