// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel costs on a device, by the time model.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H

#include "Gaudi/Timing/Cost.h"
#include "KernelDag.h"

namespace gaudi::fusion {

/// The work of the kernel that the graph is written as. It depends on the graph
/// and the types of its tensors alone, which count as dense: kernels that are
/// equal but for their tensors share a prototype and its cost.
timing::KernelWork workOf(const KernelDag &dag);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROFIT_H
