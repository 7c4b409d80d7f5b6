// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 6 rows by 16 columns in 256-bit registers, four products of 8-bit integers
// per sum and step. For few columns 8 rows by 8.
#include "IntegerVector256.h"
#include "MicroKernelBody.h"

namespace gaudi::runtime {
namespace {

struct Vnni {
  static __m256i add(__m256i sums, __m256i a, __m256i b) {
    return _mm256_dpbusd_avx_epi32(sums, a, b);
  }
};
using Vector = IntegerVector<Vnni>;

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
