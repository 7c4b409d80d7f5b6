// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NEON's kernels of 8-bit integers have in common: SDOT on rows that are
// signed. Included like MicroKernelBody.h, after it.
#include "RegisterVector.h"

#include <arm_neon.h>

namespace gaudi::runtime {
namespace {

/// Sums, or the bits of four integers each.
struct SignedVector : RegisterVector<SignedVector, uint32_t, 4> {
  void multiplyAdd(const SignedVector &a, const SignedVector &b) {
    value = Value(
        vdotq_s32(int32x4_t(value), int8x16_t(a.value), int8x16_t(b.value)));
  }
};

template <int Rows, int Vectors>
constexpr SignedRowFunctions signedRowsOf = {
    Functions<SignedVector, float, Rows, Vectors>::all, 0};

/// `Vector` multiplies unsigned rows.
template <typename Vector, int Rows, int Vectors>
constexpr MicroKernel integerTiles(const char *name, const MicroKernel *half) {
  MicroKernel kernel =
      tiles<Vector, Rows, Vectors>(name, StepFormat::Int8, half);
  kernel.signedRows = &signedRowsOf<Rows, Vectors>;
  return kernel;
}

} // namespace
} // namespace gaudi::runtime
