// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a tensor is written or read in the order that a placement gives it.
#ifndef GAUDI_LIB_TRANSFORMS_LAYOUT_REASONS_H
#define GAUDI_LIB_TRANSFORMS_LAYOUT_REASONS_H

#include "LayoutGraph.h"

namespace gaudi::layout {

/// What people call the op: its name, or the label of a kernel.
StringRef nameOf(Operation *op);
/// "'gaudi.mme.conv' at model.mlir:3:8", a kernel by its label.
std::string describe(Operation *op);
/// "[0, 2, 3, 1]"
std::string orderText(ArrayRef<int64_t> order);

/// The writer of a tensor, or one of its readers.
struct PlacedParty {
  /// The op, or the return of the function; null for an argument.
  Operation *op = nullptr;
  /// Of the op: operands, then results. Of the function, if there is no op.
  unsigned tensor = 0;
  Order order = {}; ///< of its own tensor, as it is placed
  Order whole = {}; ///< the same relative to the root of the group, normal

  std::pair<Operation *, unsigned> key() const { return {op, tensor}; }
};

/// All that touches the bytes of one group.
struct PlacedGroup {
  Value root;
  PlacedParty writer; ///< of a constant or an op; without an op an argument
  SmallVector<PlacedParty, 2> readers; ///< in program order
  /// What rearranged the tensor in the program: transposes, and reshapes that
  /// only move dimensions of size 1, in program order.
  SmallVector<Operation *, 2> moves;
};

/// What keeps a tensor in its order: `text` says it, and if it is an order of
/// callers, of which argument or result of the function.
struct Reason {
  std::string text;
  std::optional<unsigned> argument = {}, result = {};
  bool isForced = true; ///< else it could change, but that takes no less time
};

/// The function as a placement has it.
class PlacedFunction {
public:
  PlacedFunction(func::FuncOp function, const Placement &placement);

  const PlacedGroup &groupOf(Value value);
  /// The order of a value relative to the root of its group.
  Order orderOf(Value value) const;
  Order normal(Value root, ArrayRef<int64_t> order) const;
  PlacedParty partyOf(OpOperand &operand) const;
  /// True for a transpose or reshape that nothing reads once it is placed.
  static bool isMove(Operation *op);

  /// Why the party does not have its tensor in `whole`, relative to the root:
  /// the nearest op, argument or result that cannot, found by following the
  /// ops whose tensors have one order.
  Reason whyNot(const PlacedParty &party, Value root, ArrayRef<int64_t> whole);

  func::FuncOp function;
  const Placement &placement;

private:
  Order placedOrder(Operation *op, unsigned tensor) const;
  PlacedParty writerOf(Value root) const;
  Order wholeOf(Value value, ArrayRef<int64_t> order) const;
  std::optional<Reason> cannot(const PlacedParty &party,
                               ArrayRef<int64_t> order,
                               std::optional<Followers> &followers);

  Following following;
  SmallVector<bool> isFreeResult; // whose order callers leave open
  DenseMap<Value, Member> members;
  DenseMap<Value, SmallVector<Value, 2>> membersOf;     // by root, without it
  DenseMap<Value, std::unique_ptr<PlacedGroup>> groups; // by root
};

} // namespace gaudi::layout

#endif // GAUDI_LIB_TRANSFORMS_LAYOUT_REASONS_H
