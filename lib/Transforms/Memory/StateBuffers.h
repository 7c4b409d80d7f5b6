// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Next values of states in the buffers of the old ones.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_STATEBUFFERS_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_STATEBUFFERS_H

#include "AliasReport.h"
#include "BufferTable.h"

namespace gaudi {

/// Called in program order, while `table` has the windows of all values before.
class StateBuffers {
public:
  StateBuffers(BufferTable &table, const ValueUses &uses,
               const SlicePlacer &slices, AliasReport &report)
      : table(table), uses(uses), slices(slices), report(report) {}

  /// Gives the next value of a state, whose root is `root`, the buffer of the
  /// old one. Where that would overwrite what is still read, a copy at the end
  /// moves it there: all reads are before it, and nothing reads states after
  /// it. `writer` is the value, or the first that is in a slice of it.
  void replace(const StateUpdate &update, size_t root, OpResult writer,
               uint64_t step);

  /// Lets an update that is neither an output nor the next value of a state
  /// work in the buffer of one, if the next value is computed later: chains of
  /// updates change a state step by step. False if it does not.
  bool updateInPlace(OpResult result, uint64_t step);

  /// Copies the next values that are not in the buffers of their states. Fails
  /// for donations that must be honoured.
  LogicalResult copyOthers();

  /// Why the next value of a state is copied, or null.
  const CopyReason *reasonToCopy(Value state) const {
    auto it = pending.find(state);
    return it == pending.end() ? nullptr : &it->second.second;
  }

private:
  std::optional<CopyReason> reasonToCopy(size_t owner, OpResult writer,
                                         OpResult next, uint64_t step);
  bool isWhereUpdated(const BufferWindow &window, OpResult result);
  LogicalResult refuseCopy(const StateUpdate &update, const CopyReason &reason);

  BufferTable &table;
  const ValueUses &uses;
  const SlicePlacer &slices;
  AliasReport &report;
  DenseMap<Value, std::pair<StateUpdate, CopyReason>> pending; // by state
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_STATEBUFFERS_H
