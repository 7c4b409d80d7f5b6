// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 14 rows by 32 columns in 512-bit registers, two bf16 products per sum
// and step. For few columns 12 rows by 16.
#include "AttentionKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"

namespace gaudi::runtime {
namespace {

/// Sums, or the bits of 16 pairs.
struct Vector : RegisterVector<Vector, float, 16> {
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm512_dpbf16_ps(value, (__m512bh)a.value, (__m512bh)b.value);
  }
};

constexpr int special = 0x81 | 0x20; // NaN, quiet or not; subnormal

/// Rounds `Vectors` vectors, an even number. The instruction takes subnormal
/// numbers as zero and keeps bits of a NaN: these are rounded without it.
template <int Vectors> void roundSome(const float *from, uint16_t *to) {
  __m512 values[Vectors];
  __mmask16 found = 0;
  for (int v = 0; v < Vectors; ++v) {
    values[v] = _mm512_loadu_ps(from + v * Vector::lanes);
    found |= _mm512_fpclass_ps_mask(values[v], special);
  }
  if (found)
    return roundToBf16(from, to, Vectors * Vector::lanes);
  for (int v = 0; v < Vectors; v += 2)
    _mm512_storeu_si512(to + v * Vector::lanes,
                        (__m512i)_mm512_cvtne2ps_pbh(values[v + 1], values[v]));
}

/// The same for up to a vector.
void roundLast(const float *from, uint16_t *to, int64_t count) {
  const auto lanes = __mmask16((1u << count) - 1);
  const __m512 value = _mm512_maskz_loadu_ps(lanes, from);
  if (_mm512_fpclass_ps_mask(value, special))
    return roundToBf16(from, to, count);
  const __m256bh rounded = _mm512_cvtneps_pbh(value);
  if (count == Vector::lanes)
    __builtin_memcpy(to, &rounded, sizeof(rounded));
  else
    __builtin_memcpy(to, &rounded, size_t(count) * sizeof(*to));
}

template <int Rows, int Vectors>
constexpr MicroKernel kernelOf(const MicroKernel *half) {
  MicroKernel result =
      tiles<Vector, Rows, Vectors>("avx512bf16", StepFormat::Bf16, half,
                                   nullptr, nullptr, &attentionFunctions);
  result.roundRows = roundRowsNatively;
  return result;
}

constexpr MicroKernel half = kernelOf<12, 1>(nullptr);
constexpr MicroKernel kernel = kernelOf<14, 2>(&half);

} // namespace

void roundRowsNatively(const float *from, int64_t fromStride, uint16_t *to,
                       int64_t toStride, int64_t rows, int64_t count) {
  for (int64_t r = 0; r < rows; ++r, from += fromStride, to += toStride) {
    int64_t i = 0;
    for (; i + 64 <= count; i += 64)
      roundSome<4>(from + i, to + i);
    for (; i + 32 <= count; i += 32)
      roundSome<2>(from + i, to + i);
    for (; i < count; i += Vector::lanes)
      roundLast(from + i, to + i,
                count - i < Vector::lanes ? count - i : Vector::lanes);
  }
}

bool roundsToBf16Natively() {
  // The compiler's flag for it implies the others but one.
  return __builtin_cpu_supports("avx512bf16") &&
         __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq");
}

const MicroKernel *avx512Bf16Kernel() {
  return roundsToBf16Natively() ? &kernel : nullptr;
}

} // namespace gaudi::runtime
