// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are computed straight into a slice of another value's buffer.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_SLICEPLACEMENT_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_SLICEPLACEMENT_H

#include "ValueUses.h"

#include "Gaudi/Dialect/Layout.h"

#include <limits>

namespace gaudi {

/// The slice of a value in the buffer of `target`.
struct Slice {
  Value target;
  StridedLayout layout; // elements of the value, which are as large as its own
  /// The last step at which the bytes of the slice are the value's: after that
  /// an update changes some of them.
  uint64_t deadline;
  /// Until this step the bytes are those of elements that the value replaces.
  uint64_t begin = 0;

  /// True if the bytes are the value's in every order of the ops.
  bool isForGood() const {
    return begin == 0 && deadline == std::numeric_limits<uint64_t>::max();
  }
};

/// Why an operand is copied to its slice.
struct CopyReason {
  std::string text;
  Operation *reader = nullptr; // that forbids the alias, if one does
  std::string remedy;          // what would remove the copy; may be empty
  bool isOfPeak = false;       // the alias would raise the peak
};

/// Operands of concatenations and insertions, and updated operands of scatters,
/// as far as they can be computed where the result has them.
///
/// A sweep against program order: the place of a result is known before those
/// of its operands, so that chains of concatenations become one buffer. An
/// operand is followed through reshapes and bitcasts to the op that computes
/// it, which then writes to the slice, with its strides. That is legal if the
/// value has no other place (an argument, a constant, an output, another
/// slice), if the views on it still are windows, and if no byte is read after
/// it has been overwritten: slices of a concatenation are disjoint, so only
/// updates and states can overwrite one. The buffer of the result is then
/// alive from the first of these ops on; an operand is not placed if that would
/// raise the peak. The source of an insertion is computed in its slice if the
/// insertion changes its operand in place, and if no old element is read any
/// more from the first element that is written on. O(n log n) in the number of
/// ops and operands.
class SlicePlacer {
public:
  /// `early` are copies of constants before what insertions place in them. They
  /// have bytes only if the source of the insertion can be placed.
  SlicePlacer(func::FuncOp function, const ValueUses &uses,
              const DenseSet<Operation *> &early);

  const Slice *find(Value value) const {
    auto it = slices.find(value);
    return it == slices.end() ? nullptr : &it->second;
  }
  /// Why the operand is not in its slice, if it was refused.
  const CopyReason *refusal(OpOperand &operand) const {
    auto it = refusals.find(&operand);
    return it == refusals.end() ? nullptr : &it->second;
  }
  /// The first step at which something is written to the buffer of `target`.
  uint64_t firstWrite(Value target) const {
    auto it = firsts.find(target);
    return it == firsts.end() ? uses.stepOfValue(target) : it->second;
  }

  /// True if sources of insertions that update the state are computed in its
  /// buffer: nothing else reads the old value from then on.
  bool isChangedInSlices(Value state) const {
    return changedInSlices.contains(state);
  }

private:
  void placeOperands(Operation *op);
  bool place(OpOperand &operand, const class OperandSlices &inResult);
  bool placeAt(OpOperand &operand, Slice slice);
  void placePad(InsertSliceOp insert, const OperandSlices &inResult);
  void placeSource(InsertSliceOp insert, const OperandSlices &inResult,
                   bool isInPlace);
  bool isStateInPlace(InsertSliceOp insert, Slice slice,
                      const OperandSlices &inResult, Value state);
  std::optional<CopyReason> follow(Value &value, Slice &slice) const;
  bool mayOverwrite(Value value, const StridedLayout &slice, Value updated,
                    const StridedLayout &layout) const;
  bool refuse(OpOperand &operand, CopyReason reason);
  Slice sliceOfResult(Value result) const;
  std::optional<CopyReason> reasonToCopy(OpOperand &operand, Value value,
                                         const Slice &slice) const;
  std::optional<CopyReason> reasonOfUpdate(OpOperand &operand,
                                           Value value) const;
  std::optional<CopyReason> reasonOfState(OpOperand &operand, Value value,
                                          Value target) const;
  bool inWorkspace(Value target) const;

  const ValueUses &uses;
  DenseMap<Value, Slice> slices;
  DenseMap<OpOperand *, CopyReason> refusals;
  DenseMap<Value, uint64_t> firsts;
  DenseSet<Value> changedInSlices;      // states
  class LiveProfile *profile = nullptr; // while the constructor runs
  int64_t peak = 0;                     // of the workspace, bytes
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_SLICEPLACEMENT_H
