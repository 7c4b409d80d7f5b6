// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transforms of F(2 x 2, 3 x 3), the minimal filtering of Winograd: 2 x 2
// outputs of a filter of 3 x 3 from 4 x 4 inputs with 16 products instead of 36
// (Lavin, Gray, "Fast Algorithms for Convolutional Neural Networks", 2015).
// Included like MicroKernelBody.h.
//
// An output uses no more of the inputs than its own window: what it does not
// see, an infinity for instance, has no influence on it.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// 16 floats: one register or several.
typedef float Channels __attribute__((vector_size(64), aligned(4)));
/// The same of one channel, for those that fill no vector.
typedef float Channel;

template <typename T>
GAUDI_STEP_INLINE inline void transformInputs(const float *const *x, float *v,
                                              int64_t vStride, int64_t c) {
  // Columns, then lines: B^T d B.
  T lines[4][4];
  for (int i = 0; i < 4; ++i) {
    T d[4];
    for (int h = 0; h < 4; ++h)
      __builtin_memcpy(&d[h], x[h * 4 + i] + c, sizeof(T));
    lines[0][i] = d[0] - d[2];
    lines[1][i] = d[1] + d[2];
    lines[2][i] = d[2] - d[1];
    lines[3][i] = d[1] - d[3];
  }
  for (int h = 0; h < 4; ++h) {
    const T *d = lines[h];
    const T made[4] = {d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]};
    for (int i = 0; i < 4; ++i)
      __builtin_memcpy(v + (h * 4 + i) * vStride + c, &made[i], sizeof(T));
  }
}

/// Zero where all four are finite, else NaN.
template <typename T>
GAUDI_STEP_INLINE inline T transformSums(const float *m, int64_t mStride,
                                         float *const *y, int64_t c) {
  // A^T m A.
  T lines[2][4];
  for (int i = 0; i < 4; ++i) {
    T d[4];
    for (int h = 0; h < 4; ++h)
      __builtin_memcpy(&d[h], m + (h * 4 + i) * mStride + c, sizeof(T));
    lines[0][i] = d[0] + d[1] + d[2];
    lines[1][i] = d[1] - d[2] - d[3];
  }
  T odd{};
  for (int h = 0; h < 2; ++h) {
    const T *d = lines[h];
    const T made[2] = {d[0] + d[1] + d[2], d[1] - d[2] - d[3]};
    for (int i = 0; i < 2; ++i) {
      odd += made[i] - made[i];
      __builtin_memcpy(y[h * 2 + i] + c, &made[i], sizeof(T));
    }
  }
  return odd;
}

void winogradInputs(const float *const *x, float *v, int64_t vStride,
                    int64_t channels) {
  int64_t c = 0;
  for (; c + 16 <= channels; c += 16)
    transformInputs<Channels>(x, v, vStride, c);
  for (; c < channels; ++c)
    transformInputs<Channel>(x, v, vStride, c);
}

bool winogradOutputs(const float *m, int64_t mStride, float *const *y,
                     int64_t channels) {
  Channels odd{};
  int64_t c = 0;
  for (; c + 16 <= channels; c += 16)
    odd += transformSums<Channels>(m, mStride, y, c);
  float rest = 0;
  for (; c < channels; ++c)
    rest += transformSums<Channel>(m, mStride, y, c);
  for (int i = 0; i < 16; ++i)
    rest += odd[i];
  return rest == 0;
}

constexpr WinogradFunctions winogradFunctions = {winogradInputs,
                                                 winogradOutputs};

} // namespace
} // namespace gaudi::runtime
