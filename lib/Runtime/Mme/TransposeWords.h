// Moves 4 x 4 words of 32 bits from rows to columns.
#ifndef GAUDI_LIB_RUNTIME_MME_TRANSPOSEWORDS_H
#define GAUDI_LIB_RUNTIME_MME_TRANSPOSEWORDS_H

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gaudi::runtime {

/// Four rows, `stride` words apart, become columns, `pitch` bytes apart. Only
/// moved: the bits may be those of integers.
inline void transposeWords(const float *row, int64_t stride, uint8_t *to,
                           int64_t pitch) {
#if defined(__SSE2__)
  __m128 lines[4];
  for (int64_t n = 0; n < 4; ++n)
    lines[n] = _mm_loadu_ps(row + n * stride);
  _MM_TRANSPOSE4_PS(lines[0], lines[1], lines[2], lines[3]);
  for (int64_t n = 0; n < 4; ++n)
    std::memcpy(to + n * pitch, &lines[n], sizeof(__m128));
#else
  for (int64_t n = 0; n < 4; ++n)
    for (int64_t m = 0; m < 4; ++m)
      std::memcpy(to + n * pitch + m * int64_t(sizeof(int32_t)),
                  row + m * stride + n, sizeof(int32_t));
#endif
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_TRANSPOSEWORDS_H
