// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4 rows by 16 columns in 256-bit registers, products of 8-bit integers as
// those of 16 bits: VPMADDUBSW, which takes 8 bits, saturates. It is for
// constants that are small enough, such as weights of 7 bits. For few columns 8
// rows by 8.
//
// Registers: Rows * Vectors sums, the even and the odd bytes of Vectors
// columns and of one row, and one product: 15 of 16. Of small constants: the
// sums, Vectors columns of one step, two steps of a row, the pairs of both, and
// ones, 15 too; columns of the other step are operands in memory.
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

/// The same where no sum of a pair exceeds 16 bits. Rows are unsigned, so that
/// positive and negative values of the columns count apart.
struct Small : RegisterVector<Small, uint32_t, 8> {
  static constexpr bool joinsSteps = true;

  static __m256i pairs(const Small &a, const Small &b) {
    return _mm256_maddubs_epi16(__m256i(a.value), __m256i(b.value));
  }
  void addPairs(__m256i pairs) {
    value += Value(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  void multiplyAdd(const Small &a, const Small &b) { addPairs(pairs(a, b)); }

  /// The pairs of both steps are added in 16 bits: three multiplications for
  /// two steps instead of four.
  template <int Vectors>
  static GAUDI_STEP_INLINE void
  addTwo(Small (&sums)[Vectors], const uint8_t *row,
         const Small (&columns)[Vectors], const float *next) {
    const Small first = broadcast(row), second = broadcast(row + 4);
    for (int v = 0; v < Vectors; ++v)
      sums[v].addPairs(_mm256_add_epi16(pairs(first, columns[v]),
                                        pairs(second, load(next + v * lanes))));
  }
};

template <int Rows, int Vectors>
constexpr MicroKernel integers(const MicroKernel *half) {
  MicroKernel kernel =
      tiles<Vector, Rows, Vectors>("avx2", StepFormat::Int8, half);
  kernel.small = Functions<Small, float, Rows, Vectors>::all;
  return kernel;
}

constexpr MicroKernel half = integers<8, 1>(nullptr);
constexpr MicroKernel kernel = integers<4, 2>(&half);

} // namespace

const MicroKernel *avx2Int8Kernel() {
  return __builtin_cpu_supports("avx2") ? &kernel : nullptr;
}

} // namespace gaudi::runtime
