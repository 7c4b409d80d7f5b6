// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the placement of one function is: who writes and reads which tensor, in
// which orders, and at what cost.
#ifndef GAUDI_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
#define GAUDI_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H

#include "Copies.h"
#include "LayoutCosts.h"
#include "LayoutGraph.h"

namespace gaudi::layout {

/// An op, an entry of an op on lists, an argument or a returned value: it
/// writes and reads tensors in the orders of one of its labels.
struct Party {
  Operation *op = nullptr; ///< null for arguments and returned values
  /// The tensors of the op that are those of an entry; none if all are. Labels
  /// of entries take no time, as that of the op depends on no order.
  SmallVector<unsigned, 0> tensors = {};
  std::optional<unsigned> argument, result;
  /// The group that was split off: the party is the transpose that makes it.
  std::optional<unsigned> split = {};
  const LabelSet *labels = nullptr;

  bool isFixed() const { return labels->labels.size() == 1; }
  /// True if it may be other than it is written.
  bool hasChoice() const { return !isFixed() || !labels->written; }
};

/// A tensor of a party: the number that Label::choices counts with.
struct TensorUse {
  unsigned party, tensor;
};

/// Who has the tensor of a group.
struct GroupUses {
  TensorUse producer;
  SmallVector<TensorUse, 2> readers;
};

class LayoutProblem {
  LayoutCosts costs; // the graph asks for times when it is made

public:
  LayoutProblem(func::FuncOp function, const DeviceTime &time);

  const LayoutGraph graph;
  std::vector<Party> parties;
  std::vector<GroupUses> uses; ///< by group

  /// The candidate of its group that a use has under a label of its party.
  unsigned orderOf(const TensorUse &use, unsigned label) const;
  /// The time of each copy of a group, costs[from * orders + to].
  SmallVector<Picoseconds, 4> copyTimes(unsigned group);

  Placement solve(Objective objective = Objective::Alone);
  /// As text, for a solver that is not of this project:
  ///   group G orders N [constant]
  ///   copy G FROM TO PICOSECONDS
  ///   party P labels N NAME
  ///   label P L PICOSECONDS [written]
  ///   writes P L G ORDER / reads P L G ORDER
  /// A party takes one label, with the picoseconds that the objective counts; a
  /// group has the order that is written, and those that copies make of orders
  /// that it has. Least sum of labels and copies.
  void print(raw_ostream &os, Objective objective = Objective::Alone);

private:
  struct RegionParts {
    std::vector<unsigned> groups, parties;
    bool isComplete = true; ///< no label of who has the groups was left out
  };
  class RegionSolver;

  void addOps();
  void addEntries(Operation *op);
  void addArguments(func::FuncOp function);
  void addResults(func::FuncOp function);
  void addBoundary(Party party, ArrayRef<Value> tensors, bool isFree);
  LabelSet &sharedLabels(ArrayRef<Value> tensors, bool isFree);
  std::optional<Picoseconds> constantTime(Value value) const;
  bool isInGroup(ArrayRef<Value> tensors) const;
  void addSplits();
  void addUses(unsigned party, ArrayRef<Value> tensors, unsigned producers);
  std::vector<RegionParts> findRegions() const;
  /// True if there are transposes, also of constants, which are not counted.
  bool countBefore(unsigned group, Region &region);

  std::deque<LabelSet> ownLabels; // of parties that are no whole op
  SmallVector<bool> hasParty;     // by result: a state that may permute
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_LAYOUTPROBLEM_H
