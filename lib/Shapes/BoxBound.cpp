// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subgradient steps over the prices of launches.
#include "BoxBound.h"

#include <cassert>
#include <limits>
#include <numeric>

using namespace gaudi::shapes;

namespace {
// Steps between two evaluations of all boxes look only at the promising ones.
constexpr unsigned stepsPerRound = 10;
constexpr size_t promisingPerBox = 16, leastPromising = 512;
// Share of the old direction in the new one.
constexpr double inertia = 0.9;
// Length of the first steps, and by how much steps shrink after so many rounds
// that gained next to nothing.
constexpr double firstScale = 0.1, shrinking = 0.7, nothing = 1e-4;
constexpr unsigned patience = 3;
// Candidates between two questions whether to end.
constexpr size_t askedEach = 256;
} // namespace

BoxBound::BoxBound(const BoxRows &rows, size_t maxBoxes,
                   std::vector<double> start, Cut &cut)
    : rows(rows), cut(cut), maxBoxes(maxBoxes), prices(std::move(start)),
      direction(rows.launches()), earned(rows.cells()), all(rows.cells()),
      bestBound(-std::numeric_limits<double>::infinity()), scale(firstScale) {
  assert(prices.size() == rows.launches() && maxBoxes > 0 &&
         "a price per launch");
  std::iota(all.begin(), all.end(), 0);
  pricesOfBest = prices;
  for (size_t i = 0; i < prices.size(); ++i)
    ownBound += rows.weights()[i] * rows.problem().boundCosts[rows.cellOf(i)];
  if (const std::optional<double> bound = evaluate(all)) {
    bestBound = *bound;
    activate();
  } else {
    selected = active = {rows.cells() - 1};
  }
}

/// The bound if only `candidates` could be chosen, and the chosen ones. Nothing
/// if it is cut.
std::optional<double>
BoxBound::evaluate(const std::vector<size_t> &candidates) {
  rows.mostUntil(prices, most);
  const std::vector<double> &weights = rows.weights();
  for (size_t number = 0; number < candidates.size(); ++number) {
    if (number % askedEach == 0 && cut.isDue())
      return std::nullopt;
    // What a box earns from launches whose price is above its cost.
    const size_t cell = candidates[number];
    const double cost = rows.problem().boundCosts[cell];
    double sum = 0;
    rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        sum += weights[i] * std::max(0.0, prices[i] - cost);
    });
    earned[cell] = sum;
  }
  const size_t last = rows.cells() - 1; // is chosen anyway
  selected.assign(candidates.begin(), candidates.end());
  // Only the sum of the largest is needed: no full sort. Ties by number, so
  // that the result is the same on every host.
  selected.erase(std::find(selected.begin(), selected.end(), last));
  const size_t others = std::min(maxBoxes - 1, selected.size());
  std::nth_element(selected.begin(), selected.begin() + ptrdiff_t(others),
                   selected.end(), [&](size_t a, size_t b) {
                     return earned[a] != earned[b] ? earned[a] > earned[b]
                                                   : a < b;
                   });
  selected.resize(others);
  selected.push_back(last);
  // Prices of all launches, less the most that boxes can earn: a lower bound by
  // Lagrangian duality.
  double bound = 0;
  for (size_t i = 0; i < prices.size(); ++i)
    bound += weights[i] * prices[i];
  for (size_t cell : selected)
    bound -= earned[cell];
  return bound;
}

/// Makes the boxes that earned most at an evaluation of all the active ones.
void BoxBound::activate() {
  active = all;
  const size_t count = std::min(
      active.size(), std::max(leastPromising, promisingPerBox * maxBoxes));
  std::nth_element(active.begin(), active.begin() + ptrdiff_t(count - 1),
                   active.end(), [&](size_t a, size_t b) {
                     return earned[a] != earned[b] ? earned[a] > earned[b]
                                                   : a < b;
                   });
  active.resize(count);
  const size_t last = rows.cells() - 1;
  if (std::find(active.begin(), active.end(), last) == active.end())
    active.push_back(last);
  std::sort(active.begin(), active.end());
}

/// Moves the prices, whose bound is `bound` with the chosen boxes.
void BoxBound::step(double bound, double upperBound) {
  const std::vector<double> &costs = rows.problem().boundCosts;
  const std::vector<double> &weights = rows.weights();
  std::vector<double> cover(prices.size());
  for (size_t cell : selected) {
    const double cost = costs[cell];
    rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        cover[i] += prices[i] > cost;
    });
  }
  // Launches differ by orders of magnitude in cost, so prices move in
  // proportion to the cost of their own cell, and independent of their weight.
  double norm = 0;
  for (size_t i = 0; i < prices.size(); ++i) {
    direction[i] = inertia * direction[i] + (1 - inertia) * (1 - cover[i]);
    norm += weights[i] * costs[rows.cellOf(i)] * direction[i] * direction[i];
  }
  if (!(norm > 0))
    return;
  const double length = scale * std::max(0.0, upperBound - bound) / norm;
  for (size_t i = 0; i < prices.size(); ++i) {
    const double own = costs[rows.cellOf(i)];
    prices[i] = std::max(own, prices[i] + length * own * direction[i]);
  }
}

void BoxBound::round(double upperBound) {
  for (unsigned i = 0; i < stepsPerRound; ++i)
    if (const std::optional<double> bound = evaluate(active))
      step(*bound, upperBound);
  const std::optional<double> bound = evaluate(all);
  if (!bound)
    return;
  activate();
  const double gain = *bound - bestBound;
  if (gain > 0) {
    bestBound = *bound;
    pricesOfBest = prices;
  }
  if (gain > nothing * (upperBound - bestBound)) {
    roundsWithoutGain = 0;
  } else if (++roundsWithoutGain >= patience) {
    roundsWithoutGain = 0;
    scale *= shrinking;
  }
}
