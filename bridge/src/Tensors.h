// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of cards: made, and copied to and from the host.
#ifndef GAUDI_BRIDGE_TENSORS_H
#define GAUDI_BRIDGE_TENSORS_H

#include "Card.h"

#include <ATen/core/Tensor.h>

namespace gaudi::bridge {

at::Tensor emptyStrided(at::IntArrayRef sizes, at::IntArrayRef strides,
                        at::ScalarType type, c10::DeviceIndex index);
at::Tensor emptyContiguous(at::IntArrayRef sizes, at::ScalarType type,
                           c10::DeviceIndex index);

/// From the first element in memory to the last one, both included; 0 if there
/// are none.
int64_t reachOf(const at::Tensor &tensor);
/// The bytes of that in device memory.
inline uint64_t reachBytes(const at::Tensor &tensor) {
  return uint64_t(reachOf(tensor)) * storedSize(tensor.scalar_type());
}

/// A tensor of the host with the same sizes, strides and elements, in the type
/// that they are stored in; waits for them.
at::Tensor download(const at::Tensor &tensor);
/// Writes all that `tensor` reaches: `host` has its strides and stored type.
void upload(const at::Tensor &host, const at::Tensor &tensor, bool nonBlocking);

/// The kernel of aten::_copy_from.
at::Tensor copyFrom(const at::Tensor &source, const at::Tensor &to,
                    bool nonBlocking);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_TENSORS_H
