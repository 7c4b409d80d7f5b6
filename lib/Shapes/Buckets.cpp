// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buckets and the choice among them.
#include "Gaudi/Shapes/Buckets.h"

#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <tuple>

using namespace gaudi;
using namespace gaudi::shapes;

double gaudi::shapes::volumeOf(const Sizes &sizes) {
  double volume = 1;
  for (int64_t size : sizes)
    volume *= double(size);
  return volume;
}

namespace {
Status checkNames(const std::vector<std::string> &names) {
  if (names.empty())
    return fail("buckets need at least one symbol");
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty())
      return fail("symbol {} of the buckets has no name", i);
    if (std::find(names.begin(), names.begin() + ptrdiff_t(i), names[i]) !=
        names.begin() + ptrdiff_t(i))
      return fail("symbol {} of the buckets is there twice",
                  inQuotes(names[i]));
  }
  return {};
}

Status checkBoxes(const std::vector<std::string> &names,
                  const std::vector<Sizes> &boxes) {
  if (boxes.empty())
    return fail("there is no bucket; give at least one size per symbol");
  if (boxes.size() > Buckets::maxBuckets)
    return fail("{} buckets are more than the {} that can be chosen among",
                boxes.size(), Buckets::maxBuckets);
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].size() != names.size())
      return fail("bucket {} has {} sizes but there are {} symbols ({})", i,
                  boxes[i].size(), names.size(), fmt::join(names, ", "));
    for (size_t symbol = 0; symbol < names.size(); ++symbol)
      if (boxes[i][symbol] < 0)
        return fail("bucket {} has {} {}; sizes must not be negative", i,
                    printable(names[symbol]), boxes[i][symbol]);
  }
  // Ties by number, so that the message names the first two.
  // Equal boxes become neighbours.
  std::vector<size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(boxes[a], a) < std::tie(boxes[b], b);
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (boxes[order[i - 1]] == boxes[order[i]])
      return fail("buckets {} and {} have the same sizes ({}); give each once",
                  order[i - 1], order[i],
                  describeSizes(names, boxes[order[i]]));
  return {};
}
} // namespace

Result<Buckets> Buckets::create(std::vector<std::string> names,
                                std::vector<Sizes> boxes,
                                std::vector<double> costs) {
  GAUDI_TRY(checkNames(names));
  GAUDI_TRY(checkBoxes(names, boxes));
  // Without costs, the volume.
  if (costs.empty())
    for (const Sizes &box : boxes)
      costs.push_back(volumeOf(box));
  if (costs.size() != boxes.size())
    return fail("there are {} costs for {} buckets", costs.size(),
                boxes.size());
  for (size_t i = 0; i < costs.size(); ++i)
    if (!(costs[i] >= 0 && std::isfinite(costs[i])))
      return fail("bucket {} costs {}; costs must be finite and not negative",
                  i, costs[i]);
  Buckets buckets;
  buckets.symbolNames = std::move(names);
  buckets.given = std::move(boxes);
  buckets.launchCosts = std::move(costs);
  buckets.byCost.resize(buckets.size());
  std::iota(buckets.byCost.begin(), buckets.byCost.end(), 0);
  std::sort(buckets.byCost.begin(), buckets.byCost.end(),
            [&](uint32_t a, uint32_t b) {
              return std::tie(buckets.launchCosts[a], a) <
                     std::tie(buckets.launchCosts[b], b);
            });
  // Sizes in the order of costs, one after the other: a choice reads memory
  // forwards until a bucket fits.
  for (uint32_t bucket : buckets.byCost)
    buckets.sizesByCost.insert(buckets.sizesByCost.end(),
                               buckets.given[bucket].begin(),
                               buckets.given[bucket].end());
  return buckets;
}

Result<Buckets> Buckets::grid(std::vector<std::string> names,
                              std::vector<std::vector<int64_t>> boundaries) {
  if (boundaries.size() != names.size())
    return fail("there are sizes of {} symbols but {} symbols ({})",
                boundaries.size(), names.size(), fmt::join(names, ", "));
  uint64_t count = 1;
  for (size_t symbol = 0; symbol < names.size(); ++symbol) {
    std::vector<int64_t> &sizes = boundaries[symbol];
    if (sizes.empty())
      return fail("symbol {} has no size; give at least one",
                  inQuotes(names[symbol]));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    // Saturated: the product of many lists may overflow.
    count = checkedMul<uint64_t>(count, sizes.size()).value_or(UINT64_MAX);
  }
  if (count > maxBuckets)
    return fail("the sizes have {} combinations, more than the {} buckets that "
                "can be chosen among; give fewer sizes or single buckets",
                count, maxBuckets);
  // All combinations, the last symbol fastest.
  std::vector<Sizes> boxes = {{}};
  for (const std::vector<int64_t> &sizes : boundaries) {
    std::vector<Sizes> longer;
    longer.reserve(boxes.size() * sizes.size());
    for (const Sizes &box : boxes)
      for (int64_t size : sizes) {
        longer.push_back(box);
        longer.back().push_back(size);
      }
    boxes = std::move(longer);
  }
  return create(std::move(names), std::move(boxes));
}

