// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drops buckets one at a time, the least loss first.
#include "Gaudi/Shapes/Drops.h"

#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <tuple>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
uint64_t addSaturated(uint64_t a, uint64_t b) {
  return checkedAdd(a, b).value_or(UINT64_MAX);
}

/// Per launch the two cheapest buckets that are left, so that what a bucket is
/// worth is known without looking at the others.
class Dropper {
public:
  Dropper(const Buckets &buckets, const Histogram &histogram)
      : buckets(buckets), launches(histogram.merged().observations),
        isLeft(buckets.size(), true), byCost(buckets.size()),
        firsts(launches.size()), seconds(launches.size()) {
    std::iota(byCost.begin(), byCost.end(), 0);
    std::sort(byCost.begin(), byCost.end(), [&](size_t a, size_t b) {
      return std::tuple(buckets.cost(a), a) < std::tuple(buckets.cost(b), b);
    });
    for (size_t i = 0; i < launches.size(); ++i) {
      firsts[i] = next(i, 0);
      seconds[i] = next(i, firsts[i] + 1);
    }
  }

  std::vector<Drop> run() {
    std::vector<Drop> drops;
    while (drops.size() < buckets.size()) {
      Drop drop;
      drop.bucket = least();
      isLeft[drop.bucket] = false;
      // A launch whose cheapest bucket goes takes its second. The searches go
      // on from there, so that each launch passes each bucket once.
      for (size_t i = 0; i < launches.size(); ++i) {
        if (!isValid(firsts[i]) && firsts[i] < byCost.size()) {
          firsts[i] = seconds[i];
          seconds[i] = next(i, firsts[i] + 1);
        } else if (!isValid(seconds[i]) && seconds[i] < byCost.size()) {
          seconds[i] = next(i, seconds[i] + 1);
        }
        if (firsts[i] < byCost.size())
          drop.padded +=
              double(launches[i].count) * buckets.cost(byCost[firsts[i]]);
        else
          drop.misses = addSaturated(drop.misses, launches[i].count);
      }
      drops.push_back(drop);
    }
    return drops;
  }

private:
  bool isValid(size_t place) const {
    return place < byCost.size() && isLeft[byCost[place]];
  }

  /// The place in byCost of the first bucket from `from` that is left and fits
  /// `launch`; none: past the end. Places only ascend, so a launch looks at
  /// each bucket once in all.
  size_t next(size_t launch, size_t from) const {
    const Sizes &sizes = launches[launch].sizes;
    for (size_t place = from; place < byCost.size(); ++place) {
      const Sizes &box = buckets[byCost[place]];
      if (isLeft[byCost[place]] &&
          std::equal(sizes.begin(), sizes.end(), box.begin(),
                     std::less_equal<int64_t>()))
        return place;
    }
    return byCost.size();
  }

  /// The bucket whose loss is least.
  size_t least() const {
    std::vector<uint64_t> misses(buckets.size());
    std::vector<double> more(buckets.size());
    for (size_t i = 0; i < launches.size(); ++i) {
      if (firsts[i] >= byCost.size())
        continue;
      const size_t bucket = byCost[firsts[i]];
      if (seconds[i] < byCost.size())
        more[bucket] +=
            double(launches[i].count) *
            (buckets.cost(byCost[seconds[i]]) - buckets.cost(bucket));
      else
        misses[bucket] = addSaturated(misses[bucket], launches[i].count);
    }
    size_t best = buckets.size();
    // Of equal losses the cheapest bucket: larger ones fit more sizes.
    for (size_t bucket : byCost)
      if (isLeft[bucket] &&
          (best == buckets.size() || std::tie(misses[bucket], more[bucket]) <
                                         std::tie(misses[best], more[best])))
        best = bucket;
    assert(best < buckets.size() && "a bucket is left");
    return best;
  }

  const Buckets &buckets;
  std::vector<Observation> launches;
  std::vector<bool> isLeft;
  std::vector<size_t> byCost;          // numbers of buckets, ascending
  std::vector<size_t> firsts, seconds; // per launch: places in byCost
};
} // namespace

std::vector<Drop> gaudi::shapes::dropOrder(const Buckets &buckets,
                                           const Histogram &histogram) {
  return Dropper(buckets, histogram).run();
}
