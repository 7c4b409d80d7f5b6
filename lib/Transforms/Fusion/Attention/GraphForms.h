// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal forms of the elements of a graph's tensors.
//
// Elements are computed back through vector ops and views (Merge/ValueDag), and
// through the matrix products that are opened. Everything else is an atom.
//
// A rounding to a type is looked through if the type is at least as wide as
// that of an attention's operands: the op computes what is between them in f32,
// and docs/numerics.md says so. Any other rounding, like every piecewise
// function, is one that no rule looks into.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_GRAPHFORMS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_GRAPHFORMS_H

#include "../Merge/ValueDag.h"
#include "NormalForm.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace gaudi::fusion {

class GraphForms {
public:
  using Form = NormalForms::Form;

  /// Constant masks that show the keys in a band are conditions on query and
  /// key; other constants of 0 and 1 are conditions.
  GraphForms(NormalForms &forms, ValueDag &graph,
             const llvm::DenseSet<Operation *> &opened, FloatType narrowest)
      : forms(forms), graph(graph), opened(opened), narrowest(narrowest) {
    forms.extentOf = [&graph](unsigned d) {
      return d < graph.dag.extents.size() ? graph.dag.extents[d] : 0;
    };
  }

  Form at(Value tensor, ArrayRef<Affine> position) {
    return of(graph.valueOf(tensor, position));
  }
  /// The name of a function that is applied in `a` and not in `b`.
  std::optional<StringRef> functionIn(Form a, Form b) const;
  /// The dimensions of an axis as variables.
  NormalForms::Variables variablesOf(const Affine &axis) const;
  LinearForm linearOf(const Affine &form) const;

private:
  Form of(NodeId id);
  Form compute(NodeId id);
  Form ofLoad(const Node &node);
  Form ofScalar(const Node &node);
  Form ofReduction(const Node &node);
  std::optional<Form> ofLogic(const Reduction &reduction, Form init,
                              const NormalForms::Variables &variables);
  Form ofProduct(Operation *op, ArrayRef<Affine> position);
  Form ofComparison(const Node &node, Form a, Form b);
  Form ofInteger(const Node &node, ArrayRef<Form> in);
  Form rounded(Form value, Type type);
  Form inverseOf(NodeId id);
  std::optional<Form> bandOf(const Access &access);
  bool isOfConditions(Value tensor);
  Affine contracted(int64_t extent, ArrayRef<Affine> position);
  bool keeps(Type type) const;
  /// A number for a function or a tensor.
  int64_t identityOf(const Twine &text);
  /// The operation that no rule looks into, with conditions decided.
  Form opaque(const Twine &name, ArrayRef<Form> in, Type type,
              bool isCommutative = false);

  NormalForms &forms;
  ValueDag &graph;
  const llvm::DenseSet<Operation *> &opened;
  FloatType narrowest;
  DenseMap<NodeId, Form> known;
  llvm::StringMap<int64_t> identities;
  DenseMap<Value, int64_t> tensors;
  DenseMap<Value, bool> ofConditions;
  SmallVector<std::pair<int64_t, Affine>> axes; // of products, with extents
  unsigned depth = 0;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_GRAPHFORMS_H
