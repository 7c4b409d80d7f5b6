// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the device divides an index space over the TPC engines.
#include "CeilDiv.h"
#include "Gaudi/Timing/Tpc.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gaudi::timing {
namespace {

/// A box that grows smaller as its dimensions are divided.
class Division {
public:
  Division(const Dims &grid, uint32_t engines) : box(grid), left(engines) {}

  /// Divides exactly, by what engines and points have in common.
  void byCommonDivisor(size_t d) {
    const int64_t parts = std::gcd(left, box[d]);
    box[d] /= parts;
    left /= parts;
  }
  /// Divides by all engines that are left; the last box may be smaller.
  void byRounding(size_t d) {
    const int64_t size = ceilDiv(box[d], left);
    left /= ceilDiv(box[d], size);
    box[d] = size;
  }

  Dims box;

private:
  int64_t left;
};

/// Share of the engines that work, times how full their boxes are.
double scoreOf(const Dims &box, const Dims &grid, uint32_t engines) {
  double score = 1.0 / engines;
  for (size_t d = 0; d < grid.size(); ++d)
    score *= double(grid[d]) / double(box[d]);
  return score;
}

} // namespace

WorkSplit splitIndexSpace(const Dims &grid, uint32_t engines) {
  assert(engines > 0 && "a device has engines");
  std::vector<size_t> order;
  for (size_t d = 0; d < grid.size(); ++d) {
    assert(grid[d] > 0 && "a grid has points");
    if (grid[d] > 1)
      order.push_back(d);
  }
  // A kernel of the device has five dimensions; more are tried in the given
  // order only, which keeps this linear.
  constexpr size_t maxPermuted = 5;
  WorkSplit best{grid, 1};
  double bestScore = -1;
  const auto consider = [&](const Division &division) {
    // Equal scores: the first wins.
    const double score = scoreOf(division.box, grid, engines);
    if (score > bestScore * (1 + 1e-9)) {
      bestScore = score;
      best.box = division.box;
    }
  };
  do {
    Division common(grid, engines);
    for (size_t d : order)
      common.byCommonDivisor(d);
    for (size_t d : order)
      common.byRounding(d);
    consider(common);
    Division rounded(grid, engines);
    for (size_t d : order)
      rounded.byRounding(d);
    consider(rounded);
  } while (bestScore < 1 && order.size() <= maxPermuted &&
           std::next_permutation(order.begin(), order.end()));
  for (size_t d = 0; d < grid.size(); ++d)
    best.engines *= uint32_t(ceilDiv(grid[d], best.box[d]));
  assert(best.engines <= engines && "a box per engine");
  return best;
}

Dims splitOverDcores(int64_t size, int64_t granularity, uint32_t dcores) {
  assert(granularity > 0 && dcores > 0 && "pieces and dcores");
  const int64_t pieces = size / granularity;
  if (size % granularity != 0 || pieces < int64_t(dcores))
    return {};
  Dims parts(dcores, pieces / dcores * granularity);
  for (int64_t i = 0; i < pieces % int64_t(dcores); ++i)
    parts[size_t(i)] += granularity;
  return parts;
}

} // namespace gaudi::timing
