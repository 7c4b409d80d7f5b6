// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live bytes by step, for decisions that change lifetimes one by one.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_LIVEPROFILE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_LIVEPROFILE_H

#include "Gaudi/Dialect/MLIR.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cassert>
#include <cstdint>

namespace gaudi {

/// A segment tree over steps 0 to `steps` - 1: bytes are added to a range of
/// steps, and the most bytes of a range asked for, in logarithmic time.
class LiveProfile {
public:
  explicit LiveProfile(uint64_t steps) {
    while (leaves < steps)
      leaves *= 2;
    most.assign(2 * leaves, 0);
    added.assign(2 * leaves, 0);
  }

  /// Adds `bytes` at steps `first` to `last`, both included.
  void add(uint64_t first, uint64_t last, int64_t bytes) {
    assert(first <= last && last < leaves && "a range of steps");
    add(1, 0, leaves - 1, first, last, bytes);
  }

  int64_t peak() const { return most[1]; }
  /// The most bytes at steps `first` to `last`, both included.
  int64_t peak(uint64_t first, uint64_t last) const {
    assert(first <= last && last < leaves && "a range of steps");
    return peak(1, 0, leaves - 1, first, last);
  }

private:
  // `most` of a node has what was added to it and below, not above.
  void add(uint64_t node, uint64_t low, uint64_t high, uint64_t first,
           uint64_t last, int64_t bytes) {
    if (last < low || high < first)
      return;
    if (first <= low && high <= last) {
      most[node] += bytes;
      added[node] += bytes;
      return;
    }
    const uint64_t middle = (low + high) / 2;
    add(2 * node, low, middle, first, last, bytes);
    add(2 * node + 1, middle + 1, high, first, last, bytes);
    most[node] = added[node] + std::max(most[2 * node], most[2 * node + 1]);
  }

  int64_t peak(uint64_t node, uint64_t low, uint64_t high, uint64_t first,
               uint64_t last) const {
    if (first <= low && high <= last)
      return most[node];
    const uint64_t middle = (low + high) / 2;
    if (last <= middle)
      return added[node] + peak(2 * node, low, middle, first, last);
    if (first > middle)
      return added[node] + peak(2 * node + 1, middle + 1, high, first, last);
    return added[node] +
           std::max(peak(2 * node, low, middle, first, last),
                    peak(2 * node + 1, middle + 1, high, first, last));
  }

  uint64_t leaves = 1;
  llvm::SmallVector<int64_t> most, added;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_LIVEPROFILE_H
