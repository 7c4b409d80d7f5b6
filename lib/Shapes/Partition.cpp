// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic programming over the last run, by divide and conquer.
#include "Partition.h"

#include <algorithm>
#include <cassert>

using namespace gaudi::shapes;

Partition::Partition(std::vector<double> ascending,
                     const std::vector<double> &weights, size_t maxRuns)
    : costs(std::move(ascending)) {
  assert(costs.size() == weights.size() && !costs.empty() && maxRuns > 0 &&
         "a cost and a weight per size");
  assert(std::is_sorted(costs.begin(), costs.end()) &&
         "only ascending costs make begins monotone");
  const size_t n = costs.size();
  before.resize(n + 1);
  for (size_t i = 0; i < n; ++i)
    before[i + 1] = before[i] + weights[i];
  // One run from the start.
  best.resize(n + 1);
  for (size_t i = 1; i <= n; ++i)
    best[i] = costs[i - 1] * before[i];
  begins.emplace_back(n + 1, 0);
  totals.push_back(best[n]);
  previous.resize(n + 1);
  while (totals.size() < maxRuns) {
    std::swap(best, previous);
    begins.emplace_back(n + 1, 0);
    fillLayer(begins.size() - 1);
    // Totals are convex in the number of runs, as the costs are Monge: once
    // they stay, they stay for good.
    if (!(best[n] < totals.back())) {
      begins.pop_back();
      break;
    }
    totals.push_back(best[n]);
  }
}

void Partition::fillLayer(size_t layer) {
  // Ends in [from, to) whose best begin is in [low, high].
  struct Span {
    size_t from, to, low, high;
  };
  std::vector<uint32_t> &begin = begins[layer];
  // The best begin does not fall as the end grows, since costs rise with sizes:
  // the middle end is solved, and its begin bounds both halves. O(n log n) per
  // layer.
  best[0] = 0;
  std::vector<Span> spans = {{1, costs.size() + 1, 0, costs.size()}};
  while (!spans.empty()) {
    const Span span = spans.back();
    spans.pop_back();
    if (span.from >= span.to)
      continue;
    const size_t end = span.from + (span.to - span.from) / 2;
    const double cost = costs[end - 1];
    size_t chosen = span.low;
    double least = previous[chosen] + cost * (before[end] - before[chosen]);
    for (size_t i = span.low + 1; i <= std::min(span.high, end - 1); ++i) {
      const double candidate = previous[i] + cost * (before[end] - before[i]);
      if (candidate < least) {
        least = candidate;
        chosen = i;
      }
    }
    best[end] = least;
    begin[end] = uint32_t(chosen);
    spans.push_back({span.from, end, span.low, chosen});
    spans.push_back({end + 1, span.to, chosen, span.high});
  }
}

double Partition::cost(size_t runs) const {
  assert(runs > 0 && "a run at least");
  return totals[std::min(runs, maxRuns()) - 1];
}

std::vector<size_t> Partition::ends(size_t runs) const {
  std::vector<size_t> result;
  size_t layer = std::min(runs, maxRuns());
  for (size_t end = costs.size(); end > 0; end = begins[layer][end]) {
    result.push_back(end - 1);
    assert(layer > 0 && "a layer has at most its number of runs");
    --layer;
  }
  std::reverse(result.begin(), result.end());
  return result;
}
