// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evenly spaced, exponential and percent-padding series.
#include "Series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
// The block of tokens that serving frameworks allocate by, and from where on a
// size is taken for one of tokens.
constexpr int64_t block = 128;
constexpr int64_t manySizes = 1024;

/// Series end with it: the smallest multiple of the step that fits all sizes.
int64_t lastOf(const Axis &axis, int64_t step) {
  return roundUp(std::max<int64_t>(axis.max, 1), step);
}

/// Series start with it.
int64_t firstOf(const Axis &axis, int64_t step) {
  return roundUp(std::max<int64_t>(axis.min, 1), step);
}

std::vector<int64_t> sorted(const std::set<int64_t> &sizes) {
  return {sizes.begin(), sizes.end()};
}

/// `limit` powers, rounded up to the step.
std::set<int64_t> powers(int64_t first, int64_t last, int64_t step,
                         size_t limit) {
  std::set<int64_t> sizes = {last};
  for (size_t i = 0; i + 1 < limit; ++i) {
    const double exact =
        double(first) *
        std::pow(double(last) / double(first), double(i) / double(limit - 1));
    // The tolerance keeps exact multiples where they are.
    const double steps = std::ceil(exact / double(step) - 1e-9);
    sizes.insert(std::min(last, int64_t(steps) * step));
  }
  return sizes;
}
} // namespace

int64_t gaudi::shapes::roundUp(int64_t size, int64_t grain) {
  assert(size >= 0 && grain > 0 && "bounds were checked");
  return (size + grain - 1) / grain * grain;
}

int64_t gaudi::shapes::stepOf(const Strategy &strategy, const Axis &axis) {
  const int64_t step =
      strategy.step.value_or(axis.max >= manySizes ? block : 1);
  return roundUp(step, axis.grain);
}

std::vector<int64_t> gaudi::shapes::linearSeries(const Axis &axis, int64_t step,
                                                 size_t count) {
  const int64_t last = lastOf(axis, step), steps = last / step;
  std::set<int64_t> sizes;
  // ceil(i * steps / count) without a product that could overflow.
  const int64_t parts = std::min<int64_t>(int64_t(count), steps);
  for (int64_t i = 1; i <= parts; ++i)
    sizes.insert((steps / parts * i + (steps % parts * i + parts - 1) / parts) *
                 step);
  // Smaller ones than any launch would never be chosen.
  sizes.erase(sizes.begin(), sizes.lower_bound(firstOf(axis, step)));
  return sorted(sizes);
}

std::vector<int64_t>
gaudi::shapes::exponentialSeries(const Axis &axis, int64_t step, size_t count) {
  const int64_t first = firstOf(axis, step), last = lastOf(axis, step);
  if (count > uint64_t((last - first) / step)) { // all multiples
    std::vector<int64_t> sizes;
    for (int64_t size = first; size <= last; size += step)
      sizes.push_back(size);
    return sizes;
  }
  // Rounding makes neighbours equal, so higher limits may meet the budget, too.
  std::set<int64_t> best = powers(first, last, step, count);
  for (size_t limit = count + 1;; ++limit) {
    std::set<int64_t> sizes = powers(first, last, step, limit);
    if (sizes.size() > count)
      break; // comes at last: there are more than `count` multiples
    best = std::move(sizes);
  }
  return sorted(best);
}

std::vector<int64_t>
gaudi::shapes::percentSeries(const Axis &axis, int64_t step, double percent) {
  const int64_t last = lastOf(axis, step);
  if (percent >= 100)
    return {last};
  std::vector<int64_t> sizes = {firstOf(axis, step)};
  while (sizes.back() < last && sizes.size() <= Buckets::maxBuckets) {
    // The largest size s with s - (size + 1) at most the share of s; the
    // smallest launch in it has one element more than the size before.
    const double most = double(sizes.back() + 1) / (1 - percent / 100);
    const double steps = std::floor(most / double(step) + 1e-9);
    const int64_t next = most >= double(last) ? last : int64_t(steps) * step;
    sizes.push_back(std::min(last, std::max(next, sizes.back() + step)));
  }
  return sizes;
}
