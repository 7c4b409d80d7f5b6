// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 16 f32 columns in 256-bit registers: 12 sums, two columns and one
// broadcast, 15 of 16. For few columns eight rows by eight: 8 sums hide the
// latency of two multiply-adds per cycle (4 to 5 cycles).
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

struct Vector {
  static constexpr int lanes = 8;
  __m256 value;

  static Vector zero() { return {_mm256_setzero_ps()}; }
  static Vector load(const float *from) { return {_mm256_loadu_ps(from)}; }
  static Vector load(const Bf16 *from) {
    const __m128i bits =
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
    return {_mm256_castsi256_ps(
        _mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16))};
  }
  static Vector load(const F16 *from) {
    return {_mm256_cvtph_ps(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)))};
  }
  /// One input of each group of channels, for all lanes of the group.
  template <int Group, int Input> static Vector loadInput(const float *from) {
    const __m256 all = _mm256_loadu_ps(from);
    return {__builtin_shufflevector(
        all, all, 0 / Group * Group + Input, 1 / Group * Group + Input,
        2 / Group * Group + Input, 3 / Group * Group + Input,
        4 / Group * Group + Input, 5 / Group * Group + Input,
        6 / Group * Group + Input, 7 / Group * Group + Input)};
  }
  static Vector broadcast(const uint8_t *from) {
    return {_mm256_broadcast_ss(reinterpret_cast<const float *>(from))};
  }
  void add(const Vector &other) { value = _mm256_add_ps(value, other.value); }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm256_fmadd_ps(a.value, b.value, value);
  }
  void fix() { asm volatile("" : "+x"(value)); }
  void store(float *to) const { _mm256_storeu_ps(to, value); }

  using Some = __m256i;
  static Some some(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Vector load(const float *from, Some some) {
    return {_mm256_maskload_ps(from, some)};
  }
  void store(float *to, Some some) const {
    _mm256_maskstore_ps(to, some, value);
  }
};

constexpr MicroKernel half = tiles<Vector, 8, 1>(
    "avx2", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 8, 1>);
constexpr MicroKernel kernel = tiles<Vector, 6, 2>(
    "avx2", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 6, 2>);

} // namespace

const MicroKernel *avx2Kernel() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                 __builtin_cpu_supports("f16c")
             ? &kernel
             : nullptr;
}

} // namespace gaudi::runtime
