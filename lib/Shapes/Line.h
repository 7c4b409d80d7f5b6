// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best buckets of one symbol.
#ifndef GAUDI_LIB_SHAPES_LINE_H
#define GAUDI_LIB_SHAPES_LINE_H

#include "Gaudi/Shapes/Planner.h"
#include "Partition.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gaudi::shapes {

class Line {
public:
  /// For the launches of `observed` within the bounds of `axis`. Errors: more
  /// sizes than can be planned, a bad cost.
  static Result<Line> create(const Axis &axis, const Histogram &observed,
                             const CostFunction &cost, size_t maxBuckets);

  /// Budgets beyond this one change nothing.
  size_t maxBuckets() const { return partition->maxRuns(); }
  /// What all launches take with the best buckets, at most `count` of them.
  double cost(size_t count) const { return partition->cost(count); }
  /// Their sizes, ascending.
  std::vector<int64_t> boundaries(size_t count) const;

private:
  std::vector<int64_t> sizes; // of the candidates; ascending
  std::optional<Partition> partition;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_LINE_H
