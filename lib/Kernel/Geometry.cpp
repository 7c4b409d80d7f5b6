// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents and overlap of strided windows.
#include "Gaudi/Kernel/Geometry.h"

#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>

namespace gaudi::kernel {

std::optional<int64_t> elementCount(const Dims &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size == 0)
      return 0;
  for (int64_t size : sizes) {
    std::optional<int64_t> next = checkedMul(count, size);
    if (!next)
      return std::nullopt;
    count = *next;
  }
  return count;
}

Dims denseStrides(const Dims &sizes) {
  Dims strides(sizes.size(), 1);
  uint64_t stride = 1; // wraps harmlessly: a tensor that large is refused
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = int64_t(stride);
    stride *= uint64_t(std::max<int64_t>(sizes[d], 1));
  }
  return strides;
}

bool isDense(const Dims &sizes, const Dims &strides) {
  Dims dense = denseStrides(sizes);
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1 && strides[d] != dense[d])
      return false;
  return true;
}

std::optional<uint64_t> byteExtent(const Dims &sizes, const Dims &strides,
                                   unsigned elementSize) {
  if (elementCount(sizes) == 0)
    return 0;
  uint64_t last = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::optional<uint64_t> span =
        checkedMul(uint64_t(sizes[d] - 1), uint64_t(strides[d]));
    if (span)
      span = checkedAdd(last, *span);
    if (!span)
      return std::nullopt;
    last = *span;
  }
  std::optional<uint64_t> count = checkedAdd<uint64_t>(last, 1);
  return count ? checkedMul<uint64_t>(*count, elementSize) : std::nullopt;
}

bool isInjective(const Dims &sizes, const Dims &strides) {
  std::vector<std::pair<int64_t, int64_t>> order; // stride, size
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0)
      return true;
    if (sizes[d] > 1)
      order.emplace_back(strides[d], sizes[d]);
  }
  std::sort(order.begin(), order.end());
  int64_t reach = 0; // largest sum of the smaller dimensions
  for (auto [stride, size] : order) {
    if (stride <= reach)
      return false;
    std::optional<int64_t> span = checkedMul(stride, size - 1);
    if (span)
      span = checkedAdd(reach, *span);
    if (!span)
      return false;
    reach = *span;
  }
  return true;
}

namespace {

/// The bytes from the first one that a window reaches within each `pitch`
/// bytes: dimensions whose stride is a multiple of it repeat them.
std::optional<uint64_t> columnWidth(const Window &window, uint64_t pitch) {
  uint64_t width = window.elementSize;
  for (size_t d = 0; d < window.sizes.size(); ++d) {
    if (window.sizes[d] <= 1)
      continue;
    std::optional<uint64_t> stride =
        checkedMul<uint64_t>(window.strides[d], window.elementSize);
    if (!stride)
      return std::nullopt;
    if (*stride % pitch == 0)
      continue;
    std::optional<uint64_t> span =
        checkedMul<uint64_t>(*stride, window.sizes[d] - 1);
    if (span)
      span = checkedAdd(width, *span);
    if (!span)
      return std::nullopt;
    width = *span;
  }
  return width;
}

/// Modulo the pitch, each window is a range of bytes on a circle. Counted from
/// the begin of `a`, where `b` begins and ends tells whether they meet.
bool disjointColumns(const Window &a, const Window &b, const Window &pitches) {
  for (size_t d = 0; d < pitches.sizes.size(); ++d) {
    std::optional<uint64_t> pitch =
        checkedMul<uint64_t>(pitches.strides[d], pitches.elementSize);
    if (pitches.sizes[d] <= 1 || !pitch || *pitch == 0)
      continue;
    const std::optional<uint64_t> inA = columnWidth(a, *pitch),
                                  inB = columnWidth(b, *pitch);
    if (!inA || !inB || *inB > *pitch)
      continue;
    const uint64_t begin =
        b.offset >= a.offset
            ? (b.offset - a.offset) % *pitch
            : (*pitch - (a.offset - b.offset) % *pitch) % *pitch;
    if (begin >= *inA && begin <= *pitch - *inB)
      return true;
  }
  return false;
}

} // namespace

bool provablyDisjoint(const Window &a, const Window &b) {
  std::optional<uint64_t> sizeA = byteExtent(a.sizes, a.strides, a.elementSize);
  std::optional<uint64_t> sizeB = byteExtent(b.sizes, b.strides, b.elementSize);
  if (!sizeA || !sizeB)
    return false;
  if (*sizeA == 0 || *sizeB == 0)
    return true;
  std::optional<uint64_t> endA = checkedAdd(a.offset, *sizeA);
  std::optional<uint64_t> endB = checkedAdd(b.offset, *sizeB);
  if (!endA || !endB)
    return false;
  return *endA <= b.offset || *endB <= a.offset || disjointColumns(a, b, a) ||
         disjointColumns(a, b, b);
}

} // namespace gaudi::kernel
