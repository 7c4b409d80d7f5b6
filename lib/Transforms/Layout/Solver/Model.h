// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cost functions of a few variables each: what elimination and search work on.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_MODEL_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_MODEL_H

#include "../Solver.h"
#include <algorithm>
#include <cassert>

namespace gaudi::layout {

/// The saturating sum; nothing takes `forbidden` back.
inline int64_t add(int64_t a, int64_t b) {
  assert(a >= 0 && b >= 0 && a <= forbidden && b <= forbidden &&
         "out of the range in which sums do not overflow");
  return std::min(a + b, forbidden);
}

/// The difference of a cost and a lower bound of it; forbidden stays.
inline int64_t subtract(int64_t cost, int64_t bound) {
  assert(bound >= 0 && bound <= cost && "not a lower bound");
  return cost >= forbidden ? forbidden : cost - bound;
}

/// The part of `total` that the one of `count` sharers gets: the parts are the
/// same but for rounding, sum up to the total and grow with it.
inline int64_t shareOf(int64_t total, size_t sharer, size_t count) {
  assert(sharer < count && "one of the sharers");
  return (total + int64_t(sharer)) / int64_t(count);
}

/// A cost for each combination of labels of the variables in `scope`; the label
/// of the last one varies fastest.
struct Function {
  std::vector<uint32_t> scope; ///< ascending
  std::vector<int64_t> costs;
};

/// A connected remainder that the reductions leave: costs per variable, and
/// functions of two.
struct Model {
  std::vector<std::vector<int64_t>> costs; ///< per variable and label
  std::vector<Function> functions;

  uint32_t variables() const { return uint32_t(costs.size()); }
  uint32_t labels(uint32_t variable) const {
    return uint32_t(costs[variable].size());
  }
  int64_t cost(const std::vector<uint32_t> &labels) const;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_MODEL_H
