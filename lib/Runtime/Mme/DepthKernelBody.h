// Depthwise convolutions. Included like MicroKernelBody.h.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// `Count` positions, `Vectors` vectors of channels from c on. Each weight is
/// loaded once for all positions; Count * Vectors sums, Vectors weights and one
/// operand fit 16 registers for Count = 6 and Vectors = 2.
template <typename V, int Count, int Vectors>
void addTaps(const DepthCall &t, int64_t c) {
  V sums[Count][Vectors];
  for (int p = 0; p < Count; ++p)
    for (int v = 0; v < Vectors; ++v)
      sums[p][v] = V::zero();
  for (int64_t line = 0; line < t.lines; ++line) {
    const float *x = t.x[line] + c, *weights = t.weights[line] + c;
    for (int64_t tap = 0; tap < t.taps;
         ++tap, x += t.tapStride, weights += t.weightStride) {
      V weight[Vectors];
      for (int v = 0; v < Vectors; ++v)
        weight[v] = V::load(weights + v * V::lanes);
      for (int p = 0; p < Count; ++p)
        for (int v = 0; v < Vectors; ++v)
          sums[p][v].multiplyAdd(weight[v],
                                 V::load(x + p * t.xStep + v * V::lanes));
    }
  }
  for (int p = 0; p < Count; ++p)
    for (int v = 0; v < Vectors; ++v)
      sums[p][v].store(t.y + p * t.yStep + c + v * V::lanes);
}

template <typename V, int Count> void addChannels(const DepthCall &t) {
  int64_t c = 0;
  for (; c + 2 * V::lanes <= t.channels; c += 2 * V::lanes)
    addTaps<V, Count, 2>(t, c);
  // The last vector is shifted back to end with the channels. What it overlaps,
  // also of earlier calls, is computed twice with the same result.
  for (; c < t.channels; c += V::lanes)
    addTaps<V, Count, 1>(t, c + V::lanes <= t.channels ? c
                                                       : t.channels - V::lanes);
}

/// The function for 1 to depthPositions positions.
template <typename V, int Count> void runCount(const DepthCall &t) {
  if (t.count == Count)
    return addChannels<V, Count>(t);
  if constexpr (Count > 1)
    runCount<V, Count - 1>(t);
}

template <typename V> void runDepth(const DepthCall &t) {
  runCount<V, depthPositions>(t);
}

} // namespace
} // namespace gaudi::runtime
