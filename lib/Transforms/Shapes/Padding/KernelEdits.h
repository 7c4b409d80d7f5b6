// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What replaces padding in the bodies of kernels.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_KERNELEDITS_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_KERNELEDITS_H

#include "PaddingEditor.h"
#include "PaddingRules.h"

namespace gaudi {

/// A condition on dimensions of the index space, and the value that is yielded
/// instead: null keeps the accumulator.
struct Yielded {
  KernelLoopOp loop;
  unsigned reduction, operand; ///< operand: number of the yield's
  SmallVector<Condition> conditions;
};
/// An index that becomes 0 where a condition holds.
struct Indexed {
  KernelLoadOp load;
  SmallVector<Condition> conditions;
};
/// An index into a padded dimension of a tensor: from the extent on, the one
/// past all elements or, with clamp, the last that is real.
struct Bounded {
  KernelLoadOp load;
  unsigned dim;
  AffineExpr extent;
};
/// A load of which positions from `extent` on are outside, and give its pad.
struct Windowed {
  KernelLoadOp load;
  unsigned dim;
  AffineExpr extent;
};

struct KernelEdits {
  SmallVector<Yielded> yields;
  SmallVector<Indexed> indices;
  SmallVector<Bounded> bounds;
  SmallVector<Windowed> windows;

  bool empty() const {
    return yields.empty() && indices.empty() && bounds.empty() &&
           windows.empty();
  }
  void apply(KernelOp kernel, PaddingEditor &editor) const;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_KERNELEDITS_H
