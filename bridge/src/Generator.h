// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generators of random numbers for "hpu": a seed and how many launches have
// drawn by it. The kernels draw words of Philox by a key that is a hash of
// both.
#ifndef GAUDI_BRIDGE_GENERATOR_H
#define GAUDI_BRIDGE_GENERATOR_H

#include <ATen/core/Generator.h>

namespace gaudi::bridge {

/// Of the card; -1: that of the calling thread.
const at::Generator &defaultGenerator(c10::DeviceIndex index);
at::Generator newGenerator(c10::DeviceIndex index);

/// A number that changes where the state of a generator of hpu is set or read.
uint64_t epochOf(const at::Generator &generator);
/// The key of the next launch that draws; none equals another's.
int64_t drawKey(const at::Generator &generator);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_GENERATOR_H
