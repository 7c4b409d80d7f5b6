// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a graph is written as a kernel: its dimensions, and where stores go.
//
// The writer follows it, and the time model is asked about it: a merge is
// weighed as the kernel that would be written.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_WRITTENFORM_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_WRITTENFORM_H

#include "KernelDag.h"

namespace gaudi::fusion {

/// A loop, or the code between two.
struct Stage {
  SmallVector<unsigned, 2> dims; // of the graph, that the loop walks
  std::optional<unsigned> loop;  // of the graph, if the stage reduces
  SmallVector<unsigned, 1> stores;

  bool isLoop() const { return loop || !dims.empty(); }
};

struct WrittenForm {
  SmallVector<unsigned> dims;    // of the graph, in the kernel's order
  SmallVector<unsigned> newDims; // by dimension of the graph; 0 if unused
  SmallVector<Stage, 4> stages;  // in order
};

WrittenForm writtenFormOf(const KernelDag &dag);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_WRITTENFORM_H
