// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4 rows by 16 columns in 256-bit registers, products of 8-bit integers as
// those of 16 bits: VPMADDUBSW, which takes 8 bits, saturates. For few columns
// 8 rows by 8.
//
// Registers: Rows * Vectors sums, the even and the odd bytes of Vectors
// columns and of one row, and one product: 15 of 16.
#include "IntegerVector256.h"
#include "MicroKernelBody.h"

namespace gaudi::runtime {
namespace {

struct Words {
  /// The compiler widens `a` once for all columns and `b` once for all rows.
  static __m256i add(__m256i sums, __m256i a, __m256i b) {
    const __m256i evenA = _mm256_and_si256(a, _mm256_set1_epi16(int16_t(0xff)));
    const __m256i oddA = _mm256_srli_epi16(a, 8);
    const __m256i evenB = _mm256_srai_epi16(_mm256_slli_epi16(b, 8), 8);
    const __m256i oddB = _mm256_srai_epi16(b, 8);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(evenA, evenB));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(oddA, oddB));
  }
};
using Vector = IntegerVector<Words>;

constexpr MicroKernel half =
    tiles<Vector, 8, 1>("avx2", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Vector, 4, 2>("avx2", StepFormat::Int8, &half);

} // namespace

const MicroKernel *avx2Int8Kernel() {
  return __builtin_cpu_supports("avx2") ? &kernel : nullptr;
}

} // namespace gaudi::runtime
