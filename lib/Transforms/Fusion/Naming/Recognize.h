// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names what a kernel computes.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZE_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZE_H

#include "Candidates.h"

namespace gaudi::fusion {

/// A pattern in a kernel: its name, the value it computes, and the values it is
/// computed from.
struct Recognized {
  StringRef name;
  NodeId root;
  SmallVector<NodeId, 2> inputs;
};

/// A pattern that a kernel almost is, and what is wrong.
struct NearMiss {
  StringRef name, reason;
};

/// All patterns of a kernel, outermost first.
struct Recognition {
  SmallVector<Recognized, 2> found;
  SmallVector<NearMiss, 1> missed;
  SmallVector<Candidate, 2> candidates;
  /// Names of patterns and of the ops that belong to none, in order.
  std::string label;
};
Recognition recognize(const KernelDag &dag);

/// The pattern that two kernels would be if the result `tensor` of `producer`
/// were fused into `consumer`; empty if none is in sight.
StringRef patternAcross(const KernelDag &producer, Value tensor,
                        const KernelDag &consumer);

/// "tpc.a+b+c" for the names "a", "tpc.b" and "c"; long lists are cut.
std::string joined(ArrayRef<StringRef> names);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZE_H
