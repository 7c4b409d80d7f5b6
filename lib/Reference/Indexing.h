// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over the elements of dense tensors.
#ifndef GAUDI_LIB_REFERENCE_INDEXING_H
#define GAUDI_LIB_REFERENCE_INDEXING_H

#include "Gaudi/Dialect/Layout.h"
#include "mlir/Support/LLVM.h"
#include <array>

namespace gaudi::reference {

inline int64_t product(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// Row-major strides of a tensor of `shape` read under a result of the same
/// rank: a dimension of size 1 repeats.
inline SmallVector<int64_t> repeatingStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides = denseStrides(shape);
  for (auto [size, stride] : llvm::zip(shape, strides))
    if (size == 1)
      stride = 0;
  return strides;
}

/// Calls f(i, positions) for each element of `shape` in row-major order; i
/// counts the elements, positions[t] is offsets[t] + sum(index * strides[t]).
template <size_t N, typename F>
void walkStrided(ArrayRef<int64_t> shape,
                 const std::array<SmallVector<int64_t>, N> &strides,
                 std::array<int64_t, N> positions, F f) {
  const int64_t count = product(shape);
  const size_t rank = shape.size();
  SmallVector<int64_t> index(rank, 0);
  for (int64_t i = 0; i < count; ++i) {
    f(i, positions);
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < shape[d]) {
        for (size_t t = 0; t < N; ++t)
          positions[t] += strides[t][d];
        break;
      }
      for (size_t t = 0; t < N; ++t)
        positions[t] -= strides[t][d] * (index[d] - 1);
      index[d] = 0;
    }
  }
}

/// The tensor around one axis: `outer` blocks of `size` rows of `inner`.
struct AxisView {
  int64_t outer = 1, size = 1, inner = 1;

  AxisView(ArrayRef<int64_t> shape, int64_t axis)
      : outer(product(shape.take_front(axis))), size(shape[axis]),
        inner(product(shape.drop_front(axis + 1))) {}
  int64_t at(int64_t o, int64_t s, int64_t i) const {
    return (o * size + s) * inner + i;
  }
};

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_INDEXING_H
