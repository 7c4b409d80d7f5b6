// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A TPC kernel as a graph of values, the form in which kernels are merged.
//
// A value stands for its computation at one combination of kernel indices;
// equal computations are one node. Where a node is computed (once per point or
// in which loops) follows from the dimensions it varies with, so merging never
// moves code.
//
// Invariants: operands of a node come before it; a node of depth n needs the
// results of loops before number n only, so that loops are in a topological
// order; an accumulator (Carry) is used by the reductions of its own loop only.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELDAG_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELDAG_H

#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Kernel/Affine.h"
#include "mlir/IR/Builders.h"

namespace gaudi::fusion {

using kernel::Affine;
using kernel::Reindexed;
using kernel::StripMine;

using NodeId = unsigned;

/// The dimensions that a position varies with, as bits.
inline uint64_t dimsOf(ArrayRef<Affine> position) {
  uint64_t mask = 0;
  for (const Affine &form : position)
    mask |= form.dims();
  return mask;
}
/// Dimensions as bits.
inline uint64_t maskOf(ArrayRef<unsigned> dims) {
  uint64_t mask = 0;
  for (unsigned d : dims)
    mask |= uint64_t(1) << d;
  return mask;
}
/// The indices of `rank` dimensions as forms.
SmallVector<Affine, 6> identityForms(unsigned rank);

/// A read of one element.
struct Access {
  Value tensor;
  SmallVector<Affine, 4> position;
  SmallVector<Boundary, 4> boundary;   // empty: inside everywhere
  SmallVector<int64_t, 1> dynamicDims; // indexed by the operands of the load
  TypedAttr pad;

  bool isInside() const { return boundary.empty() && dynamicDims.empty(); }
  bool operator==(const Access &other) const {
    return tensor == other.tensor && position == other.position &&
           boundary == other.boundary && dynamicDims == other.dynamicDims &&
           pad == other.pad;
  }
};

struct Node {
  /// Result: of a loop. Carry: an accumulator inside its loop.
  enum Kind : uint8_t { Constant, Index, Load, Scalar, Result, Carry };

  Kind kind = Constant;
  uint8_t depth = 0;   // loops before this one must have run
  unsigned number = 0; // Index: dimension; Load: access; Scalar: result;
                       // Result, Carry: position in the loop's results
  unsigned loop = 0;   // Result, Carry
  unsigned part = 0;   // provenance: its op; equal values have the first
  uint64_t dims = 0;   // kernel dimensions it varies with where it is computed
  Type type;
  Attribute attr; // Constant: the value; Scalar: the op's attributes
  std::optional<OperationName> name; // Scalar
  SmallVector<NodeId, 3> operands;
};

/// An accumulator of a loop and what it is combined with.
struct Reduction {
  KernelReduce kind;
  NodeId init, value;
  std::optional<NodeId> position; // argmax, argmin

  bool operator==(const Reduction &other) const {
    return kind == other.kind && init == other.init && value == other.value &&
           position == other.position;
  }
};

struct Loop {
  SmallVector<unsigned, 2> dims;
  SmallVector<Reduction, 2> reductions;
};

/// A write of a result, in a loop over the sequential dimensions of its
/// position.
struct Store {
  Value result; // of the kernel op
  SmallVector<Affine, 4> position;
  NodeId value;
};

class KernelDag {
public:
  SmallVector<int64_t, 6> extents;
  SmallVector<bool, 6> parallel;
  SmallVector<Node, 0> nodes;
  SmallVector<Access, 0> accesses;
  SmallVector<Loop, 0> loops;
  SmallVector<Store, 1> stores;
  /// Provenance: names of the ops the kernel stands for, in order.
  SmallVector<StringRef, 2> parts;
  /// The op that values made from now on come from.
  unsigned currentPart = 0;

  /// Reserves memory for as many values and accesses.
  void reserve(size_t nodeCount, size_t accessCount) {
    nodes.reserve(nodeCount);
    hashes.reserve(nodeCount);
    accesses.reserve(accessCount);
  }

  /// The tensors that are read, in order of first use.
  SmallVector<Value> tensors() const;

  unsigned addDim(int64_t extent, bool isParallel);
  uint64_t sequentialDims() const;
  /// The loop dimensions that `mask` needs, outermost first.
  SmallVector<unsigned, 2> sequentialOf(uint64_t mask) const;

