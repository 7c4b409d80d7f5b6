// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a placement of permutations changes, and why the rest stays.
#ifndef GAUDI_LIB_TRANSFORMS_LAYOUT_EXPLAIN_H
#define GAUDI_LIB_TRANSFORMS_LAYOUT_EXPLAIN_H

#include "Placement.h"

namespace gaudi::layout {

/// Emits the remarks of a placement and appends its regions to the records of
/// the module (Gaudi/Transforms/PermutationRecord.h). Call it before the
/// placement is applied. Asks choosePlacement a few times more, to know which
/// freedom would remove a transpose. Linear in the ops of the function, and
/// nothing without regions.
void explainPlacement(func::FuncOp function, const Placement &placement,
                      const DeviceTime &time);

} // namespace gaudi::layout

#endif // GAUDI_LIB_TRANSFORMS_LAYOUT_EXPLAIN_H
