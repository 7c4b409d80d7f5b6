// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of strided windows and named dimension orders.
#include "Gaudi/Dialect/Layout.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace mlir;
using namespace gaudi;

bool gaudi::isWindowInside(int64_t offset, int64_t size, int64_t stride,
                           int64_t extent) {
  if (offset < 0)
    return false;
  return size == 0 ? offset <= extent
                   : lastPosition(offset, size, stride) < extent;
}

llvm::SmallVector<StridedIndex> gaudi::identityMap(size_t rank) {
  llvm::SmallVector<StridedIndex> map(rank);
  for (size_t i = 0; i < rank; ++i)
    map[i].dim = int64_t(i);
  return map;
}

StridedLayout gaudi::layoutThrough(llvm::ArrayRef<StridedIndex> map,
                                   const StridedLayout &source, size_t rank) {
  assert(map.size() == source.strides.size() &&
         "one entry per dimension of the source");
  // No product overflows: an offset or stride of a map is at most the size of
  // the source's dimension (the verifier of slices; their maps have stride 1
  // where the result has one element), and memory bounds size times stride.
  StridedLayout layout{source.offset, llvm::SmallVector<int64_t>(rank, 0)};
  for (auto [index, stride] : llvm::zip_equal(map, source.strides)) {
    layout.offset += index.offset * stride;
    if (index.dim != StridedIndex::none)
      layout.strides[index.dim] += index.stride * stride;
  }
  return layout;
}

llvm::SmallVector<int64_t> gaudi::denseStrides(llvm::ArrayRef<int64_t> sizes) {
  return computeStrides(sizes);
}

std::optional<llvm::SmallVector<int64_t>>
gaudi::reshapeStrides(llvm::ArrayRef<int64_t> fromSizes,
                      llvm::ArrayRef<int64_t> fromStrides,
                      llvm::ArrayRef<int64_t> toSizes) {
  // Collapse source dimensions that are contiguous with each other, without
  // the unit ones, then strip-mine these runs into the dimensions of the
  // target, innermost first. Evenly spaced means: each target dimension is
  // within one run, so its size divides what is left of the run. O(rank).
  llvm::SmallVector<std::pair<int64_t, int64_t>> runs; // size, inner stride
  for (auto [size, stride] : llvm::zip(fromSizes, fromStrides)) {
    if (size == 0)
      return denseStrides(toSizes);
    if (size == 1)
      continue;
    if (!runs.empty() && runs.back().second == stride * size)
      runs.back() = {runs.back().first * size, stride};
    else
      runs.emplace_back(size, stride);
  }
  llvm::SmallVector<int64_t> strides(toSizes.size(), 1);
  int64_t next = int64_t(toSizes.size()) - 1;
  // `step` is at most stride * size of the run, which is within the buffer.
  for (auto &[size, stride] : llvm::reverse(runs)) {
    int64_t left = size, step = stride;
    while (left > 1) {
      if (next < 0)
        return std::nullopt;
      if (left % toSizes[next] != 0)
        return std::nullopt;
      strides[next] = step;
      step *= toSizes[next];
      left /= toSizes[next];
      --next;
    }
  }
  // The rest must be unit dimensions, whose strides have no effect.
  for (; next >= 0; --next) {
    if (toSizes[next] != 1)
      return std::nullopt;
    strides[next] = next + 1 < int64_t(toSizes.size())
                        ? strides[next + 1] * toSizes[next + 1]
                        : 1;
  }
  return strides;
}

bool gaudi::isLayoutOf(llvm::StringRef layout, llvm::StringRef letters) {
  if (layout.size() != letters.size())
    return false;
  return llvm::all_of(letters, [&](char c) { return layout.count(c) == 1; });
}

llvm::StringRef gaudi::spatialLetters(unsigned spatialRank) {
  return llvm::StringRef("DHW").take_back(spatialRank);
}
