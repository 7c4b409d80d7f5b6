// 6 rows by 16 columns in 256-bit registers, four products of 8-bit integers
// per sum and step. For few columns 8 rows by 8.
#include "MicroKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

struct Vector {
  static constexpr int lanes = 8;
  __m256i value; // sums, or four integers each

  static Vector zero() { return {_mm256_setzero_si256()}; }
  static Vector load(const float *from) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from))};
  }
  static Vector broadcast(const uint8_t *from) {
    int bits;
    __builtin_memcpy(&bits, from, sizeof(bits));
    return {_mm256_set1_epi32(bits)};
  }
  void add(const Vector &other) {
    value = _mm256_add_epi32(value, other.value);
  }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm256_dpbusd_avx_epi32(value, a.value, b.value);
  }
  void fix() { asm volatile("" : "+x"(value)); }
  void store(float *to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), value);
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
