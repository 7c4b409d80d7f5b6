// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight rows by eight columns in 128-bit registers, four products of 8-bit
// integers per sum and step. SDOT takes signed rows. An unsigned value x is
// (x - 128) + 128: the second part is the same for all rows, two products more
// per step and column and an addition per sum. So 16 sums, two columns, two of
// these parts, a row and two constants, 23 of 32. For few columns eight rows by
// four.
#include "HostFeatures.h"

#include "MicroKernelBody.h"
#include "NeonIntegers.h"

namespace gaudi::runtime {
namespace {

/// Of unsigned rows.
struct Vector : RegisterVector<Vector, uint32_t, 4> {
  void multiplyAdd(const Vector &a, const Vector &b) {
    const int8x16_t right = int8x16_t(b.value), sixtyFour = vdupq_n_s8(64);
    // Compilers compute it once for all rows.
    const int32x4_t rest =
        vdotq_s32(vdotq_s32(int32x4_t{}, sixtyFour, right), sixtyFour, right);
    value = Value(vdotq_s32(int32x4_t(value) + rest,
                            int8x16_t(a.value ^ 0x80808080u), right));
  }
};

constexpr MicroKernel half = integerTiles<Vector, 8, 1>("neondot", nullptr);
constexpr MicroKernel kernel = integerTiles<Vector, 8, 2>("neondot", &half);

} // namespace

const MicroKernel *neonDotInt8Kernel() {
  return hostFeatures().has(HasNeonDot) ? &kernel : nullptr;
}

} // namespace gaudi::runtime
