// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding whose inner elements are computed in place.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_PLACEPADS_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_PLACEPADS_H

#include "SlicePlacement.h"

#include "Gaudi/Transforms/DeviceTime.h"

namespace gaudi {

/// An insertion into a constant copies the constant, then what it inserts. So
/// that the latter can be computed in its slice, the result is first either
///
/// - a concatenation of the inner elements with constants, one on each padded
///   side, if these take no longer to copy than the whole result; or
/// - a copy of the constant before the op that computes the inner elements.
class PadPlacer {
public:
  /// Rewrites the insertions of the function.
  PadPlacer(func::FuncOp function, const DeviceTime &time);

  /// Ops that copy a constant early. They are free until something is placed
  /// in the copy.
  const DenseSet<Operation *> &copies() const { return early; }

  /// Takes back the copies after which nothing was placed.
  void drop(const SlicePlacer &slices);

private:
  bool concatenate(InsertSliceOp insert, SplatElementsAttr splat);
  void copyEarly(InsertSliceOp insert);
  void reportMissed(InsertSliceOp insert, StringRef reason) const;

  const DeviceTime &time;
  // Of the ops that were there before; from 1, 0 for what moved to the start.
  DenseMap<Operation *, uint64_t> steps;
  DenseSet<Operation *> early;
  SmallVector<InsertSliceOp> inserts; // whose constants are copied early
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_PLACEPADS_H
