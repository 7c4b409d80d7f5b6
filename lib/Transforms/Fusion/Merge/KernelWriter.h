// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the graph of a kernel's values to gaudi.tpc.kernel.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELWRITER_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELWRITER_H

#include "KernelDag.h"

namespace gaudi::fusion {

/// Writes the body and the dimensions of `kernel`, whose operands are
/// dag.tensors() and whose results are those of the stores, in order.
void writeKernel(const KernelDag &dag, KernelOp kernel);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELWRITER_H
