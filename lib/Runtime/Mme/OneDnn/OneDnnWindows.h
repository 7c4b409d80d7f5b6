// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as oneDNN takes them: channels last, and no output that sees
// padding only.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNNWINDOWS_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNNWINDOWS_H

#include "../Conv/ConvAxes.h"
#include "Primitives.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

/// Everything about the convolution, per spatial dimension in the order D H W.
struct Geometry {
  int64_t n, groups, inChannels, outChannels;
  Dims x, k, y; // spatial sizes
  Dims stride, dilation, low, high;
  bool transposed = false;

  size_t rank() const { return x.size(); }
  /// Extent of the dilated kernel.
  int64_t reach(size_t d) const { return (k[d] - 1) * dilation[d] + 1; }
};

/// A range of one spatial input dimension and the padding around it that the
/// outputs [begin, end) see.
struct Window {
  int64_t start, size, low, high;
};

inline Window windowOf(const Geometry &g, size_t d, int64_t begin,
                       int64_t end) {
  const int64_t first = begin * g.stride[d] - g.low[d];
  const int64_t last = (end - 1) * g.stride[d] + g.reach(d) - g.low[d];
  const int64_t start = std::clamp<int64_t>(first, 0, g.x[d]);
  const int64_t stop = std::clamp<int64_t>(last, 0, g.x[d]);
  return {start, stop - start, start - first, last - stop};
}

/// N C then spatial sizes, as oneDNN lists them, with channels-last strides.
inline dnnl::memory::desc channelsLast(int64_t n, int64_t c,
                                       const Dims &spatial,
                                       recipe::ElementType type) {
  Dims sizes = {n, c}, strides(spatial.size() + 2);
  sizes.insert(sizes.end(), spatial.begin(), spatial.end());
  int64_t step = c;
  strides[1] = 1;
  for (size_t d = spatial.size(); d-- > 0;) {
    strides[d + 2] = step;
    step *= spatial[d];
  }
  strides[0] = step;
  return dnnl::memory::desc(sizes, dnnlType(type), strides);
}

/// x and y with channels last and w as O I spatial, of any convolution.
inline Geometry geometryOf(const recipe::Convolution &conv,
                           const BoundTensor &x, const BoundTensor &w,
                           const BoundTensor &y) {
  const size_t rank = x.layout.sizes.size() - 2;
  auto middle = [&](const Dims &sizes, size_t from) {
    return Dims(sizes.begin() + std::ptrdiff_t(from),
                sizes.begin() + std::ptrdiff_t(from + rank));
  };
  Geometry g;
  g.n = x.layout.sizes[0];
  g.groups = conv.groups;
  g.inChannels = x.layout.sizes[rank + 1];
  g.outChannels = y.layout.sizes[rank + 1];
  g.x = middle(x.layout.sizes, 1);
  g.k = middle(w.layout.sizes, 2);
  g.y = middle(y.layout.sizes, 1);
  g.stride = recipe::copyOf(conv.strides);
  g.dilation = recipe::copyOf(conv.dilations);
  g.low = recipe::copyOf(conv.padLow);
  g.high = recipe::copyOf(conv.padHigh);
  return g;
}

/// [begin, end)
struct Range {
  int64_t begin, end;
};

/// The outputs along dimension d whose windows meet the input: one range,
/// because windows move in one direction.
inline Range seenOutputs(const Geometry &g, size_t d) {
  Range seen = {0, g.y[d]};
  while (seen.begin < seen.end &&
         windowOf(g, d, seen.begin, seen.begin + 1).size == 0)
    ++seen.begin;
  while (seen.begin < seen.end &&
         windowOf(g, d, seen.end - 1, seen.end).size == 0)
    --seen.end;
  return seen;
}

/// Leaves out the other outputs, and input of `x` that the seen ones do not
/// see: primitives take neither. Input that is the remainder of a stride stays,
/// primitives ignore it.
inline void cropTo(Range seen, Geometry &g, size_t d, BoundTensor &x) {
  assert(seen.begin < seen.end && "primitives take no empty tensors");
  const Window window = windowOf(g, d, seen.begin, seen.end);
  x.data +=
      window.start * x.layout.strides[d + 1] * recipe::elementSize(x.type);
  const int64_t rest = g.x[d] - window.start - window.size;
  g.x[d] = rest < g.stride[d] ? g.x[d] - window.start : window.size;
  x.layout.sizes[d + 1] = g.x[d];
  g.low[d] = window.low;
  g.high[d] = window.high;
  g.y[d] = seen.end - seen.begin;
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNNWINDOWS_H
