// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elements of a strided tensor lie: extents, density, overlap.
//
// Sizes and strides count elements, dimension 0 is the slowest; strides are
// never negative. All results are exact or absent (overflow).
#ifndef GAUDI_KERNEL_GEOMETRY_H
#define GAUDI_KERNEL_GEOMETRY_H

#include <cstdint>
#include <optional>
#include <vector>

namespace gaudi::kernel {

using Dims = std::vector<int64_t>;

/// A strided window on a section, offsets in bytes, strides in elements.
struct Window {
  uint64_t offset = 0;
  Dims sizes;
  Dims strides;
  unsigned elementSize = 1;
};

/// Product of the sizes; 1 for rank 0.
std::optional<int64_t> elementCount(const Dims &sizes);

/// Row-major strides without gaps. Dimensions of size 0 count as 1.
Dims denseStrides(const Dims &sizes);

/// True if the elements lie row-major without gaps (strides of dimensions of
/// size 1 do not matter).
bool isDense(const Dims &sizes, const Dims &strides);

/// Bytes from the first to past the last element:
/// elementSize * (1 + sum((size - 1) * stride)), 0 if there are no elements.
std::optional<uint64_t> byteExtent(const Dims &sizes, const Dims &strides,
                                   unsigned elementSize);

/// True if no two elements share a place: sorted by stride, each stride is
/// larger than the extent of all smaller ones. (Sufficient, and exact for the
/// nested windows that compilers make.)
bool isInjective(const Dims &sizes, const Dims &strides);

/// True if the two windows of one section provably share no byte: their byte
/// ranges are apart, or they are different columns of a common pitch.
bool provablyDisjoint(const Window &a, const Window &b);

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_GEOMETRY_H
