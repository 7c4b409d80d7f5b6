// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the torch dialect as those of the device.
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TYPES_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TYPES_H

#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Torch/ScalarType.h"

namespace gaudi {

/// Signed integers without their sign, as builtin tensors have them; all else
/// as it is, also null.
Type builtinElement(Type dtype);

/// PyTorch's type for the elements of a builtin tensor; none if it has none.
std::optional<torch::ScalarType> scalarTypeOf(Type element);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TYPES_H
