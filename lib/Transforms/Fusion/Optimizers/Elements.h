// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph as formulas of their elements, read on demand.
//
// A node stands for consecutive elements of a tensor, in row-major order, and
// says how one of them is computed from those at the same place in other nodes,
// or from a single element. Reshapes, slices, concatenations, casts to wider
// types and broadcasts of one element are looked through. Ops and kernels of
// all front ends become the same few kinds; what has none (a matrix product, a
// transpose, an argument) is a leaf. Equal ranges of a tensor are one node.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_ELEMENTS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_ELEMENTS_H

#include "../Merge/KernelDag.h"
#include <deque>

namespace gaudi::fusion {

/// `size` elements of a tensor, from element `first` on.
struct ElementRange {
  Value tensor;
  int64_t first = 0, size = 0;

  bool isWhole() const;
};

using ElementId = unsigned;

struct Element {
  enum Kind : uint8_t {
    Unread,   // of `range`, not looked at yet
    Leaf,     // an operand of every formula
    Constant, // `constant`
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Sqrt,
    Pow,
    Abs,
    Min,
    Max,
    Select,  // operands: condition, true, false
    Compare, // `predicate`
    Round,   // to `rounded`, or the operand itself
    SumAll,  // of all elements of the operand
  };

  Kind kind = Unread;
  ComparePredicate predicate = ComparePredicate::EQ;
  int64_t size = 0;
  double constant = 0;
  /// The type narrower than f32 that the value is rounded to; null if it is not
  /// rounded, or cannot be changed by that.
  Type rounded;
  SmallVector<ElementId, 3> operands;
  ElementRange range;      // tensor is null for a value inside a kernel
  Operation *op = nullptr; // that computes it
};

class Elements {
public:
  Elements() = default;
  Elements(const Elements &) = delete;

  ElementId of(Value tensor);
  ElementId of(ElementRange range);
  /// References stay valid.
  const Element &at(ElementId id) { return read(id); }

  /// The number that the node is, whatever computes it from constants.
  std::optional<double> constantOf(ElementId id);
  /// True if all elements are equal because one element computes them.
  bool isUniform(ElementId id);
  /// The node before roundings to narrower types.
  ElementId beforeRounding(ElementId id);
  /// The node before casts that keep its value, and roundings to `type`.
  ElementId beforeCopies(ElementId id, Type type = {});
  /// Its `rounded`, or, if `ofLeaf`, the narrow type in which a leaf is stored.
  Type roundedTo(ElementId id, bool ofLeaf);
  /// The element type of the node's tensor; null inside a kernel.
  Type storageOf(ElementId id);

  /// The nodes that `root` is computed from, itself first, each once, up to
  /// leaves, single elements (if root has more) and other nodes in `stops`.
  /// Empty if there are more than `limit`.
  SmallVector<ElementId> cone(ElementId root, ArrayRef<ElementId> stops = {},
                              unsigned limit = 512);

  /// The elements as a tensor of `shape`, in the type that they have.
  Value materialize(OpBuilder &builder, Location loc, ElementId id,
                    ArrayRef<int64_t> shape);
  /// The one element that computes a uniform node, as a tensor of rank 0.
  Value materializeOne(OpBuilder &builder, Location loc, ElementId id);
  /// True if the node is part of a tensor of the graph.
  bool hasTensor(ElementId id) { return bool(nodes[id].range.tensor); }
  /// `otherwise` if no op computes it: the sum of no elements is a constant.
  Location locOf(ElementId id, Location otherwise);
  /// Nodes are elements of the new tensors where they were of the old ones.
  void replace(const DenseMap<Value, Value> &tensors);

private:
  /// Indices of the nodes of a kernel by value of its graph.
  struct Kernel {
    std::optional<KernelDag> dag;
    std::vector<std::optional<ElementId>> nodes;
  };

  Element &read(ElementId id);
  /// The type if it is a float of fewer bits than f32, or null.
  static Type narrowType(Type type);
  /// Makes powers squares and roots, and takes what a constant selects.
  void simplify(Element &element);
  void readOp(ElementId id, ElementwiseOpInterface op);
  void readReduction(ElementId id, Operation *op);
  void readKernel(ElementId id, KernelOp op);
  std::optional<ElementId> kernelNode(Operation *op, Kernel &kernel,
                                      NodeId node);
  std::optional<ElementId> scalarNode(Operation *op, Kernel &kernel,
                                      const Node &node);
  /// The opcode that computes such nodes from numbers; none for those that
  /// have no formula.
  static std::optional<kernel::Opcode> opcodeOf(Element::Kind kind);
  /// Makes the node compute what `made`, a node without a tensor, does.
  void become(ElementId id, ElementId made);
  /// The elements of an operand of an elementwise op at those of its result.
  std::optional<ElementId> operandOf(Value operand, const ElementRange &result);
  static Value rangeOf(OpBuilder &builder, Location loc,
                       const ElementRange &range, ArrayRef<int64_t> shape);
  ElementId add(Element element);
  ElementId constantNode(double value);
  std::optional<double> evaluate(ElementId id);

  std::deque<Element> nodes;
  DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, ElementId> known;
  DenseMap<Operation *, std::unique_ptr<Kernel>> kernels;
  DenseMap<ElementId, std::optional<double>> constants;
  DenseMap<ElementId, bool> uniform;
  unsigned depth = 0; // of nested questions
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_ELEMENTS_H
