// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single elements of tensors, computed in float64 from the ops behind them.
//
// Two tensors whose elements differ at a position, for random values of what
// they are computed from, are not equal. Equal samples prove nothing: a clamp
// does nothing to small numbers. So samples choose which of many ways to read a
// graph is worth a proof (ProveGradient.h), and refuse the others.
//
// A sum over a long dimension visits eight of its indices, the same in every
// reduction and matrix product over a dimension of this extent: a smaller
// instance of the same formulas. The cost of an element does not depend on the
// sizes of a network.
//
// What the sampler cannot compute (an argument, an op without a kernel, an
// operation without a formula here) is an unknown: a random number that is a
// function of the tensor and the position, or of the operation and its
// operands. Roundings are left out.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_SAMPLER_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_SAMPLER_H

#include "../Merge/KernelDag.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace gaudi::fusion {

using Position = SmallVector<int64_t, 6>;

/// The tensor whose elements `tensor` shows: before views, transposes and casts
/// between types of floats.
Value shownBy(Value tensor);

class Sampler {
public:
  Sampler();
  ~Sampler();

  /// The element; NaN once the budget is spent.
  double at(Value tensor, ArrayRef<int64_t> position);

  /// The elements of what the tensor shows are unknowns from now on.
  void cut(Value tensor) {
    if (unknowns.insert(shownBy(tensor)).second)
      known.clear();
  }
  /// The elements of the product are computed, not unknowns.
  void open(Operation *product) { opened.insert(product); }

  /// The indices that stand for all of a dimension, in ascending order.
  ArrayRef<int64_t> indicesOf(int64_t extent);
  /// A dimension of this extent is several dimensions in row-major order. One
  /// at a time; no extents end this.
  void split(int64_t extent, ArrayRef<int64_t> extents);

  /// True once more elements were asked for than a match may cost.
  bool isSpent() const { return budget <= 0; }
  /// A random number from 0 to `bound` - 1, the next of a fixed sequence.
  int64_t draw(int64_t bound);

private:
  struct Graph;
  class Evaluation;

  double compute(Value tensor, ArrayRef<int64_t> position);
  double unknown(Value tensor, ArrayRef<int64_t> position);
  double ofProduct(Operation *op, ArrayRef<int64_t> position);
  double ofKernel(OpResult result, const Graph &graph,
                  ArrayRef<int64_t> position);
  /// The values that compute the op's results, made on first use; none for an
  /// op without a kernel.
  ArrayRef<Value> expansionOf(Operation *op);
  const Graph *graphOf(Operation *kernel);

  int64_t budget = int64_t(1) << 21;
  unsigned depth = 0;
  uint64_t drawn = 0;
  llvm::DenseSet<Value> unknowns;
  llvm::DenseSet<Operation *> opened;
  DenseMap<Value, unsigned> numbers; // of unknowns, by first use
  DenseMap<Value, DenseMap<int64_t, double>> known;
  DenseMap<int64_t, SmallVector<int64_t, 8>> indices;
  int64_t splitExtent = 0;
  DenseMap<Operation *, SmallVector<Value, 1>> expansions;
  DenseMap<Operation *, std::unique_ptr<Graph>> graphs;
  Block scratch; // kernels made of ops; not part of the function
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_SAMPLER_H
