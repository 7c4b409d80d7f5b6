// 14 rows by 32 columns in 512-bit registers, four products of 8-bit integers
// per sum and step. For few columns 12 rows by 16.
#include "MicroKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

struct Vector {
  static constexpr int lanes = 16;
  __m512i value; // sums, or four integers each

  static Vector zero() { return {_mm512_setzero_si512()}; }
  static Vector load(const float *from) { return {_mm512_loadu_si512(from)}; }
  static Vector broadcast(const uint8_t *from) {
    int bits;
    __builtin_memcpy(&bits, from, sizeof(bits));
    return {_mm512_set1_epi32(bits)};
  }
  void add(const Vector &other) {
    value = _mm512_add_epi32(value, other.value);
  }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm512_dpbusd_epi32(value, a.value, b.value);
  }
  void fix() { asm volatile("" : "+v"(value)); }
  void store(float *to) const { _mm512_storeu_si512(to, value); }
};

constexpr MicroKernel half =
    tiles<Vector, 12, 1>("avx512vnni", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Vector, 14, 2>("avx512vnni", StepFormat::Int8, &half);

} // namespace

const MicroKernel *avx512VnniInt8Kernel() {
  return __builtin_cpu_supports("avx512vnni") &&
                 __builtin_cpu_supports("avx512f")
             ? &kernel
             : nullptr;
}

} // namespace gaudi::runtime
