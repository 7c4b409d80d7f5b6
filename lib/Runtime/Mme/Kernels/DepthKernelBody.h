// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions. Included like MicroKernelBody.h.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// One tap: inputs `Input` and later ones of groups of `Group` channels.
template <int Group, int Input = 0, typename V, int Count, int Vectors>
GAUDI_STEP_INLINE void addTap(V (&sums)[Count][Vectors], const float *x,
                              int64_t xStep, const float *weights,
                              int64_t weightStride) {
  V weight[Vectors];
  for (int v = 0; v < Vectors; ++v)
    weight[v] = V::load(weights + v * V::lanes);
  for (int p = 0; p < Count; ++p)
    for (int v = 0; v < Vectors; ++v) {
      const float *from = x + p * xStep + v * V::lanes;
      if constexpr (Group == 1)
        sums[p][v].multiplyAdd(weight[v], V::load(from));
      else
        sums[p][v].multiplyAdd(weight[v],
                               V::template loadInput<Group, Input>(from));
    }
  if constexpr (Input + 1 < Group)
    addTap<Group, Input + 1>(sums, x, xStep, weights + weightStride,
                             weightStride);
}

/// `Count` positions, `Vectors` vectors of channels from c on. Each weight is
/// loaded once for all positions; Count * Vectors sums, Vectors weights and one
/// operand fit 16 registers for Count = 6 and Vectors = 2.
template <typename V, int Group, int Count, int Vectors>
void addTaps(const DepthCall &t, int64_t c) {
  V sums[Count][Vectors];
  for (int p = 0; p < Count; ++p)
    for (int v = 0; v < Vectors; ++v)
      sums[p][v] = V::zero();
  for (int64_t line = 0; line < t.lines; ++line) {
    const float *x = t.x[line] + c, *weights = t.weights[line] + c;
    for (int64_t tap = 0; tap < t.taps;
         ++tap, x += t.tapStride, weights += Group * t.weightStride)
      addTap<Group>(sums, x, t.xStep, weights, t.weightStride);
  }
  for (int p = 0; p < Count; ++p)
    for (int v = 0; v < Vectors; ++v)
      sums[p][v].store(t.y + p * t.yStep + c + v * V::lanes);
}

template <typename V, int Group, int Count>
void addChannels(const DepthCall &t) {
  int64_t c = 0;
  for (; c + 2 * V::lanes <= t.channels; c += 2 * V::lanes)
    addTaps<V, Group, Count, 2>(t, c);
  // The last vector is shifted back to end with the channels, by whole groups.
  // What it overlaps, also of earlier calls, is computed twice with the same
  // result.
  for (; c < t.channels; c += V::lanes)
    addTaps<V, Group, Count, 1>(
        t, c + V::lanes <= t.channels ? c : t.channels - V::lanes);
}

/// The function for 1 to depthPositions positions.
template <typename V, int Group, int Count> void runCount(const DepthCall &t) {
  if (t.count == Count)
    return addChannels<V, Group, Count>(t);
  if constexpr (Count > 1)
    runCount<V, Group, Count - 1>(t);
}

template <typename V> void runDepth(const DepthCall &t) {
  switch (t.group) {
  case 1:
    return runCount<V, 1, depthPositions>(t);
  case 2:
    return runCount<V, 2, depthPositions>(t);
  case 4:
    return runCount<V, 4, depthPositions>(t);
  default: // the largest group, of vectors that hold one
    if constexpr (V::lanes >= 8)
      return runCount<V, 8, depthPositions>(t);
  }
}

} // namespace
} // namespace gaudi::runtime
