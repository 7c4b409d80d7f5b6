// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes squares in registers.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_TRANSPOSE_H
#define GAUDI_LIB_RUNTIME_COMMANDS_TRANSPOSE_H

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gaudi::runtime {

/// Elements of a square's row: 16 bytes.
template <typename T> constexpr int64_t squareSide = 16 / int64_t(sizeof(T));

#if defined(__SSE2__)
/// The lower and the upper elements of two rows, in turns.
template <int Bytes>
void interleave(__m128i a, __m128i b, __m128i &lower, __m128i &upper) {
  static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8);
  if constexpr (Bytes == 1) {
    lower = _mm_unpacklo_epi8(a, b);
    upper = _mm_unpackhi_epi8(a, b);
  } else if constexpr (Bytes == 2) {
    lower = _mm_unpacklo_epi16(a, b);
    upper = _mm_unpackhi_epi16(a, b);
  } else if constexpr (Bytes == 4) {
    lower = _mm_unpacklo_epi32(a, b);
    upper = _mm_unpackhi_epi32(a, b);
  } else {
    lower = _mm_unpacklo_epi64(a, b);
    upper = _mm_unpackhi_epi64(a, b);
  }
}

/// To interleave the two halves of a sequence rotates the bits of each
/// element's number by one: after half of the bits rows are columns.
template <typename T, int64_t Done = 1>
void transposeRows(__m128i (&rows)[squareSide<T>]) {
  constexpr int64_t half = squareSide<T> / 2;
  __m128i next[2 * half];
  for (int64_t i = 0; i < half; ++i)
    interleave<sizeof(T)>(rows[i], rows[i + half], next[2 * i],
                          next[2 * i + 1]);
  for (int64_t i = 0; i < 2 * half; ++i)
    rows[i] = next[i];
  if constexpr (Done < half)
    transposeRows<T, 2 * Done>(rows);
}
#endif

/// to[r][c] = from[c][r], with rows `fromStride` and `toStride` elements apart.
/// Values are only moved, so T may be any type of their size.
template <typename T>
void transposeSquare(const T *from, int64_t fromStride, T *to,
                     int64_t toStride) {
  constexpr int64_t side = squareSide<T>;
#if defined(__SSE2__)
  __m128i rows[side];
  for (int64_t i = 0; i < side; ++i)
    rows[i] = _mm_loadu_si128(
        reinterpret_cast<const __m128i *>(from + i * fromStride));
  transposeRows<T>(rows);
  for (int64_t i = 0; i < side; ++i)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i * toStride), rows[i]);
#else
  for (int64_t c = 0; c < side; ++c)
    for (int64_t r = 0; r < side; ++r)
      std::memcpy(to + r * toStride + c, from + c * fromStride + r, sizeof(T));
#endif
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_TRANSPOSE_H
