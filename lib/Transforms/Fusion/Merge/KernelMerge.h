// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging of two kernels, one of which reads what the other writes.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELMERGE_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELMERGE_H

#include "KernelDag.h"

namespace gaudi::fusion {

/// A merged kernel, or why there is none.
struct Merge {
  std::optional<KernelDag> dag;
  StringRef refusal;

  static Merge refuse(StringRef reason) { return {std::nullopt, reason}; }
};

/// Limits of a kernel, from the device's table.
struct KernelLimits {
  unsigned maxParallelDims, maxDims, maxTensors, maxLoops, maxNodes;
  double maxWork; // instructions over the whole index space
};

/// The kernel that computes `consumer` without loading `producer`'s results.
/// Results of the producer in `liveOut` have other readers and are stored by
/// the merged kernel too.
Merge mergeKernels(const KernelDag &producer, const KernelDag &consumer,
                   ArrayRef<Value> liveOut, const KernelLimits &limits,
                   MLIRContext *context);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELMERGE_H
