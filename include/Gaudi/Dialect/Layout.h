// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided windows and named dimension orders: the arithmetic behind views,
// convolution layouts and permutations. No op is known here.
#ifndef GAUDI_DIALECT_LAYOUT_H
#define GAUDI_DIALECT_LAYOUT_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Kernel/Affine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gaudi {

/// Offset and strides in elements of a window on a buffer.
struct StridedLayout {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// One dimension of a position seen through an op that moves elements:
/// `offset + stride * index[dim]`, or `offset` alone if `dim` is `none`.
struct StridedIndex {
  static constexpr int64_t none = -1;
  int64_t dim = none;
  int64_t stride = 1;
  int64_t offset = 0;
};

/// One StridedIndex per dimension, or nothing if no such map exists.
using IndexMap = std::optional<llvm::SmallVector<StridedIndex>>;

/// The map that leaves positions of the given rank as they are.
llvm::SmallVector<StridedIndex> identityMap(size_t rank);

/// Layout of a tensor of rank `rank` whose element at position p is the one at
/// `map(p)` of a tensor with layout `source`.
StridedLayout layoutThrough(llvm::ArrayRef<StridedIndex> map,
                            const StridedLayout &source, size_t rank);

/// Largest entry of a window attribute (stride, dilation, padding, kernel
/// size): the bound that keeps arithmetic on them within int64_t.
constexpr int64_t maxWindowEntry = (int64_t(1) << 31) - 1;

using kernel::lastPosition;
using kernel::saturatingAdd;

/// True if the window is within [0, extent). A window without elements may have
/// any offset from 0 to extent.
bool isWindowInside(int64_t offset, int64_t size, int64_t stride,
                    int64_t extent);

/// Row-major strides of a dense tensor.
llvm::SmallVector<int64_t> denseStrides(llvm::ArrayRef<int64_t> sizes);

/// Strides of the tensor reshaped from `fromSizes` to `toSizes`, or nothing if
/// its elements are not evenly spaced in the new shape.
std::optional<llvm::SmallVector<int64_t>>
reshapeStrides(llvm::ArrayRef<int64_t> fromSizes,
               llvm::ArrayRef<int64_t> fromStrides,
               llvm::ArrayRef<int64_t> toSizes);

/// True if `layout` names each letter of `letters` once and nothing else.
bool isLayoutOf(llvm::StringRef layout, llvm::StringRef letters);

/// The spatial letters of a convolution of the given rank: "W", "HW", "DHW".
llvm::StringRef spatialLetters(unsigned spatialRank);

} // namespace gaudi

#endif // GAUDI_DIALECT_LAYOUT_H