  NodeId constant(TypedAttr value);
  NodeId index(unsigned dim);
  /// An i64 value equal to the form.
  NodeId linear(const Affine &form, MLIRContext *context);
  NodeId load(Access access, ArrayRef<NodeId> dynamic, Type type);
  NodeId scalar(OperationName name, Attribute attrs, ArrayRef<NodeId> operands,
                Type type, unsigned number = 0);
  template <typename Op> NodeId scalar(ArrayRef<NodeId> operands, Type type) {
    OperationName name(Op::getOperationName(), type.getContext());
    return scalar(name, {}, operands, type);
  }
  /// The value after a store to and a load from a tensor of `element` type.
  NodeId rounded(NodeId value, Type element);
  NodeId result(unsigned loop, unsigned number, Type type);
  NodeId carry(unsigned loop, unsigned number, Type type, uint64_t dims);

  /// Adds a reduction to a loop over `dims` in which all its values exist, or
  /// finds an equal one. Gives loop and number of the first result.
  std::pair<unsigned, unsigned> reduce(ArrayRef<unsigned> dims,
                                       const Reduction &reduction);
  unsigned resultNumber(unsigned loop, unsigned reduction) const;
  /// The reduction that has this result, and which of its results it is.
  std::pair<const Reduction &, unsigned> reductionOf(const Node &result) const;

  /// What a scalar gives for numbers of its operands, not rounded to its type;
  /// nothing if it is no function of numbers (reference::evaluateScalar).
  std::optional<double> evaluate(const Node &scalar,
                                 ArrayRef<double> operands) const;

  /// What a value is computed from, through reductions.
  SmallVector<NodeId, 4> partsOf(NodeId id) const;
  /// The values, their parts, the parts of these, and so on, each once.
  SmallVector<NodeId> closureOf(ArrayRef<NodeId> values) const;

  /// The same kernel with a dimension strip-mined; the inner one is new.
  KernelDag stripMined(StripMine at, MLIRContext *context) const;

  /// The extents, 1 for dimensions that only loops walk: those that choose the
  /// element of a store.
  SmallVector<int64_t> extentsOf(const Store &store) const;
  /// The dimensions that a loop walks or a store uses.
  uint64_t usedDims() const;
  /// How many points the dimensions of a mask have; may exceed 64 bits.
  double pointsOf(uint64_t mask) const;
  /// How many of the used dimensions are parallel.
  unsigned countParallel() const;

  /// True if every value has the indices it needs where it is used: loops use
  /// no sequential dimension that they do not walk.
  bool isWellFormed() const;

private:
  /// The node equal to `node`, which is added if there is none.
  NodeId intern(Node node);

  /// Of the nodes. Bodies are short: a linear search beats a table.
  SmallVector<uint32_t, 0> hashes;
};

/// True if the name is that of one of the ops.
template <typename... Ops> bool isOneOf(OperationName name) {
  TypeID id = name.getTypeID();
  return ((id == TypeID::get<Ops>()) || ...);
}

/// The number of a constant; of a boolean 0 or 1.
double numberOf(TypedAttr constant);

/// How a comparison of floats or signed integers orders its operands, neither
/// of which is NaN; nothing for other values.
std::optional<ComparePredicate> orderOf(const Node &node);

/// Reads through views as long as the position stays affine.
void readThroughViews(Access &access, ArrayRef<int64_t> extents);

/// Clones values of one graph into another with every index replaced.
class Importer {
public:
  /// Called for each load; a node of the target, or nothing to copy the load.
  using LoadHook = std::function<std::optional<NodeId>(const Node &load)>;

  /// Loops are cloned by `loops` if it is given: the indices inside them are
  /// not those outside. The provenance of `from` is numbered from `firstPart`.
  Importer(KernelDag &to, const KernelDag &from, ArrayRef<Affine> dims,
           MLIRContext *context, unsigned firstPart = 0, LoadHook hook = {},
           Importer *loops = nullptr)
      : to(to), from(from), dims(dims.begin(), dims.end()), context(context),
        firstPart(firstPart), hook(std::move(hook)), loops(loops),
        copies(from.nodes.size()) {}

  NodeId import(NodeId node);
  SmallVector<Affine, 4> substitute(ArrayRef<Affine> position) const;
  ArrayRef<Affine> getDims() const { return dims; }

private:
  NodeId clone(NodeId id);
  NodeId importResult(const Node &node);
  SmallVector<unsigned, 2> walkedDims(const Loop &loop) const;
  void importCustomLoop(unsigned loop);

  KernelDag &to;
  const KernelDag &from;
  SmallVector<Affine, 6> dims;
  MLIRContext *context;
  unsigned firstPart;
  LoadHook hook;
  Importer *loops;
  std::vector<std::optional<NodeId>> copies;
  DenseMap<unsigned, unsigned> customLoops;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_KERNELDAG_H
