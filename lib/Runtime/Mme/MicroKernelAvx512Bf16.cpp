// 14 rows by 32 columns in 512-bit registers, two bf16 products per sum
// and step. For few columns 12 rows by 16.
#include "AttentionKernelBody.h"
#include "MicroKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

struct Vector {
  static constexpr int lanes = 16;
  __m512 value; // sums, or the bits of 16 pairs

  static Vector zero() { return {_mm512_setzero_ps()}; }
  static Vector load(const float *from) { return {_mm512_loadu_ps(from)}; }
  static Vector broadcast(const uint8_t *from) {
    int bits;
    __builtin_memcpy(&bits, from, sizeof(bits));
    return {_mm512_castsi512_ps(_mm512_set1_epi32(bits))};
  }
  void add(const Vector &other) { value = _mm512_add_ps(value, other.value); }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm512_dpbf16_ps(value, (__m512bh)_mm512_castps_si512(a.value),
                             (__m512bh)_mm512_castps_si512(b.value));
  }
  void fix() { asm volatile("" : "+v"(value)); }
  void store(float *to) const { _mm512_storeu_ps(to, value); }
};

constexpr MicroKernel half =
    tiles<Vector, 12, 1>("avx512bf16", StepFormat::Bf16, nullptr, nullptr,
                         nullptr, &attentionFunctions);
constexpr MicroKernel kernel =
    tiles<Vector, 14, 2>("avx512bf16", StepFormat::Bf16, &half, nullptr,
                         nullptr, &attentionFunctions);

} // namespace

const MicroKernel *avx512Bf16Kernel() {
  // The compiler's flag for it implies the other two.
  return __builtin_cpu_supports("avx512bf16") &&
                 __builtin_cpu_supports("avx512f") &&
                 __builtin_cpu_supports("avx512bw")
             ? &kernel
             : nullptr;
}

} // namespace gaudi::runtime
