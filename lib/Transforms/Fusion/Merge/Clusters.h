// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a block with the graphs of their bodies.
//
// Operands, results and the order of the kernel ops are always up to date;
// bodies are written by finish(). Kernels that were erased are unlinked and
// kept allocated until the end of the pass, so that no new op has their
// address.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_CLUSTERS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_CLUSTERS_H

#include "Prototype.h"
#include "mlir/IR/Remarks.h"

namespace gaudi::fusion {

struct Cluster {
  Prototype *prototype = nullptr;
  /// The operand of the op that is each tensor of the prototype.
  SmallVector<unsigned, 6> operandOf;
  /// The graph with the tensors of this kernel, built on demand.
  std::unique_ptr<KernelDag> dag;
  bool isChanged = false; // the body of the op is out of date
};

class Clusters {
public:
  Clusters(Block &block, const device::DeviceSpec &spec)
      : block(block), spec(spec), prototypes(spec) {}
  ~Clusters();

  /// What is known of a kernel, or null if its body has no graph.
  Cluster *get(Operation *kernel);
  /// The graph of a kernel that has one.
  KernelDag &dagOf(Operation *kernel);

  /// The merge of two kernels that have graphs (see mergeKernels).
  Merged merge(Operation *producer, Operation *consumer,
               ArrayRef<Value> liveOut, const KernelLimits &limits);

  /// The merge of such a merge, not made yet, into a kernel that reads it.
  Merged mergeOnto(const Merged &producer, Operation *consumer,
                   ArrayRef<Value> liveOut, const KernelLimits &limits);

  /// Replaces `kernel` by a merged kernel: its op gets the operands
  /// and results and may be another one afterwards. Results that are stored
  /// as another value replace that value.
  Operation *replace(Operation *kernel, const Merged &merged);
  /// Makes a kernel read what is broadcast instead of the broadcast, which
  /// never reads more; false if it reads none.
  bool readThroughBroadcasts(Operation *kernel);

  /// Erases a kernel or movement that nothing reads any more, and its views.
  void erase(Operation *op);
  bool isErased(Operation *op) const { return gone.contains(op); }

  /// Writes the bodies and labels of changed kernels.
  void finish();
  unsigned changed = 0, recognized = 0; // counted by finish

  SmallVector<Operation *> kernels() const;
  static std::string nameOf(Operation *op);
  /// True if remarks are enabled; their texts are not built otherwise.
  bool explains() const;

  Block &block;
  const device::DeviceSpec &spec;

private:
  Prototypes::Part partOf(Operation *kernel);
  /// Erases those of the ops, and of what they read, that nothing reads. An op
  /// may be named twice.
  void eraseAll(SmallVector<Operation *> ops);
  void report(KernelOp kernel, const Recognition &recognition);
  void writeBody(KernelOp kernel, Prototype &prototype);

  Prototypes prototypes;
  DenseMap<Operation *, std::unique_ptr<Cluster>> known;
  DenseSet<Operation *> gone;
  SmallVector<Operation *> graveyard; // destroyed with this
};

inline remark::RemarkOpts fusionRemark(StringRef name) {
  return remark::RemarkOpts::name(name).category("gaudi-fuse-tpc");
}

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_CLUSTERS_H
