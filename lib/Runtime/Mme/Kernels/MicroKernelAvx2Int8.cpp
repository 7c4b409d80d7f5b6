// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4 rows by 16 columns in 256-bit registers, products of 8-bit integers as
// those of 16 bits: VPMADDUBSW, which takes 8 bits, saturates. For few columns
// 8 rows by 8.
//
// Registers: Rows * Vectors sums, the even and the odd bytes of Vectors
// columns and of one row, and one product: 15 of 16.
#include "MicroKernelBody.h"
#include "RegisterVector.h"

namespace gaudi::runtime {
namespace {

/// Sums, or four integers each.
struct Vector : RegisterVector<Vector, uint32_t, 8> {
  /// The compiler widens `a` once for all columns and `b` once for all rows.
  void multiplyAdd(const Vector &a, const Vector &b) {
    const __m256i rows(a.value), columns(b.value);
    const __m256i evenA =
        _mm256_and_si256(rows, _mm256_set1_epi16(int16_t(0xff)));
    const __m256i oddA = _mm256_srli_epi16(rows, 8);
    const __m256i evenB = _mm256_srai_epi16(_mm256_slli_epi16(columns, 8), 8);
    const __m256i oddB = _mm256_srai_epi16(columns, 8);
    value += Value(_mm256_madd_epi16(evenA, evenB));
    value += Value(_mm256_madd_epi16(oddA, oddB));
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
