// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of tensors as one graph of scalar values, across ops.
//
// A KernelDag in which the load of a tensor is replaced by the computation of
// its element, as far as vector ops and views reach: matrix products, arguments
// and what has no kernel stay loads. Device limits and profit do not matter,
// since the graph is matched, not run. Whatever the exporter wrote (reshapes,
// broadcasts, named ops or linalg generics), equal mathematics are equal nodes.
//
// A reduction walks a sequential axis that its own element does not vary with;
// the same axis serves all such reductions, so that max(x[s]) and x[s] name one
// element x[s], and a softmax looks as it does in a fused kernel.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VALUEDAG_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VALUEDAG_H

#include "KernelDag.h"
#include <memory>

namespace gaudi::fusion {

/// The element of a tensor at a position over the dimensions of a graph.
struct TensorElement {
  Value tensor;
  SmallVector<Affine, 4> position;
  bool isRounded = false; ///< the tensor has the value after a rounding
};

/// Graphs of kernels by op, shared by the value graphs of one function: an op
/// that many of them reach is read once.
using KernelGraphs = DenseMap<Operation *, std::unique_ptr<KernelDag>>;

class ValueDag {
public:
  /// Says of a tensor that it is loaded, not computed.
  using Stop = std::function<bool(Value)>;

  /// Fills a graph and reads it. Where a reshape splits a dimension, the
  /// dimension is strip-mined and the graph filled again, so that `fill` starts
  /// with addAxis. Reshapes that no strip-mining resolves are loaded.
  static std::unique_ptr<ValueDag>
  build(MLIRContext *context, KernelGraphs &kernels, const Stop &stop,
        llvm::function_ref<void(ValueDag &)> fill);

  /// True if the graph is to be filled again, so that nothing more need be
  /// read.
  bool isToBeSplit() const { return wanted.has_value(); }

  /// Adds an index of this extent and gives its form: 0 for extent 1, else a
  /// dimension, or several if it is strip-mined. Reductions walk sequential
  /// axes only.
  Affine addAxis(int64_t extent, bool isParallel);

  /// The value of an element.
  NodeId valueOf(Value tensor, ArrayRef<Affine> position);

  /// The position of the same element in the tensor that a view (reshape,
  /// transpose, slice, split, broadcast, concatenation of copies) is made of.
  /// Nothing for other tensors, and for a view without an affine form; asks for
  /// the strip-mining that would give it one.
  std::optional<TensorElement> sourceOf(const TensorElement &element);
  /// The position of an element in the result of a reshape or transpose.
  std::optional<TensorElement> resultOf(Operation *view,
                                        const TensorElement &element);

  /// The elements that have the value, also after a rounding; those closest to
  /// the loads first.
  ArrayRef<TensorElement> elementsOf(NodeId id) const;
  /// The dimensions that the value varies with, through reductions, as bits.
  uint64_t variesWith(NodeId id);
  /// The op that computes the value; null for loads and constants.
  Operation *originOf(NodeId id) const;

  KernelDag dag;

private:
  struct Axis {
    Affine index;
    int64_t extent;
    bool isParallel;
  };

  ValueDag(MLIRContext *context, KernelGraphs &kernels, const Stop &stop,
           ArrayRef<SmallVector<int64_t>> splits)
      : context(context), kernels(kernels), stop(stop),
        splits(splits.begin(), splits.end()) {}

  NodeId compute(const TensorElement &element);
  NodeId load(const TensorElement &element);
  std::optional<NodeId> elementwise(Operation *op,
                                    const TensorElement &element);
  std::optional<NodeId> fromKernel(const KernelDag &kernel, Operation *op,
                                   unsigned result,
                                   const TensorElement &element);
  const KernelDag *graphOf(Operation *op);
  Affine addDims(int64_t extent, bool isParallel, bool isWalked);
  std::optional<Affine> walked(int64_t extent, uint64_t &taken);
  void ask(const Reindexed &failed);

  MLIRContext *context;
  KernelGraphs &kernels;
  const Stop &stop;
  SmallVector<SmallVector<int64_t>> splits; // extents of each axis's dimensions
  SmallVector<Axis> axes;
  SmallVector<unsigned> axisOf; // of each dimension
  std::optional<StripMine> wanted;
  unsigned nesting = 0;
  SmallVector<Operation *> origins; // by part
  DenseMap<Value, SmallVector<std::pair<SmallVector<Affine, 4>, NodeId>, 1>>
      known;
  DenseMap<NodeId, SmallVector<TensorElement, 2>> elements;
  DenseMap<NodeId, uint64_t> varying;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_VALUEDAG_H