std::optional<size_t> Buckets::choose(const Sizes &sizes) const {
  assert(sizes.size() == rank() && "one size per symbol");
  return choose(sizes.data());
}

std::vector<int64_t> Buckets::boundaries(size_t symbol) const {
  std::vector<int64_t> sizes;
  sizes.reserve(given.size());
  for (const Sizes &box : given)
    sizes.push_back(box[symbol]);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Sizes Buckets::nearest(const Sizes &sizes, const Sizes &limits) const {
  assert(sizes.size() == rank() && "one size per symbol");
  Sizes result;
  for (size_t symbol = 0; symbol < rank(); ++symbol) {
    const std::vector<int64_t> known = boundaries(symbol);
    auto it = std::lower_bound(known.begin(), known.end(), sizes[symbol]);
    int64_t size = it == known.end() ? std::max<int64_t>(known.back(), 1) : *it;
    while (size < sizes[symbol])
      size = size > INT64_MAX / 2 ? sizes[symbol] : size * 2;
    if (!limits.empty() && limits[symbol] >= sizes[symbol])
      size = std::min(size, limits[symbol]);
    result.push_back(size);
  }
  return result;
}

std::string Buckets::whyNone(const Sizes &sizes, const Sizes &limits) const {
  std::vector<std::string> reasons, given;
  for (size_t symbol = 0; symbol < rank(); ++symbol) {
    const std::string name = printable(symbolNames[symbol]);
    const int64_t largest = boundaries(symbol).back();
    if (sizes[symbol] > largest)
      reasons.push_back(fmt::format("{} {} exceeds the largest bucket {}", name,
                                    sizes[symbol], largest));
    given.push_back(fmt::format("{} {}", name, sizes[symbol]));
  }
  // Each size fits some bucket, but none fits all of them.
  if (reasons.empty())
    reasons.push_back(
        fmt::format("no single bucket covers {}", fmt::join(given, ", ")));
  const Sizes next = nearest(sizes, limits);
  return fmt::format("{}; nearest would be {} at {} % padding",
                     fmt::join(reasons, " and "),
                     describeSizes(symbolNames, next),
                     paddingPercent(volumeOf(next), volumeOf(sizes)));
}

std::string Buckets::text() const {
  std::vector<std::string> symbols;
  size_t combinations = 1;
  for (size_t symbol = 0; symbol < rank(); ++symbol) {
    const std::vector<int64_t> sizes = boundaries(symbol);
    // At most size() sizes per symbol, and the product stops growing once it
    // exceeds size(): it cannot wrap.
    if (combinations <= size())
      combinations *= sizes.size();
    symbols.push_back(
        fmt::format("{}={}", symbolNames[symbol], fmt::join(sizes, ",")));
  }
  // Distinct boxes that are as many as the combinations are all of them.
  if (combinations == size())
    return fmt::format("{}", fmt::join(symbols, ";"));
  std::vector<std::string> boxes;
  for (const Sizes &box : given)
    boxes.push_back(fmt::format("{}", fmt::join(box, "x")));
  return fmt::format("{}={}", fmt::join(symbolNames, ","),
                     fmt::join(boxes, ","));
}

std::string gaudi::shapes::describeSizes(const std::vector<std::string> &names,
                                         const Sizes &sizes) {
  assert(names.size() == sizes.size() && "one size per symbol");
  if (names.size() == 1)
    return fmt::format("{}", sizes.front());
  std::vector<std::string> parts;
  for (size_t symbol = 0; symbol < names.size(); ++symbol)
    parts.push_back(
        fmt::format("{} {}", printable(names[symbol]), sizes[symbol]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string gaudi::shapes::paddingPercent(double padded, double real) {
  if (padded <= real)
    return "0.0";
  if (real <= 0)
    return "100.0";
  // The tolerance keeps exact tenths from being rounded up by the division.
  return fmt::format("{:.1f}",
                     std::ceil((padded - real) / real * 1000 - 1e-9) / 10);
}
