// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 16 columns in 128-bit registers, two bf16 products per sum and
// step (BFDOT). For few columns eight rows by eight.
#include "HostFeatures.h"

#include "AttentionKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"

#include <arm_neon.h>

namespace gaudi::runtime {
namespace {

/// Sums, or the bits of four pairs.
struct Vector : RegisterVector<Vector, float, 4> {
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = Value(vbfdotq_f32(float32x4_t(value), (bfloat16x8_t)a.value,
                              (bfloat16x8_t)b.value));
  }
};

constexpr MicroKernel half =
    tiles<Vector, 8, 2>("neonbf16", StepFormat::Bf16, nullptr, nullptr, nullptr,
                        &attentionFunctions);
constexpr MicroKernel kernel = tiles<Vector, 6, 4>(
    "neonbf16", StepFormat::Bf16, &half, nullptr, nullptr, &attentionFunctions);

} // namespace

const MicroKernel *neonBf16Kernel() {
  return hostFeatures().has(HasNeonBf16) ? &kernel : nullptr;
}

} // namespace gaudi::runtime
