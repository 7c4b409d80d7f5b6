// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From gaudi.tpc.kernel to the graph of its values.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELREADER_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELREADER_H

#include "KernelDag.h"

namespace gaudi::fusion {

/// Reads the kernel; dimensions of size 1 disappear. Fails for a kernel that
/// has no graph: an access that is not affine, or a store of the steps of a
/// reduction.
FailureOr<KernelDag> readKernel(KernelOp kernel);

/// Adds the value that an elementwise op computes from those of its operands,
/// not rounded to its type. Nothing if it has no form in the graph.
std::optional<NodeId> readElementwise(ElementwiseOpInterface op,
                                      ArrayRef<NodeId> operands,
                                      KernelDag &dag);

/// The value of every element of a constant tensor, as a load of `type` gives
/// it; null for other tensors.
TypedAttr loadedSplat(Value tensor, Type type);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELREADER_H
