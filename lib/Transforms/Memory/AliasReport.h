// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what was aliased and what is copied: remarks, and the records that
// recipes keep.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_ALIASREPORT_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_ALIASREPORT_H

#include "SlicePlacement.h"

#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/MemoryRecord.h"

namespace gaudi {

class AliasReport {
public:
  AliasReport(func::FuncOp function, const DeviceTime &time)
      : function(function), time(time) {}

  static constexpr StringLiteral category = "gaudi-alias-buffers";

  /// The result of a view is a window.
  void view(OpResult result);
  /// Strides cannot express a view, or only those that its operand got after
  /// lifetimes had been decided.
  void copiedView(OpResult result, Value source, bool isLate);
  /// A constant equal to an earlier one.
  void constant(OpResult result);
  /// A kernel's result reuses the buffer of an operand.
  void inPlace(OpResult result, unsigned operand);
  /// It cannot reuse that of `operand`, the best candidate.
  void notInPlace(OpResult result, unsigned operand, StringRef reason);
  /// An operand that is in its slice of the result, or has to be copied there.
  void slice(OpOperand &operand);
  void copiedSlice(OpOperand &operand, const CopyReason &reason);
  /// A movement that is no window on its operand.
  void moved(Operation *op, const CopyReason &reason);
  /// The next value of a state is written over the old one, or copied.
  void state(const StateUpdate &update, OpResult next);
  void copiedState(const StateUpdate &update, OpResult next,
                   const CopyReason &reason);
  /// An output that is copied, or an argument that needs no copy.
  void copiedOutput(unsigned output, Operation *copy, StringRef reason,
                    StringRef remedy);
  void donated(unsigned output, BlockArgument argument);

  /// Adds what was said to the record of the function.
  void finish();

private:
  void add(MemoryKind kind, Operation *op, Location loc, Value moved,
           const CopyReason &reason = {});
  std::string timeOf(Value value) const {
    return time.text(time.ofCopy(value));
  }
  bool isExplained() { return explains(function); }

  func::FuncOp function;
  const DeviceTime &time;
  MemoryRecord record;
  StridesOfViews views; // of those that are windows
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_ALIASREPORT_H
