// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are only read after they are rounded.
#ifndef GAUDI_LIB_TRANSFORMS_PRECISION_ROUNDING_H
#define GAUDI_LIB_TRANSFORMS_PRECISION_ROUNDING_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// What only rounds a tensor of f32: views with one reader each, then casts to
/// one type.
struct Rounding {
  SmallVector<Operation *> views;
  SmallVector<CastOp> casts;
  FloatType type;
};

/// Nothing if anything else reads the tensor, or its type is not f32.
std::optional<Rounding> roundingOf(Value tensor);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_PRECISION_ROUNDING_H
