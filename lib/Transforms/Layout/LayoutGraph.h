// The tensors of a function and the orders in which each may be stored.
#ifndef GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H
#define GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H

#include "Placement.h"
#include <deque>

namespace mlir::gaudi::layout {

/// Orders that one group may have. More are left out, and what depends on the
/// group is not proven.
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

/// A tensor that some op has in another order than others, or might.
struct Group {
  Value root;
  SmallVector<Value, 1> members; ///< that are the root transposed
  /// Candidates, normal and relative to the root; the first is the root's own.
  SmallVector<Order, 2> orders;
  bool isComplete = true; ///< no candidate was left out
  /// The members alone have too many orders: each use stays as written.
  bool isPinned = false;

  RankedTensorType type() const { return tensorType(root); }
  /// What any order costs if the tensor is a constant: it is reordered at
  /// compile time, which is worth avoiding if nothing else is; a splat is the
  /// same bytes in each order.
  std::optional<Picoseconds> constantTime() const;
  /// True if every reader has any order for nothing, as of a splat: orders of
  /// readers then do not depend on each other.
  bool isFreeInEachOrder() const {
    return orders.size() == 1 || constantTime() == Picoseconds(0);
  }
};

/// The groups that have several candidates, or transposes in them.
class LayoutGraph {
public:
  /// Finds groups and candidates. Time is linear in the ops, as each group has
  /// at most `maxOrders` of them.
  explicit LayoutGraph(func::FuncOp function);

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

private:
  void seed(func::FuncOp function);
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
  /// A state that callers let permute, and the value that replaces it.
  DenseMap<Value, SmallVector<Value, 1>> sameOrder;
  std::deque<std::pair<unsigned, unsigned>> worklist; // group, candidate
};

/// The orders of all tensors of `op` that go with one of them, so that it moves
/// nothing from lane to lane: getOrdersWith of ops whose tensors depend on each
/// other, the order of the loops for kernels.
std::optional<Orders> ordersThatFollow(Operation *op, unsigned tensor,
                                       ArrayRef<int64_t> order);

} // namespace mlir::gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_LAYOUTGRAPH_H
