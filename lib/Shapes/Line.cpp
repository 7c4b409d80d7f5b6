// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates of one symbol: the sizes that launches have, rounded up.
#include "Line.h"

#include "Gaudi/Support/Quote.h"
#include "Series.h"

#include <algorithm>
#include <cmath>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
// Multiples of the grain between two launches that are looked at because they
// may be cheaper than the smaller ones.
constexpr int64_t maxLookups = 1 << 16;
// Candidates times buckets: four bytes each.
constexpr size_t maxTable = size_t(1) << 26;

Result<double> costAt(const CostFunction &cost, const Axis &axis,
                      int64_t size) {
  if (!cost)
    return double(size);
  const double value = cost({size});
  if (!(value >= 0 && std::isfinite(value)))
    return fail("a launch of {} {} costs {}; costs must be finite and not "
                "negative",
                printable(axis.name), size, value);
  return value;
}
} // namespace

Result<Line> Line::create(const Axis &axis, const Histogram &observed,
                          const CostFunction &cost, size_t maxBuckets) {
  Line line;
  std::vector<double> weights;
  auto add = [&](int64_t size, uint64_t count) {
    if (line.sizes.empty() || line.sizes.back() != size) {
      line.sizes.push_back(size);
      weights.push_back(0);
    }
    weights.back() += double(count);
  };
  for (const Observation &observation : observed.observations)
    if (observation.sizes[0] >= axis.min && observation.sizes[0] <= axis.max)
      add(roundUp(observation.sizes[0], axis.grain), observation.count);
  add(roundUp(axis.max, axis.grain), 0); // a launch of it must fit
  const size_t n = line.sizes.size();
  if (n * std::min(n, maxBuckets) > maxTable)
    return fail("{} has {} sizes, too many for {} buckets (the product may be "
                "{}); choose a grain larger than {}",
                printable(axis.name), n, maxBuckets, maxTable, axis.grain);
  // Along a gap without launches the cheapest size serves; then each size takes
  // the place of smaller ones that are dearer, so that costs ascend.
  const bool canLook =
      cost && roundUp(axis.max, axis.grain) / axis.grain <= maxLookups;
  std::vector<double> costs(n);
  for (size_t i = n; i-- > 0;) {
    const int64_t from = line.sizes[i];
    const int64_t to = canLook && i + 1 < n ? line.sizes[i + 1] : from + 1;
    costs[i] = GAUDI_TRY(costAt(cost, axis, from));
    for (int64_t size = from + axis.grain; size < to; size += axis.grain) {
      const double other = GAUDI_TRY(costAt(cost, axis, size));
      if (other < costs[i]) {
        costs[i] = other;
        line.sizes[i] = size;
      }
    }
    if (i + 1 < n && costs[i + 1] <= costs[i]) {
      costs[i] = costs[i + 1];
      line.sizes[i] = line.sizes[i + 1];
    }
  }
  line.partition.emplace(std::move(costs), weights, maxBuckets);
  return line;
}

std::vector<int64_t> Line::boundaries(size_t count) const {
  std::vector<int64_t> result;
  for (size_t end : partition->ends(count))
    result.push_back(sizes[end]);
  // Two ends may have the same replacement.
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}
