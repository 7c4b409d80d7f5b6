// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided reads and writes of whole tensors.
#ifndef GAUDI_LIB_REFERENCE_STRIDED_H
#define GAUDI_LIB_REFERENCE_STRIDED_H

#include "Gaudi/Reference/Tensor.h"

namespace gaudi::reference {

/// Calls f with the elements of `y`, to write, and of each x, floats or
/// integers as those of y are.
template <typename F, typename... Tensors>
void withElements(ReferenceTensor &y, F f, const Tensors &...xs) {
  if (y.isFloat())
    f(y.mutableFloats(), xs.floats()...);
  else
    f(y.mutableInts(), xs.ints()...);
}

/// result[i..] = x[offset + sum(i * strides)], offset and strides in elements.
ReferenceTensor readStrided(const ReferenceTensor &x, ArrayRef<int64_t> shape,
                            const SmallVector<int64_t> &strides,
                            int64_t offset);

/// y[offset + sum(i * strides)] = x[i..].
void writeStrided(ReferenceTensor &y, const ReferenceTensor &x,
                  const SmallVector<int64_t> &strides, int64_t offset);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_STRIDED_H
