// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a strided window, run by run.
#ifndef GAUDI_KERNEL_RUNS_H
#define GAUDI_KERNEL_RUNS_H

#include "Gaudi/Kernel/Geometry.h"

#include <algorithm>

namespace gaudi::kernel {

/// A dimension of a window that moves: bytes from an index to the next.
struct MovingDim {
  uint64_t stride;
  uint64_t size;
};

/// The dimensions that have more than one place, the fastest first. The byte
/// extent of the window does not overflow.
inline std::vector<MovingDim> movingDims(const Window &window) {
  std::vector<MovingDim> dims;
  for (size_t d = 0; d < window.sizes.size(); ++d)
    if (window.sizes[d] > 1 && window.strides[d] > 0)
      dims.push_back({uint64_t(window.strides[d]) * window.elementSize,
                      uint64_t(window.sizes[d])});
  std::sort(dims.begin(), dims.end(),
            [](const MovingDim &a, const MovingDim &b) {
              return a.stride < b.stride;
            });
  return dims;
}

/// Calls visit(begin, end) for each contiguous run of the elements of a window,
/// by ascending addresses, until it returns false. Elements of stride 0 are
/// visited once. O(runs).
template <typename Visit> void eachRun(const Window &window, Visit &&visit) {
  for (int64_t size : window.sizes)
    if (size == 0)
      return;
  const std::vector<MovingDim> dims = movingDims(window);
  uint64_t run = window.elementSize;
  size_t inner = 0; // dimensions that are part of the run
  for (; inner < dims.size() && dims[inner].stride == run; ++inner)
    run *= dims[inner].size;
  std::vector<uint64_t> index(dims.size(), 0);
  uint64_t at = window.offset;
  while (visit(at, at + run)) {
    size_t d = inner;
    for (; d < dims.size(); ++d) {
      at += dims[d].stride;
      if (++index[d] < dims[d].size)
        break;
      at -= dims[d].stride * dims[d].size;
      index[d] = 0;
    }
    if (d == dims.size())
      return;
  }
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_RUNS_H
