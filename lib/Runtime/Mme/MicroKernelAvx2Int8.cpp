// 4 rows by 16 columns in 256-bit registers, products of 8-bit integers as
// those of 16 bits: VPMADDUBSW, which takes 8 bits, saturates. For few columns
// 8 rows by 8.
//
// Registers: Rows * Vectors sums, the even and the odd bytes of Vectors
// columns and of one row, and one product: 15 of 16.
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
  /// The compiler widens `a` once for all columns and `b` once for all rows.
  void multiplyAdd(const Vector &a, const Vector &b) {
    const __m256i evenA =
        _mm256_and_si256(a.value, _mm256_set1_epi16(int16_t(0xff)));
    const __m256i oddA = _mm256_srli_epi16(a.value, 8);
    const __m256i evenB = _mm256_srai_epi16(_mm256_slli_epi16(b.value, 8), 8);
    const __m256i oddB = _mm256_srai_epi16(b.value, 8);
    value = _mm256_add_epi32(value, _mm256_madd_epi16(evenA, evenB));
    value = _mm256_add_epi32(value, _mm256_madd_epi16(oddA, oddB));
  }
  void fix() { asm volatile("" : "+x"(value)); }
  void store(float *to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), value);
  }
};

constexpr MicroKernel half =
    tiles<Vector, 8, 1>("avx2", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Vector, 4, 2>("avx2", StepFormat::Int8, &half);

} // namespace

const MicroKernel *avx2Int8Kernel() {
  return __builtin_cpu_supports("avx2") ? &kernel : nullptr;
}

} // namespace gaudi::runtime
