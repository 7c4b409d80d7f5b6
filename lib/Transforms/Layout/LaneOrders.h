// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders that put another dimension of a product along the lanes.
#ifndef GAUDI_TRANSFORMS_LAYOUT_LANEORDERS_H
#define GAUDI_TRANSFORMS_LAYOUT_LANEORDERS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi::layout {

/// Orders of all tensors in which the lanes of a kernel that sums products, as
/// an integer convolution does, lie along dimensions of its weights: constants,
/// or what is multiplied with a window. With the channels of the filter there,
/// a convolution is channels last. None for other kernels. Whether they take
/// less time is for the time model to say.
SmallVector<Orders, 2> laneOrders(KernelOp kernel);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_LANEORDERS_H
