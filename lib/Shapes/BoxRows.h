// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches of a box problem, so that sums over those of a box are loops
// over contiguous memory.
#ifndef GAUDI_LIB_SHAPES_BOXROWS_H
#define GAUDI_LIB_SHAPES_BOXROWS_H

#include "BoxSearch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// Cells with launches, row by row along the last axis. `launch` numbers them.
class BoxRows {
public:
  explicit BoxRows(const BoxProblem &problem);

  const BoxProblem &problem() const { return of; }
  size_t launches() const { return launchWeights.size(); }
  size_t cells() const { return ends.size(); }
  const std::vector<double> &weights() const { return launchWeights; }
  size_t cellOf(size_t launch) const { return cellOfLaunch[launch]; }

  /// True if box `cell` takes the launch.
  bool takes(size_t cell, size_t launch) const;

  /// Per launch the largest of `values` from the start of its row until it.
  void mostUntil(const std::vector<double> &values,
                 std::vector<double> &most) const;

  /// Calls visit(begin, end) with ranges of launches that box `cell` takes.
  /// Those left out have values of at most `threshold`; `most` is mostUntil()
  /// of the values.
  template <typename Visit>
  void forEachRun(size_t cell, double threshold,
                  const std::vector<double> &most, Visit visit) const {
    const size_t row = cell / columns, column = cell % columns;
    for (size_t i = firstBelow[row]; i < firstBelow[row + 1]; ++i) {
      const uint32_t begin = firstOf[below[i]];
      const uint32_t end = ends[below[i] * columns + column];
      if (begin == end || most[end - 1] <= threshold)
        continue;
      // `most` ascends along a row.
      const double *from = most.data() + begin;
      visit(size_t(std::upper_bound(from, most.data() + end, threshold) -
                   most.data()),
            size_t(end));
    }
  }

private:
  const BoxProblem &of;
  size_t columns = 0;
  std::vector<uint32_t> cellOfLaunch;
  std::vector<double> launchWeights;
  std::vector<uint32_t> firstOf; // launch of each row, and the end
  std::vector<uint32_t> ends;    // per cell: launches of its row until it
  // Rows nowhere beyond each row, itself included.
  std::vector<uint32_t> below;
  std::vector<size_t> firstBelow;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_BOXROWS_H
