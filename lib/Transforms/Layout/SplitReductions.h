// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over several dimensions in two steps.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SPLITREDUCTIONS_H
#define GAUDI_TRANSFORMS_LAYOUT_SPLITREDUCTIONS_H

#include "Gaudi/Transforms/DeviceTime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi::layout {

/// Makes two of each reduction over several dimensions that takes less time so
/// where the dimensions that remain are innermost: the first one leaves the
/// outermost reduced dimension, along which the vector cores share the work.
/// Else the gradient of a bias, a sum over all but the channels, would need a
/// transpose of what it adds. Only where no intermediate value is rounded to
/// another type.
void splitReductions(func::FuncOp function, const DeviceTime &time);

/// Makes one of the two again where that takes no more time in the orders that
/// they have.
void mergeReductions(func::FuncOp function, const DeviceTime &time);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SPLITREDUCTIONS_H
