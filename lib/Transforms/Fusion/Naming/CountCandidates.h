// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One record per candidate for a named pattern, fused or missed.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_COUNTCANDIDATES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_COUNTCANDIDATES_H

#include "../Merge/Clusters.h"
#include "Gaudi/Transforms/FusionRecord.h"

namespace gaudi::fusion {

/// What the merges that made a kernel saved.
struct Saving {
  int64_t picoseconds = 0, bytes = 0;
  Saving &operator+=(const Saving &other) {
    picoseconds += other.picoseconds;
    bytes += other.bytes;
    return *this;
  }
};
using Savings = DenseMap<Operation *, Saving>;

/// Appends a record for each candidate of the block's kernels, whose patterns
/// have been recognised. A candidate that several kernels compute parts of is
/// one, in the kernel of its sum.
void countCandidates(Clusters &clusters, const Savings &savings,
                     SmallVectorImpl<FusionRecord> &records);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_COUNTCANDIDATES_H
