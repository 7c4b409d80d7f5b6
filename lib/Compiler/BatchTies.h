// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of a function must have equal sizes.
#ifndef GAUDI_LIB_COMPILER_BATCHTIES_H
#define GAUDI_LIB_COMPILER_BATCHTIES_H

#include "Gaudi/Dialect/DimMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Dimensions of values, and of the index spaces of kernels, as nodes of a
/// graph: an edge goes from a node that grows to one that must grow with it.
class BatchTies {
public:
  explicit BatchTies(func::FuncOp function);

  using Node = unsigned;
  static constexpr Node none = ~0u;

  Node nodeOf(Value value, unsigned dim) const { return first.at(value) + dim; }
  /// Of dimension `dim` of the first result of a kernel that stores to it at 0,
  /// since it has size 1: the index space has no dimension for it.
  Node nodeOfOne(Operation *kernel, unsigned dim) const {
    return firstOfOnes.at(kernel) + dim;
  }
  /// Of dimension `dim` of the index space.
  Node nodeOf(Operation *kernel, unsigned dim) const {
    return firstOfSpace.at(kernel) + dim;
  }

  /// The nodes that grow with `seed`, or the op that forbids it (null: none).
  SmallVector<Node, 0> reach(Node seed, Operation *&fixedBy) const;
  size_t size() const { return edges.size(); }

private:
  Node add(unsigned count);
  void addOp(Operation *op);
  void addStates(func::FuncOp function);
  void fix(Node node, Operation *op);
  void fixAll(Operation *op);
  void fixAll(Value value, Operation *op);
  void tieNodes(Node a, Node b);
  /// Both grow together. If one has size 1 and the other has not, none does.
  void tie(Value a, unsigned dimA, Value b, unsigned dimB);
  /// The result grows with the operand; the operand with the result unless it
  /// can be repeated.
  void tieRepeated(Value operand, unsigned dimOperand, Value result,
                   unsigned dimResult);
  void tieAll(Value a, Value b, int64_t butDim = -1);

  void addReindexed(Operation *op);
  void addReshape(Operation *op);
  void addKernel(KernelOp kernel, ValueRange inputs, ValueRange outputs,
                 Node space, Node ones, Operation *op);
  void addComputed(Operation *op);
  void addProduct(Operation *op);
  bool addConvolution(Operation *op);
  bool addAttention(Operation *op);
  bool addLibrary(Operation *op);
  bool addMove(Operation *op);

  DenseMap<Value, Node> first;
  DenseMap<Operation *, Node> firstOfSpace, firstOfOnes;
  std::vector<SmallVector<Node, 2>> edges;
  DenseMap<Node, Operation *> fixed;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_BATCHTIES_H
