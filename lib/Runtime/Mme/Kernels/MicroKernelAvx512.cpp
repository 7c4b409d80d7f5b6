// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 14 rows by 32 f32 columns in 512-bit registers: 28 sums, two columns and one
// broadcast, 31 of 32. For few columns 12 rows by 16: the row addresses of more
// would not stay in the 16 general registers, and loading them would take
// longer than multiplying.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

struct Vector {
  static constexpr int lanes = 16;
  __m512 value;

  static Vector zero() { return {_mm512_setzero_ps()}; }
  static Vector load(const float *from) { return {_mm512_loadu_ps(from)}; }
  static Vector load(const Bf16 *from) {
    const __m256i bits =
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    return {_mm512_castsi512_ps(
        _mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16))};
  }
  static Vector load(const F16 *from) {
    return {_mm512_cvtph_ps(
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)))};
  }
  /// One input of each group of channels, for all lanes of the group.
  template <int Group, int Input> static Vector loadInput(const float *from) {
    const __m512 all = _mm512_loadu_ps(from);
    return {__builtin_shufflevector(
        all, all, 0 / Group * Group + Input, 1 / Group * Group + Input,
        2 / Group * Group + Input, 3 / Group * Group + Input,
        4 / Group * Group + Input, 5 / Group * Group + Input,
        6 / Group * Group + Input, 7 / Group * Group + Input,
        8 / Group * Group + Input, 9 / Group * Group + Input,
        10 / Group * Group + Input, 11 / Group * Group + Input,
        12 / Group * Group + Input, 13 / Group * Group + Input,
        14 / Group * Group + Input, 15 / Group * Group + Input)};
  }
  static Vector broadcast(const uint8_t *from) {
    return {_mm512_set1_ps(*reinterpret_cast<const float *>(from))};
  }
  void add(const Vector &other) { value = _mm512_add_ps(value, other.value); }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm512_fmadd_ps(a.value, b.value, value);
  }
  void fix() { asm volatile("" : "+v"(value)); }
  void store(float *to) const { _mm512_storeu_ps(to, value); }

  using Some = __mmask16;
  static Some some(int64_t count) { return Some((1u << count) - 1); }
  static Vector load(const float *from, Some some) {
    return {_mm512_maskz_loadu_ps(some, from)};
  }
  void store(float *to, Some some) const {
    _mm512_mask_storeu_ps(to, some, value);
  }
};

constexpr MicroKernel half = tiles<Vector, 12, 1>(
    "avx512", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 12, 1>);
constexpr MicroKernel kernel = tiles<Vector, 14, 2>(
    "avx512", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 14, 2>);

} // namespace

const MicroKernel *avx512Kernel() {
  return __builtin_cpu_supports("avx512f") ? &kernel : nullptr;
}

} // namespace gaudi::runtime
