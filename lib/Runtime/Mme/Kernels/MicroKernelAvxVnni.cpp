// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 6 rows by 16 columns in 256-bit registers, four products of 8-bit integers
// per sum and step. For few columns 8 rows by 8.
#include "MicroKernelBody.h"
#include "RegisterVector.h"

namespace gaudi::runtime {
namespace {

/// Sums, or four integers each.
struct Vector : RegisterVector<Vector, uint32_t, 8> {
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = Value(_mm256_dpbusd_avx_epi32(__m256i(value), __m256i(a.value),
                                          __m256i(b.value)));
  }
};

constexpr MicroKernel half =
    tiles<Vector, 8, 1>("avxvnni", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Vector, 6, 2>("avxvnni", StepFormat::Int8, &half);

} // namespace

const MicroKernel *avxVnniInt8Kernel() {
  return __builtin_cpu_supports("avxvnni") && __builtin_cpu_supports("avx2")
             ? &kernel
             : nullptr;
}

} // namespace gaudi::runtime
