// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are parts of one tensor, one after the other.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_JOINEDTENSORS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_JOINEDTENSORS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gaudi {

/// Consecutive entries of a tensor along a dimension.
struct Window {
  Value tensor;
  int64_t first;
};

/// What `value` is a part of along `axis`, through slices and splits.
Window windowOf(Value value, int64_t axis);

/// The `count` entries of a window, as a slice where that is not all of them.
Value windowIn(OpBuilder &builder, Location loc, const Window &window,
               int64_t axis, int64_t count);

/// The values one after the other: the tensor that they are slices of, or a
/// constant. Null for others, which would be copied in every launch.
Value joined(OpBuilder &builder, Location loc, ArrayRef<Value> values,
             int64_t axis);

int64_t sizeAlong(Value tensor, int64_t axis);

/// The type of `like` with another size along `axis`.
RankedTensorType resized(Value like, int64_t axis, int64_t size);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_FUSION_JOINEDTENSORS_H
