// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions seen through ops that only rearrange elements.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VIEWS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VIEWS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Kernel/Affine.h"

namespace gaudi::fusion {

using kernel::Affine;
using kernel::Reindexed;

/// What a kernel reads instead of the tensor without moving more bytes: the
/// source of a reshape, slice, split or broadcast. Null for another tensor.
Value viewSource(Value tensor);

/// The same, and also the source of a transpose.
Value moveSource(Value tensor);

/// The tensor at the end of all views.
Value rootOf(Value tensor);

/// The results of `user` that are views of its operand; null if it is no view.
ValueRange viewsMadeBy(Operation *user);

/// Turns a position in `tensor` into that of the same element in its source.
Reindexed positionInSource(Value tensor, ArrayRef<Affine> position,
                           ArrayRef<int64_t> extents,
                           SmallVectorImpl<Affine> &result);

/// Turns a position in the operand of a reshape or transpose into that of the
/// same element in its result.
Reindexed positionInResult(Operation *op, ArrayRef<Affine> position,
                           ArrayRef<int64_t> extents,
                           SmallVectorImpl<Affine> &result);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VIEWS_H
