// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fills the memory of the card, for people.
#ifndef GAUDI_RUN_MEMORYTEXT_H
#define GAUDI_RUN_MEMORYTEXT_H

#include "Gaudi/Analysis/BucketMemory.h"
#include "Gaudi/Prediction/Prediction.h"

#include <cstddef>
#include <iosfwd>

namespace gaudi::run {

/// The `buffers` largest buffers alive at the peak, half of them of the
/// workspace, what passes did about
/// memory, the largest copies that remain, and what would lower the peak.
/// Nothing of what the recipe does not have.
void printMemoryPlan(std::ostream &out,
                     const prediction::Prediction &prediction, size_t buffers);

/// A table of the buckets, and which fit into `limit`.
void printBuckets(std::ostream &out, const analysis::BucketSet &set,
                  uint64_t limit);

} // namespace gaudi::run

#endif // GAUDI_RUN_MEMORYTEXT_H
