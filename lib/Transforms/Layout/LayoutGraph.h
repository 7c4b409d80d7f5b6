// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensors of a function and the orders in which each may be stored.
#ifndef GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H
#define GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H

#include "Placement.h"
#include <deque>

namespace gaudi::layout {
class LayoutCosts;

/// Orders that one group may have. More are left out or, if the program has
/// them, split off, and what depends on the group is not proven.
constexpr size_t maxOrders = 5;

/// The permutation that `op` makes if it only joins values of one group: a
/// transpose, or a reshape that only moves dimensions of size 1.
std::optional<Order> joiningOrder(Operation *op);

/// What `value` is made of by ops that only join values of one group.
Value joinedFrom(Value value);

/// See Group::constantTime; none if the value is no constant.
std::optional<Picoseconds> constantTimeOf(Value root);

/// Tensors are numbered: the operands, then the results.
Value tensorOf(Operation *op, unsigned tensor);
unsigned tensorCount(Operation *op);

/// The entries of an op on lists of tensors, such as the parameters of an
/// optimizer's step; 0 of other ops. Tensor i of each list is one of entry i.
/// These have one order, on which those of other entries do not depend, and the
/// time of the op depends on no order.
unsigned entryCount(Operation *op);
/// Scalars, which have one order, count as tensors of any entry.
unsigned entryOf(Operation *op, unsigned tensor, unsigned entries);
SmallVector<unsigned, 0> tensorsOfEntry(Operation *op, unsigned entry);

/// Orders of tensors of an op, by their numbers.
using Followers = SmallVector<std::pair<unsigned, Order>, 4>;

/// What an order of one tensor makes of the others that an op has.
class Following {
public:
  /// Nothing if the op cannot have the tensor in this order, which is not as
  /// it is written. Tensors of an op on lists that are not named keep theirs.
  std::optional<Followers> of(Operation *op, unsigned tensor,
                              ArrayRef<int64_t> order);
  /// True if a tensor of an op on lists was asked about and can have an order.
  bool takes(Operation *op) const { return takesOrders.lookup(op); }

private:
  DenseMap<Operation *, bool> takesOrders; // of ops on lists
};

/// A tensor that some op has in another order than others, or might.
struct Group {
  Value root;
  SmallVector<Value, 1> members; ///< that are the root transposed
  /// Candidates, normal and relative to the root; the first is the root's own.
  SmallVector<Order, 2> orders;
  bool isComplete = true; ///< no candidate was left out
  /// The program has more orders than a group may have, and this one is among
  /// the least frequent: it is a group by itself, which is made of that of
  /// `root` by a transpose from any candidate to any candidate.
  std::optional<Member> origin;

  /// An order relative to the tensor that all transposes come from.
  Order relativeToOrigin(ArrayRef<int64_t> order) const;
  RankedTensorType type() const { return tensorType(root); }
  /// What any order costs if the tensor is a constant: it is reordered at
  /// compile time, which is worth avoiding if nothing else is; a splat is the
  /// same bytes in each order.
  std::optional<Picoseconds> constantTime() const;
  /// True if every reader accepts every order at no cost, as of a splat: orders
  /// of readers then do not depend on each other.
  bool isFreeInEachOrder() const {
    return orders.size() == 1 || constantTime() == Picoseconds(0);
  }
};

/// The groups that have several candidates, or transposes in them.
class LayoutGraph {
public:
  /// Finds groups and candidates. Time is linear in the ops, as each group has
  /// at most `maxOrders` of them. `costs` says which kernels gain by others.
  LayoutGraph(func::FuncOp function, LayoutCosts &costs);

  std::vector<Group> groups;

  Block &block() const { return *body; }

  /// The group that `value` is a member of, if it has one.
  std::optional<unsigned> groupOf(Value value) const;
  /// What `value` is transposed from: itself if it is no transpose.
  Value rootOf(Value value) const;
  /// The order of `value` relative to the root of its group.
  Order orderOf(Value value) const;
  /// The candidates of the group of a value, relative to the value itself: what
  /// Group::orders has, in this sequence. The identity alone if there is none.
  SmallVector<Order, 2> ordersOf(Value value) const;
  /// True if entries of an op on lists may have another order.
  bool takesOrders(Operation *op) const { return following.takes(op); }

private:
  void seed(func::FuncOp function, LayoutCosts &costs);
  /// Calls `visit` with each tensor of an op that an engine needs in an order
  /// that it does not have as written.
  static void
  forEachNative(func::FuncOp function,
                llvm::function_ref<void(Value, ArrayRef<int64_t>)> visit);
  /// Splits the orders of groups that have too many.
  void split(func::FuncOp function);
  void split(Value root, ArrayRef<Order> frequent);
  /// Makes a group for the value if it has none.
  unsigned activate(Value value);
  /// Adds an order of a value, relative to it, to the candidates of its group.
  void add(Value value, ArrayRef<int64_t> order);
  /// Finds what a candidate of a group makes of the ops that have it.
  void propagate(unsigned group, unsigned order);
  void propagate(Operation *op, unsigned tensor, ArrayRef<int64_t> order);

  Block *body;
  DenseMap<Value, Member> members;
  DenseMap<Value, SmallVector<Value, 1>> membersOf; // by root
  DenseMap<Value, unsigned> groupOfRoot;
  DenseMap<Value, SmallVector<Order, 4>> keptOrders; // of crowded roots
  DenseMap<Value, Member> originOf;                  // of split roots
  /// A state that callers let permute, and the value that replaces it.
  DenseMap<Value, SmallVector<Value, 1>> sameOrder;
  Following following;
  std::deque<std::pair<unsigned, unsigned>> worklist; // group, candidate
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H
