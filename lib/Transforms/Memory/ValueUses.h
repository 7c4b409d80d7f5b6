// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When values are computed and read for the last time, before buffers are
// assigned.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_VALUEUSES_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_VALUEUSES_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// An argument whose value result `result` replaces.
struct StateUpdate {
  BlockArgument state;
  unsigned result;
};

/// Steps count the ops of a function; step 0 is before the first. Views are
/// followed to the value whose bytes they have when each computed value is
/// dense.
class ValueUses {
public:
  explicit ValueUses(func::FuncOp function);

  uint64_t stepOf(Operation *op) const { return steps.lookup(op); }
  /// The step that computes the value; 0 for arguments.
  uint64_t stepOfValue(Value value) const {
    Operation *op = value.getDefiningOp();
    return op ? stepOf(op) : 0;
  }
  uint64_t lastStep() const { return count; } // that of the return

  /// The argument or result, no view, whose bytes `value` has.
  Value computed(Value value) const {
    auto it = sources.find(value);
    return it == sources.end() ? value : it->second;
  }

  /// The step of the last op that reads the bytes of a computed value; the step
  /// that computes it if none does.
  uint64_t lastUse(Value value) const {
    return std::max(last.lookup(value), stepOfValue(value));
  }

  /// The first op after step `step` that reads the bytes of a computed value,
  /// or null. O(log n) in the readers.
  Operation *readerAfter(Value value, uint64_t step) const;

  /// The last one before step `step`, or null.
  Operation *readerBefore(Value value, uint64_t step) const;

  /// True if views on a computed value still are windows when it has these
  /// strides. Linear in the views.
  bool viewsHold(Value value, ArrayRef<int64_t> strides) const;

  /// The values that are outputs and have a buffer for themselves.
  DenseSet<Value> outputs;
  /// By the value that replaces a state.
  DenseMap<Value, StateUpdate> updates;

private:
  DenseMap<Operation *, uint64_t> steps;
  DenseMap<Value, Value> sources; // of views
  DenseMap<Value, uint64_t> last; // of computed values
  /// Windows on a value, not those on windows.
  DenseMap<Value, SmallVector<OpResult, 2>> views;
  /// Of computed values, also through windows, in program order.
  DenseMap<Value, SmallVector<Operation *, 2>> readers;
  uint64_t count = 0;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_VALUEUSES_H
