// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 256-bit register of sums of 8-bit integers, for kernels that differ in how
// they multiply. Included like MicroKernelBody.h.
#include "MicroKernel.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

/// `Product::add(sums, a, b)` adds to each sum the four products of unsigned
/// bytes of `a` with signed bytes of `b`.
template <typename Product> struct IntegerVector {
  static constexpr int lanes = 8;
  __m256i value; // sums, or four integers each

  static IntegerVector zero() { return {_mm256_setzero_si256()}; }
  static IntegerVector load(const float *from) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from))};
  }
  static IntegerVector broadcast(const uint8_t *from) {
    int bits;
    __builtin_memcpy(&bits, from, sizeof(bits));
    return {_mm256_set1_epi32(bits)};
  }
  void add(const IntegerVector &other) {
    value = _mm256_add_epi32(value, other.value);
  }
  void multiplyAdd(const IntegerVector &a, const IntegerVector &b) {
    value = Product::add(value, a.value, b.value);
  }
  void fix() { asm volatile("" : "+x"(value)); }
  void store(float *to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), value);
  }
};

} // namespace
} // namespace gaudi::runtime
