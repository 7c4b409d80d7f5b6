// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that differ only in their tensors share a prototype.
//
// Networks repeat their layers, so most merges, names and bodies are found in
// the memo tables. A key holds everything that the memoised function may read;
// attributes and types enter it by address, since the context makes them
// unique.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROTOTYPE_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROTOTYPE_H

#include "../Naming/Recognize.h"
#include "KernelMerge.h"
#include "Profit.h"
#include "llvm/ADT/StringMap.h"

namespace gaudi::fusion {

struct Prototype {
  /// The graph. Its tensors are the Values of the first kernel seen and may be
  /// dangling: compare them for identity, never dereference.
  KernelDag dag;
  timing::Cost cost;
  /// For each access, the number of its tensor among dag.tensors().
  SmallVector<unsigned, 4> tensorOf;
  std::optional<Recognition> recognition;
  /// A kernel whose body has been written from it.
  KernelOp written;
};

/// What merging gives: a prototype with its tensors and the values that its
/// stores write, or why there is none.
struct Merged {
  Prototype *prototype = nullptr;
  SmallVector<Value, 6> tensors;
  SmallVector<Value, 2> stored;
  StringRef refusal;
};

class Prototypes {
public:
  explicit Prototypes(const device::DeviceSpec &spec) : spec(spec) {}

  /// The one of all kernels that are `dag` but for their tensors.
  Prototype &of(const KernelDag &dag);

  /// The prototype of a kernel op, null if its body has no graph, and for each
  /// of its tensors the operand of the op that it is.
  struct Parsed {
    Prototype *prototype = nullptr;
    SmallVector<unsigned, 6> operandOf;
  };
  const Parsed &of(KernelOp kernel);

  /// A kernel as an operand of a merge.
  struct Part {
    Prototype &prototype;
    SmallVector<Value, 6> tensors;
    ValueRange results;
  };
  using DagOf = llvm::function_ref<const KernelDag &()>;

  /// Like mergeKernels; merges of equal prototypes whose tensors are related in
  /// the same way, through the same views, are done once.
  Merged merge(const Part &producer, const Part &consumer,
               ArrayRef<Value> liveOut, const KernelLimits &limits,
               MLIRContext *context, DagOf producerDag, DagOf consumerDag);

private:
  /// A merge for numbered values.
  struct Outcome {
    Prototype *prototype = nullptr;
    SmallVector<unsigned, 6> tensors;
    SmallVector<unsigned, 2> stored;
    StringRef refusal;
  };

  const device::DeviceSpec &spec;
  llvm::StringMap<std::unique_ptr<Prototype>> known; // by encoding
  llvm::StringMap<Parsed> parsed;
  llvm::StringMap<Outcome> merges;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_PROTOTYPE_H
