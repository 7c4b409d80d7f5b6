// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of a function must have equal sizes.
#ifndef GAUDI_LIB_COMPILER_BATCHTIES_H
#define GAUDI_LIB_COMPILER_BATCHTIES_H

#include "Gaudi/Dialect/DimMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Dimensions of values, and factors of the maps of ops (DimMap), as nodes of a
/// graph: an edge goes from a node that grows to one that must grow with it.
class BatchTies {
public:
  explicit BatchTies(func::FuncOp function);

  using Node = unsigned;

  Node nodeOf(Value value, unsigned dim) const { return first.at(value) + dim; }
  /// Of a factor of the map of a kernel: the dimensions of the index space,
  /// then those of the first result that it has none for.
  Node nodeOf(Operation *kernel, unsigned factor) const {
    return firstOfFactors.at(kernel) + factor;
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
  void tie(Node a, Node b);
  void addDim(Operation *op, const DimMap &map, const DimMap::Access &access,
              unsigned number);

  DenseMap<Value, Node> first;
  DenseMap<Operation *, Node> firstOfFactors;
  std::vector<SmallVector<Node, 2>> edges;
  DenseMap<Node, Operation *> fixed;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_BATCHTIES_H
