// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 16 columns in 128-bit registers, four products of 8-bit integers
// per sum and step: USDOT, and SDOT for signed rows. For few columns eight rows
// by eight.
#include "HostFeatures.h"

#include "MicroKernelBody.h"
#include "NeonIntegers.h"

namespace gaudi::runtime {
namespace {

/// Of unsigned rows.
struct Vector : RegisterVector<Vector, uint32_t, 4> {
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = Value(
        vusdotq_s32(int32x4_t(value), uint8x16_t(a.value), int8x16_t(b.value)));
  }
};

constexpr MicroKernel half = integerTiles<Vector, 8, 2>("neoni8mm", nullptr);
constexpr MicroKernel kernel = integerTiles<Vector, 6, 4>("neoni8mm", &half);

} // namespace

const MicroKernel *neonI8mmInt8Kernel() {
  return hostFeatures().has(HasNeonI8mm) ? &kernel : nullptr;
}

} // namespace gaudi::runtime
