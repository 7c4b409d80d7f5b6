// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The window of reduce_window and select_and_scatter.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_WINDOW_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_WINDOW_H

#include "Converter.h"

namespace gaudi {

/// One dimension of a window.
struct WindowDim {
  int64_t size, stride, dilation, low, high, baseDilation = 1;

  bool isTrivial() const {
    return size == 1 && stride == 1 && low == 0 && high == 0 &&
           baseDilation == 1;
  }
  int64_t reach() const { return (size - 1) * dilation + 1; }
};
using Window = SmallVector<WindowDim>;

/// The window of the op on a tensor of `shape`; `positions` is the shape of its
/// positions.
FailureOr<Window> readWindow(HloMatcher &m, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> positions);

/// The extents of the loops over the elements of a window: dimensions of one
/// element have none.
SmallVector<int64_t> loopSizes(const Window &window);

/// The dimensions of those loops in a kernel: they follow the positions.
SmallVector<int64_t> loopDims(const Window &window);

/// Which element of the tensor is the current one of the window.
SmallVector<AffineExpr> elementPosition(KernelBuilder &k, const Window &window);

/// The attributes of a pooling with this window.
struct PoolWindow {
  explicit PoolWindow(const Window &window);
  /// The shape with the dimensions that the layout adds in front.
  SmallVector<int64_t> withOnes(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> all(added, 1);
    all.append(shape.begin(), shape.end());
    return all;
  }

  std::string layout; ///< empty if no pooling has such a window
  size_t added;
  SmallVector<int64_t> sizes, strides, dilations, low, high;
  bool isCropped = false;
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_WINDOW_H
