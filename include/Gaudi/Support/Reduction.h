// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which parts are taken away from what fails.
#ifndef GAUDI_SUPPORT_REDUCTION_H
#define GAUDI_SUPPORT_REDUCTION_H

#include <algorithm>
#include <cstddef>

namespace gaudi {

/// Takes away halves of the parts, then quarters, and so on. `count()`: how
/// many are left, numbered from 0. `remove(begin, end)`: takes these away if
/// the failure stays without them, and says so. True if anything went.
/// O(n log n) calls, if little goes.
template <typename Count, typename Remove>
bool reduceParts(const Count &count, const Remove &remove) {
  bool changed = false;
  for (size_t size = count(); size; size /= 2)
    for (size_t begin = 0; begin < count();) {
      const size_t end = std::min<size_t>(begin + size, count());
      if (remove(begin, end)) {
        changed = true;
        // Parts that could not go must not be asked for again and again.
        if (count() > begin + size)
          continue;
      }
      begin = end;
    }
  return changed;
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_REDUCTION_H
